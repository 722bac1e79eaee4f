//! Notebooks and their expected texts.

use super::*;
use crate::source::DiscardingSink;
use std::io::Cursor;

fn open(json: &str) -> Result<Document, Problem> {
    let mut file = Cursor::new(json.as_bytes());
    let mut source = DocumentSource::new(&mut file, "x.ipynb").unwrap();
    read(&mut source, &ReadSettings::default(), &mut DiscardingSink)
}

fn check(json: &str, expected: &str) {
    assert_eq!(open(json).unwrap().text.text, expected, "of {json}");
}

/// A notebook with one cell of code and these outputs.
fn with_outputs(outputs: &str) -> String {
    format!(r#"{{"cells":[{{"cell_type":"code","source":"x","outputs":[{outputs}]}}]}}"#)
}

#[test]
fn cells_come_in_order_with_their_places() {
    let json = r##"{"cells":[
        {"cell_type":"markdown","source":["# Title\n","text ![a](data:image/png;base64,@)"]},
        {"cell_type":"code","source":"a = '```'\n","execution_count":1,"outputs":[{"output_type":"stream","text":["1\n","2\n"]}]},
        {"cell_type":"raw","source":["raw"]},{"cell_type":"code","source":[],"outputs":[]}],
        "metadata":{"kernelspec":{"language":"python"},"authors":[{"name":"A"},{"name":"B"}]},"nbformat":4}"##;
    let json = json.replace('@', &"A".repeat(200));
    check(&json, "# Title\ntext ![a]()\n\n````python\na = '```'\n````\n\n```\n1\n2\n```\n\n```\nraw\n```\n");
    let document = open(&json).unwrap();
    assert_eq!(document.text.places.0[1].1, Locator::part("cells/1", None));
    let rows: Vec<String> = document.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(rows, ["title=Title", "author=A", "author=B", "kernel_language=python"]);
}

#[test]
fn the_plainest_form_of_an_output_is_shown() {
    let fenced = |lines: &str| format!("```\nx\n```\n\n```\n{lines}\n```\n");
    let check = |outputs: &str, expected: &str| check(&with_outputs(outputs), expected);
    check(r#"{"data":{"text/plain":"1","text/html":"<b>1</b>"}}"#, &fenced("1"));
    check(r#"{"data":{"text/html":["<b>","1</b>"],"image/png":"AA"}}"#, "```\nx\n```\n\n**1**\n");
    check(r#"{"data":{"text/plain":"<Figure size 1x1>","image/png":"AA"}}"#, "```\nx\n```\n");
    check(r#"{"data":{"text/plain":"<X object>","text/markdown":"*m*"}}"#, "```\nx\n```\n\n*m*\n");
    check(
        r#"{"ename":"E","evalue":"v","traceback":["\u001b[0;31mE\u001b[0m","  at 1"]}"#,
        &fenced("E\n  at 1"),
    );
    check(r#"{"ename":"E","evalue":"v"}"#, &fenced("E: v"));
    check(r#"{"text":" 10%\r 20%\r\n"},{"text":"done\u0007"}"#, &fenced(" 20%\ndone"));
}

#[test]
fn the_older_format_is_read() {
    check(
        r#"{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":["H"]},
        {"cell_type":"code","language":"Python","input":["p"],"outputs":[{"output_type":"pyout","text":["1"],"png":"AA"}]}]}]}"#,
        "## H\n\n```python\np\n```\n\n```\n1\n```\n",
    );
}

#[test]
fn broken_notebooks_give_what_they_have() {
    let json = r#"{"cells":[{"cell_type":"markdown","source":"a"},{"cell_type":"markdown","source":["b","#;
    assert_eq!(open(json).unwrap().text.text, "a\n");
    assert_eq!(open(json).unwrap().problems[0].kind, ProblemKind::Damaged);
    check(
        r#"{"cells":[null,1,[],{"source":{"a":1}},{"source":"a","outputs":7,"cell_type":["markdown"]}],"metadata":[]}"#,
        "a\n",
    );
    check(r#"{"cells":[]}"#, "");
    for bad in ["", "[]", "{\"a\":1}", "no json"] {
        assert_eq!(open(bad).unwrap_err().kind, ProblemKind::Damaged, "of {bad}");
    }
    let deep = format!(r#"{{"cells":[{{"source":{}"#, "[".repeat(100_000));
    assert!(open(&deep).is_ok());
}

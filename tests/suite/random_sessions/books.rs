//! Random books and pages, converted with random flags.

use super::Session;
use crate::books::{book, nav, page};
use crate::material::words;
use crate::support::Dice;
use std::fmt::Write;
use std::fs;

/// The rules that may be switched off.
const RULES: &[&str] = &[
    "soft_hyphens",
    "controls",
    "page_breaks",
    "raw_html",
    "div_fences",
    "attributes",
    "empty_images",
    "image_links",
    "footnotes",
    "address_echoes",
    "dangling_links",
    "figure_references",
    "white_space",
];

/// A session of conversions.
pub fn play(session: &mut Session, dice: &mut Dice) {
    let off = (dice.pick(RULES), dice.pick(RULES));
    let settings =
        format!("[rag]\noff = {:?}\nown = ['bells: (?i)\\bbell (\\w+) => ${{1}} bell']\n", [off.0, off.1]);
    fs::write(session.place.path("s.toml"), settings).unwrap();
    for number in 0..5 {
        let name = format!("{number}.md");
        fs::write(session.place.path(&name), artefacts(dice)).unwrap();
        let words = [
            "convert",
            &name,
            "--out",
            "md",
            "--threads",
            "1",
            "--json",
            "--quiet",
            "--force",
            "--footnotes",
        ];
        let more: &[&str] = dice.pick(&[&["drop"][..], &["inline"], &["end", "--config", "s.toml"]]);
        session.run(&[&words[..], more].concat());
    }
    for number in 0..6 {
        let name = format!("{number}.epub");
        let chapters = 1 + dice.below(4);
        let pages: Vec<(String, String)> =
            (0..chapters).map(|at| (format!("c{at}.xhtml"), page(&chapter(dice, at)))).collect();
        let mut items = String::new();
        for (at, (file, _)) in pages.iter().enumerate() {
            let label = dice.pick(&["Chapter", "Part", "1.", "*Of* lamps", "[Notes]", "  "]);
            let _ = write!(
                items,
                "<li><a href='{file}{}'>{label} {at}</a></li>",
                dice.pick(&["", "#s1", "#s2", "#none"])
            );
        }
        let contents = nav(&items);
        let mut parts: Vec<(&str, &str)> =
            pages.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        if dice.chance(80) {
            parts.insert(0, ("nav.xhtml", contents.as_str()));
        }
        fs::write(session.place.path(&name), book(&parts)).unwrap();
        let mut words =
            vec!["convert", name.as_str(), "--out", "md", "--threads", "1", "--json", "--quiet", "--force"];
        if dice.chance(70) {
            words.extend(["--footnotes", dice.pick(&["drop", "inline", "end"])]);
        }
        for flag in ["--front-matter", "--page-markers", "--strict"] {
            if dice.chance(30) {
                words.push(flag);
            }
        }
        if dice.chance(20) {
            words.extend(["--config", "s.toml"]);
        }
        session.run(&words);
    }
    session.files("md");
}

/// Markdown with what other converters leave in it.
fn artefacts(dice: &mut Dice) -> String {
    let mut text = String::new();
    for at in 0..6 + dice.below(20) {
        let some = words(dice, 4, 12);
        let more = words(dice, 12, 20);
        let note = 1 + dice.below(3);
        let _ = match dice.below(26) {
            0 | 1 => writeln!(
                text,
                "\n{} {some}{}\n",
                "#".repeat(1 + dice.below(4)),
                dice.pick(&["", " {#s1 .c}", " {.unnumbered}"])
            ),
            2 => writeln!(text, "::: {{.calibre{at}}}\n{more}\n:::\n"),
            3 => writeln!(text, "[]{{#page_{at} .pagebreak}}\n{more}\n"),
            4 => writeln!(text, "[{some}]{{.small}} {some} [{more}]{{#x lang=\"de\"}}\n"),
            5 => writeln!(text, "![](images/i{at}.png){{.image}}\n\n![{some}](i.png)\n"),
            6 => writeln!(text, "<div class=\"x\">{some}</div>\n<span id='a'></span>{more}<br/>\n"),
            7 => writeln!(text, "{more}[^{note}] {some}[^9].\n"),
            8 => writeln!(text, "\n[^{note}]: {some}\n    {more}\n"),
            9 => writeln!(text, "```\n{some} ::: {{.x}}\n[](#gone) <b>\n```\n"),
            10 => writeln!(text, "`{{.code}} [](x)` {some} `` ` <i> ``\n"),
            11 => writeln!(text, "[{some}](#gone) and [{some}](#s1) and [](c.xhtml#p) {some}\n"),
            12 => writeln!(
                text,
                "[http://x.example/a](http://x.example/a) {some} <http://x.example/b> (http://x.example/c)\n"
            ),
            13 => writeln!(text, "[![{some}](a.png)](b.html) {some} [![](a.png)](b.html)\n"),
            14 => writeln!(
                text,
                "{some} (see Figure {at}) {some} [Figure 2.{at}](#f) shows, as in Fig. {at}, {some}\n"
            ),
            15 => writeln!(text, "{some}\u{ad}{some}\u{200b}{some}\u{feff} \u{a0} {some}\n\u{c}\n"),
            16 => writeln!(text, "\n\n\n{more}   \n\n\n\n"),
            17 => writeln!(text, "\\[12\\] {some} \\<b\\> \\*{some}\\* 2 \\* 3\n"),
            18 => writeln!(text, "- {some} {{.item}}\n- ::: {some}\n  1. {more}\n"),
            19 => writeln!(text, "| {some} | {{.a}} |\n| --- | --- |\n| [](#x) {some} | ![](y.png) |\n"),
            20 => writeln!(text, "> {more}\n> {some}[^{note}]\n"),
            21 => writeln!(text, "* * *\n\n---\n\n{}\n", at * 3),
            22 => writeln!(text, "    {some} {{.x}}\n    <div>\n\n{more}\n"),
            23 => writeln!(
                text,
                "<!-- {some} -->\n{some}<sup>{note}</sup> H<sub>2</sub>O <a id=\"p{at}\"></a>{some}\n"
            ),
            _ => writeln!(text, "{more}\n"),
        };
    }
    text
}

/// A chapter of random elements.
fn chapter(dice: &mut Dice, number: usize) -> String {
    let mut text = String::new();
    for at in 0..3 + dice.below(12) {
        let some = words(dice, 5, 12);
        let more = words(dice, 14, 20);
        let note = 1 + dice.below(4);
        let _ = match dice.below(24) {
            0 | 1 => writeln!(text, "<h{0} id='s{at}'>{some}</h{0}>", 1 + dice.below(4)),
            2 => writeln!(
                text,
                "<p>{more}<a epub:type='noteref' id='r{note}' href='#n{note}'>{note}</a> {some}</p>"
            ),
            3 => writeln!(text, "<aside epub:type='footnote' id='n{note}'><p>{note}. {some}</p></aside>"),
            4 => writeln!(text, "<p><span epub:type='pagebreak' id='p{at}' title='{at}'/>{more}</p>"),
            5 => writeln!(text, "<p class='pagenum'>[Pg {}]</p>", at * 7),
            6 => writeln!(text, "<ul><li>{some}</li><li>{some}<ol><li>{more}</li></ol></li></ul>"),
            7 => writeln!(text, "<blockquote><p>{more}</p><p>{some}</p></blockquote>"),
            8 => writeln!(
                text,
                "<table><tr><th>{some}</th><th>b</th></tr><tr><td>{more}</td><td>{at}</td></tr></table>"
            ),
            9 => writeln!(text, "<pre>  {some}\n    {more} [12]\n</pre>"),
            10 => writeln!(
                text,
                "<figure><img src='i{at}.png' alt='{some}'/><figcaption>Figure {at}. {more}</figcaption></figure>"
            ),
            11 => writeln!(text, "<p>{some} <img src='x.jpg' alt=''/> {some}</p>"),
            12 => writeln!(text, "<hr/><p>* * *</p>"),
            13 => {
                writeln!(text, "<p>{some} <em>{some}</em><strong>{some}</strong> <code>a[1] {at}</code></p>")
            }
            14 => writeln!(
                text,
                "<p>{more} [{note}] {some}.{note} See <a href='c0.xhtml#s1'>{some}</a> and <a href='http://x.example/a_b'>{some}</a></p>"
            ),
            15 => writeln!(text, "<p>[{note}] {more}</p>"),
            16 => writeln!(text, "<p>{}</p>", at * 10 + number),
            17 => writeln!(text, "<p>{some}<br/>{some}<br/>\u{a0}<br/>{some}</p>"),
            18 => writeln!(text, "<p>\u{2028}{some}\u{ad}{some} \u{200b} {some}</p><p> </p><p>\u{a0}</p>"),
            19 => writeln!(
                text,
                "<div class='poem'><p>{some}</p><p>{some}</p></div><p>[Illustration: {some}]</p>"
            ),
            20 => writeln!(
                text,
                "<h2>{}</h2>",
                dice.pick(&["CONTENTS", "CHAPTER I", "[Illustration]", "1", "* * *", "Notes"])
            ),
            21 => writeln!(
                text,
                "<p><sup>{note}</sup>{some} <sup><a href='#n{note}'>{note}</a></sup> x<sub>2</sub></p>"
            ),
            _ => writeln!(text, "<p>{more}</p>"),
        };
    }
    text
}

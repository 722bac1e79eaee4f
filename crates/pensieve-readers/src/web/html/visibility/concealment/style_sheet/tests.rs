//! Rules that hide, and those that leave something to see.

use super::*;
use crate::web::html::parse::parse;

/// Compared with every rule, this page takes minutes.
#[test]
fn an_element_is_compared_with_few_rules() {
    let pages = |rule: &dyn Fn(usize) -> String, element: &dyn Fn(usize) -> String| {
        let rules: String = (0..MAX_RULES).map(rule).collect();
        let elements: String = (0..50_000).map(element).collect();
        let page = format!("<style>{rules}</style>{elements}");
        let tree = parse(&page, false);
        let sheet = StyleSheet::of(&tree, &page, &[]);
        (
            sheet.rules.classes.values().map(Vec::len).max(),
            tree.all(HtmlTag::P).filter(|node| sheet.declared(&tree, *node).way().is_some()).count(),
        )
    };
    let many_classes =
        pages(&|at| format!(".x.c{at}{{display:none}}"), &|at| format!("<p class='x c{}'>", at % 7));
    assert_eq!(many_classes, (Some(1), 50_000));
    let equal = pages(&|_| ".x{display:none}".to_owned(), &|at| format!("<p class='x c{at}'>"));
    assert_eq!(equal, (Some(1), 50_000));
    let none = pages(&|at| format!("p.x.c{at}{{opacity:0;clip:auto}}"), &|_| "<p class=x>".to_owned());
    assert_eq!(none, (Some(1), 0));
}

#[test]
fn rules_of_the_page_hide_what_they_name() {
    let check = |style: &str, element: &str, expected: bool| {
        let page = format!("<style>{style}</style>{element}a");
        let tree = parse(&page, false);
        let node = (0..tree.len()).find(|&node| tree.attribute(node, "id") == Some("x")).unwrap();
        let found = StyleSheet::of(&tree, &page, &[]).declared(&tree, node).way().is_some();
        assert_eq!(found, expected, "{page}");
    };
    check(".a{display:none}", "<p id=x class='b a'>", true);
    check(".a { opacity: 0 } #x{opacity:1}", "<p id=x class=a>", false);
    check("#x{opacity:1} .a{opacity:0}", "<p id=x class=a>", false);
    check("p.a, div.b{visibility:hidden}", "<p id=x class=a>", true);
    check("p.a{visibility:hidden}", "<div id=x class=a>", false);
    check("/* .a{} */ .a{font-size:0}", "<p id=x class=a>", true);
    check("@media print{.a{display:none}}.b{color:red}", "<p id=x class=a>", false);
    check("@media print{.a{display:none}}", "<p id=x class=a>", false);
    check("@media screen{.b{color:red}.a{display:none}}", "<p id=x class=a>", true);
    check("@media screen and (max-width:9px){.a{display:none}}", "<p id=x class=a>", false);
    check("@media not screen{.a{display:none}}", "<p id=x class=a>", false);
    check("@media all and (max-width:9px){.a{display:none}}", "<p id=x class=a>", false);
    check("@import 'x';\n.a{display:none}", "<p id=x class=a>", true);
    check(".a{display:none}.open .a{display:block}", "<p id=x class=a>", false);
    check(".a{display:none}.a:target{display:block}", "<p id=x class=a>", false);
    check(".a{display:none}", "<p id=x class=a style='display:block'>", false);
    check(".a{display:none", "<p id=x class=a>", true);
    check("", "<p id=x style='opacity:0'>", true);
    check("", "<script>1</script><p id=x style='opacity:0'>", false);
    check("}{.", "<p id=x>", false);
    check(".a{height:0;overflow:hidden}", "<p id=x class=a>", true);
    check(".a{height:0;overflow:hidden}.b:checked ~ .a{height:auto}", "<p id=x class=a>", false);
    check("", "<script>1</script><p id=x style='height:0;overflow:hidden'>", false);
}

#[test]
fn variables_have_their_values_where_these_are_certain() {
    let check = |rules: &str, expected: bool| {
        let page = format!("<html><style>{rules}</style><p class=a>x</p></html>");
        let tree = parse(&page, false);
        let node = tree.all(HtmlTag::P).next().unwrap();
        let way = StyleSheet::of(&tree, &page, &[]).declared(&tree, node).way();
        assert_eq!(way.is_some(), expected, "{rules}");
    };
    check(":root{--paper:#fff}.a{color:var(--paper);background:#fff}", true);
    check(".a{display:var(--shown, none)}", true);
    check(":root{--shown:block}.a{display:var(--shown, none)}", false);
    check(":root{--none:var(--nothing);--nothing:none}.a{display:var(--none)}", true);
    check(":root{--paper:#fff}.dark{--paper:#000}.a{color:var(--paper);background:#fff}", false);
    check(":root{--a:var(--a) var(--a)}.a{display:var(--a)}", false);
    check(".b--c:hover{color:red}.a{color:var(--c)}", false);
}

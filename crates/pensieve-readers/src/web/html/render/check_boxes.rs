//! Boxes that are ticked or not: `[x]` and `[ ]`, as in the task lists of Markdown.

use super::page::{NEAR_NODES, ParsedPage};
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;

/// The mark of a box that an element is, with its blank; `None` for any other element.
pub(super) fn check_box(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> Option<&'static str> {
    let is_ticked = match tag {
        HtmlTag::Input if is_of_item(page, node) => page.attribute(node, "checked").is_some(),
        HtmlTag::TaskStatus => page.words_below(node).trim() == "complete",
        HtmlTag::NotedTask => page.attribute(node, "checked") == Some("true"),
        // Before its box: an item with a state needs none.
        HtmlTag::Li => state_of_item(page, node)?,
        _ => state_of_element(page, node)?,
    };
    Some(if is_ticked { "[x] " } else { "[ ] " })
}

/// True for a box before the words of an item or a line that only shows its state: boxes with a name are asked about by a
/// program, such as those of shops that compare, and boxes before nothing fold menus.
fn is_of_item(page: ParsedPage<'_>, node: usize) -> bool {
    let value = |name: &str| page.attribute(node, name).unwrap_or_default();
    let has_name = ["id", "name", "value"].iter().any(|name| page.attribute(node, name).is_some());
    let is_shown_only =
        !has_name || page.attribute(node, "disabled").is_some() || value("class").contains("task");
    let is_asked = |above: usize| {
        use HtmlTag::{Fieldset, Footer, Form, Header, Nav};
        matches!(page.tag(above), Some(Fieldset | Footer | Form | Header | Nav))
    };
    let item = page.tree().ancestors(node).find(|&above| page.tag(above) == Some(HtmlTag::Li));
    // Else the item has the mark already.
    let block = item.filter(|&item| state_of_item(page, item).is_none()).or_else(|| match item {
        Some(_) => None,
        None => page.block_around(node),
    });
    let Some(block) = block else { return false };
    let has_words = |mut nodes: std::ops::Range<usize>| nodes.any(|at| page.has_words(at));
    page.tree().is_check_box(node)
        && is_shown_only
        && !page.tree().ancestors(node).any(is_asked)
        // A box in the middle of words is a choice of a form.
        && !has_words(node.saturating_sub(NEAR_NODES).max(block)..node)
        && has_words(node..page.end(block).min(node + NEAR_NODES))
}

/// The state of an item that editors keep in its attributes (Quill, Tiptap, Confluence); a box inside of it is the same.
fn state_of_item(page: ParsedPage<'_>, node: usize) -> Option<bool> {
    let value = |node: usize, name: &str| page.attribute(node, name).unwrap_or_default();
    if value(node, "role") == "checkbox" {
        return state_of_element(page, node);
    }
    match (value(node, "data-checked"), value(node, "data-list")) {
        ("true", _) | (_, "checked") => return Some(true),
        // Quill calls ticked and open items by the type of their list.
        ("false", _) | (_, "unchecked") => return Some(false),
        _ => {}
    }
    let is_task = has_word(value(page.tree().parent(node), "class"), &["inline-task-list"]);
    is_task.then(|| has_word(value(node, "class"), &["checked"]))
}

/// The state of an element that is drawn as a box: by its role, or by the classes of Notion.
fn state_of_element(page: ParsedPage<'_>, node: usize) -> Option<bool> {
    if page.attribute(node, "role") == Some("checkbox") {
        return page.attribute(node, "aria-checked").map(|state| state == "true");
    }
    let class = page.attribute(node, "class").filter(|class| class.contains("checkbox"))?;
    let is = |name: &str| has_word(class, &[name]);
    (is("checkbox-on") || is("checkbox-off")).then(|| is("checkbox-on"))
}

#[cfg(test)]
mod tests {
    use crate::web::html::tests::check;

    #[test]
    fn boxes_of_items_have_their_marks() {
        let (on, off) = ("<input type=checkbox checked disabled>", "<input type=CheckBox>");
        for (page, expected) in [
            (format!("<ul><li>{on} a<li>{off} b</ul>"), "- [x] a\n- [ ] b"),
            (format!("<ul><li><label>{on}<span>a</span></label><li><p>{off} b</ul>"), "- [x] a\n- [ ] b"),
            (format!("<p>{on} a<p>{off}b"), "[x] a\n\n[ ] b"),
            (
                format!("<table><tr><td>{on} a<td>{off} b<tr><td>c<td>d</table>"),
                "| [x] a | [ ] b |\n| - | - |\n| c | d |",
            ),
            // A question of a form, a box without words, one after words.
            (format!("<form><p>{on} a</form>"), "a"),
            (format!("<p>{on}</p><p>a"), "a"),
            (format!("<p>a {on} b"), "a b"),
            ("<ul><li><input type=checkbox id=compare> a</ul>".to_owned(), "- a"),
            ("<ul><li><input type=checkbox id=task1 disabled> a</ul>".to_owned(), "- [ ] a"),
            ("<ul><li><input type=radio checked> a</ul>".to_owned(), "- a"),
        ] {
            check(&page, expected);
        }
    }

    #[test]
    fn editors_draw_boxes_in_many_ways() {
        for (page, expected) in [
            (
                "<ul class=to-do-list><li><div class='checkbox checkbox-on'></div> <span>a</span></ul><ul class=to-do-list><li><div class='checkbox checkbox-off'></div> <span>b</span></ul>",
                "- [x] a\n- [ ] b",
            ),
            (
                "<ul data-type=taskList><li data-checked=true><div><p>a</div><li data-checked=false>b</ul>",
                "- [x] a\n- [ ] b",
            ),
            ("<ol><li data-list=checked>a<li data-list=bullet>b</ol>", "1. [x] a\n2. b"),
            (
                "<ul><li role=checkbox aria-checked=true>a<li role=checkbox aria-checked=false>b</ul>",
                "- [x] a\n- [ ] b",
            ),
            (
                "<ul><li><span role=checkbox aria-checked=true></span> a<li><div role=checkbox aria-checked=false>b</div></ul>",
                "- [x] a\n- [ ] b",
            ),
            ("<ul class=inline-task-list><li class=checked>a</ul>", "- [x] a"),
            ("<div><en-todo checked='true'></en-todo>a</div>", "[x] a"),
        ] {
            check(page, expected);
        }
    }
}

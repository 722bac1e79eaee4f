//! Lists whose levels are not in the nesting of their elements: each is moved below the item that it belongs to.
//!
//! Editors put a list directly into a list. Google Docs writes every level as a list of its own and names the level in its
//! class, Notion every item. Word and Outlook write paragraphs, with the level in their style and the number as text.

use super::attributes::has_word;
use super::tag::HtmlTag;
use super::tree::TreeBuilder;
use html5ever::LocalName;

/// What Google Docs calls lists; the name of the list and its level follow.
const GOOGLE_PREFIX: &str = "lst-kix_";

/// What Notion calls lists of one item.
const NOTION_CLASSES: &[&str] = &["bulleted-list", "numbered-list", "to-do-list", "toggle"];

/// What Word says of a paragraph that is an item, and of the number in it.
const WORD_PROPERTY: &str = "mso-list:";

/// The deepest level of Word and of Google Docs.
const MAX_LEVEL: usize = 9;

/// How many nodes of a paragraph are searched for its number.
// It is in the first element; only comments of Word may be before it.
const MAX_LABEL_NODES: usize = 12;

/// Moves lists and paragraphs that are items to their places.
pub(super) fn nest_lists(tree: &mut TreeBuilder, source: &str) {
    let mut paragraphs = WordList { levels: Vec::new(), outer: None };
    for node in 1..tree.len() {
        match tree.tag(node).filter(|_| tree.parent(node).is_some()) {
            Some(HtmlTag::Ul | HtmlTag::Ol) => nest_list(tree, source, node),
            Some(HtmlTag::P | HtmlTag::Div) => paragraphs.add(tree, source, node),
            _ => {}
        }
    }
}

fn nest_list(tree: &mut TreeBuilder, source: &str, list: usize) {
    let Some(before) = element_before(tree, source, list) else { return };
    let is_in_list = tree.parent(list).is_some_and(|parent| is_list(tree, parent));
    if is_in_list && tree.tag(before) == Some(HtmlTag::Li) {
        // By the standard a list directly in a list is an error; browsers show it below the item before.
        tree.append(before, list);
    }
    if is_in_list || !is_list(tree, before) {
        return;
    }
    let class = |node: usize| tree.attribute(node, "class").unwrap_or_default();
    match (google_level(class(before)), google_level(class(list))) {
        // A list of another name is another list.
        (Some((name, first)), Some((own, level))) if name == own && level >= first => {
            put_at_level(tree, before, list, level - first);
        }
        (None, None) if has_word(class(list), NOTION_CLASSES) && class(before) == class(list) => {
            join(tree, before, list);
        }
        _ => {}
    }
}

/// The name of a list of Google Docs, and its level.
fn google_level(class: &str) -> Option<(&str, usize)> {
    let name = class.split_ascii_whitespace().find_map(|word| word.strip_prefix(GOOGLE_PREFIX))?;
    let (name, level) = name.rsplit_once('-')?;
    level.parse().ok().filter(|level| *level < MAX_LEVEL).map(|level| (name, level))
}

/// Puts a list so many levels below the first level of the list before it.
fn put_at_level(tree: &mut TreeBuilder, first: usize, list: usize, levels: usize) {
    let mut around = first;
    // Levels may be skipped: then the list is as deep as can be.
    for _ in 0..levels {
        let Some(item) = last_below(tree, around, |tag| tag == HtmlTag::Li) else { break };
        match last_below(tree, item, |tag| matches!(tag, HtmlTag::Ul | HtmlTag::Ol)) {
            Some(inner) => around = inner,
            None => {
                tree.append(item, list);
                return;
            }
        }
    }
    // Google Docs says so of a list that counts from one again.
    let begins_again = tree.tag(list) == Some(HtmlTag::Ol)
        && tree.attribute(list, "class").is_some_and(|class| has_word(class, &["start"]));
    if tree.tag(around) == tree.tag(list) && !begins_again {
        join(tree, around, list);
    } else if let Some(item) = tree.parent(around).filter(|_| around != first) {
        tree.append(item, list);
    }
}

fn join(tree: &mut TreeBuilder, list: usize, next: usize) {
    tree.move_children(next, list);
    tree.detach(next);
}

fn is_list(tree: &TreeBuilder, node: usize) -> bool {
    matches!(tree.tag(node), Some(HtmlTag::Ul | HtmlTag::Ol))
}

/// The element before a node, if only white space and comments are between them.
fn element_before(tree: &TreeBuilder, source: &str, node: usize) -> Option<usize> {
    let mut before = std::iter::successors(tree.before(node), |&at| tree.before(at));
    let is_nothing = |node: usize| match tree.text_of(node) {
        Some(text) => text.resolve(source).trim().is_empty(),
        None => tree.tag(node) == Some(HtmlTag::Template),
    };
    before.find(|&at| !is_nothing(at)).filter(|&at| tree.tag(at).is_some())
}

/// The last element of these directly below a node.
fn last_below(tree: &TreeBuilder, node: usize, is_meant: fn(HtmlTag) -> bool) -> Option<usize> {
    let mut children = std::iter::successors(tree.last_child(node), |&at| tree.before(at));
    children.find(|&at| tree.tag(at).is_some_and(is_meant))
}

/// A level of the list that paragraphs become.
struct WordLevel {
    level: usize,
    list: usize,
    item: usize,
}

/// The list that the paragraphs before became.
struct WordList {
    levels: Vec<WordLevel>,
    /// Its outermost element.
    outer: Option<usize>,
}

impl WordList {
    /// Makes a paragraph an item, if its style says that it is one.
    fn add(&mut self, tree: &mut TreeBuilder, source: &str, paragraph: usize) {
        let Some(level) = tree.attribute(paragraph, "style").and_then(word_level) else { return };
        // It is an item already.
        if tree.parent(paragraph).and_then(|parent| tree.tag(parent)) == Some(HtmlTag::Li) {
            return;
        }
        // Anything between two items ends the list.
        if self.outer.is_none() || element_before(tree, source, paragraph) != self.outer {
            self.levels.clear();
        }
        let number = take_number(tree, source, paragraph);
        let tag = if number.is_some() { HtmlTag::Ol } else { HtmlTag::Ul };
        let is_other = |open: &mut WordLevel| open.level > level;
        while self.levels.pop_if(is_other).is_some() {}
        // Numbers after bullets on one level are another list.
        self.levels.pop_if(|open| open.level == level && tree.tag(open.list) != Some(tag));
        if self.levels.last().is_none_or(|open| open.level < level) {
            let list = tree.element(tag, Vec::new());
            match self.levels.last() {
                Some(open) => drop(tree.append(open.item, list)),
                None => {
                    tree.insert_before(paragraph, list);
                    self.outer = Some(list);
                }
            }
            self.levels.push(WordLevel { level, list, item: list });
        }
        let Some(open) = self.levels.last_mut() else { return };
        // Word counts on across paragraphs, so each item says its number.
        let value = number.map(|number| (LocalName::from("value"), number.as_str().into()));
        open.item = tree.element(HtmlTag::Li, value.into_iter().collect());
        tree.append(open.list, open.item);
        tree.move_children(paragraph, open.item);
        tree.detach(paragraph);
    }
}

/// The level in a style: `mso-list:l0 level2 lfo1`.
fn word_level(style: &str) -> Option<usize> {
    let value = style.split_once(WORD_PROPERTY)?.1.split(';').next()?;
    let level = value.split_whitespace().find_map(|word| word.strip_prefix("level"))?;
    level.parse().ok().filter(|level| (1..=MAX_LEVEL).contains(level))
}

/// Takes the bullet or the number out of a paragraph; returns the number. Letters and numbers with parts stay, as words.
fn take_number(tree: &mut TreeBuilder, source: &str, paragraph: usize) -> Option<String> {
    let label = nodes_below(tree, paragraph).into_iter().find(|&node| {
        let style = tree.attribute(node, "style").unwrap_or_default();
        style.split_once(WORD_PROPERTY).is_some_and(|(_, value)| value.trim_start().starts_with("Ignore"))
    })?;
    let words: String = nodes_below(tree, label)
        .into_iter()
        .filter_map(|node| tree.text_of(node))
        .map(|text| text.resolve(source))
        .collect();
    let words = words.trim();
    let number = words.trim_end_matches(['.', ')']).trim_start_matches('(');
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // Letters of symbol fonts are bullets: `o`, `q`, `v`.
    if is_number || words.chars().count() <= 1 {
        tree.detach(label);
    }
    is_number.then(|| number.to_owned())
}

/// The first nodes below a node, in document order.
fn nodes_below(tree: &TreeBuilder, node: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(at) = open.pop().filter(|_| found.len() < MAX_LABEL_NODES) {
        let children: Vec<usize> = tree.children(at).take(MAX_LABEL_NODES).collect();
        found.extend((at != node).then_some(at));
        open.extend(children.into_iter().rev());
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::web::html::tests::check;

    #[test]
    fn a_list_in_a_list_is_part_of_the_item_before() {
        for (page, expected) in [
            (
                "<ul><li>a</li><ul><li>b</li><ol><li>c</li></ol></ul><li>d</li></ul>",
                "- a\n  - b\n    1. c\n- d",
            ),
            ("<ul><ul><li>a</li></ul></ul>", "- a"),
            ("<ol><li>a</li> <!-- x --> <ul><li>b</li></ul><li>c</li></ol>", "1. a\n   - b\n2. c"),
        ] {
            check(page, expected);
        }
    }

    #[test]
    fn classes_of_google_docs_name_levels() {
        let list =
            |level: usize, item: &str| format!("<ul class='lst-kix_a-{level} start'><li>{item}</li></ul>");
        check(
            &[list(0, "a"), list(1, "b"), list(2, "c"), list(1, "d"), list(0, "e")].join(" "),
            "- a\n  - b\n    - c\n  - d\n- e",
        );
        check(&[list(0, "a"), list(2, "b")].concat(), "- a\n  - b");
        check(&[list(1, "a"), list(0, "b")].concat(), "- a\n\n- b");
        check(
            "<ol class='lst-kix_a-0 start'><li>a</ol><ol class=lst-kix_a-0 start=2><li>b</ol>",
            "1. a\n2. b",
        );
        check(
            "<ol class='lst-kix_a-0 start'><li>a</ol><ol class='lst-kix_b-0 start'><li>b</ol>",
            "1. a\n\n1. b",
        );
    }

    #[test]
    fn lists_of_notion_have_one_item_each() {
        let item = |class: &str, item: &str| format!("<ul class={class}><li>{item}</li></ul>");
        check(&[item("bulleted-list", "a"), item("bulleted-list", "b")].concat(), "- a\n- b");
        check(&[item("other", "a"), item("other", "b")].concat(), "- a\n\n- b");
        check(
            "<ol class=numbered-list start=1><li>a</ol><ol class=numbered-list start=2><li>b</ol>",
            "1. a\n2. b",
        );
    }

    #[test]
    fn paragraphs_of_word_are_items() {
        let item = |level: usize, label: &str, words: &str| {
            format!(
                "<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level{level} lfo1'><![if !supportLists]>\
                 <span style='font-family:Symbol'><span style='mso-list:Ignore'>{label}<span>&nbsp;&nbsp; </span></span></span>\
                 <![endif]>{words}</p>"
            )
        };
        check(
            &[item(1, "·", "a"), item(2, "o", "b"), item(2, "o", "c"), item(1, "·", "d")].join("\n"),
            "- a\n  - b\n  - c\n- d",
        );
        check(
            &[item(1, "3.", "a"), item(2, "a)", "b"), item(1, "4.", "c")].concat(),
            "3. a\n   - a) b\n4. c",
        );
        check(&[item(1, "·", "a"), "<p>b".to_owned(), item(1, "·", "c")].concat(), "- a\n\nb\n\n- c");
        check("<p style='mso-list:none'>a", "a");
    }
}

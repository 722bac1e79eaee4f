//! Simple rules of the style sheets of a page and of those that it links to: the declarations that an element has.
//!
//! The cascade is that of CSS Cascading 4 without origins and `!important`. Rules with relations or states are read for the names
//! in them alone: what they mean may be shown at some time.

use super::{Concealment, HidingWay};
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use crate::web::html::visibility::colours::{Colour, colour_of};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

/// Bytes at the start of a page in which its first tag is.
const HEAD_BYTES: usize = 4096;

/// Blocks of rules inside each other that are read.
const MAX_BLOCKS: usize = 3;

/// Rules of one page that are read, at most; the style sheets of 341 pages have fewer.
const MAX_RULES: usize = 5_000;

/// Bytes of the declarations of a rule after its variables have their values, and how many get one: variables may stand
/// for each other, and for themselves.
const MAX_RESOLVED_BYTES: usize = 4096;
const MAX_VARIABLES: usize = 64;

/// A selector of one element without relations: `p.note.small`, `#x`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct SimpleSelector {
    tag: Option<HtmlTag>,
    id: Option<String>,
    classes: Vec<String>,
}

impl SimpleSelector {
    fn parse(text: &str) -> Option<SimpleSelector> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let mut selector = SimpleSelector::default();
        let mut rest = text;
        while !rest.is_empty() {
            let mark = rest.chars().next().filter(|c| matches!(c, '.' | '#'));
            let name = &rest[mark.map_or(0, char::len_utf8)..];
            let length = name.find(|c| !is_name(c)).unwrap_or(name.len());
            let (name, after) = name.split_at(length);
            // A relation, a state or `*`.
            if name.is_empty() {
                return None;
            }
            match mark {
                Some('.') => selector.classes.push(name.to_owned()),
                Some(_) => selector.id = Some(name.to_owned()),
                None => selector.tag = Some(HtmlTag::from_name(&name.to_ascii_lowercase())),
            }
            rest = after;
        }
        // So `.a.b` and `.b.a` are one selector, and matching is a search.
        selector.classes.sort_unstable();
        (selector != SimpleSelector::default()).then_some(selector)
    }

    /// CSS Selectors 4, section 17.
    fn specificity(&self) -> (usize, usize, usize) {
        (usize::from(self.id.is_some()), self.classes.len(), usize::from(self.tag.is_some()))
    }

    /// The names that an element has which it matches: those of id and classes, or that of its tag.
    fn names(&self) -> impl Iterator<Item = ElementName<'_>> {
        let names = self.classes.iter().map(|class| ElementName::Class(class));
        let names = names.chain(self.id.iter().map(|id| ElementName::Id(id)));
        // Most elements have the tag; few have the class.
        let is_tag_alone = self.classes.is_empty() && self.id.is_none();
        names.chain(self.tag.filter(|_| is_tag_alone).map(ElementName::Tag))
    }

    /// True for an element with these classes, which are sorted.
    fn matches(&self, tag: HtmlTag, id: Option<&str>, classes: &[&str]) -> bool {
        self.tag.is_none_or(|wanted| wanted == tag)
            && self.id.as_deref().is_none_or(|wanted| id == Some(wanted))
            && self.classes.iter().all(|wanted| classes.binary_search(&wanted.as_str()).is_ok())
    }
}

/// A name by which rules find an element.
#[derive(Debug, Clone, Copy)]
enum ElementName<'n> {
    Class(&'n str),
    Id(&'n str),
    Tag(HtmlTag),
}

/// Something for names of elements.
#[derive(Debug, Default)]
struct ByName<T> {
    classes: FxHashMap<String, T>,
    ids: FxHashMap<String, T>,
    tags: FxHashMap<HtmlTag, T>,
}

impl<T: Default> ByName<T> {
    fn get(&self, name: ElementName<'_>) -> Option<&T> {
        match name {
            ElementName::Class(class) => self.classes.get(class),
            ElementName::Id(id) => self.ids.get(id),
            ElementName::Tag(tag) => self.tags.get(&tag),
        }
    }

    fn entry(&mut self, name: ElementName<'_>) -> &mut T {
        match name {
            ElementName::Class(class) => self.classes.entry(class.to_owned()).or_default(),
            ElementName::Id(id) => self.ids.entry(id.to_owned()).or_default(),
            ElementName::Tag(tag) => self.tags.entry(tag).or_default(),
        }
    }

    fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.ids.is_empty() && self.tags.is_empty()
    }
}

#[derive(Debug, Clone)]
struct StyleRule {
    selector: SimpleSelector,
    declared: Concealment,
    order: usize,
}

/// The rules of the style sheets of a page that decide whether something can be seen.
#[derive(Debug, Default)]
pub(crate) struct StyleSheet<'b> {
    /// Those of other files, below the page's own rules; the last that the page names comes first.
    linked: &'b [&'b StyleSheet<'b>],
    /// The values of custom properties for the whole page; `None` for those that change (CSS Custom Properties 1).
    variables: FxHashMap<String, Option<String>>,
    /// Each under one name of an element that it matches.
    rules: ByName<Vec<StyleRule>>,
    count: usize,
    /// Names that rules with relations or states mean as well: what they hide is shown when something happens.
    varied: ByName<()>,
    /// Those of such rules that change the ground of words, not whether they are shown.
    uncertain: ByName<()>,
    /// The page has scripts, which show what they can name.
    pub(in crate::web::html) has_scripts: bool,
    /// Rules that are not read have backgrounds.
    pub(in crate::web::html) has_other_grounds: bool,
    /// Elements with a size of type of their own, in document order; found when it is first asked for.
    sized: OnceCell<Vec<usize>>,
    /// Elements that are visible in those that are not, likewise.
    visible: OnceCell<Vec<usize>>,
    /// What is known of the ground of elements, and of the page.
    pub(in crate::web::html) grounds: RefCell<FxHashMap<usize, Option<Colour>>>,
    pub(in crate::web::html) is_plain: OnceCell<bool>,
}

impl<'b> StyleSheet<'b> {
    /// Reads a style sheet that pages link to.
    pub fn linked(text: &str) -> StyleSheet<'static> {
        let (mut sheet, mut rules) = (StyleSheet::default(), Vec::new());
        sheet.add(text, &mut rules);
        sheet.keep(rules);
        sheet
    }

    /// True if one of its rules hides something.
    pub fn hides(&self) -> bool {
        let ByName { classes, ids, tags } = &self.rules;
        let mut rules = classes.values().chain(ids.values()).chain(tags.values()).flatten();
        rules.any(|rule| rule.declared.way().is_some())
    }

    /// Reads all style sheets of a page, above those that it links to.
    pub(in crate::web::html) fn of(
        tree: &PageTree,
        source: &str,
        linked: &'b [&'b StyleSheet<'b>],
    ) -> StyleSheet<'b> {
        let has_scripts = tree.all(HtmlTag::Script).next().is_some();
        // A part of a page lies on the ground of the page that it is put into.
        let head = source[..source.floor_char_boundary(HEAD_BYTES)].to_ascii_lowercase();
        let has_other_grounds = !head.contains("<html") && !head.contains("<body");
        let mut sheet = StyleSheet { linked, has_scripts, has_other_grounds, ..StyleSheet::default() };
        let mut rules = Vec::new();
        for node in
            tree.all(HtmlTag::Style).filter(|node| tree.attribute(*node, "media").is_none_or(is_screen))
        {
            sheet.add(&tree.text_below(node, source), &mut rules);
        }
        sheet.keep(rules);
        sheet
    }

    /// Keeps rules, each under the rarest of its names, and only what no later rule with its selector overrides: so an element
    /// is compared with few of them, whatever the page.
    fn keep(&mut self, rules: Vec<StyleRule>) {
        let mut later: FxHashMap<SimpleSelector, Concealment> = FxHashMap::default();
        let mut kept = Vec::with_capacity(rules.len());
        // Of two rules with one selector the later wins, and may leave the other nothing to say.
        for rule in rules.into_iter().rev() {
            let known = later.entry(rule.selector.clone()).or_default();
            let all = known.above(rule.declared);
            if std::mem::replace(known, all) != all {
                kept.push(rule);
            }
        }
        let mut counts: ByName<usize> = ByName::default();
        kept.iter().flat_map(|rule| rule.selector.names()).for_each(|name| *counts.entry(name) += 1);
        for rule in kept {
            if let Some(name) = rule.selector.names().min_by_key(|name| counts.get(*name)) {
                self.rules.entry(name).push(rule.clone());
            }
        }
    }

    /// True if an element below has a size of type of its own: mails give their tables none, and their texts one.
    pub(in crate::web::html) fn has_size_below(&self, tree: &PageTree, node: usize) -> bool {
        let is_sized = |at: &usize| {
            let style = tree.attribute(*at, "style").filter(|style| style.contains("font"));
            style.is_some_and(|style| Concealment::read(style).way() != Some(HidingWay::Tiny))
        };
        let sized = self.sized.get_or_init(|| (0..tree.len()).filter(is_sized).collect());
        // In document order, so the first at or after the beginning decides.
        let next = sized.partition_point(|at| *at < tree.below(node).start);
        sized.get(next).is_some_and(|at| *at < tree.end(node))
    }

    /// True if an element below is visible by its own declaration.
    pub(in crate::web::html) fn has_visible_below(&self, tree: &PageTree, node: usize) -> bool {
        let is_visible = |at: &usize| self.declared(tree, *at).invisible == Some(false);
        let visible = self.visible.get_or_init(|| (0..tree.len()).filter(is_visible).collect());
        let next = visible.partition_point(|at| *at < tree.below(node).start);
        visible.get(next).is_some_and(|at| *at < tree.end(node))
    }

    /// True if something in an element may have a colour of its own: pictures and links have one, and what has a class may
    /// have one.
    pub(in crate::web::html) fn has_colour_inside(&self, tree: &PageTree, node: usize) -> bool {
        let has_own = |at: usize| {
            let has = |name: &str| tree.attribute(at, name).is_some();
            tree.tag(at) == Some(HtmlTag::A) || has("class") || has("id") || has("color") || has("style")
        };
        let is_picture = |at: usize| {
            matches!(tree.tag(at), Some(HtmlTag::Img | HtmlTag::Svg | HtmlTag::Picture | HtmlTag::Video))
        };
        is_picture(node) || tree.below(node).any(|at| has_own(at) || is_picture(at))
    }

    /// Adds the rules of a sheet that hold always; those for some media or states are not read.
    fn add(&mut self, text: &str, rules: &mut Vec<StyleRule>) {
        self.has_other_grounds |= text.contains("@import");
        let text = without_comments(text);
        self.define(&text);
        self.add_block(&text, 0, rules);
    }

    /// Notes the custom properties that a sheet defines, wherever: one with two values has none that is certain.
    fn define(&mut self, text: &str) {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let (mut before, mut rest) = (' ', text);
        while let Some(at) = rest.find("--").filter(|_| self.variables.len() < MAX_RULES) {
            before = rest[..at].chars().next_back().unwrap_or(before);
            let is_whole = before.is_whitespace() || matches!(before, '{' | ';');
            let (name, after) =
                rest[at..].split_at(rest[at..].find(|c| !is_name(c)).unwrap_or(rest.len() - at));
            (before, rest) = ('-', after);
            let Some(value) = after.trim_start().strip_prefix(':').filter(|_| is_whole) else { continue };
            let (value, after) = value.split_at(value.find([';', '}', '{']).unwrap_or(value.len()));
            (before, rest) = (':', after);
            let value = if value.len() < MAX_RESOLVED_BYTES { value.trim() } else { "?" };
            let known = self.variables.entry(name.to_owned()).or_insert_with(|| Some(value.to_owned()));
            known.take_if(|known| known != value);
        }
    }

    /// Declarations with the values of variables in their places. Those without a certain value stay, and say nothing.
    fn resolve<'d>(&self, declarations: &'d str) -> Cow<'d, str> {
        let mut resolved = Cow::Borrowed(declarations);
        for _ in 0..MAX_VARIABLES {
            // The innermost is the last, so its end is the first behind it.
            let Some(at) = resolved.rfind("var(") else { break };
            let Some(length) = resolved[at..].find(')') else { break };
            let inside = &resolved[at + "var(".len()..at + length];
            let (name, fallback) = inside.split_once(',').map_or((inside, None), |(a, b)| (a, Some(b)));
            let known = self.all().find_map(|sheet| sheet.variables.get(name.trim()));
            let value = known.map_or(fallback, |value| value.as_deref());
            let value = value.unwrap_or("?").to_owned();
            resolved.to_mut().replace_range(at..=at + length, &value);
            if resolved.len() > MAX_RESOLVED_BYTES {
                break;
            }
        }
        resolved
    }

    fn add_block(&mut self, mut rest: &str, depth: usize, rules: &mut Vec<StyleRule>) {
        while let Some((before, body)) = rest.split_once('{').filter(|_| self.count < MAX_RULES) {
            let end = closing(body);
            let selectors = before.rsplit([';', '}']).next().unwrap_or_default().trim();
            // Others hold only at times: in print, on small screens, during an animation.
            let block = &body[..end];
            let holds = || {
                let media = selectors.strip_prefix("@media");
                depth < MAX_BLOCKS && (media.is_some_and(is_screen) || selectors.starts_with("@layer"))
            };
            match selectors.starts_with('@') {
                false => self.add_rule(selectors, block, rules),
                true if holds() => self.add_block(block, depth + 1, rules),
                true => self.has_other_grounds |= block.contains("background"),
            }
            rest = body.get(end + 1..).unwrap_or_default();
        }
    }

    fn add_rule(&mut self, selectors: &str, declarations: &str, rules: &mut Vec<StyleRule>) {
        // Sheets make things transparent that scripts fade in: on 341 pages that left out main text.
        let declarations = self.resolve(declarations);
        let mut declared = Concealment { transparent: None, ..Concealment::read(&declarations) };
        // A script may open what has no height.
        if self.has_scripts {
            declared = declared.without_states();
        }
        if declared.is_nothing() {
            return;
        }
        let hides = !declared.without_grounds().is_nothing();
        for text in selectors.split(',').map(str::trim) {
            self.count += usize::from(hides);
            match SimpleSelector::parse(text) {
                Some(selector) => rules.push(StyleRule { declared, order: rules.len(), selector }),
                // A menu that opens below the pointer, a tab that is chosen.
                None if hides => names_of(text, |name| *self.varied.entry(name) = ()),
                None => names_of(text, |name| *self.uncertain.entry(name) = ()),
            }
            self.has_other_grounds |= declared.backed.is_some() && SimpleSelector::parse(text).is_none();
        }
    }

    /// What the rules declare for an element, and its own `style` above them.
    pub(in crate::web::html) fn declared(&self, tree: &PageTree, node: usize) -> Concealment {
        let (id, class) = (tree.attribute(node, "id"), tree.attribute(node, "class"));
        let style = tree.attribute(node, "style").map(|style| self.resolve(style));
        let mut own = style.map_or_else(Concealment::default, |style| Concealment::read(&style));
        // Pages are transparent in large part until a script runs: of 341 real ones, main text of some was lost.
        let may_move = self.has_scripts && (id.is_some() || class.is_some());
        own.animated = own.animated.or(may_move.then_some(true));
        if self.has_scripts {
            own = own.without_states();
        }
        if tree.tag(node) == Some(HtmlTag::Font) && own.colour.is_none() {
            own.colour =
                tree.attribute(node, "color").and_then(|colour| colour_of(&colour.to_ascii_lowercase()));
        }
        let mut sheets = self.all().filter(|sheet| sheet.has_rules()).peekable();
        let Some(tag) = tree.tag(node).filter(|_| sheets.peek().is_some()) else { return own };
        let mut classes: Vec<&str> = class.unwrap_or_default().split_ascii_whitespace().collect();
        classes.sort_unstable();
        classes.dedup();
        let names = || {
            let names = classes.iter().map(|class| ElementName::Class(class));
            names.chain(id.map(ElementName::Id)).chain([ElementName::Tag(tag)])
        };
        for sheet in sheets {
            // What may be shown at some time is text.
            if names().any(|name| sheet.varied.get(name).is_some()) {
                return Concealment { uncertain: true, ..own };
            }
            own.uncertain |= names().any(|name| sheet.uncertain.get(name).is_some());
            let rules = names().filter_map(|name| sheet.rules.get(name)).flatten();
            let mut found: Vec<&StyleRule> =
                rules.filter(|rule| rule.selector.matches(tag, id, &classes)).collect();
            // The cascade: more specific rules win, and of equal ones the last.
            found.sort_by_key(|rule| (rule.selector.specificity(), rule.order));
            let all = found.iter().fold(Concealment::default(), |below, rule| rule.declared.above(below));
            own = own.above(all);
        }
        own
    }

    /// Its own rules and those below them.
    fn all(&self) -> impl Iterator<Item = &StyleSheet<'b>> {
        std::iter::once(self).chain(self.linked.iter().copied())
    }

    fn has_rules(&self) -> bool {
        !(self.rules.is_empty() && self.varied.is_empty() && self.uncertain.is_empty())
    }
}

fn is_screen(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    let has = |word: &str| media.contains(word);
    media.trim().is_empty() || (has("all") || has("screen")) && !has("(") && !has("not")
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.filter_map(|part| part.split_once("*/")).for_each(|(_, after)| plain.push_str(after));
    plain
}

/// Where the brace of a block closes, blocks in it included.
fn closing(body: &str) -> usize {
    let mut depth = 0;
    let end = body.bytes().position(|byte| {
        depth += match byte {
            b'{' => 1,
            b'}' => -1,
            _ => 0,
        };
        depth < 0
    });
    end.unwrap_or(body.len())
}

/// The names in a selector with relations or states: `.menu.open > li:hover` has `.menu`, `.open`, and `li`.
fn names_of(selector: &str, mut take: impl FnMut(ElementName<'_>)) {
    let is_edge =
        |c: char| c.is_whitespace() || matches!(c, '>' | '+' | '~' | ':' | '[' | ']' | '(' | ')' | '*');
    // Slices below are at bytes.
    for part in selector.split(is_edge).filter(|part| !part.is_empty() && part.is_ascii()) {
        let mut rest = part;
        while !rest.is_empty() {
            let end = rest[1..].find(['.', '#']).map_or(rest.len(), |at| at + 1);
            take(match rest.as_bytes()[0] {
                b'.' => ElementName::Class(&rest[1..end]),
                b'#' => ElementName::Id(&rest[1..end]),
                _ => ElementName::Tag(HtmlTag::from_name(&rest[..end])),
            });
            rest = &rest[end..];
        }
    }
}

#[cfg(test)]
mod tests;

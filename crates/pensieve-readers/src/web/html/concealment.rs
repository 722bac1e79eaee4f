//! What style declarations do to be seen or not: those of an element, and simple rules of the page's own style sheets.
//!
//! Only what leaves nothing to see counts. Text that a script or a state can unfold (no height, an accordion) is text for who
//! unfolds it.
//! Properties: CSS Display 3, CSS Color 4 (`opacity`), CSS Fonts 4, CSS Positioned Layout 3, CSS Masking 1 (`clip`, `clip-path`).

use super::tag::HtmlTag;
use super::tree::PageTree;
use pensieve_text::model::HiddenReason;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Pixels to the left of or above the page from which nothing of an element is on it. Style sheets write -999, -9999 and
/// -10000; smaller ones move pictures and menus by their own width.
const MAX_BEFORE: f32 = -999.0;

/// Pixels to the right or below from which nothing of an element is on a page: wider than any screen of today.
const MIN_BEHIND: f32 = 5000.0;

/// Pixels of type that nobody can read: mails hide their first sentence in type of one pixel.
const MAX_TINY: f32 = 1.0;

/// The difference of each part of two colours, of 255, that is not seen.
const MAX_DIFFERENCE: u8 = 5;

/// Rules of one page that are read, at most; the style sheets of 341 pages have fewer.
const MAX_RULES: usize = 5_000;

/// The declarations that decide whether an element can be seen, as far as they are there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Concealment {
    no_display: Option<bool>,
    invisible: Option<bool>,
    transparent: Option<bool>,
    tiny: Option<bool>,
    positioned: Option<bool>,
    offset: Option<bool>,
    clipped: Option<bool>,
    /// Its first line, and with it what is in one line, begins off the page.
    indented: Option<bool>,
    /// It has a picture or a colour behind it, which stands for its words: logos, samples of colours.
    backed: Option<bool>,
    /// It has no height, and what is higher is cut off: both together hide it.
    flat: Option<bool>,
    cut_off: Option<bool>,
    /// Red, green and blue of the words, and of what is behind them.
    colour: Option<[u8; 3]>,
    ground: Option<[u8; 3]>,
    /// Something moves or fades it: a script shows it later.
    animated: Option<bool>,
}

/// How an element is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HidingWay {
    /// With all that is in it.
    Whole(HiddenReason),
    /// By the size of its type, unless what is in it has a size of its own.
    Tiny,
    /// By the colour of its words, unless what is in it has one of its own.
    SameColour,
}

impl Concealment {
    /// Reads declarations: `display: none; opacity: 0`.
    pub fn read(declarations: &str) -> Concealment {
        let mut found = Concealment::default();
        for declaration in declarations.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let value = value.to_ascii_lowercase();
            // `!important` says which rule wins, which is not followed here.
            let value = value.split('!').next().unwrap_or_default().trim();
            found.declare(&name.trim().to_ascii_lowercase(), value);
        }
        found
    }

    fn declare(&mut self, name: &str, value: &str) {
        match name {
            "display" => self.no_display = Some(value == "none"),
            "visibility" => self.invisible = Some(matches!(value, "hidden" | "collapse")),
            // A hundredth is not seen either.
            "opacity" => self.transparent = Some(pixels(value).is_some_and(|share| share < 0.01)),
            "font-size" => {
                self.tiny =
                    Some(pixels(value).is_some_and(|size| size <= MAX_TINY && !is_relative(value, size)))
            }
            // It sets a size, which is not read from it.
            "font" => self.tiny = Some(false),
            "position" => self.positioned = Some(matches!(value, "absolute" | "fixed")),
            "left" | "top" | "right" | "bottom" | "margin-left" | "margin-top" => {
                let is_far = pixels(value).is_some_and(|by| by <= MAX_BEFORE || by >= MIN_BEHIND);
                // One direction is enough.
                self.offset = Some(is_far || self.offset == Some(true));
            }
            "color" => self.colour = colour_of(value),
            "text-indent" => self.indented = Some(pixels(value).is_some_and(|by| by <= MAX_BEFORE)),
            "height" | "max-height" => {
                let is_flat = pixels(value).is_some_and(|height| height <= 0.0);
                // A least height is not read, so the smaller one counts.
                self.flat = Some(is_flat || self.flat == Some(true));
            }
            "overflow" | "overflow-y" => self.cut_off = Some(matches!(value, "hidden" | "clip")),
            // A picture, or a colour that is not understood, may be anything: then nothing is in its colour.
            "background" | "background-color" | "background-image" => {
                self.ground = colour_of(value);
                // These have nothing behind the words.
                self.backed = Some(!matches!(value, "none" | "transparent" | "inherit" | "initial"));
            }
            "clip" => self.clipped = Some(is_empty_rectangle(value)),
            "clip-path" => self.clipped = Some(is_empty_path(value)),
            "transform" | "-webkit-transform" | "transition" | "animation" | "animation-name"
            | "will-change" => {
                self.animated = Some(value != "none");
            }
            _ => {}
        }
    }

    /// These declarations after others, which they override.
    fn above(self, below: Concealment) -> Concealment {
        Concealment {
            no_display: self.no_display.or(below.no_display),
            invisible: self.invisible.or(below.invisible),
            transparent: self.transparent.or(below.transparent),
            tiny: self.tiny.or(below.tiny),
            positioned: self.positioned.or(below.positioned),
            offset: self.offset.or(below.offset),
            clipped: self.clipped.or(below.clipped),
            indented: self.indented.or(below.indented),
            backed: self.backed.or(below.backed),
            flat: self.flat.or(below.flat),
            cut_off: self.cut_off.or(below.cut_off),
            colour: self.colour.or(below.colour),
            ground: self.ground.or(below.ground),
            animated: self.animated.or(below.animated),
        }
    }

    fn is_nothing(&self) -> bool {
        *self == Concealment::default()
    }

    /// How an element with these declarations is hidden, if it is.
    pub fn way(&self) -> Option<HidingWay> {
        let is = |flag: Option<bool>| flag == Some(true);
        let whole = [
            // The plainest reason first, as a person would give it.
            (is(self.no_display) || is(self.invisible), HiddenReason::NotDisplayed),
            (is(self.transparent) && !is(self.animated), HiddenReason::Transparent),
            // Without a position the offset does nothing.
            (is(self.positioned) && is(self.offset), HiddenReason::OffPage),
            // A logo with its name as text: the picture says the name.
            (is(self.indented) && !is(self.backed), HiddenReason::OffPage),
            (is(self.clipped), HiddenReason::Clipped),
            (is(self.flat) && is(self.cut_off) && !is(self.animated), HiddenReason::Clipped),
        ];
        let whole = whole.into_iter().find(|(is_so, _)| *is_so);
        let whole = whole.map(|(_, reason)| HidingWay::Whole(reason));
        let is_alike = |(one, other): ([u8; 3], [u8; 3])| {
            one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= MAX_DIFFERENCE)
        };
        // Both must be declared: the usual ones are those of the reader's program.
        let same_colour = self.colour.zip(self.ground).is_some_and(is_alike);
        whole
            // Weaker ways last: what is inside may undo them.
            .or_else(|| is(self.tiny).then_some(HidingWay::Tiny))
            .or_else(|| same_colour.then_some(HidingWay::SameColour))
    }
}

/// The colour of a value that is nothing else: `#fff`, `#ffffff`, `rgb(255, 255, 255)`, `white`, `black`.
fn colour_of(value: &str) -> Option<[u8; 3]> {
    if let Some(digits) = value.strip_prefix('#').filter(|digits| digits.is_ascii()) {
        let part = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
        let short = |at: usize| u8::from_str_radix(digits.get(at..at + 1)?, 16).ok().map(|part| part * 17);
        return match digits.len() {
            3 => Some([short(0)?, short(1)?, short(2)?]),
            // With four or eight digits it is transparent to a degree.
            6 => Some([part(0)?, part(1)?, part(2)?]),
            _ => None,
        };
    }
    if let Some(inside) = value.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')) {
        let parts: Vec<u8> = inside.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        return parts.try_into().ok();
    }
    match value {
        "white" => Some([255; 3]),
        "black" => Some([0; 3]),
        _ => None,
    }
}

/// The number of a length, a percentage or a plain number; lengths relative to type count as 16 pixels.
fn pixels(value: &str) -> Option<f32> {
    let end =
        value.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(value.len());
    let number: f32 = value[..end].parse().ok()?;
    let factor = match &value[end..] {
        // The size of type that browsers begin with.
        "em" | "rem" | "ex" | "ch" => 16.0,
        // 96 pixels and 72 points are an inch (CSS Values 4, 6.2).
        "pt" => 1.333,
        _ => 1.0,
    };
    Some(number * factor)
}

/// True for a size of type that is a share of another and no nothing: `1%` of what is not known.
fn is_relative(value: &str, size: f32) -> bool {
    value.ends_with('%') && size > 0.0
}

/// True for `rect(...)` with sides of a pixel at most.
fn is_empty_rectangle(value: &str) -> bool {
    let Some(inside) = value.strip_prefix("rect(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let mut sides = inside.split([',', ' ']).filter(|side| !side.is_empty());
    sides.all(|side| pixels(side).is_some_and(|side| (0.0..=MAX_TINY).contains(&side)))
}

/// True for a path that leaves nothing.
fn is_empty_path(value: &str) -> bool {
    let inside = |name: &str| value.strip_prefix(name).and_then(|rest| rest.strip_prefix('('));
    let first = |rest: &str| pixels(rest.trim_start().split([' ', ')', ',']).next().unwrap_or_default());
    let is_share = value.contains('%');
    // Half from each side leaves nothing.
    inside("inset").and_then(first).is_some_and(|by| is_share && by >= 50.0)
        || inside("circle").and_then(first).is_some_and(|radius| radius == 0.0)
}

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
    fn names(&self) -> impl Iterator<Item = String> {
        let names = self.classes.iter().map(|class| format!(".{class}"));
        let names = names.chain(self.id.iter().map(|id| format!("#{id}")));
        // Most elements have the tag; few have the class.
        let is_tag_alone = self.classes.is_empty() && self.id.is_none();
        names.chain(self.tag.filter(|_| is_tag_alone).map(tag_key))
    }

    /// True for an element with these classes, which are sorted.
    fn matches(&self, tag: HtmlTag, id: Option<&str>, classes: &[&str]) -> bool {
        self.tag.is_none_or(|wanted| wanted == tag)
            && self.id.as_deref().is_none_or(|wanted| id == Some(wanted))
            && self.classes.iter().all(|wanted| classes.binary_search(&wanted.as_str()).is_ok())
    }
}

/// The name of a tag among those of classes and ids.
fn tag_key(tag: HtmlTag) -> String {
    format!("{tag:?}")
}

#[derive(Debug)]
struct StyleRule {
    selector: SimpleSelector,
    declared: Concealment,
    order: usize,
}

/// The rules of a page's own style sheets that decide whether something can be seen.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    /// Each under one name of an element that it matches.
    rules: FxHashMap<String, Vec<StyleRule>>,
    count: usize,
    /// Names that rules with relations or states mean as well: what they hide is shown when something happens.
    varied: FxHashSet<String>,
    /// The page has scripts, which show what they can name.
    has_scripts: bool,
    /// Elements with a size of type of their own, in document order; found when it is first asked for.
    sized: OnceCell<Vec<usize>>,
}

impl StyleSheet {
    /// Reads all style sheets of a page.
    pub fn of(tree: &PageTree, source: &str) -> StyleSheet {
        let has_scripts = tree.all(HtmlTag::Script).next().is_some();
        let mut sheet = StyleSheet { has_scripts, ..StyleSheet::default() };
        // Sheets for print hide what is on the screen, and are left out.
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
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        kept.iter()
            .flat_map(|rule| rule.selector.names())
            .for_each(|name| *counts.entry(name).or_default() += 1);
        for rule in kept {
            if let Some(name) = rule.selector.names().min_by_key(|name| counts[name]) {
                self.rules.entry(name).or_default().push(rule);
            }
        }
    }

    /// True if an element below has a size of type of its own: mails give their tables none, and their texts one.
    pub fn has_size_below(&self, tree: &PageTree, node: usize) -> bool {
        let is_sized = |at: &usize| {
            let style = tree.attribute(*at, "style").filter(|style| style.contains("font"));
            style.is_some_and(|style| Concealment::read(style).way() != Some(HidingWay::Tiny))
        };
        let sized = self.sized.get_or_init(|| (0..tree.len()).filter(is_sized).collect());
        // In document order, so the first at or after the beginning decides.
        let next = sized.partition_point(|at| *at < tree.below(node).start);
        sized.get(next).is_some_and(|at| *at < tree.end(node))
    }

    /// True if something below may have a colour of its own: links have one, and what has a class may have one.
    pub fn has_colour_below(&self, tree: &PageTree, node: usize) -> bool {
        tree.below(node).any(|at| {
            let has = |name: &str| tree.attribute(at, name).is_some();
            tree.tag(at) == Some(HtmlTag::A) || has("class") || has("id") || has("color") || has("style")
        })
    }

    /// Adds the rules of a sheet that hold always; those for some media or states are not read.
    fn add(&mut self, text: &str, rules: &mut Vec<StyleRule>) {
        let text = without_comments(text);
        let mut rest = text.as_str();
        while let Some((before, body)) = rest.split_once('{').filter(|_| self.count < MAX_RULES) {
            let end = closing(body);
            let selectors = before.rsplit([';', '}']).next().unwrap_or_default().trim();
            // These hold only at times: in print, on small screens, during an animation.
            if !selectors.starts_with('@') {
                self.add_rule(selectors, &body[..end], rules);
            }
            rest = body.get(end + 1..).unwrap_or_default();
        }
    }

    fn add_rule(&mut self, selectors: &str, declarations: &str, rules: &mut Vec<StyleRule>) {
        // Sheets make things transparent that scripts fade in: on 341 pages that left out main text.
        let mut declared = Concealment { transparent: None, ..Concealment::read(declarations) };
        // A script may open what has no height.
        declared.flat = declared.flat.filter(|_| !self.has_scripts);
        if declared.is_nothing() {
            return;
        }
        for text in selectors.split(',').map(str::trim) {
            self.count += 1;
            match SimpleSelector::parse(text) {
                Some(selector) => rules.push(StyleRule { declared, order: self.count, selector }),
                // A menu that opens below the pointer, a tab that is chosen.
                None => self.varied.extend(names_of(text)),
            }
        }
    }

    /// What the rules declare for an element, and its own `style` above them.
    pub fn declared(&self, tree: &PageTree, node: usize) -> Concealment {
        let mut own = tree.attribute(node, "style").map_or_else(Concealment::default, Concealment::read);
        // Pages are transparent in large part until a script runs: of 341 real ones, main text of some was lost.
        let has_name = ["class", "id"].iter().any(|name| tree.attribute(node, name).is_some());
        own.animated = own.animated.or((self.has_scripts && has_name).then_some(true));
        own.flat = own.flat.filter(|_| !self.has_scripts);
        if self.rules.is_empty() {
            return own;
        }
        let id = tree.attribute(node, "id");
        let mut classes: Vec<&str> =
            tree.attribute(node, "class").unwrap_or_default().split_ascii_whitespace().collect();
        classes.sort_unstable();
        classes.dedup();
        let Some(tag) = tree.tag(node) else { return own };
        let keys = classes.iter().map(|class| format!(".{class}")).chain(id.map(|id| format!("#{id}")));
        let keys: Vec<String> = keys.chain([tag_key(tag)]).collect();
        // What may be shown at some time is text.
        if keys.iter().any(|key| self.varied.contains(key)) {
            return own;
        }
        let mut found: Vec<&StyleRule> = keys
            .iter()
            .filter_map(|key| self.rules.get(key))
            .flatten()
            .filter(|rule| rule.selector.matches(tag, id, &classes))
            .collect();
        // The cascade: more specific rules win, and of equal ones the last.
        found.sort_by_key(|rule| (rule.selector.specificity(), rule.order));
        let sheet = found.iter().fold(Concealment::default(), |below, rule| rule.declared.above(below));
        own.above(sheet)
    }
}

fn is_screen(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    // Conditions on the screen are not tested.
    media.trim().is_empty() || media.contains("all") || media.contains("screen") && !media.contains('(')
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
fn names_of(selector: &str) -> Vec<String> {
    let is_edge =
        |c: char| c.is_whitespace() || matches!(c, '>' | '+' | '~' | ':' | '[' | ']' | '(' | ')' | '*');
    let parts = selector.split(is_edge).filter(|part| !part.is_empty());
    let marked = |part: &str| {
        let mut names = Vec::new();
        let mut rest = part;
        while !rest.is_empty() {
            let end = rest[1..].find(['.', '#']).map_or(rest.len(), |at| at + 1);
            names.push(match rest.starts_with(['.', '#']) {
                true => rest[..end].to_owned(),
                false => tag_key(HtmlTag::from_name(&rest[..end])),
            });
            rest = &rest[end..];
        }
        names
    };
    // Slices below are at bytes.
    parts.filter(|part| part.is_ascii()).flat_map(marked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    #[test]
    fn declarations_hide_when_nothing_is_left_to_see() {
        let check = |declarations: &str, expected: Option<HidingWay>| {
            assert_eq!(Concealment::read(declarations).way(), expected, "{declarations}");
        };
        let whole = |reason| Some(HidingWay::Whole(reason));
        let [gone, clear, beside, clipped] = [
            HiddenReason::NotDisplayed,
            HiddenReason::Transparent,
            HiddenReason::OffPage,
            HiddenReason::Clipped,
        ]
        .map(whole);
        check("color: red", None);
        check("Display: None !important", gone);
        check("visibility:hidden", gone);
        check("opacity:0", clear);
        check("opacity:0.0;transform:translateY(20px)", None);
        check("opacity: .5", None);
        check("font-size:0", Some(HidingWay::Tiny));
        check("font-size:1px;color:#fff", Some(HidingWay::Tiny));
        check("font-size: 0.01em", Some(HidingWay::Tiny));
        check("font-size:90%", None);
        check("font-size:1em", None);
        check("position:absolute;left:-9999px", beside);
        check("left:-9999px", None);
        check("position:absolute;left:10px", None);
        check("clip: rect(0, 0, 0, 0)", clipped);
        check("clip:rect(1px 1px 1px 1px);position:absolute", clipped);
        check("clip-path:inset(100%)", clipped);
        check("clip-path:inset(10px)", None);
        check("max-height:0;overflow:hidden", clipped);
        check("height:0px;overflow:hidden", clipped);
        check("height:0", None);
        check("height:0;max-height:90px;overflow:hidden", clipped);
        check("max-height:0;overflow:hidden;transition:max-height .2s", None);
        check("text-indent:-9999px", beside);
        check("text-indent:-99em;white-space:nowrap", beside);
        check("text-indent:-2em", None);
        check("text-indent:-9999px;background:url(logo.png)", None);
        check("background-color:#e0baa3;text-indent:-9999px", None);
        check("background:none;text-indent:-9999px", beside);
    }

    /// Compared with every rule, this page takes minutes.
    #[test]
    fn an_element_is_compared_with_few_rules() {
        let pages = |rule: &dyn Fn(usize) -> String, element: &dyn Fn(usize) -> String| {
            let rules: String = (0..MAX_RULES).map(rule).collect();
            let elements: String = (0..50_000).map(element).collect();
            let page = format!("<style>{rules}</style>{elements}");
            let tree = parse(&page, false);
            let sheet = StyleSheet::of(&tree, &page);
            (
                sheet.rules.values().map(Vec::len).max(),
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
            let found = StyleSheet::of(&tree, &page).declared(&tree, node).way().is_some();
            assert_eq!(found, expected, "{page}");
        };
        check(".a{display:none}", "<p id=x class='b a'>", true);
        check(".a { opacity: 0 } #x{opacity:1}", "<p id=x class=a>", false);
        check("#x{opacity:1} .a{opacity:0}", "<p id=x class=a>", false);
        check("p.a, div.b{visibility:hidden}", "<p id=x class=a>", true);
        check("p.a{visibility:hidden}", "<div id=x class=a>", false);
        check("/* .a{} */ .a{font-size:0}", "<p id=x class=a>", true);
        check("@media print{.a{display:none}}.b{color:red}", "<p id=x class=a>", false);
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
}

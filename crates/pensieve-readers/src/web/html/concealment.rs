//! What style declarations do to be seen or not: those of an element, and simple rules of the page's own style sheets.
//!
//! Only what leaves nothing to see counts. Text that a script or a state can unfold (no height, an accordion) is text for who
//! unfolds it.
//! Properties: CSS Display 3, CSS Color 4 (`opacity`), CSS Fonts 4, CSS Positioned Layout 3, CSS Masking 1 (`clip`, `clip-path`).

use super::colours::{Colour, are_alike, colour_of, is_clear};
use super::tag::HtmlTag;
use super::tree::PageTree;
use pensieve_text::model::HiddenReason;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

/// Pixels to the left of or above the page from which nothing of an element is on it. Style sheets write -999, -9999 and
/// -10000; smaller ones move pictures and menus by their own width.
const MAX_BEFORE: f32 = -999.0;

/// Pixels to the right or below from which nothing of an element is on a page: wider than any screen of today.
const MIN_BEHIND: f32 = 5000.0;

/// Pixels of type that nobody can read: mails hide their first sentence in type of one pixel.
const MAX_TINY: f32 = 1.0;

/// Opacity up to which nothing is seen.
const MAX_CLEAR: f32 = 0.02;

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

/// The declarations that decide whether an element can be seen, as far as they are there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Concealment {
    no_display: Option<bool>,
    invisible: Option<bool>,
    transparent: Option<bool>,
    tiny: Option<bool>,
    positioned: Option<bool>,
    offset: Option<bool>,
    /// Nothing of it is left by a clip: `clip` needs a position, a path does not.
    clipped: Option<bool>,
    has_path: bool,
    /// Its first line, and with it what is in one line, begins off the page.
    indented: Option<bool>,
    /// It has a picture or a colour behind it, which stands for its words: logos, samples of colours.
    backed: Option<bool>,
    /// It has no height, and what is higher is cut off: both together hide it.
    flat: Option<bool>,
    cut_off: Option<bool>,
    /// The colour of the words, and of what is behind them.
    colour: Option<Colour>,
    ground: Option<Colour>,
    /// The words have no colour, or a shadow or an outline that shows them in any.
    clear: Option<bool>,
    shadowed: Option<bool>,
    /// It is drawn in no size, or not at all with what is in it.
    shrunk: Option<bool>,
    skipped: Option<bool>,
    /// It may lie on something that it is not in.
    lifted: Option<bool>,
    /// Something moves or fades it: a script shows it later.
    animated: Option<bool>,
    /// Rules that are not understood may declare more.
    uncertain: bool,
}

/// How an element is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HidingWay {
    /// With all that is in it.
    Whole(HiddenReason),
    /// By the size of its type, unless what is in it has a size of its own.
    Tiny,
    /// By the colour of its words, or the lack of one, unless what is in it has one of its own.
    Colour(HiddenReason),
    /// It is invisible, unless what is in it is not.
    Invisible,
}

impl Concealment {
    /// Reads declarations: `display: none; opacity: 0`.
    pub fn read(declarations: &str) -> Concealment {
        let mut found = Concealment::default();
        for declaration in declarations.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let (name, value) = (in_lower_case(name.trim()), in_lower_case(value));
            // `!important` says which rule wins, which is not followed here.
            found.declare(&name, value.split('!').next().unwrap_or_default().trim());
        }
        found
    }

    fn declare(&mut self, name: &str, value: &str) {
        match name {
            "display" => self.no_display = Some(value == "none"),
            "visibility" => self.invisible = Some(matches!(value, "hidden" | "collapse")),
            "opacity" => self.transparent = Some(pixels(value).is_some_and(|share| share <= MAX_CLEAR)),
            // Another filter says nothing of an opacity beside it: `opacity:0;filter:alpha(opacity=0)`.
            "filter" if value.contains("opacity(0)") || value.contains("opacity(0%)") => {
                self.transparent = Some(true);
            }
            "content-visibility" => self.skipped = Some(value == "hidden"),
            "font-size" => self.tiny = Some(is_tiny(value)),
            "font" => self.tiny = Some(size_of_font(value).is_some_and(is_tiny)),
            "position" => {
                self.positioned = Some(matches!(value, "absolute" | "fixed"));
                self.lifted = Some(value != "static" || self.lifted == Some(true));
            }
            "float" | "mix-blend-mode" | "margin" if name != "margin" || value.contains('-') => {
                self.lifted = Some(true);
            }
            "inset" => {
                let is_far = |by: f32| by <= MAX_BEFORE || by >= MIN_BEHIND;
                let mut sides = value.split_ascii_whitespace().filter_map(pixels);
                self.offset = Some(sides.any(is_far) || self.offset == Some(true));
            }
            "left" | "top" | "right" | "bottom" | "margin-left" | "margin-top" => {
                let is_far = pixels(value).is_some_and(|by| by <= MAX_BEFORE || by >= MIN_BEHIND);
                // One direction is enough.
                self.offset = Some(is_far || self.offset == Some(true));
                let is_moved = name.starts_with("margin") && value.starts_with('-');
                self.lifted = Some(is_moved || self.lifted == Some(true));
            }
            "color" => {
                self.colour = colour_of(value);
                self.clear = Some(is_clear(value));
            }
            "text-shadow" | "-webkit-text-stroke" | "-webkit-text-fill-color" => {
                self.shadowed = Some(value != "none");
            }
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
            "clip-path" => {
                let is_empty = is_empty_path(value);
                self.clipped = Some(is_empty || self.clipped == Some(true));
                self.has_path |= is_empty;
            }
            "transform" | "-webkit-transform" if is_shrinking(value) => self.shrunk = Some(true),
            "transform" | "-webkit-transform" | "transition" | "animation" | "animation-name"
            | "will-change" => {
                self.animated = Some(value != "none");
                self.lifted = Some(name.ends_with("transform") || self.lifted == Some(true));
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
            has_path: self.has_path || below.has_path,
            indented: self.indented.or(below.indented),
            backed: self.backed.or(below.backed),
            flat: self.flat.or(below.flat),
            cut_off: self.cut_off.or(below.cut_off),
            colour: self.colour.or(below.colour),
            ground: self.ground.or(below.ground),
            clear: self.clear.or(below.clear),
            shadowed: self.shadowed.or(below.shadowed),
            shrunk: self.shrunk.or(below.shrunk),
            skipped: self.skipped.or(below.skipped),
            lifted: self.lifted.or(below.lifted),
            animated: self.animated.or(below.animated),
            uncertain: self.uncertain || below.uncertain,
        }
    }

    /// What a script would change: it is not read in a page with scripts.
    fn without_states(self) -> Concealment {
        Concealment { flat: None, shrunk: None, skipped: None, ..self }
    }

    /// Without what matters for the ground of words alone.
    fn without_grounds(self) -> Concealment {
        Concealment { clear: None, shadowed: None, lifted: None, ..self }
    }

    /// True if what is behind its words is not certain.
    pub fn is_uncertain(&self) -> bool {
        self.uncertain || self.lifted == Some(true) || self.animated == Some(true)
    }

    /// The colour that it puts behind its words, if it does; a picture is none that is known.
    pub fn own_ground(&self) -> Option<Option<Colour>> {
        (self.backed == Some(true)).then_some(self.ground)
    }

    /// The colour of its words, where nothing else shows them.
    pub fn bare_colour(&self) -> Option<Colour> {
        self.colour.filter(|_| self.shadowed != Some(true))
    }

    fn is_nothing(&self) -> bool {
        *self == Concealment::default()
    }

    /// How an element with these declarations is hidden, if it is.
    pub fn way(&self) -> Option<HidingWay> {
        let is = |flag: Option<bool>| flag == Some(true);
        let whole = [
            // The plainest reason first, as a person would give it.
            (is(self.no_display) || is(self.skipped), HiddenReason::NotDisplayed),
            (is(self.shrunk) && !is(self.animated), HiddenReason::Tiny),
            (is(self.transparent) && !is(self.animated), HiddenReason::Transparent),
            // Without a position the offset does nothing.
            (is(self.positioned) && is(self.offset), HiddenReason::OffPage),
            // A logo with its name as text: the picture says the name.
            (is(self.indented) && !is(self.backed), HiddenReason::OffPage),
            (is(self.clipped) && (is(self.positioned) || self.has_path), HiddenReason::Clipped),
            (is(self.flat) && is(self.cut_off) && !is(self.animated), HiddenReason::Clipped),
        ];
        let whole = whole.into_iter().find(|(is_so, _)| *is_so);
        let whole = whole.map(|(_, reason)| HidingWay::Whole(reason));
        let is_same = self.bare_colour().zip(self.ground).is_some_and(|(one, other)| are_alike(one, other));
        let is_clear = is(self.clear) && !is(self.backed) && !is(self.shadowed) && !is(self.animated);
        let of_colour = |is_so: bool, reason| is_so.then_some(HidingWay::Colour(reason));
        whole
            // Weaker ways last: what is inside may undo them.
            .or_else(|| is(self.invisible).then_some(HidingWay::Invisible))
            .or_else(|| is(self.tiny).then_some(HidingWay::Tiny))
            .or_else(|| of_colour(is_same, HiddenReason::SameColour))
            .or_else(|| of_colour(is_clear, HiddenReason::Transparent))
    }
}

/// Declarations in small letters, which nearly all are already.
fn in_lower_case(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => text.to_ascii_lowercase().into(),
        false => text.into(),
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

/// True for a size of type that nobody can read.
fn is_tiny(value: &str) -> bool {
    pixels(value).is_some_and(|size| size <= MAX_TINY && !is_relative(value, size))
}

/// The size in `italic 700 12px/1.5 serif`: the first number that is no weight.
fn size_of_font(value: &str) -> Option<&str> {
    let sizes = value.split_ascii_whitespace().map(|word| word.split('/').next().unwrap_or_default());
    sizes.into_iter().find(|word| {
        let is_weight = || word.parse().is_ok_and(|number: f32| number >= 1.0);
        word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !is_weight()
    })
}

/// True for a transformation to nothing.
fn is_shrinking(value: &str) -> bool {
    let value: String = value.split_ascii_whitespace().collect();
    ["scale(0)", "scale(0,", "scalex(0)", "scaley(0)", "scale3d(0,"]
        .iter()
        .any(|nothing| value.contains(nothing))
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
    pub(super) has_scripts: bool,
    /// Rules that are not read have backgrounds.
    pub(super) has_other_grounds: bool,
    /// Elements with a size of type of their own, in document order; found when it is first asked for.
    sized: OnceCell<Vec<usize>>,
    /// Elements that are visible in those that are not, likewise.
    visible: OnceCell<Vec<usize>>,
    /// What is known of the ground of elements, and of the page.
    pub(super) grounds: RefCell<FxHashMap<usize, Option<Colour>>>,
    pub(super) is_plain: OnceCell<bool>,
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
    pub(super) fn of(tree: &PageTree, source: &str, linked: &'b [&'b StyleSheet<'b>]) -> StyleSheet<'b> {
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
    pub(super) fn has_size_below(&self, tree: &PageTree, node: usize) -> bool {
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
    pub(super) fn has_visible_below(&self, tree: &PageTree, node: usize) -> bool {
        let is_visible = |at: &usize| self.declared(tree, *at).invisible == Some(false);
        let visible = self.visible.get_or_init(|| (0..tree.len()).filter(is_visible).collect());
        let next = visible.partition_point(|at| *at < tree.below(node).start);
        visible.get(next).is_some_and(|at| *at < tree.end(node))
    }

    /// True if something in an element may have a colour of its own: pictures and links have one, and what has a class may
    /// have one.
    pub(super) fn has_colour_inside(&self, tree: &PageTree, node: usize) -> bool {
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
    pub(super) fn declared(&self, tree: &PageTree, node: usize) -> Concealment {
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

//! What style declarations do to an element: whether it can be seen. Which declarations an element has, `style_sheet` says.
//!
//! Only what leaves nothing to see counts. Text that a script or a state can unfold (no height, an accordion) is text for who
//! unfolds it.
//! Properties: CSS Display 3, CSS Color 4 (`opacity`), CSS Fonts 4, CSS Positioned Layout 3, CSS Masking 1 (`clip`, `clip-path`).

pub(crate) mod style_sheet;

use super::colours::{Colour, are_alike, colour_of, is_clear};
use pensieve_text::model::HiddenReason;
use std::borrow::Cow;

/// Pixels to the left of or above the page from which nothing of an element is on it. Style sheets write -999, -9999 and
/// -10000; smaller ones move pictures and menus by their own width.
const MAX_BEFORE: f32 = -999.0;

/// Pixels to the right or below from which nothing of an element is on a page: wider than any screen of today.
const MIN_BEHIND: f32 = 5000.0;

/// Pixels of type that nobody can read: mails hide their first sentence in type of one pixel.
const MAX_TINY: f32 = 1.0;

/// Opacity up to which nothing is seen.
const MAX_CLEAR: f32 = 0.02;

/// The declarations that decide whether an element can be seen, as far as they are there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Concealment {
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
pub(crate) enum HidingWay {
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

#[cfg(test)]
mod tests;

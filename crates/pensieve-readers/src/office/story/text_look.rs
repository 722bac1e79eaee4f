//! What the format of characters in an office document says about whether anybody can see them.

use pensieve_text::model::HiddenReason;

/// Points of type that nobody can read.
const TINY_POINTS: f64 = 2.0;

/// The least of each part of a colour, of 255, that is white on white paper: the difference is not seen.
pub(crate) const MIN_WHITE: i32 = 250;

/// The look of characters; a field is `None` if their style decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TextLook {
    /// A property hides them.
    pub hidden: Option<bool>,
    /// Their colour is white.
    pub white: Option<bool>,
    /// Their size is too small to be read.
    pub tiny: Option<bool>,
    /// Something other than white is behind them.
    pub on_colour: bool,
}

impl TextLook {
    /// This look, completed by that of a style or of what is around it. What is behind both is behind it.
    pub(crate) fn over(self, base: TextLook) -> TextLook {
        TextLook {
            hidden: self.hidden.or(base.hidden),
            white: self.white.or(base.white),
            tiny: self.tiny.or(base.tiny),
            on_colour: self.on_colour || base.on_colour,
        }
    }

    /// Sets the size of the type.
    pub(crate) fn set_points(&mut self, points: f64) {
        self.tiny = Some(points < TINY_POINTS);
    }

    /// Sets the colour, as `FFFFFF` or `#ffffff`; a name such as `auto` is not white.
    pub(crate) fn set_colour(&mut self, colour: &str) {
        self.white = Some(is_white(colour));
    }

    /// Notes the colour behind the characters. A name that is no colour means none.
    pub(crate) fn set_ground(&mut self, colour: &str) {
        let is_none = matches!(colour, "auto" | "none" | "transparent" | "white" | "");
        self.on_colour |= !is_none && !is_white(colour);
    }

    /// Why nobody can see such characters. `is_paper` is asked whether nothing but white paper can be behind them.
    pub(crate) fn hiding(self, is_paper: impl FnOnce() -> bool) -> Option<HiddenReason> {
        match self {
            TextLook { hidden: Some(true), .. } => Some(HiddenReason::NotDisplayed),
            TextLook { tiny: Some(true), .. } => Some(HiddenReason::Tiny),
            TextLook { white: Some(true), on_colour: false, .. } => {
                is_paper().then_some(HiddenReason::SameColour)
            }
            _ => None,
        }
    }
}

fn is_white(colour: &str) -> bool {
    let colour = colour.trim().trim_start_matches('#');
    let number = Some(colour).filter(|colour| colour.len() == 6);
    let number = number.and_then(|colour| i32::from_str_radix(colour, 16).ok());
    number.is_some_and(|number| [16, 8, 0].iter().all(|shift| number >> shift & 0xff >= MIN_WHITE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_hidden_on_paper_alone() {
        let look = |colour: &str, ground: &str| {
            let mut look = TextLook::default();
            look.set_colour(colour);
            look.set_ground(ground);
            [look.hiding(|| true), look.hiding(|| false)]
        };
        let hidden = [Some(HiddenReason::SameColour), None];
        for (colour, ground, expected) in [
            ("FFFFFF", "auto", hidden),
            ("#fefefe", "#FFFFFF", hidden),
            ("FFFFFF", "FF0000", [None; 2]),
            ("FFFFFF", "darkBlue", [None; 2]),
            ("F0F0F0", "auto", [None; 2]),
            ("auto", "auto", [None; 2]),
            ("ffffffff", "", [None; 2]),
        ] {
            assert_eq!(look(colour, ground), expected, "{colour} on {ground}");
        }
    }

    #[test]
    fn looks_complete_each_other() {
        let tiny = |points| {
            let mut look = TextLook::default();
            look.set_points(points);
            look
        };
        assert_eq!(tiny(1.5).hiding(|| true), Some(HiddenReason::Tiny));
        assert_eq!(tiny(2.0).over(tiny(1.0)).hiding(|| true), None);
        let hidden = TextLook { hidden: Some(true), ..TextLook::default() };
        assert_eq!(tiny(1.0).over(hidden).hiding(|| true), Some(HiddenReason::NotDisplayed));
        let shown = TextLook { hidden: Some(false), ..TextLook::default() };
        assert_eq!(shown.over(hidden).hiding(|| true), None);
    }
}

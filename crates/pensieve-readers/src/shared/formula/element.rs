//! The elements of MathML, as far as they shape a formula.

/// An element of MathML, by what it does to its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) enum MathElement {
    /// Any element that is a row of its parts.
    #[default]
    Row,
    /// `mi`, and `ci` of content MathML.
    Name,
    /// `mn`, `cn`
    Number,
    /// `mo`
    Operator,
    /// `mtext`
    Text,
    /// `ms`
    Literal,
    /// `mspace`
    Space,
    /// `mfrac`
    Fraction,
    /// `msqrt`
    SquareRoot,
    /// `mroot`
    Root,
    /// `msub`
    Sub,
    /// `msup`
    Sup,
    /// `msubsup`
    SubSup,
    /// `munder`
    Under,
    /// `mover`
    Over,
    /// `munderover`
    UnderOver,
    /// `mmultiscripts`
    Multiscripts,
    /// `mprescripts`
    Prescripts,
    /// `mfenced`
    Fenced,
    /// `mtable`
    Table,
    /// `mtr`, `mlabeledtr`
    TableRow,
    /// `menclose`
    Enclosed,
    /// `semantics`, `maction`: the first part counts.
    First,
    /// `annotation`, `annotation-xml`, `mphantom`: not read.
    Unseen,
    /// An element of MathJax's drawing that only places its parts.
    Placing,
    /// The same for what is drawn above a base, before it.
    PlacingAbove,
    /// The same for the scripts of a base, the upper one first.
    PlacingScripts,
    /// A sign of MathJax's drawing, named by its class.
    Glyph,
}

impl MathElement {
    /// The element of this name, without its prefix.
    pub fn from_name(name: &str) -> MathElement {
        match name {
            "mi" | "ci" => MathElement::Name,
            "mn" | "cn" => MathElement::Number,
            "mo" => MathElement::Operator,
            "mtext" => MathElement::Text,
            "ms" => MathElement::Literal,
            "mspace" => MathElement::Space,
            "mfrac" => MathElement::Fraction,
            "msqrt" => MathElement::SquareRoot,
            "mroot" => MathElement::Root,
            "msub" => MathElement::Sub,
            "msup" => MathElement::Sup,
            "msubsup" => MathElement::SubSup,
            "munder" => MathElement::Under,
            "mover" => MathElement::Over,
            "munderover" => MathElement::UnderOver,
            "mmultiscripts" => MathElement::Multiscripts,
            "mprescripts" => MathElement::Prescripts,
            "mfenced" => MathElement::Fenced,
            "mtable" => MathElement::Table,
            "mtr" | "mlabeledtr" => MathElement::TableRow,
            "menclose" => MathElement::Enclosed,
            "semantics" | "maction" => MathElement::First,
            "annotation" | "annotation-xml" | "mphantom" => MathElement::Unseen,
            _ => MathElement::Row,
        }
    }

    /// The element of this name in what MathJax draws, without `mjx-`.
    pub fn from_drawn_name(name: &str) -> MathElement {
        match name {
            "c" | "stretchy-h" | "stretchy-v" => MathElement::Glyph,
            "dstrut" | "line" | "nstrut" | "spacer" | "strut" | "surd" => MathElement::Unseen,
            "base" | "box" | "dbox" | "dtable" | "frac" | "itable" | "root" | "row" | "sqrt" | "table"
            | "under" => MathElement::Placing,
            "over" => MathElement::PlacingAbove,
            "script" => MathElement::PlacingScripts,
            name => MathElement::from_name(name),
        }
    }

    pub(super) fn is_token(self) -> bool {
        matches!(
            self,
            MathElement::Name
                | MathElement::Number
                | MathElement::Operator
                | MathElement::Text
                | MathElement::Literal
        )
    }
}

/// Looks up an attribute of an element by name.
pub(crate) type Attributes<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The attributes of an element that matter.
#[derive(Default)]
pub(super) struct ElementHints {
    /// `form` of an operator, `notation` of an enclosure, `separators` of a fence.
    pub value: Option<String>,
    /// The fences.
    pub fences: [Option<String>; 2],
    /// A fraction without its line, a space without width.
    pub is_void: bool,
    /// Where prescripts begin.
    pub prescripts: Option<usize>,
    /// Its parts are drawn in another order than they are written: the upper one first, or before the lower one.
    pub is_drawn_above: bool,
    pub is_drawn_swapped: bool,
}

//! The elements that the rules use, as an enum, and the kind of each.
//!
//! Every HTML element that affects the text is here. All others, and those of SVG and MathML except their roots and
//! the elements of formulas, are [`HtmlTag::Other`]: they are transparent, and their text counts.

use crate::shared::formula::MathElement;

macro_rules! tags {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// An element's name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum HtmlTag {
            $($variant,)*
            /// An element inside of a formula.
            Formula(MathElement),
            /// Any other.
            Other,
        }

        /// Sorted by name, for the look-up.
        const NAMES: &[(&str, HtmlTag)] = &[$(($name, HtmlTag::$variant)),*];
    };
}

tags! {
    A = "a",
    Abbr = "abbr",
    MacroSetting = "ac:parameter",
    TaskStatus = "ac:task-status",
    Acronym = "acronym",
    Address = "address",
    Annotation = "annotation",
    Applet = "applet",
    Area = "area",
    Article = "article",
    Aside = "aside",
    Audio = "audio",
    B = "b",
    Base = "base",
    Bdi = "bdi",
    Bdo = "bdo",
    Big = "big",
    Blink = "blink",
    Blockquote = "blockquote",
    Body = "body",
    Br = "br",
    Button = "button",
    Canvas = "canvas",
    Caption = "caption",
    Center = "center",
    Cite = "cite",
    Code = "code",
    Col = "col",
    Colgroup = "colgroup",
    Data = "data",
    Datalist = "datalist",
    Dd = "dd",
    Del = "del",
    Details = "details",
    Dfn = "dfn",
    Dialog = "dialog",
    Dir = "dir",
    Div = "div",
    Dl = "dl",
    Dt = "dt",
    Em = "em",
    Embed = "embed",
    NotedTask = "en-todo",
    Case = "epub:case",
    DefaultCase = "epub:default",
    Switch = "epub:switch",
    Fieldset = "fieldset",
    Figcaption = "figcaption",
    Figure = "figure",
    Font = "font",
    Footer = "footer",
    Form = "form",
    Frame = "frame",
    Frameset = "frameset",
    H1 = "h1",
    H2 = "h2",
    H3 = "h3",
    H4 = "h4",
    H5 = "h5",
    H6 = "h6",
    Head = "head",
    Header = "header",
    Hgroup = "hgroup",
    Hr = "hr",
    Html = "html",
    I = "i",
    Iframe = "iframe",
    Img = "img",
    Input = "input",
    Ins = "ins",
    Kbd = "kbd",
    Label = "label",
    Legend = "legend",
    Li = "li",
    Link = "link",
    Listing = "listing",
    Main = "main",
    Map = "map",
    Mark = "mark",
    Marquee = "marquee",
    Math = "math",
    Menu = "menu",
    Meta = "meta",
    Meter = "meter",
    DrawnFormula = "mjx-container",
    Nav = "nav",
    Noembed = "noembed",
    Noframes = "noframes",
    Noscript = "noscript",
    Object = "object",
    Ol = "ol",
    Optgroup = "optgroup",
    Option = "option",
    Output = "output",
    P = "p",
    Param = "param",
    Picture = "picture",
    Plaintext = "plaintext",
    Pre = "pre",
    Progress = "progress",
    Q = "q",
    LinkedPost = "ri:blog-post",
    LinkedPage = "ri:page",
    Rp = "rp",
    Rt = "rt",
    Rtc = "rtc",
    Ruby = "ruby",
    S = "s",
    Samp = "samp",
    Script = "script",
    Search = "search",
    Section = "section",
    Select = "select",
    Slot = "slot",
    Small = "small",
    Source = "source",
    Span = "span",
    Strike = "strike",
    Strong = "strong",
    Style = "style",
    Sub = "sub",
    Summary = "summary",
    Sup = "sup",
    Svg = "svg",
    SvgText = "svg:text",
    SvgSpan = "svg:tspan",
    Table = "table",
    Tbody = "tbody",
    Td = "td",
    Template = "template",
    Textarea = "textarea",
    Tfoot = "tfoot",
    Th = "th",
    Thead = "thead",
    Time = "time",
    Title = "title",
    Tr = "tr",
    Track = "track",
    Tt = "tt",
    U = "u",
    Ul = "ul",
    Var = "var",
    Video = "video",
    Wbr = "wbr",
    Xmp = "xmp",
}

impl HtmlTag {
    /// The element of this name, in lower case.
    pub fn from_name(name: &str) -> HtmlTag {
        NAMES.binary_search_by(|(known, _)| known.cmp(&name)).map_or(HtmlTag::Other, |at| NAMES[at].1)
    }

    /// Never text: the content is for programs, or is drawn.
    pub fn is_never_text(self) -> bool {
        use HtmlTag::*;
        matches!(
            self,
            Script
                | Style
                | Template
                | Head
                | Svg
                | Canvas
                | Iframe
                | Frame
                | Frameset
                | Noframes
                | Noembed
                | Object
                | Embed
                | Applet
                | Audio
                | Video
                | Map
                | Datalist
                | Progress
                | Meter
                | Link
                | Meta
                | Base
                | Param
                | Track
                | MacroSetting
        )
    }

    /// Drawn, but with words that a book may have nowhere else.
    pub fn is_drawing(self) -> bool {
        matches!(self, HtmlTag::Svg | HtmlTag::Object | HtmlTag::Canvas | HtmlTag::Audio | HtmlTag::Video)
    }

    /// Controls of a form: their words are not prose.
    pub fn is_control(self) -> bool {
        use HtmlTag::*;
        matches!(self, Button | Input | Select | Textarea | Option | Optgroup | Output)
    }

    /// Begins on a line of its own.
    pub fn is_block(self) -> bool {
        use HtmlTag::*;
        let is_heading = self.heading_level().is_some();
        is_heading
            || matches!(
                self,
                Address
                    | Article
                    | Aside
                    | Blockquote
                    | Body
                    | Caption
                    | Center
                    | Dd
                    | Details
                    | Dialog
                    | Dir
                    | Div
                    | Dl
                    | Dt
                    | Fieldset
                    | Figcaption
                    | Figure
                    | Footer
                    | Form
                    | Header
                    | Hgroup
                    | Hr
                    | Html
                    | Legend
                    | Li
                    | Listing
                    | Main
                    | Marquee
                    | Menu
                    | Nav
                    | Ol
                    | Optgroup
                    | P
                    | Plaintext
                    | Pre
                    | Search
                    | Section
                    | Summary
                    | SvgText
                    | Table
                    | Tbody
                    | Td
                    | Tfoot
                    | Th
                    | Thead
                    | Title
                    | Tr
                    | Ul
                    | Xmp
            )
    }

    /// May hold the content of a page.
    pub fn is_container(self) -> bool {
        use HtmlTag::*;
        matches!(
            self,
            Body | Main
                | Article
                | Section
                | Div
                | Td
                | Form
                | Center
                | Blockquote
                | Table
                | Tbody
                | Tr
                | Fieldset
                | Details
                | Dd
                | Li
                | Other
                | Font
                | Span
        )
    }

    /// 1 to 6 for headings.
    pub fn heading_level(self) -> Option<usize> {
        match self {
            HtmlTag::H1 => Some(1),
            HtmlTag::H2 => Some(2),
            HtmlTag::H3 => Some(3),
            HtmlTag::H4 => Some(4),
            HtmlTag::H5 => Some(5),
            HtmlTag::H6 => Some(6),
            _ => None,
        }
    }

    /// Text whose white space is kept.
    pub fn is_preformatted(self) -> bool {
        matches!(self, HtmlTag::Pre | HtmlTag::Listing | HtmlTag::Plaintext | HtmlTag::Xmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_found() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for &(name, tag) in NAMES {
            assert_eq!(HtmlTag::from_name(name), tag);
        }
        assert_eq!(HtmlTag::from_name("my-element"), HtmlTag::Other);
    }

    #[test]
    fn headings_have_levels() {
        let levels = ["h1", "h2", "h3", "h4", "h5", "h6", "header", "p"];
        let levels = levels.map(|name| HtmlTag::from_name(name).heading_level());
        assert_eq!(levels, [Some(1), Some(2), Some(3), Some(4), Some(5), Some(6), None, None]);
    }

    #[test]
    fn elements_are_of_many_kinds() {
        let names_where = |is: fn(HtmlTag) -> bool| -> Vec<&str> {
            let names =
                ["p", "h2", "pre", "svg", "object", "script", "button", "option", "span", "td", "title"];
            names.into_iter().filter(|name| is(HtmlTag::from_name(name))).collect()
        };
        assert_eq!(names_where(HtmlTag::is_never_text), ["svg", "object", "script"]);
        assert_eq!(names_where(HtmlTag::is_drawing), ["svg", "object"]);
        assert_eq!(names_where(HtmlTag::is_control), ["button", "option"]);
        assert_eq!(names_where(HtmlTag::is_block), ["p", "h2", "pre", "td", "title"]);
        assert_eq!(names_where(HtmlTag::is_container), ["span", "td"]);
        assert_eq!(names_where(HtmlTag::is_preformatted), ["pre"]);
    }
}

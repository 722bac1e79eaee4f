//! From tokens to a tree: html5ever's tree builder, fed by our tokenizer, within limits.
//!
//! The tree builder follows the standard, with all its repairs of broken markup. This module adds three things. Text
//! keeps its place in the source: the builder returns text in the order in which it got it, in parts or not at all,
//! so text that it appends is searched for in the text that it was given. Nesting stops at [`MAX_ELEMENT_DEPTH`]:
//! what is deeper becomes children of the deepest element, as browsers do, because the builder's cost grows with the
//! depth of the stack at every tag (200 KB of nested `<div>` took 21 s). And unclosed formatting elements are
//! reopened a limited number of times ([`TagFilter`]).

pub(super) mod attributes;
pub(super) mod character_references;
pub(super) mod confluence;
pub(super) mod dialect;
pub(super) mod google_docs;
pub(super) mod list_levels;
pub(super) mod page_end;
pub(super) mod streaming;
pub(super) mod tag;
pub(super) mod tag_filter;
pub(super) mod tokenizer;
pub(super) mod tree;

use crate::limits::web::{MAX_ELEMENT_DEPTH, MAX_NODES_PER_BYTE, SMALL_PAGE_NODES};
use crate::markdown::SourceText;
use crate::shared::formula::MathElement;
use attributes::has_word;
use confluence::StorageFormat;
use dialect::PageDialect;
use google_docs::name_styles;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{self as sink_tokens, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder as Html5Builder, TreeBuilderOpts};
use html5ever::{ExpandedName, LocalName, Namespace, QualName, local_name, ns};
use list_levels::nest_lists;
use pensieve_text::model::Span;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use tag::HtmlTag;
use tag_filter::{TagFilter, is_void};
use tokenizer::{HtmlToken, HtmlTokenizer, RawText, StartTag};
use tree::{PageTree, TreeBuilder};

/// Parses a page. `is_xml` if the source declares itself XML: `<a/>` then closes itself.
pub(super) fn parse(source: &str, is_xml: bool) -> PageTree {
    parse_as(source, PageDialect { is_xml, ..PageDialect::default() })
}

/// Parses a page that is written in a dialect.
pub(super) fn parse_as(source: &str, dialect: PageDialect) -> PageTree {
    let PageDialect { is_xml, prefix, entities } = dialect;
    let options =
        // So `noscript` is read as elements, which are chosen from later.
        TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
    let sink = TreeAdapter::new(source);
    let mut feeder = TokenFeeder {
        builder: Html5Builder::new(sink, options),
        filter: TagFilter::default(),
        is_xml,
        prefix,
        storage: StorageFormat::default(),
    };
    let mut tokenizer = HtmlTokenizer::new(source).with_entities(entities);
    loop {
        let with_cdata = is_xml
            || feeder.storage.is_used()
            || feeder.builder.adjusted_current_node_present_but_not_in_html_namespace();
        let Some(token) = tokenizer.next(with_cdata) else { break };
        feeder.feed(token, &mut tokenizer);
    }
    feeder.send(sink_tokens::Token::EOFToken);
    feeder.builder.end();
    let mut tree = feeder.builder.sink.tree.into_inner();
    name_styles(&mut tree, source);
    nest_lists(&mut tree, source);
    tree.finish()
}

/// Passes tokens to the tree builder, except those that the filter holds back.
struct TokenFeeder<'a> {
    builder: Html5Builder<usize, TreeAdapter<'a>>,
    filter: TagFilter,
    is_xml: bool,
    prefix: String,
    storage: StorageFormat,
}

impl TokenFeeder<'_> {
    fn feed(&mut self, token: HtmlToken, tokenizer: &mut HtmlTokenizer<'_>) {
        let sink = &self.builder.sink;
        match token {
            HtmlToken::Text(text_token) => {
                let text = StrTendril::from_slice(text_token.resolve(sink.source));
                sink.fed.borrow_mut().push_back(text_token);
                self.send(sink_tokens::Token::CharacterTokens(text));
            }
            HtmlToken::Null => {
                self.send(sink_tokens::Token::NullCharacterToken);
            }
            HtmlToken::Doctype => {
                let doctype = sink_tokens::Doctype { name: Some("html".into()), ..Default::default() };
                self.send(sink_tokens::Token::DoctypeToken(doctype));
            }
            HtmlToken::Start(tag) => self.start(tag, tokenizer),
            HtmlToken::End(mut name) => {
                self.drop_prefix(&mut name);
                self.storage.end(&mut name);
                if self.filter.passes_end(&name) {
                    let depth = self.builder.sink.depth.get();
                    self.end(&name);
                    // The builder does not say which elements an end tag has closed. The next element tells the depth
                    // exactly, and at the limit there would be no next one.
                    let is_told = self.builder.sink.depth.get() != depth;
                    if depth >= MAX_ELEMENT_DEPTH && !is_told {
                        self.builder.sink.depth.set(depth - 1);
                    }
                }
            }
        }
    }

    /// A name without the prefix of the page.
    fn drop_prefix(&self, name: &mut String) {
        if !self.prefix.is_empty() && name.starts_with(&self.prefix) {
            name.replace_range(..self.prefix.len(), "");
        }
    }

    fn start(&mut self, mut tag: StartTag, tokenizer: &mut HtmlTokenizer<'_>) {
        let written = tag.name.clone();
        self.drop_prefix(&mut tag.name);
        self.storage.start(&mut tag);
        let sink = &self.builder.sink;
        // Formatting that is reopened can make many nodes of one tag.
        let max_nodes = SMALL_PAGE_NODES + sink.source.len() * MAX_NODES_PER_BYTE;
        let is_full = sink.depth.get() >= MAX_ELEMENT_DEPTH || sink.tree.borrow().len() > max_nodes;
        if !self.filter.passes_start(&tag.name, is_full) {
            return;
        }
        let (name, is_empty) = (tag.name.clone(), tag.self_closing);
        let mut attributes: Vec<html5ever::Attribute> = Vec::with_capacity(tag.attributes.len());
        attributes.extend(tag.attributes.into_iter().map(|(name, value)| html5ever::Attribute {
            name: QualName::new(None, ns!(), LocalName::from(name)),
            value: value.into(),
        }));
        let raw = self.send(sink_tokens::Token::TagToken(sink_tokens::Tag {
            kind: sink_tokens::TagKind::StartTag,
            name: LocalName::from(&*tag.name),
            self_closing: tag.self_closing,
            attrs: attributes,
            had_duplicate_attributes: false,
        }));
        // Names with a prefix are XML, wherever they stand.
        let is_foreign = written.contains(':');
        let is_closed =
            is_empty && (self.is_xml || is_foreign || raw.is_some() && !tokenizer.is_closed_later(&written));
        // Void elements close themselves in the builder.
        if is_closed && !is_void(&name) {
            self.filter.passes_end(&name);
            self.end(&name);
        } else if let Some(raw) = raw {
            tokenizer.enter_raw(raw, &written);
        }
    }

    fn end(&mut self, name: &str) {
        self.send(sink_tokens::Token::TagToken(sink_tokens::Tag {
            kind: sink_tokens::TagKind::EndTag,
            name: LocalName::from(name),
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        }));
    }

    /// Sends a token; returns how to read the text that follows.
    fn send(&mut self, token: sink_tokens::Token) -> Option<RawText> {
        let is_text = matches!(token, sink_tokens::Token::CharacterTokens(_));
        let result = self.builder.process_token(token, 1);
        if !is_text {
            // What it did not return until the next tag, it has dropped.
            self.builder.sink.fed.borrow_mut().clear();
        }
        match result {
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(RawText::Referenced),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(RawText::Literal),
            TokenSinkResult::RawData(_) => Some(RawText::Script),
            TokenSinkResult::Plaintext => Some(RawText::Plain),
            _ => None,
        }
    }
}

/// Receives the tree from html5ever's tree builder.
struct TreeAdapter<'a> {
    source: &'a str,
    tree: RefCell<TreeBuilder>,
    names: RefCell<ElementNames>,
    /// Text that the builder got and has not returned.
    fed: RefCell<VecDeque<SourceText>>,
    /// About how deep the insertion point is.
    depth: Cell<usize>,
}

impl<'a> TreeAdapter<'a> {
    fn new(source: &'a str) -> TreeAdapter<'a> {
        TreeAdapter {
            source,
            tree: RefCell::new(TreeBuilder::new()),
            names: RefCell::new(ElementNames::new()),
            fed: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    fn add_nameless(&self) -> usize {
        self.names.borrow_mut().push_nameless();
        self.tree.borrow_mut().element(HtmlTag::Template, Vec::new())
    }

    /// The node of a child; creates one for text.
    fn node(&self, child: NodeOrText<usize>) -> usize {
        match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                self.names.borrow_mut().push_nameless();
                let text_token = self.source_of(&text);
                self.tree.borrow_mut().text(text_token)
            }
        }
    }

    /// The place of a text that the builder returned: it drops and splits text, but keeps the order.
    fn source_of(&self, text: &str) -> SourceText {
        let mut fed = self.fed.borrow_mut();
        let mut last = 0;
        while let Some(text_token) = fed.pop_front() {
            last = text_token.span.end;
            let whole = text_token.resolve(self.source);
            if whole == text {
                return text_token;
            }
            // The builder leaves out what has no place, such as white space before the head.
            let Some(at) = whole.find(text) else { continue };
            if text_token.decoded.is_some() {
                return SourceText { decoded: Some(text.into()), ..text_token };
            }
            let start = text_token.span.start + at;
            let end = start + text.len();
            // The rest of it is still to come.
            if end < text_token.span.end {
                fed.push_front(SourceText { span: Span::new(end, text_token.span.end), decoded: None });
            }
            return SourceText { span: Span::new(start, end), decoded: None };
        }
        // Not found: the words are kept, at the place where they must have been.
        SourceText { span: Span::new(last, last), decoded: Some(text.into()) }
    }
}

/// How many different names are kept once; no real page has more.
const MAX_KNOWN_NAMES: usize = 256;

/// The name of every node, each name kept once: the builder asks for names at nearly every tag.
struct ElementNames {
    known: FxHashMap<QualName, (Rc<QualName>, HtmlTag)>,
    nameless: Rc<QualName>,
    names: Vec<Rc<QualName>>,
}

impl ElementNames {
    /// The names with that of the document.
    fn new() -> ElementNames {
        let nameless = Rc::new(QualName::new(None, ns!(html), local_name!("")));
        ElementNames { known: FxHashMap::default(), names: vec![Rc::clone(&nameless)], nameless }
    }

    /// Adds the name of a text or a comment.
    fn push_nameless(&mut self) {
        self.names.push(Rc::clone(&self.nameless));
    }

    /// Adds the name of an element.
    fn push(&mut self, name: QualName) -> HtmlTag {
        if let Some((name, tag)) = self.known.get(&name) {
            self.names.push(Rc::clone(name));
            return *tag;
        }
        let (shared, tag) = (Rc::new(name.clone()), tag_of(&name));
        self.names.push(Rc::clone(&shared));
        if self.known.len() < MAX_KNOWN_NAMES {
            self.known.insert(name, (shared, tag));
        }
        tag
    }
}

/// The element that an element is by its attributes: raised and lowered words, labels of tabs, parameters in the signatures of
/// Sphinx, whose emphasis means nothing.
fn as_shown<'v>(tag: HtmlTag, value: impl Fn(&str) -> Option<&'v str>) -> HtmlTag {
    match tag {
        HtmlTag::Span => {
            let align =
                value("style").and_then(|style| style.split_once("vertical-align:")).map(|(_, rest)| rest);
            match align.map(|rest| rest.split(';').next().unwrap_or_default().trim()) {
                Some("super") => HtmlTag::Sup,
                Some("sub") => HtmlTag::Sub,
                _ => tag,
            }
        }
        HtmlTag::Em if value("class").is_some_and(|class| has_word(class, &["sig-param", "property"])) => {
            HtmlTag::Span
        }
        // What an element of the page's own shows, with the words inside of the element in its slots.
        HtmlTag::Template if value("shadowrootmode").is_some() => HtmlTag::Div,
        // The title of what the tab shows.
        HtmlTag::Button if value("role") == Some("tab") => HtmlTag::P,
        _ => tag,
    }
}

/// The element of a name of HTML, SVG or MathML.
fn tag_of(name: &QualName) -> HtmlTag {
    match name.expanded() {
        ExpandedName { ns: &ns!(html), local } => match local.strip_prefix("mjx-") {
            Some(name) if !matches!(name, "container" | "assistive-mml") => {
                HtmlTag::Formula(MathElement::from_drawn_name(name))
            }
            _ => HtmlTag::from_name(local),
        },
        ExpandedName { ns: &ns!(svg), local } => match &**local {
            "svg" => HtmlTag::Svg,
            "text" | "title" | "desc" => HtmlTag::SvgText,
            "tspan" => HtmlTag::SvgSpan,
            "style" | "script" | "metadata" => HtmlTag::Style,
            _ => HtmlTag::Other,
        },
        ExpandedName { ns: &ns!(mathml), local } => match &**local {
            "math" => HtmlTag::Math,
            "annotation" => HtmlTag::Annotation,
            name => HtmlTag::Formula(MathElement::from_name(name)),
        },
        _ => HtmlTag::Other,
    }
}

/// A name in the form that html5ever needs.
#[derive(Debug)]
struct ElementName(Rc<QualName>);

impl html5ever::tree_builder::ElemName for ElementName {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for TreeAdapter<'_> {
    type Handle = usize;
    type Output = ();
    type ElemName<'b>
        = ElementName
    where
        Self: 'b;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'b>(&'b self, target: &'b usize) -> ElementName {
        ElementName(Rc::clone(&self.names.borrow().names[*target]))
    }

    fn create_element(&self, name: QualName, attrs: Vec<html5ever::Attribute>, _: ElementFlags) -> usize {
        let attributes: Vec<_> =
            attrs.into_iter().map(|attribute| (attribute.name.local, attribute.value)).collect();
        let value =
            |name: &str| attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| &**value);
        let tag = as_shown(self.names.borrow_mut().push(name), value);
        self.tree.borrow_mut().element(tag, attributes)
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add_nameless()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add_nameless()
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        let is_element = matches!(child, NodeOrText::AppendNode(_));
        let child = self.node(child);
        let depth = self.tree.borrow_mut().append(*parent, child);
        // A text has nothing inside, so it tells nothing of the depth.
        if is_element {
            self.depth.set(depth);
        }
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        if self.tree.borrow().has_parent(*element) {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &usize) {
        self.depth.set(self.tree.borrow().depth(*node).saturating_sub(1));
    }

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    /// A shadow root stays where the page has it, as an element (see [`as_shown`]).
    fn allow_declarative_shadow_roots(&self, _: &usize) -> bool {
        false
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let child = self.node(child);
        self.tree.borrow_mut().insert_before(*sibling, child);
    }

    fn add_attrs_if_missing(&self, target: &usize, attrs: Vec<html5ever::Attribute>) {
        let attributes = attrs.into_iter().map(|attribute| (attribute.name.local, attribute.value));
        self.tree.borrow_mut().add_attributes(*target, attributes);
    }

    fn remove_from_parent(&self, target: &usize) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        self.tree.borrow_mut().move_children(*node, *new_parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        assert_eq!(parse(source, false).outline(source), expected, "of {source}");
    }

    #[test]
    fn broken_markup_is_mended_as_browsers_mend_it() {
        check("<p>a<p>b<b>c", "<html><head></head><body><p>a</p><p>b<b>c</b></p></body></html>");
        check(
            "<table>x<tr><td>y",
            "<html><head></head><body>x<table><tbody><tr><td>y</td></tr></tbody></table></body></html>",
        );
        check("<b>1<p>2</b>3", "<html><head></head><body><b>1</b><p><b>2</b>3</p></body></html>");
    }

    #[test]
    fn empty_elements_of_xml_do_not_swallow_the_page() {
        let page = |inside: &str| format!("<html><head></head><body>{inside}</body></html>");
        check("<iframe src=x />a<iframe/><p>b", &page("<iframe></iframe>a<iframe></iframe><p>b</p>"));
        check("<iframe/><p>a</iframe>b", &page("<iframe><p>a</iframe>b"));
        check("<iframe><p>a", &page("<iframe><p>a</iframe>"));
        check("<div/>a", &page("<div>a</div>"));
        check("<body><script src=x /><p>a", &page("<script></script><p>a</p>"));
    }

    #[test]
    fn every_piece_of_text_stands_where_it_says() {
        let source = "<table> a&amp;b <tr><td> c </table><pre>\nd</pre> &eacute; <title>t</title>";
        let tree = parse(source, false);
        for text_token in tree.texts() {
            match &text_token.decoded {
                None => assert!(!source[text_token.span.range()].is_empty()),
                Some(_) => assert!(source[text_token.span.range()].starts_with('&')),
            }
        }
        let words: Vec<&str> = tree
            .texts()
            .map(|text_token| text_token.resolve(source).trim())
            .filter(|t| !t.is_empty())
            .collect();
        assert_eq!(words, ["a", "&", "b", "c", "d", "é", "t"]);
    }

    #[test]
    fn deep_nesting_costs_no_more_than_its_bytes() {
        for (open, close) in [
            ("<div>", "</div>"),
            ("<b><i>", ""),
            ("<table><tr><td>", ""),
            ("<ul><li>", ""),
            ("<font color=1><p>", ""),
        ] {
            let source = format!("{}deep{}after", open.repeat(20_000), close.repeat(20_000));
            let tree = parse(&source, false);
            let text: String = tree.texts().map(|text_token| text_token.resolve(&source)).collect();
            assert!(text.contains("deep") && text.contains("after"), "of {open}");
        }
    }

    #[test]
    fn elements_close_themselves_in_xml_only() {
        assert_eq!(
            parse("<p><a id='x'/>y</p>", true).outline(""),
            parse("<p><a id='x'></a>y</p>", false).outline("")
        );
    }

    #[test]
    fn text_keeps_its_place_however_it_is_split() {
        let check = |source: &str, expected: &[(&str, usize)]| {
            let tree = parse(source, false);
            let found: Vec<(&str, usize)> =
                tree.texts().map(|text| (text.resolve(source), text.span.start)).collect();
            assert_eq!(found, expected, "of {source}");
        };
        // White space before the body is dropped, also from the middle of a text; after a table it is moved.
        check("  a", &[("a", 2)]);
        check("<html> <head> <title>t</title> a", &[(" ", 13), ("t", 21), (" ", 30), ("a", 31)]);
        check("<table> a<tr> <td>b", &[(" a", 7), (" ", 13), ("b", 18)]);
        check("<pre>\na\n</pre>", &[("a\n", 6)]);
        check("<p>a&amp;b", &[("a", 3), ("&", 4), ("b", 9)]);
        check("<p>a\0b", &[("a", 3), ("b", 5)]);
        check("<title>&amp;</title>", &[("&", 7)]);
    }

    #[test]
    fn raw_text_has_no_elements() {
        check("<title><b></title>a", "<html><head><title><b></title></head><body>a</body></html>");
        check("<style><b></style>a", "<html><head><style><b></style></head><body>a</body></html>");
        check(
            "<script><!--<script></script>--></script>a",
            "<html><head><script><!--<script></script>--></script></head><body>a</body></html>",
        );
        check("<plaintext><b>", "<html><head></head><body><plaintext><b></plaintext></body></html>");
        check(
            "<noscript><p>a</noscript>",
            "<html><head><noscript></noscript></head><body><p>a</p></body></html>",
        );
    }

    #[test]
    fn names_of_drawings_and_formulas_are_their_own() {
        let tags = |page: &str| -> Vec<HtmlTag> {
            let tree = parse(page, false);
            let body = tree.find(0, HtmlTag::Body).unwrap();
            tree.below(body).filter_map(|node| tree.tag(node)).collect()
        };
        use HtmlTag::{Annotation, B, Formula, Math, Other, P, Style, Svg, SvgSpan, SvgText, Title};
        assert_eq!(
            tags(
                "<svg><title></title><desc></desc><text><tspan></tspan></text><metadata></metadata><style></style>"
            ),
            [Svg, SvgText, SvgText, SvgText, SvgSpan, Style, Style]
        );
        assert_eq!(
            tags("<svg><script></script><rect/></svg><p><title></title>"),
            [Svg, Style, Other, P, Title]
        );
        let formula = tags("<math><mfrac></mfrac><annotation></annotation></math><b>");
        assert_eq!(formula, [Math, Formula(MathElement::from_name("mfrac")), Annotation, B]);
    }

    #[test]
    fn sections_of_characters_are_text_in_xml_and_drawings() {
        let check = |source: &str, is_xml: bool, expected: &str| {
            let tree = parse(source, is_xml);
            assert_eq!(tree.text_below(0, source), expected, "of {source}");
        };
        check("<p>a<![CDATA[b]]>c", true, "abc");
        check("<p>a<![CDATA[b]]>c", false, "ac");
        check("<svg><text><![CDATA[b]]></text></svg><![CDATA[c]]>d", false, "bd");
    }

    #[test]
    fn elements_that_close_themselves_are_left_open_in_html() {
        let check = |source: &str, is_xml: bool, expected: &str| {
            let expected = format!("<html><head></head><body>{expected}</body></html>");
            assert_eq!(parse(source, is_xml).outline(source), expected, "of {source}");
        };
        check("<div/>a", true, "<div></div>a");
        check("<div/>a", false, "<div>a</div>");
        check("<br/>a<br>b", true, "<br></br>a<br></br>b");
        check("a<p/>b", true, "a<p></p>b");
        check("a<textarea/><b>c</b>", true, "a<textarea></textarea><b>c</b>");
        check("a<textarea/><b>c</b></textarea>", false, "a<textarea><b>c</b></textarea>");
    }

    #[test]
    fn names_lose_the_prefix_of_the_page() {
        let check = |prefix: &str, source: &str, expected: &str| {
            let dialect = PageDialect { is_xml: true, prefix: prefix.to_owned(), ..PageDialect::default() };
            let expected = format!("<html><head></head><body>{expected}</body></html>");
            assert_eq!(parse_as(source, dialect).outline(source), expected, "of {source}");
        };
        check("h:", "<h:p>a</h:p><b>c</b>", "<p>a</p><b>c</b>");
        check("", "<h:p>a</h:p>", "<other>a</other>");
        check("h:", "<x:p>a</x:p>", "<other>a</other>");
        check("h:", "<h:textarea><b></h:textarea>c", "<textarea><b></textarea>c");
    }

    #[test]
    fn attributes_of_the_root_are_joined() {
        let tree = parse("<html lang=a><body class=b><html lang=c title=d><body id=e>", false);
        let attributes = |node: usize| {
            ["lang", "title", "class", "id"].map(|name| tree.attribute(node, name).unwrap_or("-"))
        };
        assert_eq!(attributes(1), ["a", "d", "-", "-"]);
        assert_eq!(attributes(tree.find(0, HtmlTag::Body).unwrap()), ["-", "-", "b", "e"]);
    }

    #[test]
    fn misplaced_elements_are_moved_as_browsers_move_them() {
        check(
            "<p>a<template><i>b</i></template>c",
            "<html><head></head><body><p>a<template><i>b</i></template>c</p></body></html>",
        );
        check("<a>1<div>2<a>3", "<html><head></head><body><a>1</a><div><a>2</a><a>3</a></div></body></html>");
        check(
            "<table><b>1<tr><td>2</table>3",
            "<html><head></head><body><b>1</b><table><tbody><tr><td>2</td></tr></tbody></table><b>3</b></body></html>",
        );
        check("<p></p><frameset><frame>", "<html><head></head><frameset><frame></frame></frameset></html>");
        check("<body>a<frameset>", "<html><head></head><body>a</body></html>");
        check(
            "<select><option>a<option>b",
            "<html><head></head><body><select><option>a</option><option>b</option></select></body></html>",
        );
    }

    #[test]
    fn depth_and_nodes_have_limits() {
        let depth_of = |page: &str| {
            let tree = parse(page, false);
            (0..tree.len()).map(|node| tree.ancestors(node).count()).max()
        };
        let nested = |count: usize| format!("{}a", "<div>".repeat(count));
        // Root, html and body are above the first, and the text is below the last.
        assert_eq!(depth_of(&nested(10)), Some(13));
        assert_eq!(depth_of(&nested(MAX_ELEMENT_DEPTH - 2)), Some(MAX_ELEMENT_DEPTH + 1));
        assert_eq!(depth_of(&nested(MAX_ELEMENT_DEPTH + 50)), Some(MAX_ELEMENT_DEPTH + 1));
        // What is closed is no depth.
        let closed = format!("{}{}", "<div></div>".repeat(MAX_ELEMENT_DEPTH), nested(10));
        assert_eq!(depth_of(&closed), Some(13));
        let left = |above: usize| {
            let page = format!("{}{}<p>a</p><p>b</p>", "<div>".repeat(above), "</div>".repeat(above));
            parse(&page, false).all(HtmlTag::P).count()
        };
        for above in [MAX_ELEMENT_DEPTH - 3, MAX_ELEMENT_DEPTH - 2, MAX_ELEMENT_DEPTH + 1] {
            assert_eq!(left(above), 2, "below {above}");
        }
        // An end tag of nothing is no way below the limit.
        let stray = format!("{}{}", nested(MAX_ELEMENT_DEPTH), "</i><i>".repeat(50));
        assert_eq!(depth_of(&stray), Some(MAX_ELEMENT_DEPTH + 1));
        // Each paragraph opens the formats again.
        let formats = "<b><i><u><s><em><tt><big><small><code><font><strike><strong>";
        let page = format!("<p>{formats}{}", "<p><q>".repeat(20_000));
        let most = SMALL_PAGE_NODES + page.len() * MAX_NODES_PER_BYTE;
        let len = parse(&page, false).len();
        assert!((most..most + 20).contains(&len), "{len} of {most}");
    }

    #[test]
    fn a_paragraph_ends_before_a_table_if_the_page_has_a_document_type() {
        check("<p>a<table>", "<html><head></head><body><p>a<table></table></p></body></html>");
        check("<!DOCTYPE html><p>a<table>", "<html><head></head><body><p>a</p><table></table></body></html>");
    }

    #[test]
    fn a_part_of_a_value_is_the_text_that_is_left_of_it() {
        let source = "<!DOCTYPE html [<!ENTITY e '  a'>]><html>&e;b";
        let tree = parse_as(source, PageDialect::of_chapter(source));
        assert_eq!(tree.text_below(0, source), "ab");
    }
}

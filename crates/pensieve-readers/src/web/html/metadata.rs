//! The metadata that a page declares: title, language, author, date, description.

use super::hints::page_kind::PageKind;
use super::parse::tag::HtmlTag;
use super::parse::tree::PageTree;
use crate::limits::web::{MAX_LINKED_DATA_BYTES, MAX_LINKED_DATA_VALUES};
use serde_json::Value;

/// The metadata that a page declares.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PageMetadata {
    /// Key and value, in a fixed order.
    pub entries: Vec<(String, String)>,
    /// Its titles, from its head and from the metadata for programs that link to it.
    pub titles: Vec<String>,
    /// It declares itself an article: one text with an author or a date, not a list and not a reference.
    pub is_article: bool,
    /// What it declares itself to be otherwise.
    pub kind: PageKind,
}

/// Where a value may be found, best first: names of `meta` elements, lower case.
// Metadata for libraries first: there a title has no name of the site.
const TITLE: &[&str] = &[
    "dc:title",
    "dc.title",
    "dcterms.title",
    "og:title",
    "parsely-title",
    "twitter:title",
    "citation_title",
];
const AUTHOR: &[&str] = &[
    "dc:creator",
    "dc.creator",
    "dcterms.creator",
    "author",
    "parsely-author",
    "citation_author",
    "article:author",
];
const DATE: &[&str] = &[
    "article:published_time",
    "datepublished",
    "parsely-pub-date",
    "citation_publication_date",
    "dc.date",
    "dc:date",
    "dcterms.date",
    "dcterms.created",
    "date",
    "pubdate",
    "publish-date",
    "sailthru.date",
];
const MODIFIED: &[&str] =
    &["article:modified_time", "datemodified", "og:updated_time", "dcterms.modified", "last-modified"];
/// Values of which a page may have several.
const LISTS: &[(&str, &[&str])] = &[
    ("keywords", &["keywords", "news_keywords", "parsely-tags", "citation_keywords"]),
    ("keywords", &["article:tag"]),
    ("isbn", &["citation_isbn", "books:isbn", "book:isbn"]),
    ("doi", &["citation_doi", "prism.doi", "bepress_citation_doi"]),
    ("identifier", &["dc.identifier", "dc:identifier", "dcterms.identifier"]),
];
const DESCRIPTION: &[&str] =
    &["dc:description", "dc.description", "og:description", "description", "twitter:description"];

/// Values of one page; no page that means them has more.
const MAX_ENTRIES: usize = 200;

/// Reads the metadata of a page.
pub(super) fn read(tree: &PageTree, source: &str) -> PageMetadata {
    let page = MetadataReader::new(tree, source);
    let title = page
        .meta(TITLE)
        .or_else(|| page.data("headline"))
        .or_else(|| page.title())
        .or_else(|| page.heading());
    let mut authors = page.metas(AUTHOR);
    // `article:author` is the address of a profile by its standard.
    authors.retain(|author| !author.starts_with("http"));
    let first = (!authors.is_empty()).then(|| authors.remove(0));
    let author = first.or_else(|| page.data("author"));
    let date = page.meta(DATE).or_else(|| page.data("datePublished")).or_else(|| page.time());
    let found = [
        ("title", title),
        ("language", page.language()),
        ("author", author.or_else(|| page.author())),
        ("date", date),
        ("description", page.meta(DESCRIPTION).or_else(|| page.data("description"))),
    ];
    let modified = page.meta(MODIFIED).or_else(|| page.data("dateModified"));
    let lists =
        LISTS.iter().flat_map(|(key, names)| page.metas(names).into_iter().map(|value| (*key, value)));
    let more = [("modified", modified), ("url", page.address()), ("keywords", page.data("keywords"))];
    let authors = authors.into_iter().map(|author| ("author", Some(author)));
    let found = found.into_iter().chain(authors).chain(more);
    let found = found.chain(lists.map(|(key, value)| (key, Some(value))));
    let mut entries: Vec<(String, String)> = Vec::new();
    for entry in found.filter_map(|(key, value)| Some((key.to_owned(), tidy(&value?)?))) {
        if entries.len() < MAX_ENTRIES && !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let titles = [page.meta(TITLE), page.data("headline"), page.title()].into_iter().flatten().collect();
    let kind =
        PageKind::of(tree, &page.data, page.meta(&["og:type"]).as_deref(), page.meta(&["og:url"]).as_deref());
    PageMetadata { entries, titles, is_article: page.is_article(), kind }
}

fn tidy(value: &str) -> Option<String> {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    // Descriptions are a few sentences; longer ones are the text itself.
    let short: String = value.chars().take(2000).collect();
    (!short.is_empty()).then_some(short)
}

struct MetadataReader<'a> {
    tree: &'a PageTree,
    source: &'a str,
    /// Names of `meta` elements with their contents.
    metas: Vec<(String, &'a str)>,
    /// Linked data, flattened: objects by type.
    data: Vec<Value>,
}

impl<'a> MetadataReader<'a> {
    fn new(tree: &'a PageTree, source: &'a str) -> MetadataReader<'a> {
        let mut reader = MetadataReader { tree, source, metas: Vec::new(), data: Vec::new() };
        for node in 0..tree.len() {
            match tree.tag(node) {
                Some(HtmlTag::Meta) => reader.read_meta(node),
                Some(HtmlTag::Script)
                    if tree.attribute(node, "type").is_some_and(|t| t.trim() == "application/ld+json") =>
                {
                    let text = tree.text_below(node, source);
                    if let Some(value) = Some(text)
                        .filter(|text| text.len() < MAX_LINKED_DATA_BYTES)
                        .and_then(|text| serde_json::from_str(&text).ok())
                    {
                        reader.data.extend(objects(value));
                    }
                }
                _ => {}
            }
        }
        reader
    }

    fn read_meta(&mut self, node: usize) {
        let Some(content) = self.tree.attribute(node, "content").filter(|content| !content.trim().is_empty())
        else {
            return;
        };
        for attribute in ["property", "name", "itemprop", "http-equiv"] {
            let names = self.tree.attribute(node, attribute).unwrap_or_default();
            self.metas
                .extend(names.split_ascii_whitespace().map(|name| (name.to_ascii_lowercase(), content)));
        }
    }

    fn meta(&self, names: &[&str]) -> Option<String> {
        let find = |name: &&str| self.metas.iter().find(|(known, _)| known == *name);
        names.iter().find_map(find).map(|(_, content)| (*content).to_owned())
    }

    /// All contents under the first of these names that the page has.
    fn metas(&self, names: &[&str]) -> Vec<String> {
        let of = |name: &&str| {
            let found = self.metas.iter().filter(|(known, _)| known == *name);
            Some(found.map(|(_, content)| (*content).to_owned()).collect::<Vec<_>>())
                .filter(|all| !all.is_empty())
        };
        names.iter().find_map(of).unwrap_or_default()
    }

    /// The address that the page has by its own account.
    fn address(&self) -> Option<String> {
        let is_canonical = |node: &usize| {
            self.tree.attribute(*node, "rel").is_some_and(|rel| rel.trim().eq_ignore_ascii_case("canonical"))
        };
        let link = self.tree.all(HtmlTag::Link).find(is_canonical);
        let address = link.and_then(|node| self.tree.attribute(node, "href")).map(str::to_owned);
        // Without its site an address leads nowhere from a document.
        address.or_else(|| self.meta(&["og:url"])).filter(|address| address.starts_with("http"))
    }

    fn text(&self, node: usize) -> Option<String> {
        Some(self.tree.text_below(node, self.source)).filter(|text| !text.trim().is_empty())
    }

    fn title(&self) -> Option<String> {
        self.tree.all(HtmlTag::Title).find_map(|node| self.text(node))
    }

    fn heading(&self) -> Option<String> {
        self.tree.all(HtmlTag::H1).find_map(|node| self.text(node))
    }

    fn language(&self) -> Option<String> {
        let html = self.tree.all(HtmlTag::Html).next()?;
        let own = self.tree.attribute(html, "lang").or_else(|| self.tree.attribute(html, "xml:lang"));
        let own = own.filter(|lang| !lang.trim().is_empty()).map(str::to_owned);
        own.or_else(|| self.meta(&["content-language", "dc.language", "language", "og:locale"]))
            // `og:locale` writes `en_US`.
            .map(|lang| lang.replace('_', "-"))
            // The longest tag that RFC 5646 asks programs to hold (4.4.1).
            .filter(|lang| lang.len() <= 35)
    }

    /// A value in the linked data of an article.
    fn data(&self, key: &str) -> Option<String> {
        let object = self.data.iter().find(|object| is_article_type(object))?;
        words_of(object.get(key)?)
    }

    fn time(&self) -> Option<String> {
        // Comments have one each.
        let times: Vec<usize> = self.tree.all(HtmlTag::Time).take(50).collect();
        let is_published = |node: &&usize| {
            self.tree.attribute(**node, "itemprop").is_some_and(|name| name.contains("datePublished"))
        };
        // Elsewhere it may be that of an event or of another post.
        let first = times.iter().find(is_published).or(times.first().filter(|_| self.is_article_marked()))?;
        self.tree.attribute(*first, "datetime").map(str::to_owned)
    }

    fn author(&self) -> Option<String> {
        let says_author = |node: &usize| {
            let is_author =
                |name: &str| self.tree.attribute(*node, name).is_some_and(|value| value == "author");
            is_author("rel") || is_author("itemprop")
        };
        let node = (0..self.tree.len()).filter(|node| self.tree.tag(*node).is_some()).find(says_author)?;
        // A longer one is a biography.
        self.text(node).filter(|name| name.trim().len() < 100)
    }

    fn is_article_marked(&self) -> bool {
        let has_type = |node: usize| {
            self.tree
                .attribute(node, "itemtype")
                .is_some_and(|kind| ARTICLES.iter().any(|name| kind.ends_with(name)))
                || self.tree.attribute(node, "itemprop").is_some_and(|name| name.contains("articleBody"))
        };
        (0..self.tree.len()).any(has_type)
    }

    fn is_article(&self) -> bool {
        let kind = self.meta(&["og:type"]).map(|kind| kind.trim().to_ascii_lowercase());
        let is_said = self.data.iter().any(is_article_type) || self.is_article_marked();
        let has_date =
            self.meta(&["article:published_time", "parsely-pub-date", "citation_publication_date"]).is_some();
        match kind.as_deref() {
            Some("article") => true,
            // Encyclopedias call each entry an article, and their site a website.
            Some("website") => has_date || self.data.iter().any(is_news_type),
            _ => is_said || has_date,
        }
    }
}

/// True for linked data whose type is news or a blog post.
fn is_news_type(object: &Value) -> bool {
    let kinds = object.get("@type").map(Value::to_string).unwrap_or_default();
    kinds.contains("NewsArticle") || kinds.contains("BlogPosting")
}

/// Types of linked data that are one text.
const ARTICLES: &[&str] = &["Article", "BlogPosting", "Report"];

fn is_article_type(object: &Value) -> bool {
    let named =
        |value: &Value| value.as_str().is_some_and(|kind| ARTICLES.iter().any(|name| kind.ends_with(name)));
    match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(named),
        Some(kind) => named(kind),
        None => false,
    }
}

/// The objects of linked data, inside any lists and graphs.
fn objects(value: Value) -> Vec<Value> {
    let mut waiting = vec![value];
    let mut found = Vec::new();
    // Lists in lists without end are possible.
    for _ in 0..MAX_LINKED_DATA_VALUES {
        match waiting.pop() {
            Some(Value::Array(values)) => waiting.extend(values.into_iter().rev()),
            Some(Value::Object(mut object)) => {
                waiting.extend(object.remove("@graph"));
                found.push(Value::Object(object));
            }
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// A name, in any of the usual forms.
fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(object) => object.get("name").and_then(Value::as_str).map(str::to_owned),
        Value::Array(values) => {
            let names: Vec<String> = values
                .iter()
                // Reports of collaborations have thousands.
                .take(10)
                .filter_map(|value| match value {
                    Value::String(text) => Some(text.clone()),
                    other => other.get("name").and_then(Value::as_str).map(str::to_owned),
                })
                .collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    fn metadata(page: &str) -> PageMetadata {
        read(&parse(page, false), page)
    }

    /// The value of a key; empty if the page has none.
    #[track_caller]
    fn check(key: &str, page: &str, expected: &str) {
        let entries = metadata(page).entries;
        let found = entries.iter().find(|(own, _)| own == key).map_or("", |(_, value)| value);
        assert_eq!(found, expected, "{key} of {page}");
    }

    /// Linked data in a page.
    fn linked(data: &str) -> String {
        format!("<script type='application/ld+json'>{data}</script>")
    }

    #[test]
    fn titles_are_found_best_first() {
        let article = linked(r#"{"@type": "Article", "headline": "Linked"}"#);
        let said = "<meta property=og:title content=Said>";
        let better = "<meta name=DC.title content=Better>";
        let rest = "<title> </title><svg><title>Own</title></svg><h1> </h1><h1>Heading</h1>";
        check("title", &format!("{said}{better}{article}<title>Head</title>"), "Better");
        check("title", &format!("{said}{article}<title>Head</title>"), "Said");
        check("title", &format!("{article}<title>Head</title>"), "Linked");
        check("title", "<title> The\n head </title><h1>Heading</h1>", "The head");
        check("title", rest, "Heading");
        check("title", "<meta name=title-x content=a><meta property=og:title content=' '>", "");
        check("title", &format!("<title>{}</title>", "x".repeat(2001)), &"x".repeat(2000));
        assert_eq!(
            metadata(&format!("{said}{article}<title>Head</title><h1>Own</h1>")).titles,
            ["Said", "Linked", "Head"]
        );
    }

    #[test]
    fn authors_are_names() {
        check("author", "<meta name=author content=Ann><a rel=author>Ben</a>", "Ann");
        check(
            "author",
            "<meta property=article:author content='https://x.org/ann'><a rel=author>Ben</a>",
            "Ben",
        );
        check("author", "<p itemprop=author>Ben", "Ben");
        check("author", "<p itemprop=editor>Ben", "");
        check("author", &format!("<p rel=author>{}", "x".repeat(99)), &"x".repeat(99));
        check("author", &format!("<p rel=author>{}", "x".repeat(100)), "");
        let with = |author: &str| linked(&format!(r#"{{"@type": "Report", "author": {author}}}"#));
        check("author", &with(r#""Ann""#), "Ann");
        check("author", &with(r#"{"name": "Ann"}"#), "Ann");
        check("author", &with(r#"{"url": "/ann"}"#), "");
        check("author", &with(r#"["Ann", {"name": "Ben"}, 7]"#), "Ann, Ben");
        check("author", &with("[7]"), "");
        check("author", &with("7"), "");
        check("author", &with(&format!("[{}]", [r#""x""#; 11].join(","))), &["x"; 10].join(", "));
    }

    #[test]
    fn dates_are_those_of_the_text() {
        check(
            "date",
            "<meta itemprop=datePublished content=2020><time datetime=2021 itemprop=datePublished>",
            "2020",
        );
        check(
            "date",
            "<time datetime=2020>a</time><time datetime=2021 itemprop='x datePublished'>b</time>",
            "2021",
        );
        check("date", "<time datetime=2020>a</time>", "");
        check("date", "<article itemtype=https://schema.org/Article><time datetime=2020>a</time>", "2020");
        check("date", "<p itemprop=articleBody><time datetime=2020>a</time>", "2020");
        check("date", "<p itemtype=https://schema.org/Person><time datetime=2020>a</time>", "");
        check("date", &linked(r#"{"@type": "Article", "datePublished": "2020"}"#), "2020");
        check("date", &linked(r#"{"@type": "Person", "datePublished": "2020"}"#), "");
    }

    #[test]
    fn languages_are_short_and_have_hyphens() {
        check("language", "<html lang=pt_BR>", "pt-BR");
        check("language", "<html xml:lang=de>", "de");
        check("language", "<html lang=' '><meta property=og:locale content=en_GB>", "en-GB");
        check("language", &format!("<html lang={}>", "x".repeat(35)), &"x".repeat(35));
        check("language", &format!("<html lang={}>", "x".repeat(36)), "");
    }

    #[test]
    fn linked_data_is_read_in_lists_and_graphs() {
        check(
            "description",
            &linked(r#"[{"@graph": [7, {"@type": ["Thing", "BlogPosting"], "description": "D"}]}]"#),
            "D",
        );
        check(
            "description",
            &linked(r#"[{"@type": "Article", "description": "A"}, {"@type": "Report", "description": "B"}]"#),
            "A",
        );
        check("description", &linked("{"), "");
        let typed =
            r#"<script type=' application/ld+json '>{"@type": "Article", "description": "D"}</script>"#;
        check("description", typed, "D");
        check("description", &typed.replace("ld+json", "json"), "");
        let padded = |len: usize| {
            let data = r#"{"@type": "Article", "description": "D"}"#;
            linked(&format!("{data}{}", " ".repeat(len - data.len())))
        };
        check("description", &padded(MAX_LINKED_DATA_BYTES - 1), "D");
        check("description", &padded(MAX_LINKED_DATA_BYTES), "");
        let late = |before: usize| {
            linked(&format!(r#"[{}{{"@type": "Article", "description": "D"}}]"#, "7,".repeat(before)))
        };
        check("description", &late(MAX_LINKED_DATA_VALUES - 2), "D");
        check("description", &late(MAX_LINKED_DATA_VALUES - 1), "");
    }

    #[test]
    fn a_page_declares_itself_an_article() {
        let news = linked(r#"{"@type": "NewsArticle"}"#);
        let blog = linked(r#"{"@type": ["BlogPosting"]}"#);
        let entry = linked(r#"{"@type": "Article"}"#);
        let og = |kind: &str| format!("<meta property=og:type content='{kind}'>");
        let dated = "<meta property=article:published_time content=2020>";
        for (page, expected) in [
            ("<p>a".to_owned(), false),
            (og(" Article "), true),
            (og("website"), false),
            (format!("{}{dated}", og("website")), true),
            (format!("{}{news}", og("website")), true),
            (format!("{}{blog}", og("website")), true),
            (format!("{}{entry}", og("website")), false),
            (format!("{}{entry}", og("profile")), true),
            (dated.to_owned(), true),
            (entry.clone(), true),
            (linked(r#"{"@type": "Person"}"#), false),
            ("<p itemprop=articleBody>a".to_owned(), true),
            ("<p itemtype=https://schema.org/BlogPosting>a".to_owned(), true),
            ("<p itemtype=https://schema.org/Person>a".to_owned(), false),
        ] {
            assert_eq!(metadata(&page).is_article, expected, "of {page}");
        }
    }

    #[test]
    fn a_page_says_what_it_is() {
        assert_eq!(metadata("<meta property=og:type content=product>").kind, PageKind::Product);
        assert_eq!(metadata("<meta property=og:url content=https://x.org/forum/7>").kind, PageKind::Thread);
        assert_eq!(metadata("<p>a").kind, PageKind::Other);
    }
}

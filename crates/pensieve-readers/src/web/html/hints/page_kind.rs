//! What a page declares itself to be: a thread of posts, one product, or neither.

use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use serde_json::Value;

/// What a page declares itself to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PageKind {
    /// A thread of posts: what readers wrote is the content.
    Thread,
    /// One product of a shop: what buyers wrote is not.
    Product,
    /// Anything else.
    #[default]
    Other,
}

/// Types of linked data and of microdata for threads.
const THREADS: &[&str] = &["DiscussionForumPosting", "QAPage"];

/// Types for products.
const PRODUCTS: &[&str] = &["Product", "ProductGroup"];

/// The most products that a page about one of them declares: the product and its variants.
const MAX_PRODUCTS: usize = 2;

/// Words of addresses of threads. Sorted.
const THREAD_WORDS: &[&str] =
    &["boards", "discussion", "forum", "forums", "showthread", "thread", "threads", "topic", "viewtopic"];

/// How many parts of an address are read.
const MAX_ADDRESS_PARTS: usize = 12;

impl PageKind {
    /// The kind by linked data, microdata, `og:type` and the page's own address.
    pub fn of(tree: &PageTree, data: &[Value], og_type: Option<&str>, og_url: Option<&str>) -> PageKind {
        let said = |types: &[&str]| data.iter().filter(|object| has_type(object, types)).count();
        let is_one = |types: &[&str]| {
            (1..=MAX_PRODUCTS).contains(&said(types)) || (1..=MAX_PRODUCTS).contains(&marked(tree, types))
        };
        let is_typed =
            og_type.is_some_and(|kind| matches!(kind.trim(), "product" | "og:product" | "product.item"));
        // A thread about a product may declare both.
        if said(THREADS) + marked(tree, THREADS) > 0 {
            return PageKind::Thread;
        }
        if is_typed || is_one(PRODUCTS) {
            return PageKind::Product;
        }
        // Addresses say least, so they come last.
        match canonical(tree).or(og_url).is_some_and(names_thread) {
            true => PageKind::Thread,
            false => PageKind::Other,
        }
    }
}

/// True if the linked data has one of these types.
fn has_type(object: &Value, types: &[&str]) -> bool {
    let named = |value: &Value| value.as_str().is_some_and(|kind| types.contains(&kind));
    match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(named),
        Some(kind) => named(kind),
        None => false,
    }
}

/// How many elements microdata gives one of these types.
fn marked(tree: &PageTree, types: &[&str]) -> usize {
    let is_marked = |node: &usize| {
        let kind = tree.attribute(*node, "itemtype").and_then(|kind| kind.rsplit('/').next());
        kind.is_some_and(|kind| types.contains(&kind))
    };
    (0..tree.len()).filter(is_marked).count()
}

/// The address that the page gives as its own.
fn canonical(tree: &PageTree) -> Option<&str> {
    let is_canonical = |&node: &usize| {
        tree.tag(node) == Some(HtmlTag::Link) && tree.attribute(node, "rel") == Some("canonical")
    };
    (0..tree.len()).find(is_canonical).and_then(|node| tree.attribute(node, "href"))
}

/// True if a whole part of the host, the path or the query is such a word: `worker_threads.html` is documentation.
fn names_thread(address: &str) -> bool {
    let (host, path) = match address.split_once("//") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => ("", address),
    };
    let path = path.split(['/', '?', '&', '=', '#', ';']);
    // Programs for forums: `viewtopic.php`, `showthread.php`.
    let path = path.map(|part| part.strip_suffix(".php").unwrap_or(part));
    let parts = host.split('.').chain(path).take(MAX_ADDRESS_PARTS);
    parts.map(str::to_ascii_lowercase).any(|part| THREAD_WORDS.binary_search(&part.as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;

    fn kind_of(page: &str, data: &str) -> PageKind {
        let data: Vec<Value> = serde_json::from_str(data).unwrap();
        PageKind::of(&parse(page, false), &data, None, None)
    }

    #[test]
    fn addresses_name_threads_by_whole_parts() {
        let check = |address: &str, expected: bool| assert_eq!(names_thread(address), expected, "{address}");
        check("https://forum.example.org/7", true);
        check("https://example.org/forums/lamps/?page=2", true);
        check("https://example.org/viewtopic.php?t=3", true);
        check("https://example.org/index.php?topic=12.0", true);
        check("/threads/lamps.7/", true);
        check("https://example.org/api/worker_threads.html", false);
        check("https://example.org/library/thread.html", false);
        check("https://example.org/blog/a-topic-for-discussion", false);
        check("thread.html", false);
    }

    #[test]
    fn kinds_are_declared() {
        assert!(THREAD_WORDS.is_sorted());
        assert_eq!(kind_of("<p>a", r#"[{"@type": "DiscussionForumPosting"}]"#), PageKind::Thread);
        assert_eq!(kind_of("<link rel=canonical href=https://x.org/forum/7>", "[]"), PageKind::Thread);
        assert_eq!(kind_of("<div itemscope itemtype=https://schema.org/Product>", "[]"), PageKind::Product);
        assert_eq!(kind_of("<p>a", r#"[{"@type": ["Product"]}]"#), PageKind::Product);
        let list = r#"[{"@type": "Product"}, {"@type": "Product"}, {"@type": "Product"}]"#;
        assert_eq!(kind_of("<p>a", list), PageKind::Other);
        assert_eq!(kind_of("<p>a", "[]"), PageKind::Other);
    }

    #[test]
    fn threads_come_before_products_and_both_before_addresses() {
        let check =
            |page: &str, data: &str, og_type: Option<&str>, og_url: Option<&str>, expected: PageKind| {
                let data: Vec<Value> = serde_json::from_str(data).unwrap();
                let found = PageKind::of(&parse(page, false), &data, og_type, og_url);
                assert_eq!(found, expected, "{page} {og_type:?} {og_url:?}");
            };
        let item = |kind: &str| format!("<p itemtype='https://schema.org/{kind}'>");
        let forum = Some("https://x.org/forum/7");
        let (product, page) = (item("Product"), item("QAPage"));
        check(&page, "[]", None, None, PageKind::Thread);
        check(&page, "[]", Some("product"), None, PageKind::Thread);
        check(&product.repeat(2), "[]", None, None, PageKind::Product);
        check(&product.repeat(3), "[]", None, None, PageKind::Other);
        check(&item("ProductList"), "[]", None, None, PageKind::Other);
        check("", r#"[{"@type": "QAPage"}]"#, Some("product"), None, PageKind::Thread);
        check("", r#"[{"@type": "Product"}, {"@type": "ProductGroup"}]"#, None, forum, PageKind::Product);
        check("", r#"[{"@type": ["Thing", "Product"]}, {"name": "a"}]"#, None, None, PageKind::Product);
        check("", r#"[{"@type": ["Thing"]}, {"@type": 7}]"#, None, None, PageKind::Other);
        for kind in ["product", " og:product ", "product.item"] {
            check("", "[]", Some(kind), forum, PageKind::Product);
        }
        check("", "[]", Some("product.group"), forum, PageKind::Thread);
        check("<link rel=canonical href=/blog/7>", "[]", None, forum, PageKind::Other);
        check("<link rel=alternate href=/blog/7>", "[]", None, forum, PageKind::Thread);
        check("<a rel=canonical href=/blog/7>", "[]", None, forum, PageKind::Thread);
    }

    #[test]
    fn the_first_parts_of_an_address_are_read() {
        let check = |address: &str, expected: bool| assert_eq!(names_thread(address), expected, "{address}");
        check("https://example.org/SHOWTHREAD", true);
        check("https://example.org/a?b&c=thread#d", true);
        check("https://thread", true);
        check("thread.example.org", false);
        for (parts, expected) in [(9, true), (10, false)] {
            check(&format!("https://example.org/{}thread", "a/".repeat(parts)), expected);
        }
    }
}

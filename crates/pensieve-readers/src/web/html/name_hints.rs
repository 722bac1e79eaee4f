//! Hints on the purpose of a part of a page: words of classes and ids, roles, phrases of headings.
//!
//! Tables only. They have words that many unrelated sites and frameworks use; a rule for one site has no place here.
//! A word alone never decides: the caller also checks how much of the page's prose the part has.

use super::name_words::{FOLDED, POSTERS, REVIEWS, SCREEN_READER_WORDS};
use super::tag::HtmlTag;
use super::tree::PageTree;

/// Words of boilerplate: share bars, lists of other pages, notices. Sorted.
const BOILERPLATE: &[&str] = &[
    "ad",
    "addthis",
    "addtoany",
    "ads",
    "adsense",
    "advert",
    "advertisement",
    "advertising",
    "alsolike",
    "backlink",
    "colophon",
    "consent",
    "cookie",
    "cookiebar",
    "cookies",
    "copyright",
    "disclaimer",
    "donate",
    "donation",
    "editsection",
    "footer",
    "gdpr",
    "leftbar",
    "leftrail",
    "licence",
    "license",
    "lightbox",
    "likes",
    "login",
    "masthead",
    "metabar",
    "modal",
    "moreon",
    "mostpopular",
    "mostread",
    "newsletter",
    "newsletters",
    "noprint",
    "outbrain",
    "popup",
    "printfooter",
    "promo",
    "promos",
    "promotion",
    "readmore",
    "readnext",
    "recirc",
    "recirculation",
    "recommend",
    "recommendation",
    "recommendations",
    "recommended",
    "related",
    "relatedposts",
    "reportabuse",
    "rightbar",
    "rightrail",
    "rss",
    "searchform",
    "share",
    "sharebar",
    "sharedaddy",
    "sharer",
    "shares",
    "sharethis",
    "sharing",
    "sidebar",
    "sidebars",
    "siderail",
    "signin",
    "signup",
    "social",
    "socials",
    "sponsor",
    "sponsored",
    "sponsors",
    "subscribe",
    "subscription",
    "taboola",
    "taglist",
    "tags",
    "trending",
];

/// Words of menus: boilerplate only with links. Sorted.
const MENUS: &[&str] = &[
    "breadcrumb",
    "breadcrumbs",
    "crumbs",
    "jumplinks",
    "jumpto",
    "menu",
    "menus",
    "nav",
    "navbar",
    "navbox",
    "navfooter",
    "navheader",
    "navi",
    "navigation",
    "pager",
    "pagination",
    "paging",
    "prevnext",
    "sidenav",
    "sitenav",
    "skiplink",
    "stickynav",
    "subnav",
    "topbar",
];

/// Words of both boilerplate and content. Sorted.
const PERHAPS_BOILERPLATE: &[&str] = &[
    "banner", "carousel", "dropdown", "follow", "foot", "overlay", "popular", "print", "rating", "ratings",
    "search", "shared", "skip", "teaser", "teasers", "toolbar", "toolbox", "widget", "widgets",
];

/// Ends and beginnings of names that are written without a separator: `leftsidebar`, `footerlinks`.
const BOILERPLATE_PARTS: &[&str] = &["breadcrumb", "footer", "navbar", "newsletter", "sharebar", "sidebar"];

/// Words of comments by readers. Sorted.
const COMMENTS: &[&str] = &[
    "comentario",
    "comentarios",
    "comment",
    "commentaires",
    "commentary",
    "commentform",
    "commentlist",
    "comments",
    "commentsection",
    "discussion",
    "disqus",
    "kommentar",
    "kommentare",
    "reacties",
    "replies",
    "respond",
];

/// Words of the credits of an article: author, date, category. Sorted.
const CREDITS: &[&str] = &[
    "author",
    "authors",
    "bio",
    "byline",
    "categories",
    "category",
    "contributors",
    "credits",
    "date",
    "dateline",
    "datetime",
    "kicker",
    "meta",
    "metadata",
    "postdate",
    "postinfo",
    "postmeta",
    "postmetadata",
    "pubdate",
    "published",
    "publisher",
    "tag",
    "timestamp",
    "updated",
    "utility",
    "vcard",
];

/// Words of elements that name an author and a date. Sorted.
const BYLINES: &[&str] =
    &["author", "byline", "dateline", "datepublished", "postedby", "pubdate", "published", "timestamp"];

/// Kinds of text. A name with one of these words and a word for its body is the text itself.
const KINDS: &[&str] = &["article", "blog", "entry", "news", "post", "story"];
const BODIES: &[&str] = &["body", "content", "copy", "main", "text"];

/// Words of notes inside a text that look like boilerplate. Sorted.
const NOTES: &[&str] = &[
    "admonition",
    "alert",
    "callout",
    "caution",
    "danger",
    "epigraph",
    "example",
    "footnote",
    "footnotes",
    "hint",
    "important",
    "info",
    "note",
    "notes",
    "tip",
    "warning",
];

/// Words of parts for machines or for other media only. Sorted.
const UNSEEN: &[&str] = &[
    "gutter",
    "hidden",
    "invisible",
    "lineno",
    "linenos",
    "linenumber",
    "linenumbers",
    "screenreader",
    "sronly",
    "visuallyhidden",
];

/// Beginnings of headings over lists of other pages, in lower case.
const BOILERPLATE_HEADINGS: &[&str] = &[
    "a lire aussi",
    "also read",
    "comments",
    "das könnte",
    "deel dit",
    "follow us",
    "in this section",
    "kommentare",
    "lea también",
    "leave a comment",
    "leave a reply",
    "lee también",
    "lees ook",
    "leggi anche",
    "leia também",
    "lesen sie auch",
    "like this",
    "lire aussi",
    "mehr zum thema",
    "more from",
    "more on this",
    "more stories",
    "most popular",
    "most read",
    "other interesting",
    "read also",
    "read more",
    "read next",
    "recommended",
    "related",
    "schreibe einen kommentar",
    "share this",
    "sign up",
    "subscribe",
    "teilen mit",
    "trending",
    "weitere artikel",
    "what to read next",
    "you may also",
    "you might also",
    "à lire aussi",
];

/// How many classes of an element are read, at most.
const MAX_NAMES: usize = 40;

/// How many nodes of a heading are read, at most.
const MAX_HEADING_NODES: usize = 40;

/// What the names of an element suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NameHints {
    /// Boilerplate.
    pub boilerplate: bool,
    /// A menu, if it has links.
    pub menu: bool,
    /// Boilerplate, if it reads like it.
    pub perhaps_boilerplate: bool,
    /// Written by readers.
    pub comments: bool,
    /// Author, date, category.
    pub credits: bool,
    /// A byline: author and date, unambiguously.
    pub byline: bool,
    /// The body of a text.
    pub body: bool,
    /// A note inside the content.
    pub note: bool,
    /// For machines or other media.
    pub unseen: bool,
    /// Reviews by customers.
    pub reviews: bool,
    /// About who wrote a post.
    pub poster: bool,
    /// Closed until a reader opens it.
    pub folded: bool,
}

/// Reads the names of an element.
fn hints_of(tree: &PageTree, source: &str, node: usize) -> NameHints {
    let mut hints = NameHints::default();
    let classes =
        || tree.attribute(node, "class").unwrap_or_default().split_ascii_whitespace().take(MAX_NAMES);
    let is_entry = classes().any(|name| name == "hentry" || name.starts_with("type-"));
    classes().filter(|name| !is_entry || !names_subject(name)).for_each(|name| hints.read(name));
    if let Some(id) = tree.attribute(node, "id").filter(|id| !is_named_after_heading(tree, source, node, id))
    {
        hints.read(id);
    }
    hints
}

/// True for a class that content systems make from a subject of an entry: a post in `category-cookies` is no notice.
fn names_subject(name: &str) -> bool {
    name.starts_with("category-") || name.starts_with("tag-")
}

/// Reads the names of every element of a page.
pub(super) fn all_hints(tree: &PageTree, source: &str) -> Vec<NameHints> {
    (0..tree.len()).map(|node| hints_of(tree, source, node)).collect()
}

/// Ids are often made from headings: a section called `sharing-state` is about sharing, not a share bar.
fn is_named_after_heading(tree: &PageTree, source: &str, node: usize, id: &str) -> bool {
    let is_heading = |&at: &usize| tree.tag(at).and_then(HtmlTag::heading_level).is_some();
    let heading = is_heading(&node).then_some(node).or_else(|| tree.below(node).take(6).find(is_heading));
    let around = || tree.ancestors(node).take(2).find(is_heading);
    let Some(heading) = heading.or_else(around) else { return false };
    let node_texts = tree.below(heading).take(MAX_HEADING_NODES).filter_map(|at| tree.text(at));
    let title = words(&node_texts.map(|node_text| node_text.resolve(source)).collect::<String>()).concat();
    let named = words(id).concat();
    named.len() > 2 && (title.contains(&named) || (title.len() > 2 && named.contains(&title)))
}

impl NameHints {
    fn read(&mut self, name: &str) {
        // Layouts of a whole page are named after what they have besides the content.
        if ["has-", "no-", "with-", "without-", "is-", "js-"].iter().any(|prefix| name.starts_with(prefix)) {
            return;
        }
        let words = words(name);
        let is_in = |table: &[&str]| words.iter().any(|word| table.binary_search(&word.as_str()).is_ok());
        let whole: String = words.concat();
        let is_whole = |table: &[&str]| table.binary_search(&whole.as_str()).is_ok();
        let has_part = |part: &&str| words.iter().any(|word| word.starts_with(part) || word.ends_with(part));
        self.boilerplate |=
            is_in(BOILERPLATE) || is_whole(BOILERPLATE) || BOILERPLATE_PARTS.iter().any(has_part);
        self.perhaps_boilerplate |= is_in(PERHAPS_BOILERPLATE);
        self.menu |= is_in(MENUS) || is_whole(MENUS);
        self.comments |= is_in(COMMENTS) || is_whole(COMMENTS);
        self.credits |= is_in(CREDITS) || is_whole(CREDITS);
        self.byline |= is_in(BYLINES) || is_whole(BYLINES);
        self.note |= is_in(NOTES);
        let is_pair = |pair: &[String]| {
            SCREEN_READER_WORDS.iter().any(|words| pair[0] == words[0] && pair[1] == words[1])
        };
        self.unseen |= is_whole(UNSEEN) || words.windows(2).any(is_pair);
        self.reviews |= is_in(REVIEWS);
        self.poster |= is_in(POSTERS) && !is_in(BODIES);
        self.folded |= is_in(FOLDED);
        let joins = |kind: &&str| whole.strip_prefix(kind).is_some_and(|rest| BODIES.contains(&rest));
        self.body |= (is_in(KINDS) && is_in(BODIES)) || KINDS.iter().any(joins);
    }
}

/// The words of a name: `entry-content`, `articleBody`, `post__meta`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars().take(120) {
        if c.is_ascii_alphabetic() {
            let begins = !last.is_ascii_alphabetic() || (c.is_ascii_uppercase() && last.is_ascii_lowercase());
            match words.last_mut().filter(|_| !begins) {
                Some(word) => word.push(c.to_ascii_lowercase()),
                None => words.push(c.to_ascii_lowercase().to_string()),
            }
        }
        last = c;
    }
    words
}

/// True for roles of boilerplate.
pub(super) fn is_boilerplate_role(role: &str) -> bool {
    let roles = [
        "alert",
        "alertdialog",
        "banner",
        "complementary",
        "contentinfo",
        "dialog",
        "directory",
        "form",
        "menu",
        "menubar",
        "navigation",
        "search",
        "toolbar",
        "tooltip",
    ];
    role.split_ascii_whitespace().any(|role| roles.contains(&role))
}

/// True when a heading announces other pages or comments of readers.
pub(super) fn is_boilerplate_heading(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    text.len() < 60 && BOILERPLATE_HEADINGS.iter().any(|start| text.starts_with(start))
}

/// True for elements that are never dropped by name, because they contain everything.
pub(super) fn holds_everything(tag: HtmlTag) -> bool {
    matches!(tag, HtmlTag::Html | HtmlTag::Body | HtmlTag::Main | HtmlTag::Tbody | HtmlTag::Thead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: NameHints) {
        let mut hints = NameHints::default();
        hints.read(name);
        assert_eq!(hints, expected, "of {name}");
    }

    #[test]
    fn tables_are_sorted() {
        for table in [
            BOILERPLATE,
            MENUS,
            PERHAPS_BOILERPLATE,
            BOILERPLATE_PARTS,
            COMMENTS,
            CREDITS,
            BYLINES,
            KINDS,
            BODIES,
            NOTES,
            UNSEEN,
            REVIEWS,
            POSTERS,
            FOLDED,
            BOILERPLATE_HEADINGS,
        ] {
            assert!(table.windows(2).all(|pair| pair[0] < pair[1]), "{table:?}");
        }
    }

    #[test]
    fn names_are_read_by_words() {
        check("entry-content", NameHints { body: true, ..NameHints::default() });
        check("articleBody", NameHints { body: true, ..NameHints::default() });
        check("post__related-links", NameHints { boilerplate: true, ..NameHints::default() });
        check("right-rail", NameHints { boilerplate: true, ..NameHints::default() });
        check("navheader", NameHints { menu: true, ..NameHints::default() });
        check("main-menu", NameHints { menu: true, ..NameHints::default() });
        check("comentarios", NameHints { comments: true, ..NameHints::default() });
        check("has-sidebar", NameHints::default());
        check("visually-hidden", NameHints { unseen: true, ..NameHints::default() });
        check("price-sr-only", NameHints { unseen: true, ..NameHints::default() });
        check("user-panel", NameHints { poster: true, folded: true, ..NameHints::default() });
        check("user-content", NameHints::default());
        check("adventure", NameHints::default());
    }
}

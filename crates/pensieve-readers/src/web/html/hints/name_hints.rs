//! Hints on the purpose of a part of a page: words of classes and ids, roles, phrases of headings.
//!
//! Tables only. They have words that many unrelated sites and frameworks use; a rule for one site has no place here.
//! A word alone never decides: the caller also checks how much of the page's prose the part has.

use super::name_words::{FOLDED, POSTERS, REVIEWS, SCREEN_READER_WORDS};
use super::word_tables::WordTables;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::LazyLock;

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
    "comentarios",
    "commentaires",
    "commentform",
    "commentlist",
    "comments",
    "commentsection",
    "disqus",
    "kommentare",
    "reacties",
    "replies",
    "respond",
];

/// Words of one comment, which may be that of a programmer on code. Sorted.
const PERHAPS_COMMENTS: &[&str] = &["comentario", "comment", "commentary", "discussion", "kommentar"];

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
const UNSEEN: &[&str] = &["hidden", "invisible", "screenreader", "sronly", "visuallyhidden"];

/// Words of the numbers beside lines of code, and of code that has them. Sorted.
const LINE_NUMBERS: &[&str] = &["gutter", "lineno", "linenos", "linenumber", "linenumbers"];

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

/// The tables of words of names, by their numbers in [`TABLES`].
#[derive(Debug, Clone, Copy)]
enum NameTable {
    Boilerplate,
    Menus,
    PerhapsBoilerplate,
    Comments,
    PerhapsComments,
    Credits,
    Bylines,
    Kinds,
    Bodies,
    Notes,
    Unseen,
    LineNumbers,
    Reviews,
    Posters,
    Folded,
}

/// In the order of [`NameTable`].
static TABLES: LazyLock<WordTables> = LazyLock::new(|| {
    WordTables::new(&[
        BOILERPLATE,
        MENUS,
        PERHAPS_BOILERPLATE,
        COMMENTS,
        PERHAPS_COMMENTS,
        CREDITS,
        BYLINES,
        KINDS,
        BODIES,
        NOTES,
        UNSEEN,
        LINE_NUMBERS,
        REVIEWS,
        POSTERS,
        FOLDED,
    ])
});

/// How many classes of an element are read, at most.
const MAX_NAMES: usize = 40;

/// How many characters of a name are read, at most.
const MAX_NAME_CHARS: usize = 120;

/// How many nodes of a heading are read, at most.
const MAX_HEADING_NODES: usize = 40;

/// What the names of an element suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NameHints {
    /// Boilerplate.
    pub boilerplate: bool,
    /// A menu, if it has links.
    pub menu: bool,
    /// Boilerplate, if it reads like it.
    pub perhaps_boilerplate: bool,
    /// Written by readers.
    pub comments: bool,
    /// Written by readers, if names or dates of them are there.
    pub perhaps_comments: bool,
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
    /// Numbers of lines, unless it has words: then it is the code that is numbered.
    pub line_numbers: bool,
    /// Reviews by customers.
    pub reviews: bool,
    /// About who wrote a post.
    pub poster: bool,
    /// Closed until a reader opens it.
    pub folded: bool,
}

/// Reads the names of every element of a page.
pub(crate) fn all_hints(tree: &PageTree, source: &str) -> Vec<NameHints> {
    let mut names = NameReader::default();
    (0..tree.len()).map(|node| names.hints_of(tree, source, node)).collect()
}

/// Reads names. Most elements of a page share their classes with others, so each is read once.
#[derive(Default)]
struct NameReader<'a> {
    classes: FxHashMap<&'a str, NameHints>,
    names: FxHashMap<&'a str, NameHints>,
}

impl<'a> NameReader<'a> {
    fn hints_of(&mut self, tree: &'a PageTree, source: &str, node: usize) -> NameHints {
        let mut hints =
            tree.attribute(node, "class").map_or_else(NameHints::default, |class| self.class(class));
        if let Some(id) = tree.attribute(node, "id") {
            // Not kept: nearly all ids are unlike each other.
            let of_id = NameHints::of(id);
            // Few ids are hints, so their headings are looked for last.
            if of_id != NameHints::default() && !is_named_after_heading(tree, source, node, id) {
                hints.add(of_id);
            }
        }
        hints
    }

    /// The hints of all classes of an element.
    fn class(&mut self, class: &'a str) -> NameHints {
        if let Some(&hints) = self.classes.get(class) {
            return hints;
        }
        let names = || class.split_ascii_whitespace().take(MAX_NAMES);
        // WordPress and what follows its names.
        let is_entry = names().any(|name| name == "hentry" || name.starts_with("type-"));
        let mut hints = NameHints::default();
        for name in names().filter(|name| !is_entry || !names_subject(name)) {
            hints.add(*self.names.entry(name).or_insert_with(|| NameHints::of(name)));
        }
        self.classes.insert(class, hints);
        hints
    }
}

/// True for a class that content systems make from a subject of an entry: a post in `category-cookies` is no notice.
fn names_subject(name: &str) -> bool {
    name.starts_with("category-") || name.starts_with("tag-")
}

/// Ids are often made from headings: a section called `sharing-state` is about sharing, not a share bar.
fn is_named_after_heading(tree: &PageTree, source: &str, node: usize, id: &str) -> bool {
    let is_heading = |&at: &usize| tree.tag(at).and_then(HtmlTag::heading_level).is_some();
    // A section's own heading is near its beginning.
    let heading = is_heading(&node).then_some(node).or_else(|| tree.below(node).take(40).find(is_heading));
    let around = || tree.ancestors(node).take(2).find(is_heading);
    let Some(heading) = heading.or_else(around) else { return false };
    let node_texts = tree.below(heading).take(MAX_HEADING_NODES).filter_map(|at| tree.text(at));
    let title =
        NameWords::of(&node_texts.map(|node_text| node_text.resolve(source)).collect::<String>()).letters;
    let named = NameWords::of(id).letters;
    // Two letters are in most titles.
    named.len() > 2 && (title.contains(&named) || (title.len() > 2 && named.contains(&title)))
}

impl NameHints {
    /// The hints of a name.
    fn of(name: &str) -> NameHints {
        // Layouts of a whole page are named after what they have besides the content.
        if ["has-", "no-", "with-", "without-", "is-", "js-"].iter().any(|prefix| name.starts_with(prefix)) {
            return NameHints::default();
        }
        let words = NameWords::of(name);
        let whole = words.letters.as_str();
        let (of_words, of_whole) = (TABLES.tables_of(words.iter()), TABLES.tables_of([whole]));
        let is_in = |table: NameTable| of_words.has(table as usize);
        let is_or_has = |table: NameTable| is_in(table) || of_whole.has(table as usize);
        // Few words: others, such as `ad` and `tag`, are parts of unrelated ones.
        let has_part = |part: &&str| words.iter().any(|word| word.starts_with(part) || word.ends_with(part));
        // `articlebody`, `storytext`
        let joins = |kind: &&str| whole.strip_prefix(kind).is_some_and(|rest| BODIES.contains(&rest));
        NameHints {
            boilerplate: is_or_has(NameTable::Boilerplate) || BOILERPLATE_PARTS.iter().any(has_part),
            menu: is_or_has(NameTable::Menus),
            // Weak words count as words only, never as what a whole name joins.
            perhaps_boilerplate: is_in(NameTable::PerhapsBoilerplate),
            comments: is_or_has(NameTable::Comments),
            perhaps_comments: is_or_has(NameTable::PerhapsComments),
            credits: is_or_has(NameTable::Credits),
            byline: is_or_has(NameTable::Bylines),
            body: is_in(NameTable::Kinds) && is_in(NameTable::Bodies) || KINDS.iter().any(joins),
            note: is_in(NameTable::Notes),
            // The whole name: `overflow-hidden` hides nothing that a reader would see.
            unseen: of_whole.has(NameTable::Unseen as usize) || words.are_for_screen_readers(),
            // The whole name: `row-gutter` is the space between columns.
            line_numbers: of_whole.has(NameTable::LineNumbers as usize),
            reviews: is_in(NameTable::Reviews),
            // `user-content` is what the user wrote.
            poster: is_in(NameTable::Posters) && !is_in(NameTable::Bodies),
            folded: is_in(NameTable::Folded),
        }
    }

    /// Adds what another name suggests.
    fn add(&mut self, other: NameHints) {
        self.boilerplate |= other.boilerplate;
        self.menu |= other.menu;
        self.perhaps_boilerplate |= other.perhaps_boilerplate;
        self.comments |= other.comments;
        self.perhaps_comments |= other.perhaps_comments;
        self.credits |= other.credits;
        self.byline |= other.byline;
        self.body |= other.body;
        self.note |= other.note;
        self.unseen |= other.unseen;
        self.line_numbers |= other.line_numbers;
        self.reviews |= other.reviews;
        self.poster |= other.poster;
        self.folded |= other.folded;
    }
}

/// The words of a name: `entry-content`, `articleBody`, `post__meta`.
#[derive(Default)]
struct NameWords {
    /// All words, one after the other, in lower case.
    letters: String,
    /// The place of each.
    places: Vec<Range<usize>>,
}

impl NameWords {
    fn of(name: &str) -> NameWords {
        let mut words = NameWords::default();
        let mut last = ' ';
        for c in name.chars().take(MAX_NAME_CHARS) {
            if c.is_ascii_alphabetic() {
                let begins =
                    // `articleBody` has two words, `FAQ` one.
                    !last.is_ascii_alphabetic() || (c.is_ascii_uppercase() && last.is_ascii_lowercase());
                if begins {
                    words.places.push(words.letters.len()..words.letters.len());
                }
                words.letters.push(c.to_ascii_lowercase());
                words.places.last_mut().expect("the first letter begins a word").end = words.letters.len();
            }
            last = c;
        }
        words
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|place| &self.letters[place.clone()])
    }

    /// True if two words beside each other name a text for screen readers.
    fn are_for_screen_readers(&self) -> bool {
        let is_pair = |(first, second): (&str, &str)| SCREEN_READER_WORDS.contains(&[first, second]);
        self.iter().zip(self.iter().skip(1)).any(is_pair)
    }
}

/// True for roles of boilerplate.
pub(crate) fn is_boilerplate_role(role: &str) -> bool {
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
pub(crate) fn is_boilerplate_heading(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    // Longer headings are titles of texts that begin with such words.
    text.len() < 60 && BOILERPLATE_HEADINGS.iter().any(|start| text.starts_with(start))
}

/// True for elements that are never dropped by name, because they contain everything.
pub(crate) fn holds_everything(tag: HtmlTag) -> bool {
    // A body with the class `right-sidebar` has one, and is none.
    matches!(tag, HtmlTag::Html | HtmlTag::Body | HtmlTag::Main | HtmlTag::Tbody | HtmlTag::Thead)
}

#[cfg(test)]
mod tests;

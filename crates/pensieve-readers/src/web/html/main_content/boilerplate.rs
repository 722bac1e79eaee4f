//! Which parts of a page are boilerplate by their element, their role or their names.

use super::{ContentName, ContentSearch, MIN_PROSE};
use crate::web::html::hints::name_hints::{self, NameHints};
use crate::web::html::hints::page_kind::PageKind;
use crate::web::html::hints::prose::ProseMeasure;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

/// A part with a larger share of the page's prose is not boilerplate, whatever it is called.
// At .15 ten pages lose, one of them .69; at .6 five gain, up to .42, and three lose, up to .56.
const MAX_BOILERPLATE_SHARE: f32 = 0.35;

/// The same limit for parts outside of the element that is named as the content.
// At .35 four pages lose .15 to .52; at .97 nothing changes.
const MAX_BESIDE_SHARE: f32 = 0.85;

/// The same limit for comments, which may be longer than the text that they comment on.
const MAX_COMMENTS_SHARE: f32 = 0.92;

/// The same limit for reviews of a product.
const MAX_REVIEWS_SHARE: f32 = 0.95;

/// The same limit for dialogs: a short page may ask for consent at length.
// At .35 one page loses .62, and one .16.
const MAX_DIALOG_SHARE: f32 = 0.97;

/// What is called boilerplate by a name alone and has a larger share of the prose of its article is that article:
/// `sidebar-content` may be the content beside a sidebar. Of 341 pages of seven types one gains .40 in F1, one loses .03.
const MAX_ARTICLE_SHARE: f32 = 0.5;

/// The same limit for the characters of a page that is no article, where cards that are links have no prose. Of the same
/// pages one gains .48, four keep a menu and lose .02 each.
const MAX_NAMED_CHARS: f32 = 0.4;

/// A form with a larger share of the characters is around the page: one page gains .32, another would lose .52 from .4 on.
const MAX_FORM_CHARS: f32 = 0.5;

/// Longer parts about who wrote a post are posts.
const MAX_POSTER_CHARS: f32 = 600.0;

/// Longer texts are not the label of a button.
// At 10 twelve threads keep words of buttons and lose up to .03; at 200 nothing gains.
const MAX_LABEL_CHARS: f32 = 40.0;

/// A part that is called a menu is text if it has at most this share of links,
// At 0 one page loses .40; at .4 nothing does.
const MAX_TEXT_LINKS: f32 = 0.1;

/// and at least this share of prose.
// At .2 one page loses .32, at 1 another .40.
const MIN_TEXT_PROSE: f32 = 0.6;

/// A formula further below an element is not all of it.
const MAX_WRAPPER_NODES: usize = 2_000;

/// Why something is boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoilerplateKind {
    Named,
    Comments,
    Reviews,
    Dialog,
    Control,
    Form,
}

impl ContentSearch<'_> {
    /// Leaves out what names, roles and elements mark as boilerplate.
    pub(super) fn drop_boilerplate(&mut self, body: usize) {
        let all = self.measures[body];
        let core = self.core(body);
        // Where the last part ends that is too large for its name; the same names inside of it say no more.
        let mut kept_end = 0;
        self.drop_where(body, |page, node, tag| {
            let Some(kind) = page.boilerplate_kind(node, tag) else { return false };
            let part = page.measures[node];
            let is_beside =
                core.is_some_and(|core| core >= page.tree.end(node) || page.tree.end(core) <= node);
            let is_kept = || node < kept_end && !page.hints[node].menu || page.is_too_large(node, all);
            if (page.is_article || !is_beside) && page.is_only_named(kind, node, tag) && is_kept() {
                kept_end = kept_end.max(page.tree.end(node));
                return false;
            }
            let most = match kind {
                // A button is none of the text, whatever its share.
                BoilerplateKind::Control => return true,
                BoilerplateKind::Form if tag == HtmlTag::Form && part.chars > all.chars * MAX_FORM_CHARS => {
                    return false;
                }
                // At .5 two pages lose .25 and .16; at .05 one loses .12, and another gains .13.
                BoilerplateKind::Form => 0.2,
                BoilerplateKind::Comments => MAX_COMMENTS_SHARE,
                BoilerplateKind::Reviews => MAX_REVIEWS_SHARE,
                BoilerplateKind::Dialog => MAX_DIALOG_SHARE,
                // Elements say more than names.
                BoilerplateKind::Named if matches!(tag, HtmlTag::Nav | HtmlTag::Footer) => MAX_BESIDE_SHARE,
                BoilerplateKind::Named if is_beside => MAX_BESIDE_SHARE,
                BoilerplateKind::Named => MAX_BOILERPLATE_SHARE,
            };
            part.prose < all.prose * most && !page.holds_title(node)
        });
    }

    /// True for what nothing but a name calls boilerplate: no element, no role.
    fn is_only_named(&self, kind: BoilerplateKind, node: usize, tag: HtmlTag) -> bool {
        let says_so = match tag {
            HtmlTag::Nav | HtmlTag::Menu | HtmlTag::Search | HtmlTag::Form => true,
            HtmlTag::Footer | HtmlTag::Header | HtmlTag::Aside => true,
            _ => self.tree.attribute(node, "role").is_some(),
        };
        matches!(kind, BoilerplateKind::Named | BoilerplateKind::Form) && !says_so
    }

    /// True for a part with most of the prose of the article around it, and for one with much of a page that is neither
    /// an article nor of a declared kind.
    fn is_too_large(&self, node: usize, all: ProseMeasure) -> bool {
        let part = self.measures[node];
        if !self.is_article {
            return self.kind == PageKind::Other
                && !self.hints[node].menu
                && part.chars > all.chars * MAX_NAMED_CHARS;
        }
        let is_text = |&above: &usize| {
            self.is_named(above, ContentName::Article) || self.is_named(above, ContentName::Body)
        };
        let article = self.tree.ancestors(node).find(is_text).map(|article| self.measures[article].prose);
        article.is_some_and(|prose| prose > MIN_PROSE * 2.0 && part.prose > prose * MAX_ARTICLE_SHARE)
    }

    /// What makes an element boilerplate, if anything does.
    pub(super) fn boilerplate_kind(&self, node: usize, tag: HtmlTag) -> Option<BoilerplateKind> {
        let mut hints = self.hints[node];
        if !tag.is_block() && tag != HtmlTag::Other && self.is_in_prose(node) {
            hints = NameHints::default();
        }
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        if self.is_control(node, tag, role) {
            return Some(BoilerplateKind::Control);
        }
        // Names on `body` say what kind of page it is, not that it is boilerplate.
        if name_hints::holds_everything(tag) {
            return None;
        }
        let is_part = tag.is_block() || tag == HtmlTag::Other;
        // Before comments: sites call reviews of products both.
        if hints.reviews && is_part && self.kind == PageKind::Product {
            return Some(BoilerplateKind::Reviews);
        }
        let is_by_readers =
            // A weak name: `comment` is also a note of a programmer.
            || self.has_readers || self.kind == PageKind::Thread || self.measures[node].prose == 0.0;
        let is_comment = hints.comments || hints.perhaps_comments && is_by_readers();
        if is_comment && is_part {
            // In a thread they are the content.
            return (self.kind != PageKind::Thread).then_some(BoilerplateKind::Comments);
        }
        if hints.poster && self.is_about_poster(node) {
            return Some(BoilerplateKind::Named);
        }
        if tag == HtmlTag::Dialog || matches!(role, "dialog" | "alertdialog") {
            // One inside the content has more of it, for those who ask.
            let is_content = self.is_inside(node, HtmlTag::Main);
            return Some(if is_content { BoilerplateKind::Named } else { BoilerplateKind::Dialog });
        }
        // Quoted text has the names of where it came from.
        if tag == HtmlTag::Blockquote || self.is_formula(node) {
            return None;
        }
        if self.is_boilerplate_element(node, tag, hints) || self.is_named_boilerplate(node, role, hints) {
            return Some(BoilerplateKind::Named);
        }
        // A weak name needs links, or the lack of sentences.
        let reads_so = self.measures[node].density() > 0.3 || self.measures[node].prose == 0.0;
        let is_form = tag == HtmlTag::Form || hints.perhaps_boilerplate && !hints.note && reads_so;
        is_form.then_some(BoilerplateKind::Form)
    }

    /// True for a page with comments of readers. Comments of programmers, which reference manuals show as text, have
    /// neither names nor dates, and nobody is asked to answer them.
    pub(super) fn has_texts_of_readers(tree: &PageTree, hints: &[NameHints]) -> bool {
        let is_comment = |node: usize| hints[node].comments || hints[node].perhaps_comments;
        let is_sign = |&node: &usize| {
            let is_named =
                hints[node].byline || hints[node].poster || is_comment(node) && hints[node].credits;
            let asks = |tag| matches!(tag, HtmlTag::Time | HtmlTag::Form | HtmlTag::Textarea);
            tree.tag(node).is_some_and(|tag| is_named || asks(tag))
        };
        let signs: Vec<usize> = (0..tree.len()).filter(is_sign).collect();
        let has_sign = |node: usize| {
            let first = signs.partition_point(|&sign| sign < node);
            signs.get(first).is_some_and(|&sign| sign < tree.end(node))
        };
        (0..tree.len()).any(|node| is_comment(node) && has_sign(node))
    }

    fn is_boilerplate_element(&self, node: usize, tag: HtmlTag, hints: NameHints) -> bool {
        match tag {
            HtmlTag::Nav | HtmlTag::Menu | HtmlTag::Search => true,
            // There it names the source of what is quoted or shown.
            HtmlTag::Footer => {
                !self.is_inside(node, HtmlTag::Blockquote) && !self.is_inside(node, HtmlTag::Figure)
            }
            // There it has the headline.
            HtmlTag::Header => {
                !self.is_inside(node, HtmlTag::Article) && !self.is_inside(node, HtmlTag::Main)
            }
            // Notes and tips of a manual are asides as well.
            HtmlTag::Aside => !hints.note,
            _ => false,
        }
    }

    /// True for names and roles of boilerplate. What is called a menu and has no links is a text.
    fn is_named_boilerplate(&self, node: usize, role: &str, hints: NameHints) -> bool {
        let part = self.measures[node];
        let is_text =
            || part.prose >= MIN_PROSE.max(part.chars * MIN_TEXT_PROSE) && part.density() < MAX_TEXT_LINKS;
        !hints.note
            && (name_hints::is_boilerplate_role(role) || hints.boilerplate || hints.menu && !is_text())
    }

    /// True for elements of forms, and for short words that are made a button, or a link that leads nowhere, and open
    /// nothing.
    fn is_control(&self, node: usize, tag: HtmlTag, role: &str) -> bool {
        if tag.is_control() {
            // Accordions have their titles in buttons.
            return !self.tree.is_button_of_heading(node) && !self.tree.is_check_box(node);
        }
        if tag != HtmlTag::A && role != "button" {
            return false;
        }
        let is_button = match self.tree.attribute(node, "href") {
            Some(target) => tag == HtmlTag::A && leads_nowhere(target) && !self.is_beside_words(node),
            None => role == "button",
        };
        let opens = ["aria-expanded", "aria-controls"];
        let is_heading = |at: usize| self.tree.tag(at).and_then(HtmlTag::heading_level).is_some();
        is_button
            && self.texts.is_shorter(self.tree, node, MAX_LABEL_CHARS)
            // What it opens is text, and the button its title.
            && !opens.iter().any(|name| self.tree.attribute(node, name).is_some())
            && !self.tree.below(node).chain(self.tree.ancestors(node)).any(is_heading)
    }

    /// True for an inline element with words before or after it.
    fn is_beside_words(&self, node: usize) -> bool {
        let is_word = |at: usize| {
            self.tree.text(at).is_some_and(|text| text.resolve(self.source).contains(char::is_alphanumeric))
        };
        self.tree.children(self.tree.parent(node)).any(is_word)
    }

    /// True for a short part of a thread about the writer of a post.
    fn is_about_poster(&self, node: usize) -> bool {
        self.kind == PageKind::Thread
            && self.measures[node].chars < MAX_POSTER_CHARS
            // The first post may be in one element with the title of the thread.
            && self.tree.find(node, HtmlTag::H1).is_none()
    }

    /// True for a formula in the wrappers of its typesetter, which have menus of their own.
    fn is_formula(&self, node: usize) -> bool {
        let first = self.formulas[self.formulas.partition_point(|&formula| formula <= node)..].first();
        // Larger parts have text beside their formulas.
        self.measures[node].chars < 400.0
            && first
                .is_some_and(|&formula| formula < self.tree.end(node) && formula <= node + MAX_WRAPPER_NODES)
    }

    /// True inside a block that reads as prose: names of links and spans there are decoration.
    fn is_in_prose(&self, node: usize) -> bool {
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(HtmlTag::is_block);
        let block = self.tree.ancestors(node).find(is_block);
        block.is_some_and(|block| self.measures[block].prose > self.measures[node].chars)
    }
}

/// True for links that only a script does something with.
fn leads_nowhere(target: &str) -> bool {
    target == "#" || target.starts_with("javascript:")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{paragraph, searched, with_id};
    use super::*;
    use crate::web::html::visibility::content_selection::body;
    use BoilerplateKind::{Comments, Control, Dialog, Form, Named, Reviews};
    use PageKind::{Other, Product, Thread};

    /// The kind of the element `x`.
    #[track_caller]
    fn check(page: &str, kind: PageKind, expected: Option<BoilerplateKind>) {
        searched(page, false, kind, |search| {
            let node = with_id(search.tree, "x");
            let tag = search.tree.tag(node).unwrap();
            assert_eq!(search.boilerplate_kind(node, tag), expected, "of {page}");
        });
    }

    #[test]
    fn comments_of_programmers_are_text() {
        let prose = "x".repeat(100);
        let check = |inside: &str, expected: Option<BoilerplateKind>| {
            let page =
                format!("<div class=comment id=x>{inside}</div><div class=discussion><p>{prose}</div>");
            searched(&page, false, PageKind::Other, |search| {
                let node = with_id(search.tree, "x");
                assert_eq!(search.boilerplate_kind(node, HtmlTag::Div), expected, "of {inside}");
            });
        };
        check(&format!("<p>{prose}"), None);
        check(&format!("<p>{prose}<p class=date>1 May"), None);
        check("<a href=/a>1 comment</a>", Some(BoilerplateKind::Comments));
        for sign in [
            "<p class=byline>Ada",
            "<i class=avatar></i>",
            "<i class=comment-date>1 May</i>",
            "<time>",
            "<form>",
            "<textarea>",
        ] {
            check(&format!("<p>{prose}</p>{sign}"), Some(BoilerplateKind::Comments));
        }
        // A sign in one comment speaks for all of the page; one elsewhere for none.
        let page = format!("<time></time><div class=comment id=x>{prose}</div><div class=comment>{prose}");
        let is_comment = |page: &str| {
            searched(page, false, PageKind::Other, |search| {
                search.boilerplate_kind(with_id(search.tree, "x"), HtmlTag::Div).is_some()
            })
        };
        assert!(!is_comment(&page));
        assert!(is_comment(&format!("{page}<time>")));
        assert!(is_comment(&format!("{page}</div><div class=comments><form>")));
    }

    #[test]
    fn elements_and_roles_are_boilerplate_by_their_place() {
        for (page, expected) in [
            ("<nav id=x>a", Some(Named)),
            ("<menu id=x>a", Some(Named)),
            ("<search id=x>a", Some(Named)),
            ("<div id=x>a", None),
            ("<footer id=x>a", Some(Named)),
            ("<blockquote>a<footer id=x>b", None),
            ("<figure>a<footer id=x>b", None),
            ("<main>a<footer id=x>b", Some(Named)),
            ("<header id=x>a", Some(Named)),
            ("<article>a<header id=x>b", None),
            ("<main>a<header id=x>b", None),
            ("<aside id=x>a", Some(Named)),
            ("<aside class=note id=x>a", None),
            ("<div role=navigation id=x>a", Some(Named)),
            ("<div role=main id=x>a", None),
            ("<div class=sidebar id=x>a", Some(Named)),
            ("<div class='note sidebar' id=x>a", None),
            ("<div class=note role=navigation id=x>a", None),
            ("<main class=sidebar id=x>a", None),
            ("<blockquote class=sidebar id=x>a", None),
            ("<dialog id=x>a", Some(Dialog)),
            ("<div role=dialog id=x>a", Some(Dialog)),
            ("<div role=alertdialog id=x>a", Some(Dialog)),
            ("<main>a<div role=dialog id=x>b", Some(Named)),
            ("<article>a<dialog id=x>b", Some(Dialog)),
            ("<form id=x>a", Some(Form)),
        ] {
            check(page, Other, expected);
        }
    }

    #[test]
    fn words_of_readers_count_by_the_kind_of_the_page() {
        let posters = [599, 600].map(|chars| format!("<div class=avatar id=x>{}", paragraph(chars)));
        let [poster, post] = posters.each_ref().map(String::as_str);
        for (page, kind, expected) in [
            ("<div class=reviews id=x>a", Product, Some(Reviews)),
            ("<div class=reviews id=x>a", Other, None),
            ("<x-y class=reviews id=x>a", Product, Some(Reviews)),
            ("<span class=reviews id=x>a", Product, None),
            ("<div class=comments id=x>a", Other, Some(Comments)),
            ("<div class=comments id=x>a", Product, Some(Comments)),
            ("<x-y class=comments id=x>a", Other, Some(Comments)),
            ("<span class=comments id=x>a", Other, None),
            ("<div class=comment id=x>a", Other, Some(Comments)),
            ("<div class='comment sidebar' id=x>a", Thread, None),
            ("<div class='comments sidebar' id=x>a", Thread, None),
            (poster, Thread, Some(Named)),
            (post, Thread, None),
            (poster, Other, None),
            ("<div class=avatar id=x><h1>a</h1>", Thread, None),
        ] {
            check(page, kind, expected);
        }
    }

    #[test]
    fn a_menu_with_prose_and_few_links_is_a_text() {
        let menu = |prose: usize, links: usize, others: usize| {
            let [prose, links, others] = [prose, links, others].map(|count| "x".repeat(count));
            format!("<div class=menu id=x><h2>{others}</h2><p>{prose}<a href=/a>{links}</a></p></div>")
        };
        for (page, expected) in [
            (menu(140, 0, 0), None),
            (menu(139, 0, 0), Some(Named)),
            (menu(150, 0, 99), None),
            (menu(150, 0, 101), Some(Named)),
            (menu(181, 19, 0), None),
            (menu(180, 20, 0), Some(Named)),
        ] {
            check(&page, Other, expected);
        }
    }

    #[test]
    fn what_may_be_boilerplate_is_if_it_reads_so() {
        let banner = |class: &str, prose: usize, links: usize| {
            let [prose, links] = [prose, links].map(|count| "x".repeat(count));
            format!("<div class='{class}' id=x><p>{prose}<a href=/a>{links}</a></p></div>")
        };
        for (page, expected) in [
            (banner("banner", 139, 61), Some(Form)),
            (banner("banner", 140, 60), None),
            (banner("banner", 79, 0), Some(Form)),
            (banner("banner", 80, 0), None),
            (banner("banner note", 79, 0), None),
            (banner("", 79, 0), None),
        ] {
            check(&page, Other, expected);
        }
    }

    #[test]
    fn names_inside_sentences_are_decoration() {
        let page = |tag: &str, inside: usize, outside: usize| {
            let [inside, outside] = [inside, outside].map(|count| "x".repeat(count));
            format!("<p>{outside}<{tag} class=sidebar id=x>{inside}</{tag}></p>")
        };
        for (page, expected) in [
            (page("span", 50, 50), None),
            (page("span", 99, 1), None),
            (page("span", 39, 40), Some(Named)),
            (page("x-y", 50, 50), Some(Named)),
            (format!("<p>{}<div class=sidebar id=x>a</div>", "x".repeat(100)), Some(Named)),
        ] {
            check(&page, Other, expected);
        }
    }

    #[test]
    fn short_words_that_open_nothing_are_buttons() {
        let [short, long] = [39, 40].map(|chars| "x".repeat(chars));
        for (page, expected) in [
            ("<button id=x>a", Some(Control)),
            ("<h3><button id=x>a", None),
            ("<a role=button id=x>a", Some(Control)),
            ("<div role=button id=x>a", Some(Control)),
            ("<a id=x>a", None),
            ("<div role=button href=# id=x>a", None),
            ("<a role=button href=/b id=x>a", None),
            ("<div><a href=# id=x>a</a></div>", Some(Control)),
            ("<div><a href='javascript:go()' id=x>a</a></div>", Some(Control)),
            ("<div><a href=#b id=x>a</a></div>", None),
            (&format!("<div><a href=# id=x><b>{}</b></a></div>", "x".repeat(39)), Some(Control)),
            (&format!("<div><a href=# id=x><b>{}</b></a></div>", "x".repeat(40)), None),
            ("<div><a href=# id=x>a</a> · <b>c</b></div>", Some(Control)),
            ("<div>See <a href=# id=x>a</a></div>", None),
            ("<div><a href=# id=x>a</a>, he said</div>", None),
            ("<div role=button aria-expanded=false id=x>a", None),
            ("<div role=button aria-controls=b id=x>a", None),
            ("<h2><a href=# id=x>a", None),
            ("<div role=button id=x><h2>a", None),
        ] {
            check(page, Other, expected);
        }
        check(&format!("<div role=button id=x>{short}"), Other, Some(Control));
        check(&format!("<div role=button id=x>{long}"), Other, None);
    }

    #[test]
    fn wrappers_of_formulas_are_no_menus() {
        let wrapper = |chars: usize, inside: &str, after: &str| {
            format!("<div class=sidebar id=x>{}{inside}</div>{after}", paragraph(chars))
        };
        let formula = "<math><mi>x</mi></math>";
        check(&wrapper(398, formula, ""), Other, None);
        check(&wrapper(399, formula, ""), Other, Some(Named));
        check(&wrapper(80, "", formula), Other, Some(Named));
        // A paragraph and its text stand before the formula.
        let deep = |nodes: usize| wrapper(80, &format!("{}{formula}", "<wbr>".repeat(nodes)), "");
        check(&deep(MAX_WRAPPER_NODES - 3), Other, None);
        check(&deep(MAX_WRAPPER_NODES - 2), Other, Some(Named));
        check(&format!("{formula}{}", wrapper(80, "", "")), Other, Some(Named));
        check(&format!("{formula}{}", wrapper(80, formula, "")), Other, None);
    }

    #[test]
    fn a_part_with_too_much_of_the_prose_is_kept() {
        let check = |page: &str, kind: PageKind, expected: bool| {
            searched(page, false, kind, |mut search| {
                search.drop_boilerplate(body(search.tree));
                assert_eq!(search.dropped[with_id(search.tree, "x")], expected, "of {page}");
            });
        };
        // The most letters, of two thousand, with which a part is dropped, and the least with which it is kept.
        for (part, kind, dropped, kept) in [
            ("div class=sidebar", Other, 690, 710),
            ("nav", Other, 1690, 1710),
            ("footer", Other, 1690, 1710),
            ("aside", Other, 690, 710),
            ("div class=comments", Other, 1830, 1850),
            ("div class=reviews", Product, 1890, 1910),
            ("form", Other, 390, 400),
        ] {
            let tag = part.split(' ').next().unwrap();
            let page = |chars: usize| {
                format!("<{part} id=x>{}</{tag}>{}", paragraph(chars), paragraph(2000 - chars))
            };
            check(&page(dropped), kind, true);
            check(&page(kept), kind, false);
        }
        let dialog = |chars: usize| format!("<dialog id=x>{}</dialog>{}", paragraph(chars), paragraph(120));
        check(&dialog(3870), Other, true);
        check(&dialog(3890), Other, false);
        // Beside the element that is named as the content more is boilerplate.
        let [few, much, more] = [300, 1600, 1710].map(paragraph);
        let sidebar = |text: &str| format!("<div class=sidebar id=x>{text}</div>");
        check(&format!("<main>{few}</main>{}", sidebar(&much)), Other, true);
        check(&format!("{}<main>{few}</main>", sidebar(&much)), Other, true);
        check(&format!("<main>{few}</main>{}", sidebar(&more)), Other, false);
        check(&format!("<main>{few}{}</main>", sidebar(&much)), Other, false);
        check(&format!("{}<div>{few}</div>", sidebar(&much)), Other, false);
        let titled = format!("<h1>Title</h1>{}", paragraph(401));
        check(&format!("{}{}", sidebar(&titled), paragraph(2000)), Other, false);
        check(&format!("<p><button id=x>a</button>{}", paragraph(100)), Other, true);
    }
    #[test]
    fn a_name_alone_leaves_out_no_large_part() {
        let check = |page: &str, is_article: bool, expected: bool| {
            searched(page, is_article, Other, |mut search| {
                search.drop_boilerplate(body(search.tree));
                assert_eq!(search.dropped[with_id(search.tree, "x")], expected, "of {page}");
            });
        };
        // The article has a small share of a page that goes on with others.
        let article = |part: &str, letters: usize| {
            let [inside, beside, others] = [letters, 1000 - letters, 5000].map(paragraph);
            format!("<article>{beside}<{part} id=x>{inside}</div></article><article>{others}</article>")
        };
        check(&article("div class=sidebar-content", 510), true, false);
        check(&article("div class=sidebar-content", 490), true, true);
        check(&article("div role=complementary class=sidebar-content", 510), true, true);
        check(&article("div class=sidebar-content", 510), false, true);
        // Cards that are links have no prose.
        let cards = |part: &str, letters: usize| {
            let cards = format!("<a href=/a>{}</a>", "x".repeat(letters));
            format!("<{part}>{cards}</div>{}", paragraph(1000 - letters))
        };
        check(&cards("div class=promo id=x", 410), false, false);
        check(&cards("div class=promo id=x", 390), false, true);
        check(&cards("div class=menu id=x", 410), false, true);
        check(&cards("div class=promo><div class=promo-card id=x", 410), false, false);
        check(&cards("div class=promo><nav id=x", 410), false, true);
        check(&format!("<main>{}</main>{}", paragraph(500), cards("div class=promo id=x", 900)), false, true);
        let form = |letters: usize| {
            let links = format!("<a href=/a>{}</a>", "x".repeat(letters));
            format!("<form id=x>{links}</form>{}", paragraph(1000 - letters))
        };
        check(&form(510), false, false);
        check(&form(490), false, true);
    }
}

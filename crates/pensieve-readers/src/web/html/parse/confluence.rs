//! The storage format of Confluence: pages whose macros, tasks and links are elements of XML inside of HTML.
//!
//! Each becomes the element of HTML that means the same, so that everything that is true of pages is true of it. Settings
//! of macros are left out, but for titles and keys, which are shown. Source: Atlassian, "Confluence Storage Format".

use super::tokenizer::StartTag;

/// The prefixes of its elements.
const PREFIXES: &[&str] = &["ac:", "ri:"];

/// What its elements are in HTML.
const ELEMENTS: &[(&str, &str)] = &[
    ("ac:adf-attribute", "ac:parameter"),
    ("ac:image", "img"),
    ("ac:layout", "div"),
    ("ac:layout-cell", "div"),
    ("ac:layout-section", "div"),
    ("ac:placeholder", "ac:parameter"),
    ("ac:plain-text-body", "pre"),
    ("ac:rich-text-body", "div"),
    ("ac:task", "li"),
    ("ac:task-id", "ac:parameter"),
    ("ac:task-list", "ul"),
    ("ac:task-uuid", "ac:parameter"),
];

/// Settings that are shown: titles of panels and states, keys of issues.
const SHOWN_SETTINGS: &[&str] = &["key", "title"];

/// The names of the elements that are open under another name than their own.
#[derive(Debug, Default)]
pub(super) struct StorageFormat {
    is_used: bool,
    /// What the open settings of macros became.
    settings: Vec<&'static str>,
}

impl StorageFormat {
    /// True once an element of the format was there: sections of characters are text then.
    pub fn is_used(&self) -> bool {
        self.is_used
    }

    /// Renames an element that begins.
    pub fn start(&mut self, tag: &mut StartTag) {
        if !PREFIXES.iter().any(|prefix| tag.name.starts_with(prefix)) {
            return;
        }
        self.is_used = true;
        let value =
            |name: &str| tag.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        let is_shown = value("ac:name").is_some_and(|name| SHOWN_SETTINGS.contains(&name.as_str()));
        // One that closes itself has no end that would take it off again.
        if tag.name == "ac:parameter" && !tag.self_closing {
            self.settings.push(if is_shown { "strong" } else { "ac:parameter" });
        }
        if let Some(name) = self.name(&tag.name) {
            tag.name = name.to_owned();
        }
        for (name, _) in &mut tag.attributes {
            if *name == "ac:alt" {
                *name = "alt";
            }
        }
    }

    /// Renames an element that ends.
    pub fn end(&mut self, name: &mut String) {
        // Nearly all pages.
        if !self.is_used {
            return;
        }
        let is_setting = name == "ac:parameter";
        if let Some(html) = self.name(name) {
            html.clone_into(name);
        }
        if is_setting {
            self.settings.pop();
        }
    }

    fn name(&self, name: &str) -> Option<&'static str> {
        match name {
            // Their ends have no attributes, so what each became is remembered.
            "ac:parameter" => self.settings.last().copied(),
            _ => ELEMENTS.iter().find(|(known, _)| *known == name).map(|(_, html)| *html),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::web::html::tests::check;

    #[test]
    fn macros_are_what_they_mean() {
        let with = |name: &str, inside: &str| {
            format!(
                "<ac:structured-macro ac:name='{name}' ac:schema-version='1'>{inside}</ac:structured-macro>"
            )
        };
        let setting =
            |name: &str, value: &str| format!("<ac:parameter ac:name='{name}'>{value}</ac:parameter>");
        let code = "<ac:plain-text-body><![CDATA[if a > b && c < d:\n    x[y[0]]]]]><![CDATA[> 1]]></ac:plain-text-body>";
        let fence = "if a > b && c < d:\n    x[y[0]]]> 1\n```";
        for (page, expected) in [
            (
                format!(
                    "<p>a</p>{}<p>b</p>",
                    with("code", &(setting("language", "py") + &setting("title", "A title") + code))
                ),
                format!("a\n\n**A title**\n\n```py\n{fence}\n\nb"),
            ),
            (with("noformat", code), format!("```\n{fence}")),
            (with("warning", "<ac:rich-text-body><p>Never.</p></ac:rich-text-body>"), "Never.".to_owned()),
            (
                format!(
                    "<p>It is {} now.",
                    with("status", &(setting("colour", "Green") + &setting("title", "DONE")))
                ),
                "It is **DONE** now.".to_owned(),
            ),
            (with("toc", &setting("maxLevel", "2")) + "<p>a", "a".to_owned()),
            (
                format!("<p>See {}", with("jira", &(setting("server", "S") + &setting("key", "AB-1")))),
                "See **AB-1**".to_owned(),
            ),
        ] {
            check(&page, &expected);
        }
    }

    #[test]
    fn links_have_words_and_tasks_their_state() {
        let page = "<ri:page ri:content-title='Other page' />";
        let task = |state: &str, words: &str| {
            format!(
                "<ac:task><ac:task-id>1</ac:task-id><ac:task-status>{state}</ac:task-status><ac:task-body>{words}</ac:task-body></ac:task>"
            )
        };
        for (page, expected) in [
            (
                format!(
                    "<p>See <ac:link>{page}<ac:plain-text-link-body><![CDATA[that <page>]]></ac:plain-text-link-body></ac:link>."
                ),
                "See that &lt;page>.",
            ),
            (
                format!("<p>See <ac:link>{page}<ac:link-body><b>it</b></ac:link-body></ac:link>."),
                "See **it**.",
            ),
            (format!("<p>See <ac:link>{page}</ac:link>."), "See Other page."),
            (
                format!(
                    "<ac:task-list>{}{}</ac:task-list>",
                    task("complete", "a"),
                    task("incomplete", "b <b>c</b>")
                ),
                "- [x] a\n- [ ] b **c**",
            ),
            (
                "<p>a <ac:image ac:alt='A cat'><ri:attachment ri:filename='a.png'/></ac:image> b".to_owned(),
                "a ![A cat]() b",
            ),
        ] {
            check(&page, expected);
        }
    }
}

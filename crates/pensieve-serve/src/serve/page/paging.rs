//! Links to the other pages of a list.

use super::words::address;
use maud::{Markup, html};
use pensieve_text::model::numbers::count;

/// One page of a list that has numbered pages.
pub struct NumberedPage<'a> {
    /// What has the pages, for people who cannot see them: `Pages of the list`.
    pub label: &'a str,
    /// The address of the list.
    pub path: &'a str,
    /// Its other parameters.
    pub parameters: &'a [(&'a str, &'a str)],
    /// The number of the page, from 1.
    pub number: usize,
    /// The number of all pages.
    pub total: usize,
}

impl NumberedPage<'_> {
    /// Links to the first, previous, next and last page.
    pub fn links(&self) -> Markup {
        self.nav(false)
    }

    /// The same, and a form that leads to a page by its number.
    pub fn links_and_form(&self) -> Markup {
        self.nav(true)
    }

    fn nav(&self, has_form: bool) -> Markup {
        let (number, total) = (self.number, self.total);
        html! {
            @if total > 1 {
                nav .pages aria-label=(if has_form { self.label.to_owned() } else { format!("{}, above", self.label) }) {
                    @if number > 1 {
                        @if number > 2 { a href=(self.to(1)) { "First" } }
                        a href=(self.to(number - 1)) rel="prev" { "Previous" }
                    }
                    span { "Page " (count(number as u64)) " of " (count(total as u64)) }
                    @if number < total {
                        a href=(self.to(number + 1)) rel="next" { "Next" }
                        @if number + 1 < total { a href=(self.to(total)) { "Last" } }
                    }
                    @if has_form && total > 3 { (self.form()) }
                }
            }
        }
    }

    fn form(&self) -> Markup {
        html! {
            form .jump action=(self.path) {
                @for (name, value) in self.parameters.iter().filter(|(_, value)| !value.is_empty()) {
                    input type="hidden" name=(name) value=(value);
                }
                input name="page" type="number" min="1" max=(self.total) value=(self.number) required aria-label="Number of a page";
                button { "Go" }
            }
        }
    }

    fn to(&self, number: usize) -> String {
        let number = number.to_string();
        let mut parameters = self.parameters.to_vec();
        // The first page is the address without a number.
        parameters.push(("page", if number == "1" { "" } else { &number }));
        address(self.path, &parameters)
    }
}

/// Links of a list whose next page begins after a row: there and to the start.
pub fn next_link(
    path: &str,
    parameters: &[(&str, &str)],
    cursor: Option<&str>,
    next: Option<&str>,
) -> Markup {
    let after = |cursor| address(path, &[parameters, &[("cursor", cursor)]].concat());
    html! {
        @if cursor.is_some() || next.is_some() {
            nav .pages aria-label="Pages of the list" {
                @if cursor.is_some() { a href=(address(path, parameters)) { "First" } }
                @if let Some(next) = next { a href=(after(next)) rel="next" { "Next" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_link_to_their_neighbours() {
        let check = |number, total, expected: &[&str]| {
            let page = NumberedPage {
                label: "Pages",
                path: "/docs",
                parameters: &[("sort", "size"), ("query", "")],
                number,
                total,
            };
            let shown = page.links().into_string();
            let links: Vec<&str> =
                shown.split("href=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
            assert_eq!(links, expected, "{number} of {total}");
        };
        check(1, 1, &[]);
        check(1, 2, &["/docs?sort=size&amp;page=2"]);
        check(2, 2, &["/docs?sort=size"]);
        check(
            3,
            5,
            &[
                "/docs?sort=size",
                "/docs?sort=size&amp;page=2",
                "/docs?sort=size&amp;page=4",
                "/docs?sort=size&amp;page=5",
            ],
        );
    }
}

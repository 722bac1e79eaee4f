//! Query parameters: what each endpoint accepts, as a table that both the parser and the OpenAPI document read.

use super::cursor::List;
use super::problem::{Kind, Problem};
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;

/// The largest number that a client written in JavaScript can send exactly.
pub const MAX_INTEGER: u64 = 1 << 53;

/// One parameter of a query.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its possible values.
    pub kind: ParameterKind,
}

/// The possible values of a parameter.
#[derive(Debug, Clone, Copy)]
pub enum ParameterKind {
    /// Any text of at most [`MAX_TEXT_CHARACTERS`] characters.
    Text,
    /// The same, and the parameter is required.
    RequiredText,
    /// A path below a root, of at most [`MAX_PATH_CHARACTERS`] characters.
    Path,
    /// The `next_cursor` of an earlier answer of this list.
    Cursor(List),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number.
    Number {
        /// The smallest number.
        least: u64,
        /// The largest number; larger ones are taken as this.
        most: u64,
        /// The number without the parameter.
        default: u64,
    },
}

/// Characters of a text in a query.
pub const MAX_TEXT_CHARACTERS: usize = 500;

/// Characters of a path in a query: with three signs for each byte it still fits into an address.
pub const MAX_PATH_CHARACTERS: usize = 8000;

/// The parameters of one request, checked.
#[derive(Debug, Default)]
pub struct Values {
    texts: BTreeMap<&'static str, String>,
    numbers: BTreeMap<&'static str, u64>,
}

impl Values {
    /// Reads a query string.
    ///
    /// # Errors
    /// A parameter is unknown, given twice, missing, or has an invalid value.
    pub fn read(query: &str, parameters: &[Parameter]) -> Result<Values, Problem> {
        let mut values = Values::default();
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        for pair in pairs {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(name)?, decoded(value)?);
            // People and browsers send `q` for `query`.
            let known = if name == "q" { "query" } else { &name };
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == known) else {
                return Err(unknown(&name, parameters));
            };
            values.take(parameter, value)?;
        }
        for parameter in parameters {
            values.complete(parameter)?;
        }
        Ok(values)
    }

    /// Reads the query string of a form, in which empty fields count as missing.
    pub fn read_form(query: &str, parameters: &[Parameter]) -> Result<Values, Problem> {
        let filled: Vec<&str> = query.split('&').filter(|pair| !pair.ends_with('=')).collect();
        Values::read(&filled.join("&"), parameters)
    }

    /// A text, if it was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// A number, as given or by default.
    pub fn number(&self, name: &str) -> usize {
        self.numbers.get(name).map_or(0, |&number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    fn take(&mut self, parameter: &Parameter, value: String) -> Result<(), Problem> {
        let name = parameter.name;
        if self.texts.contains_key(name) || self.numbers.contains_key(name) {
            return Err(Problem::parameter(name, format!("`{name}` is there twice.")));
        }
        match parameter.kind {
            ParameterKind::Number { least, most, .. } => {
                self.numbers.insert(name, number(name, &value, least)?.min(most));
            }
            ParameterKind::OneOf(words) if !words.contains(&value.as_str()) => {
                return Err(Problem::parameter(name, format!("`{name}` is one of {}.", words.join(", "))));
            }
            ParameterKind::Cursor(_) => {
                self.texts.insert(name, value);
            }
            kind => {
                let most = if matches!(kind, ParameterKind::Path) {
                    MAX_PATH_CHARACTERS
                } else {
                    MAX_TEXT_CHARACTERS
                };
                if value.chars().count() > most {
                    return Err(Problem::parameter(
                        name,
                        format!("`{name}` has more than {most} characters."),
                    ));
                }
                self.texts.insert(name, value);
            }
        }
        Ok(())
    }

    fn complete(&mut self, parameter: &Parameter) -> Result<(), Problem> {
        let name = parameter.name;
        match parameter.kind {
            ParameterKind::Number { default, .. } => {
                self.numbers.entry(name).or_insert(default);
            }
            ParameterKind::RequiredText if !self.texts.contains_key(name) => {
                return Err(Problem::parameter(name, format!("`{name}` is missing.")));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Digits as a number; a number that does not fit is taken as the largest.
fn number(name: &'static str, value: &str, least: u64) -> Result<u64, Problem> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { Some(value.parse().unwrap_or(u64::MAX)) } else { None };
    number.filter(|&number| number >= least).ok_or_else(|| {
        Problem::parameter(name, format!("`{name}` is a whole number that is not below {least}."))
    })
}

fn unknown(name: &str, parameters: &[Parameter]) -> Problem {
    let shown: String = name.chars().take(40).collect();
    let known: Vec<String> = parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Problem::new(Kind::BadParameter, format!("There is no parameter `{shown}` here; there is {known}."))
}

/// Decodes text of a form, in which `+` is a blank.
fn decoded(text: &str) -> Result<String, Problem> {
    let blanks = text.replace('+', " ");
    match percent_decode_str(&blanks).decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(Problem::new(Kind::BadParameter, "The query is no UTF-8.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter { name: "query", about: "", kind: ParameterKind::RequiredText },
        Parameter { name: "status", about: "", kind: ParameterKind::OneOf(&["Error", "Pending"]) },
        Parameter {
            name: "limit",
            about: "",
            kind: ParameterKind::Number { least: 1, most: 100, default: 20 },
        },
    ];

    fn refused(query: &str, detail: &str) {
        assert_eq!(Values::read(query, PARAMETERS).unwrap_err().detail, detail, "{query}");
    }

    #[test]
    fn values_are_read_as_a_form_writes_them() {
        let values = Values::read("query=a+b%26%C3%A4&limit=7", PARAMETERS).unwrap();
        assert_eq!((values.text("query"), values.number("limit")), (Some("a b&ä"), 7));
        assert_eq!(Values::read("q=fog", PARAMETERS).unwrap().text("query"), Some("fog"));
        let values = Values::read("query=&status=Error", PARAMETERS).unwrap();
        assert_eq!(
            (values.text("query"), values.text("status"), values.number("limit")),
            (Some(""), Some("Error"), 20)
        );
    }

    #[test]
    fn large_numbers_are_the_largest_that_has_an_effect() {
        for limit in ["101", "99999999999999999999999999"] {
            assert_eq!(
                Values::read(&format!("query=x&limit={limit}"), PARAMETERS).unwrap().number("limit"),
                100
            );
        }
    }

    #[test]
    fn mistakes_are_explained() {
        refused("limit=1", "`query` is missing.");
        refused("query=a&query=b", "`query` is there twice.");
        refused("query=a&limit=0", "`limit` is a whole number that is not below 1.");
        refused("query=a&limit=-1", "`limit` is a whole number that is not below 1.");
        refused("query=a&limit=1.5", "`limit` is a whole number that is not below 1.");
        refused("query=a&status=x", "`status` is one of Error, Pending.");
        refused("query=a&limt=1", "There is no parameter `limt` here; there is `query`, `status`, `limit`.");
        refused("query=%FF", "The query is no UTF-8.");
        refused(&format!("query={}", "x".repeat(501)), "`query` has more than 500 characters.");
    }
}

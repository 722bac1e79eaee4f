//! The parameters of tools: one table gives the schemas and checks the arguments of calls.

use super::error::ToolError;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// One parameter of a tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolParameter {
    /// Its name.
    pub name: &'static str,
    /// What it is; empty if the name says it.
    pub about: &'static str,
    /// Its values.
    pub kind: ParameterKind,
}

/// The values that a parameter may have.
#[derive(Debug, Clone, Copy)]
pub enum ParameterKind {
    /// Text that must be given.
    RequiredText,
    /// Text.
    Text,
    /// A text, or several.
    Texts,
    /// The same, listed as a text: a list of several is rare, and its description costs tokens in each conversation.
    TextOrTexts,
    /// A number of at least `least`; more than `most` counts as `most`.
    Number {
        /// The smallest.
        least: usize,
        /// The largest.
        most: usize,
        /// The value if it is not given; `None` if nothing stands for it.
        default: Option<usize>,
    },
    /// True or false.
    Flag,
    /// One of these names; the first if it is not given.
    OneOf(&'static [&'static str]),
}

impl ToolParameter {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ParameterKind::RequiredText | ParameterKind::Text | ParameterKind::TextOrTexts => {
                json!({ "type": "string" })
            }
            ParameterKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            ParameterKind::Number { least, most, default } => {
                let mut schema = json!({ "type": "integer", "minimum": least });
                if most < usize::MAX {
                    schema["maximum"] = most.into();
                }
                if let Some(default) = default {
                    schema["default"] = default.into();
                }
                schema
            }
            ParameterKind::Flag => json!({ "type": "boolean" }),
            ParameterKind::OneOf(names) => json!({ "enum": names }),
        };
        if !self.about.is_empty() {
            schema["description"] = self.about.into();
        }
        schema
    }
}

/// The JSON schema of these parameters.
pub fn input_schema(parameters: &[ToolParameter]) -> JsonObject {
    let properties = parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.schema()));
    let required =
        parameters.iter().filter(|parameter| matches!(parameter.kind, ParameterKind::RequiredText));
    let required: Vec<&str> = required.map(|parameter| parameter.name).collect();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties.collect()));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema
}

/// The arguments of one call, checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolArguments(Vec<(&'static str, Value)>);

impl ToolArguments {
    /// Checks arguments. A parameter that is null counts as not given.
    pub fn read(parameters: &[ToolParameter], given: Option<JsonObject>) -> Result<ToolArguments, ToolError> {
        let mut read = Vec::new();
        for (name, value) in given.unwrap_or_default() {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(ToolError::new(format!("there is no argument `{name}`; known are: {known}")));
            };
            if !value.is_null() {
                read.push((parameter.name, checked(parameter, value)?));
            }
        }
        let is_missing = |parameter: &&ToolParameter| {
            matches!(parameter.kind, ParameterKind::RequiredText)
                && !read.iter().any(|(name, _)| *name == parameter.name)
        };
        match parameters.iter().find(is_missing) {
            Some(missing) => Err(ToolError::new(format!("the argument `{}` is missing", missing.name))),
            None => Ok(ToolArguments(read)),
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// A text, if it was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.value(name).and_then(Value::as_str)
    }

    /// All texts of a list.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let values = self.value(name).and_then(Value::as_array);
        values.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// True if a flag was given as true.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A number, if it was given.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.value(name).and_then(Value::as_u64).map(|number| number as usize)
    }

    /// A number, or the default of its parameter.
    pub fn number_of(&self, parameter: &ToolParameter) -> usize {
        let default = match parameter.kind {
            ParameterKind::Number { least, default, .. } => default.unwrap_or(least),
            _ => 0,
        };
        self.number(parameter.name).unwrap_or(default)
    }
}

/// The value of an argument in the form that its parameter has.
fn checked(parameter: &ToolParameter, value: Value) -> Result<Value, ToolError> {
    let wrong = |what: &str| {
        let shown: String = value.to_string().chars().take(60).collect();
        ToolError::new(format!("`{}` must be {what}, not {shown}", parameter.name))
    };
    match parameter.kind {
        ParameterKind::RequiredText => match value.as_str().map(str::trim) {
            Some("") => Err(wrong("a text that is not empty")),
            Some(_) => Ok(value),
            None => Err(wrong("a text")),
        },
        ParameterKind::Text if value.is_string() => Ok(value),
        ParameterKind::Text => Err(wrong("a text")),
        ParameterKind::Texts | ParameterKind::TextOrTexts => match &value {
            Value::String(_) => Ok(Value::Array(vec![value])),
            Value::Array(values) if values.iter().all(Value::is_string) => Ok(value),
            _ => Err(wrong("a text or a list of texts")),
        },
        ParameterKind::Number { least, most, .. } => match whole_number(&value) {
            Some(number) if number >= least as f64 => Ok((number.min(most as f64) as u64).into()),
            _ => Err(wrong(&format!("a whole number of at least {least}"))),
        },
        // Models also write it as a text.
        ParameterKind::Flag => match value.to_string().trim_matches('"') {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(wrong("true or false")),
        },
        ParameterKind::OneOf(names) => match value.as_str().is_some_and(|name| names.contains(&name)) {
            true => Ok(value),
            false => Err(wrong(&format!("one of {}", names.join(", ")))),
        },
    }
}

/// A whole number; models also write it as a float or as a text.
fn whole_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        _ => value.as_f64(),
    };
    number.filter(|number: &f64| number.is_finite() && number.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[ToolParameter] = &[
        ToolParameter { name: "query", about: "Words.", kind: ParameterKind::RequiredText },
        ToolParameter { name: "path", about: "", kind: ParameterKind::Texts },
        ToolParameter {
            name: "limit",
            about: "",
            kind: ParameterKind::Number { least: 1, most: 50, default: Some(5) },
        },
        ToolParameter { name: "match", about: "", kind: ParameterKind::OneOf(&["auto", "all"]) },
        ToolParameter { name: "outline", about: "", kind: ParameterKind::Flag },
    ];

    #[track_caller]
    fn check(given: Value, expected: Result<Value, &str>) {
        let read = ToolArguments::read(PARAMETERS, given.as_object().cloned());
        let read = read.map(|read| {
            Value::Object(read.0.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        });
        assert_eq!(read.map_err(|error| error.message), expected.map_err(str::to_owned));
    }

    #[test]
    fn arguments_are_read_as_models_write_them() {
        check(json!({ "query": "fog" }), Ok(json!({ "query": "fog" })));
        check(json!({ "query": "fog", "path": null, "limit": null }), Ok(json!({ "query": "fog" })));
        check(json!({ "query": "fog", "path": "docs" }), Ok(json!({ "query": "fog", "path": ["docs"] })));
        check(json!({ "query": "fog", "limit": 7.0 }), Ok(json!({ "query": "fog", "limit": 7 })));
        check(json!({ "query": "fog", "limit": "7" }), Ok(json!({ "query": "fog", "limit": 7 })));
        check(json!({ "query": "fog", "outline": "true" }), Ok(json!({ "query": "fog", "outline": true })));
        check(json!({ "query": "fog", "limit": 1e9 }), Ok(json!({ "query": "fog", "limit": 50 })));
    }

    #[test]
    fn what_is_wrong_with_an_argument_is_said() {
        check(json!({}), Err("the argument `query` is missing"));
        check(json!({ "query": " " }), Err("`query` must be a text that is not empty, not \" \""));
        check(json!({ "query": ["fog"] }), Err("`query` must be a text, not [\"fog\"]"));
        check(
            json!({ "query": "fog", "limit": 0 }),
            Err("`limit` must be a whole number of at least 1, not 0"),
        );
        check(
            json!({ "query": "fog", "limit": -1.5 }),
            Err("`limit` must be a whole number of at least 1, not -1.5"),
        );
        check(
            json!({ "query": "fog", "match": "some" }),
            Err("`match` must be one of auto, all, not \"some\""),
        );
        check(json!({ "query": "fog", "outline": 1 }), Err("`outline` must be true or false, not 1"));
        check(
            json!({ "query": "fog", "path": [1] }),
            Err("`path` must be a text or a list of texts, not [1]"),
        );
        check(
            json!({ "query": "fog", "top_k": 3 }),
            Err("there is no argument `top_k`; known are: query, path, limit, match, outline"),
        );
    }
}

//! As much of JSON Schema as the schemas of this project use. A keyword that is not known here fails the test.

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;

/// What is wrong with a value, each with its place.
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    violations_of(schema, schema, value)
}

/// The same for a schema that stands inside a document.
pub fn violations_of(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(document, schema, value, "$", &mut found);
    found
}

/// The names that an object of a schema can have.
pub fn names(document: &Value, schema: &Value) -> BTreeSet<String> {
    let own = schema["properties"].as_object().into_iter().flat_map(|all| all.keys().cloned());
    let target = schema["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
    let parts = schema["allOf"].as_array().into_iter().flatten().chain(target);
    own.chain(parts.flat_map(|part| names(document, part))).collect()
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "propertyNames" => true,
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "allOf" => {
                rule.as_array().unwrap().iter().for_each(|part| check(root, part, value, at, found));
                true
            }
            "oneOf" => {
                let fits = |part: &&Value| violations_of(root, part, value).is_empty();
                rule.as_array().unwrap().iter().filter(fits).count() == 1
            }
            "prefixItems" => {
                for (rule, inner) in rule.as_array().unwrap().iter().zip(value.as_array().unwrap()) {
                    check(root, rule, inner, at, found);
                }
                true
            }
            "$ref" => {
                let pointer = rule.as_str().unwrap().trim_start_matches('#');
                check(root, root.pointer(pointer).unwrap(), value, at, found);
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|one| is_type(one.as_str().unwrap(), value)),
                one => is_type(one.as_str().unwrap(), value),
            },
            "required" => {
                rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(inner) = value.get(name) {
                        check(root, rule, inner, &format!("{at}.{name}"), found);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = |name: &str| schema.get("properties").is_some_and(|all| all.get(name).is_some());
                let others = value.as_object().into_iter().flatten().filter(|(name, _)| !known(name));
                for (name, inner) in others {
                    match rule {
                        Value::Bool(allowed) if *allowed => {}
                        Value::Bool(_) => found.push(format!("{at}: unknown {name}")),
                        rule => check(root, rule, inner, &format!("{at}.{name}"), found),
                    }
                }
                true
            }
            // Nothing behind those that have a place.
            "items" if rule == false => true,
            "items" => {
                for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, inner, &format!("{at}[{index}]"), found);
                }
                true
            }
            "minItems" => value.as_array().is_none_or(|all| all.len() as u64 >= rule.as_u64().unwrap()),
            "uniqueItems" => {
                let all = value.as_array().unwrap();
                all.iter().enumerate().all(|(index, one)| !all[..index].contains(one))
            }
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap())
            }
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "pattern" => {
                value.as_str().is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text))
            }
            other => panic!("this check does not know `{other}`"),
        };
        if !holds {
            found.push(format!("{at}: {keyword} {rule}, not {value}"));
        }
    }
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("this check does not know the type `{other}`"),
    }
}

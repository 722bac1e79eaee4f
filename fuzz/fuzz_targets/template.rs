//! Converter templates: parsing never panics, and a hostile file name stays inside one argument.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve_isolate::process::CommandTemplate;
use std::path::Path;

fuzz_target!(|command: &str| {
    let Ok(template) = CommandTemplate::parse(command) else { return };
    let name = "/tmp/--option a'b\"c\n$(x).txt";
    let with = template.arguments(Path::new(name));
    let without = template.arguments(Path::new("x"));
    assert_eq!(with.len(), without.len());
    assert!(with.iter().any(|argument| argument.to_string_lossy().contains(name)));
});

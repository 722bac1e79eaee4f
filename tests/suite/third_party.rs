//! `THIRD-PARTY.md` names what of others is in the program. The full comparison, with the texts of the licences, is
//! `scripts/third-party notices --check`; this one needs nothing but cargo.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const OUT_OF_DATE: &str = "THIRD-PARTY.md is out of date: run scripts/third-party notices";
/// The notice of the data that is no package of cargo.
const DATA_NOTICE: &str = "crates/pensieve-text/src/text/tokens/data/NOTICE";

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Name and version of each package in the table of the notices.
fn listed() -> BTreeSet<String> {
    let page = read("THIRD-PARTY.md");
    let rows =
        page.lines().filter_map(|line| line.strip_prefix("| [")?.split_once("](https://crates.io/crates/"));
    rows.map(|(name, rest)| format!("{name} {}", rest.split([')', '/']).nth(1).unwrap())).collect()
}

/// Name and version of each package of others that the program is built from on this machine.
fn built_from() -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = "tree --locked --offline --package pensieve --edges no-dev --prefix none --format {p}";
    let output =
        Command::new(cargo).args(words.split(' ')).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let foreign = text.lines().filter(|line| !line.is_empty() && !line.starts_with("pensieve"));
    foreign.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ").replace(" v", " ")).collect()
}

/// Name and version of each package of `Cargo.lock`: the program's, those of tests, those of other systems.
fn locked() -> BTreeSet<String> {
    let lock = read("Cargo.lock");
    let value = |line: &str, key: &str| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
    let names = lock.lines().filter_map(|line| value(line, "name = "));
    let versions =
        lock.lines().skip_while(|line| !line.starts_with("[[")).filter_map(|line| value(line, "version = "));
    names.zip(versions).map(|(name, version)| format!("{name} {version}")).collect()
}

#[test]
fn the_notices_name_every_package() {
    let (listed, built_from, locked) = (listed(), built_from(), locked());
    assert!(built_from.len() > 100, "{built_from:?}");
    let missing: Vec<_> = built_from.difference(&listed).collect();
    assert!(missing.is_empty(), "{OUT_OF_DATE}: not in it: {missing:?}");
    let gone: Vec<_> = listed.difference(&locked).collect();
    assert!(gone.is_empty(), "{OUT_OF_DATE}: no longer used: {gone:?}");
}

#[test]
fn the_notices_contain_those_of_the_data() {
    let notices = read("THIRD-PARTY.md");
    assert!(notices.contains(read(DATA_NOTICE).trim()), "{OUT_OF_DATE}: without {DATA_NOTICE}");
}

#[test]
fn sources_under_mpl_have_an_address() {
    let notices = read("THIRD-PARTY.md");
    let packages = notices.lines().filter(|line| line.starts_with("| [") && line.contains("MPL-2.0"));
    for name in packages.filter_map(|line| line.strip_prefix("| [")?.split(']').next()) {
        let address = format!("<https://static.crates.io/crates/{name}/{name}-");
        assert!(notices.contains(&address), "{OUT_OF_DATE}: no source of {name}");
    }
}

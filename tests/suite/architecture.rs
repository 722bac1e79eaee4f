//! The shape of the sources: in each crate the order of `mod` lines in `lib.rs` is the architecture, no module names one
//! that is listed after it, and no two files or folders of one folder import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the workspace with the modules of their `lib.rs`, in the order of the design.
const CRATES: &[(&str, &[&str])] = &[
    ("crates/pensieve-text/src", &["model", "text", "layout", "chunk", "tables", "format"]),
    (
        "crates/pensieve-readers/src",
        &[
            "limits",
            "settings",
            "source",
            "event",
            "markdown",
            "shared",
            "web",
            "pdf",
            "office",
            "books",
            "content_lines",
            "subtitles",
            "chats",
            "mail",
            "containers",
            "plain_text",
            "registry",
            "hocr",
            "nested",
        ],
    ),
    (
        "crates/pensieve-isolate/src",
        &["limits", "platform", "files", "process", "converter", "ocr", "selection", "worker"],
    ),
    (
        "crates/pensieve-store/src",
        &["exit", "scan", "store", "verify", "repetition", "embedding", "retrieval"],
    ),
    (
        "crates/pensieve-collect/src",
        &[
            "blocks",
            "choice",
            "files",
            "part_file",
            "address_answers",
            "manifest",
            "book",
            "server_waits",
            "http_request",
            "keywords",
            "names",
            "numbers",
            "labels",
            "headings",
            "score",
            "sections",
            "kinds",
            "units",
            "windows",
            "reading",
            "passage",
            "stage_checks",
            "database",
            "server_pages",
            "fetch",
            "metadata",
            "supply",
            "report",
            "collection",
            "readme",
            "output",
            "collect",
        ],
    ),
    ("crates/pensieve-serve/src", &["access", "mcp", "serve"]),
    ("src", &["ingest", "watch", "shards", "ragmd", "export", "config", "cli"]),
];

/// Circles are looked for in this many steps of re-exports.
const REEXPORTS: usize = 8;

fn folder(root: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(root)
}

/// Modules of a `lib.rs`, in order.
fn modules_of(root: &str) -> Vec<String> {
    declared(&code(&fs::read_to_string(folder(root).join("lib.rs")).unwrap()))
}

/// The modules that a file declares in files of their own, in order.
fn declared(code: &str) -> Vec<String> {
    let names = code.lines().filter_map(|line| {
        let line = line.trim();
        let rest = match line.strip_prefix("pub") {
            Some(rest) => rest.trim_start_matches(|c| c != ' ').trim_start(),
            None => line,
        };
        rest.strip_prefix("mod ")?.strip_suffix(';')
    });
    names.map(str::to_owned).collect()
}

/// Every Rust file of a crate, with its path from the root.
fn files(root: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder(root)];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder(root)).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

/// Code without comments. Strings stay; the sources hold none that look like a path of a crate.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start().starts_with("//") {
        true => "",
        false => line.split(" // ").next().unwrap_or_default(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// True for the attribute of a module that tests alone have, those of other crates included.
fn is_for_tests(line: &str) -> bool {
    ["#[cfg(test)]", "#[cfg(any(test, feature = \"testing\"))]"].contains(&line)
}

/// Code without its modules of tests, which may name whatever they test.
fn tested_code(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !is_for_tests(line) {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let opened = lines.next().is_some_and(|line| line.ends_with('{'));
        if opened {
            lines.by_ref().find(|line| *line == "}");
        }
    }
    kept
}

/// The paths that code names, each with whether a `pub use` does, as lists of words: `crate::a::{b::C, d}` is two.
fn paths(code: &str) -> Vec<(Vec<String>, bool)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(skipped) = code[at..].find(is_word) {
        at += skipped;
        let end = code[at..].find(|c| !is_word(c)).map_or(code.len(), |length| at + length);
        let before = code[..at].trim_end();
        let is_path = code[end..].starts_with("::")
            && !code[..at].ends_with("::")
            && !before.ends_with(['.', '\'', '$']);
        at = match is_path {
            true => at + read_path(&code[at..], &mut Vec::new(), is_exported(before), &mut found),
            false => end,
        };
    }
    found
}

/// True where what follows is what a `pub use` passes on.
fn is_exported(before: &str) -> bool {
    before.ends_with("use")
        && before.rsplit(['\n', ';']).next().is_some_and(|line| line.trim_start().starts_with("pub"))
}

/// Reads one path with its braces; gives the bytes that it takes.
fn read_path(
    text: &str,
    head: &mut Vec<String>,
    exported: bool,
    found: &mut Vec<(Vec<String>, bool)>,
) -> usize {
    let (mut at, depth) = (0, head.len());
    loop {
        let end =
            text[at..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text.len(), |end| at + end);
        if end > at {
            head.push(text[at..end].to_owned());
        }
        at = end;
        match text[at..].strip_prefix("::") {
            Some(rest) if rest.starts_with('{') => {
                at += 3 + read_group(&rest[1..], head, exported, found);
                break;
            }
            Some(rest) if rest.starts_with('*') => {
                found.push((head.clone(), exported));
                at += 3;
                break;
            }
            Some(rest) if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') => at += 2,
            _ => {
                found.push((head.clone(), exported));
                break;
            }
        }
    }
    head.truncate(depth);
    at
}

/// Reads what stands between braces; gives the bytes up to and with the closing one.
fn read_group(
    text: &str,
    head: &mut Vec<String>,
    exported: bool,
    found: &mut Vec<(Vec<String>, bool)>,
) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '}' => return at + 1,
            c if c.is_alphabetic() || c == '_' => {
                at += read_path(&text[at..], head, exported, found);
                // A new name for it is no path.
                if text[at..].starts_with(" as ") {
                    at += text[at..].find([',', '}']).unwrap_or_default();
                }
            }
            c => at += c.len_utf8(),
        }
    }
    at
}

/// A crate as modules: each with its file and what it re-exports.
struct Modules {
    files: BTreeMap<Vec<String>, Module>,
}

struct Module {
    file: String,
    paths: Vec<(Vec<String>, bool)>,
}

impl Modules {
    fn of(root: &str) -> Modules {
        let sources = files(root);
        let tests: BTreeSet<Vec<String>> =
            sources.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
        let mut files = BTreeMap::new();
        for (file, text) in sources {
            let module = module_of(&file);
            if (1..=module.len()).any(|length| tests.contains(&module[..length])) {
                continue;
            }
            let paths = paths(&code(&tested_code(&text)));
            files.insert(module, Module { file, paths });
        }
        Modules { files }
    }

    /// The file in which what a path names from a module is defined.
    fn resolve(&self, from: &[String], path: &[String], steps: usize) -> Option<&str> {
        let (mut at, rest) = self.start(from, path)?;
        let mut rest = rest;
        while let Some((name, after)) = rest.split_first() {
            let child = [&at[..], std::slice::from_ref(name)].concat();
            if self.files.contains_key(&child) {
                (at, rest) = (child, after);
                continue;
            }
            let module = self.files.get(&at)?;
            let reexport =
                module.paths.iter().find(|(path, exported)| *exported && path.last() == Some(name));
            if let (Some((path, _)), true) = (reexport, steps > 0) {
                return self.resolve(&at, path, steps - 1);
            }
            break;
        }
        self.files.get(&at).map(|module| module.file.as_str())
    }

    /// The module that a path begins in, and what is left of it.
    fn start<'p>(&self, from: &[String], path: &'p [String]) -> Option<(Vec<String>, &'p [String])> {
        let first = path.first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), &path[1..])),
            "self" => Some((from.to_vec(), &path[1..])),
            "super" => {
                let climbs = path.iter().take_while(|word| *word == "super").count();
                Some((from[..from.len().checked_sub(climbs)?].to_vec(), &path[climbs..]))
            }
            _ => {
                let child = [from, std::slice::from_ref(first)].concat();
                self.files.contains_key(&child).then(|| (from.to_vec(), path))
            }
        }
    }

    /// Paths by which a file takes from the facade of a folder that it lies in what another file there defines.
    fn detours(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (from, module) in &self.files {
            for (path, _) in module.paths.iter().filter(|(_, exported)| !exported) {
                let Some((at, [name])) = self.start(from, path) else { continue };
                let is_around =
                    !at.is_empty() && at.len() <= from.len() && from.starts_with(&at) && at != *from;
                let Some(facade) = self.files.get(&at).filter(|_| is_around) else { continue };
                if facade.paths.iter().any(|(path, exported)| *exported && path.last() == Some(name)) {
                    found.push(format!("{}: {}", module.file, path.join("::")));
                }
            }
        }
        found
    }

    /// What each file takes from other files; what a facade only passes on does not count.
    fn arrows(&self) -> BTreeSet<(String, String)> {
        let mut arrows = BTreeSet::new();
        for (from, module) in &self.files {
            for (path, _) in module.paths.iter().filter(|(_, exported)| !exported) {
                if let Some(to) = self.resolve(from, path, REEXPORTS).filter(|to| *to != module.file) {
                    arrows.insert((module.file.clone(), to.to_owned()));
                }
            }
        }
        arrows
    }
}

/// The module of a file: `a/mod.rs` is `a`.
fn module_of(file: &str) -> Vec<String> {
    let name = file.trim_end_matches(".rs").trim_end_matches("/mod");
    match name {
        "lib" | "main" => Vec::new(),
        name => name.split('/').map(str::to_owned).collect(),
    }
}

/// The modules that a file declares for tests alone.
fn test_modules(file: &str, text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter(|pair| is_for_tests(pair[0].trim()));
    let names = pairs.flat_map(|pair| declared(pair[1]));
    names.map(|name| [module_of(file), vec![name]].concat()).collect()
}

/// The entry of each side in the folder that two files have in common: `a/b.rs` and `a/c/d.rs` meet in `a` as `b.rs` and
/// `c`.
fn siblings(from: &str, to: &str) -> Option<(String, String, String)> {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // `a.rs` beside the folder `a` is the facade of that folder.
    Some((from[..common].join("/"), (*from.get(common)?).to_owned(), (*to.get(common)?).to_owned()))
}

/// Circles among the entries of one folder, each as the names that it ties.
fn circles(arrows: &BTreeSet<(String, String)>) -> BTreeSet<(String, BTreeSet<String>)> {
    let mut folders: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (from, to) in arrows {
        if let Some((folder, from, to)) = siblings(from, to) {
            folders.entry(folder).or_default().entry(from).or_default().insert(to);
        }
    }
    let mut found = BTreeSet::new();
    for (folder, edges) in folders {
        for start in edges.keys() {
            let ahead = reachable(&edges, start);
            let tied: BTreeSet<String> =
                ahead.iter().filter(|name| reachable(&edges, name).contains(start)).cloned().collect();
            if tied.len() > 1 {
                found.insert((folder.clone(), tied));
            }
        }
    }
    found
}

fn reachable(edges: &BTreeMap<String, BTreeSet<String>>, start: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start.to_owned()];
    while let Some(name) = open.pop() {
        for next in edges.get(&name).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

#[test]
fn modules_are_listed_in_the_order_of_the_design() {
    for (root, design) in CRATES {
        assert_eq!(modules_of(root), *design, "{root}: what lib.rs declares, and the design");
    }
}

/// The compiler refuses unsafe code everywhere else.
#[test]
fn unsafe_code_is_in_one_crate() {
    let unsafe_crate = "crates/pensieve-isolate/src";
    for (root, _) in CRATES {
        let text = fs::read_to_string(folder(root).join("lib.rs")).unwrap();
        assert_eq!(text.contains("#![forbid(unsafe_code)]"), *root != unsafe_crate, "{root}");
    }
}

#[test]
fn modules_name_only_modules_above_them() {
    let mut wrong = Vec::new();
    let mut arrows = 0;
    for (root, _) in CRATES {
        let modules = modules_of(root);
        let place = |name: &str| modules.iter().position(|module| module == name);
        for (file, text) in files(root) {
            let own = file.split('/').next().unwrap().trim_end_matches(".rs");
            let Some(here) = place(own) else { continue };
            for (path, _) in
                paths(&code(&text)).iter().filter(|(path, _)| path[0] == "crate" && path.len() > 1)
            {
                match place(&path[1]) {
                    Some(there) if there <= here => arrows += usize::from(there < here),
                    Some(_) => wrong
                        .push(format!("{root}/{file} names crate::{}, which is listed after it", path[1])),
                    None => wrong.push(format!(
                        "{root}/{file} names crate::{}, which is no module of lib.rs",
                        path[1]
                    )),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(arrows > 200, "only {arrows} uses were found: the search has gone blind");
}

#[test]
fn no_two_entries_of_a_folder_import_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for (root, _) in CRATES {
        let arrows = Modules::of(root).arrows();
        assert!(
            arrows.len() > 50,
            "{root}: only {} arrows were found: the search has gone blind",
            arrows.len()
        );
        for (folder, tied) in circles(&arrows) {
            let names: Vec<&str> = tied.iter().map(String::as_str).collect();
            wrong.push(format!("{root}/{folder}: {}", names.join(", ")));
            for (from, to) in &arrows {
                if siblings(from, to)
                    .is_some_and(|(at, a, b)| at == folder && tied.contains(&a) && tied.contains(&b))
                {
                    wrong.push(format!("    {from} -> {to}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "circles:\n{}", wrong.join("\n"));
}

/// A facade is for those outside: inside of its folder it would be an arrow upwards that hides where a name is from.
#[test]
fn inside_of_a_folder_names_are_taken_where_they_are_defined() {
    for (root, _) in CRATES {
        let found = Modules::of(root).detours();
        assert!(found.is_empty(), "{root}:\n{}", found.join("\n"));
    }
}

#[test]
fn nobody_climbs_out_of_a_module_by_super() {
    for (root, _) in CRATES {
        for (file, text) in files(root) {
            let depth = file.trim_end_matches("/mod.rs").split('/').count();
            let climbs = format!("{}::", vec!["super"; depth + 1].join("::"));
            assert!(
                !code(&text).contains(&climbs),
                "{root}/{file} reaches the crate by `{climbs}`: name it `crate::`"
            );
        }
    }
}

#[test]
fn every_file_says_what_it_owns_and_stays_short() {
    for (root, _) in CRATES {
        for (file, text) in files(root) {
            let opens = ["//! ", "#![doc = include_str!(\"../README.md\")]\n//!"];
            assert!(
                opens.iter().any(|opening| text.starts_with(opening)),
                "{root}/{file} does not open with a //! paragraph"
            );
            // Reasons and documentation make no file too long.
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let lines = text.lines().filter(is_code).count();
            // The limits are one table, a row each.
            assert!(
                lines <= 700 || file == "limits.rs",
                "{root}/{file} has {lines} lines of code: it tells a second story"
            );
        }
    }
    let main = fs::read_to_string(folder("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 20 && main.contains("cli::run"), "{main}");
}

#[test]
fn the_search_for_paths_sees_every_form() {
    let text = "use crate::model::{A, B};\nuse crate::{text::x, store::{self, y}, chunk};\n// crate::cli\n\
                let a = crate::scan::b();\npub use child::{C as D, e::F};\nlet g: super::H<own::I>;";
    let found: Vec<String> = paths(&code(text))
        .into_iter()
        .map(|(path, exported)| format!("{}{}", if exported { "pub " } else { "" }, path.join("::")))
        .collect();
    assert_eq!(
        found,
        [
            "crate::model::A",
            "crate::model::B",
            "crate::text::x",
            "crate::store::self",
            "crate::store::y",
            "crate::chunk",
            "crate::scan::b",
            "pub child::C",
            "pub child::e::F",
            "super::H",
            "own::I",
        ]
    );
}

#[test]
fn circles_of_files_and_of_folders_are_found() {
    let arrows = |pairs: &[(&str, &str)]| -> BTreeSet<(String, String)> {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    };
    assert!(
        circles(&arrows(&[("a/b.rs", "a/c.rs"), ("a/c.rs", "d/e.rs"), ("a/mod.rs", "a/b.rs")])).is_empty()
    );
    let files = circles(&arrows(&[("a/b.rs", "a/c.rs"), ("a/c.rs", "a/mod.rs"), ("a/mod.rs", "a/b.rs")]));
    assert_eq!(files.len(), 1);
    let folders = circles(&arrows(&[("a/b.rs", "c/d.rs"), ("c/e.rs", "a/f.rs")]));
    assert_eq!(folders.first().map(|(at, tied)| (at.as_str(), tied.len())), Some(("", 2)));
}

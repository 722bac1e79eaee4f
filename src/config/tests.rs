//! All layers together: which one wins, and what is rejected with which message.

use super::*;
use pensieve_store::scan::ChangeCheck;
use pensieve_text::text::clean::{CleanRule, CleanRuleSet, CleanVersion};
use pensieve_text::text::normalize::UnicodeForm;
use std::fs;
use std::path::PathBuf;

/// A folder with a user's file and a project's file.
struct Place {
    folder: tempfile::TempDir,
    sources: ConfigSources,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let sources = ConfigSources {
            user: Some(UserConfigFile::Home(folder.path().join("user.toml"))),
            project: Some(ProjectConfigFile::Found(folder.path().join("pensieve.toml"))),
            home: Some(folder.path().to_owned()),
            ..ConfigSources::default()
        };
        Place { folder, sources }
    }

    fn user(self, text: &str) -> Place {
        fs::write(self.folder.path().join("user.toml"), text).unwrap();
        self
    }

    fn project(self, text: &str) -> Place {
        fs::write(self.folder.path().join("pensieve.toml"), text).unwrap();
        self
    }

    fn named(mut self) -> Place {
        self.sources.project = Some(ProjectConfigFile::Named(self.folder.path().join("pensieve.toml")));
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Place {
        self.sources.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn flag(mut self, name: &'static str, key: &'static str, value: &str) -> Place {
        self.sources.flags.push(FlagValue { name, key, value: value.to_owned() });
        self
    }

    fn load(&self) -> Config {
        load(&self.sources).unwrap()
    }

    /// The error message without the path of the folder.
    fn error(&self) -> String {
        let error = load(&self.sources).map(|config| config.check_converters());
        let error = match error {
            Ok(checked) => checked.unwrap_err(),
            Err(error) => error,
        };
        error.to_string().replace(&format!("{}/", self.folder.path().display()), "")
    }
}

fn check_error(text: &str, expected: &str) {
    assert_eq!(Place::new().user(text).error(), expected);
}

#[test]
fn the_default_file_has_every_key_and_is_what_the_repository_shows() {
    let merged = MergedLayers::built_in();
    for key in keys::KEYS.iter() {
        assert!(merged.value(key.name).is_some(), "{}", key.name);
    }
    let example = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/pensieve.example.toml")).unwrap();
    assert!(example == commented_default(), "pensieve.example.toml is not what `pensieve init` writes");
}

#[test]
fn what_init_writes_sets_nothing_until_a_sign_is_removed() {
    assert!(layers::of_file(&commented_default(), Path::new("p.toml")).unwrap().is_empty());
    let whole: String = commented_default()
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(key) if !key.is_empty() && !key.starts_with(' ') => format!("{key}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    assert_eq!(whole, DEFAULT);
}

#[test]
fn defaults_are_those_of_the_contract() {
    let config = Place::new().load();
    assert_eq!(
        (config.tokenizer_model.as_str(), config.chunking_strategy),
        ("cl100k_base", StrategyChoice::Auto)
    );
    assert_eq!((config.chunk_size, config.chunk_overlap, config.thread_count), (512, 50, 0));
    assert_eq!((config.max_memory, config.converter_limits.memory), (512 << 20, 192 << 20));
    assert_eq!(config.converter_limits.timeout_seconds, 120);
    assert!(
        config.scan.hidden && config.scan.ignore_files && !config.scan.follow_symlinks && !config.scan.svg
    );
    assert_eq!((config.scan.max_file_size, config.scan.check), (0, ChangeCheck::Auto));
    assert!(config.store.keeps("raw") && config.store.fts);
    assert_eq!((config.clean.form, config.clean.max_blank_lines), (UnicodeForm::Nfkc, 1));
    assert!(config.pdf.layout.enabled);
    assert!(!config.is_chosen("chunk_size"));
    config.check_converters().unwrap();
}

/// The defaults of the crates below equal those of the default file.
#[test]
fn options_of_the_crates_have_the_defaults_of_the_file() {
    let config = Place::new().load();
    assert_eq!((config.html, config.office), (HtmlOptions::default(), OfficeOptions::default()));
    assert_eq!(config.pdf.layout.thresholds, LayoutOptions::default());
    assert_eq!(config.pdf.layout.windows, WindowOptions::default());
    assert_eq!(config.clean, CleanOptions::default());
}

#[test]
fn the_layout_is_switched_by_its_table_or_by_its_short_form() {
    let layout = |text: &str| Place::new().user(text).load().pdf.layout;
    assert!(!layout("[pdf]\nlayout = false").enabled);
    assert!(!layout("[pdf.layout]\nenabled = false").enabled);
    let layout = layout("[pdf.layout]\ncolumn_width = 70\nwindow_tokens = 300");
    assert!(layout.enabled && layout.thresholds.column_width == 70 && layout.windows.window == 300);
    let wrong = "user.toml:2: `pdf.layout.enabled` must be true or false, not 3";
    check_error("[pdf]\nlayout = 3", wrong);
    let wrong = "user.toml:2: `pdf.layout.cues` has \"Merksatz\", which is not \"word = subtype\" with caption, activity, \
                 callout, footnote, table, list-of-terms, sidebar";
    check_error("[pdf.layout]\ncues = [\"Tipp = callout\", \"Merksatz\"]", wrong);
}

#[test]
fn no_program_runs_that_nobody_chose() {
    assert!(Place::new().load().converters.is_empty());
}

#[test]
fn templates_that_are_comments_in_the_default_file_would_work() {
    let uncommented: String = DEFAULT
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|line| line.contains("{input}\"")).unwrap_or(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert_ne!(uncommented, DEFAULT);
    Place::new().user(&uncommented).load().check_converters().unwrap();
}

#[test]
fn later_layers_win_and_every_value_knows_its_place() {
    let place = Place::new().user("chunk_size = 100\nchunk_overlap = 10\n[scan]\nhidden = false");
    let place = place.project("\nchunk_size = 200").variable("PENSIEVE_THREAD_COUNT", "3");
    let place = place.variable("PENSIEVE_SCAN_EXCLUDE", "*.log,tmp").variable("PATH", "/bin");
    let config = place.flag("--strategy", "chunking_strategy", "paragraph").load();
    assert_eq!((config.chunk_size, config.chunk_overlap, config.thread_count), (200, 10, 3));
    assert_eq!(
        (config.scan.hidden, config.scan.exclude.len(), config.chunking_strategy),
        (false, 2, StrategyChoice::Paragraph)
    );
    let origin = |key: &str| config.origin(key).to_string().rsplit('/').next().unwrap().to_owned();
    assert_eq!(origin("chunk_size"), "pensieve.toml:2");
    assert_eq!(origin("scan.hidden"), "user.toml:4");
    assert_eq!(origin("thread_count"), "PENSIEVE_THREAD_COUNT");
    assert_eq!(origin("chunking_strategy"), "--strategy");
    assert_eq!(origin("max_memory"), "built-in default");
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_nearest_key() {
    check_error("chunksize = 1", "user.toml:1: unknown key `chunksize`; did you mean `chunk_size`?");
    check_error(
        "\n[scan]\nhiden = true",
        "user.toml:3: unknown key `scan.hiden`; did you mean `scan.hidden`?",
    );
    check_error("\n[scna]\nx = 1", "user.toml:2: unknown key `scna`; did you mean `scan`?");
    check_error(
        "chunk_size = \"big\"",
        "user.toml:1: `chunk_size` must be a whole number from 16 to 1000000, not \"big\"",
    );
    check_error(
        "chunk_size = 15",
        "user.toml:1: `chunk_size` must be a whole number from 16 to 1000000, not 15",
    );
    check_error(
        "max_memory = 1.5",
        concat!(
            "user.toml:1: `max_memory` must be a number of bytes or a size such as \"512 MiB\", at least 256 MiB, ",
            "not a number with a fraction"
        ),
    );
    check_error("[scan]\nhidden = 1", "user.toml:2: `scan.hidden` must be true or false, not 1");
    check_error("[converters]\npdf = 3", "user.toml:2: `converters.pdf` must be a text, not 3");
    check_error(
        "chunk_size = {}",
        "user.toml:1: `chunk_size` must be a whole number from 16 to 1000000, not a table",
    );
}

#[test]
fn an_unknown_tokenizer_is_answered_with_the_list() {
    let error = Place::new().user("tokenizer_model = \"cl100k\"").error();
    assert!(error.starts_with("user.toml:1: `tokenizer_model` must be one of cl100k_base, "), "{error}");
    assert!(error.ends_with("not \"cl100k\""), "{error}");
}

#[test]
fn rules_of_cleaning_are_on_or_off() {
    let config = Place::new().load();
    assert_eq!((config.clean.version, config.clean.rules), (CleanVersion::V1, CleanRuleSet::all()));
    let config = Place::new()
        .user("[clean]\nversion = \"clean_v0\"\n[clean.rules]\nhyphens = false\nlists = false")
        .variable("PENSIEVE_CLEAN_RULES_LISTS", "true")
        .load();
    assert_eq!(config.clean.version, CleanVersion::V0);
    assert_eq!(config.clean.rules, CleanRuleSet::all().with(CleanRule::Hyphens, false));
    check_error(
        "[clean.rules]\nhyphen = false",
        "user.toml:2: unknown key `clean.rules.hyphen`; did you mean `clean.rules.hyphens`?",
    );
    check_error(
        "[clean]\nrules = []",
        "user.toml:2: `clean.rules` must be a table, written `[clean.rules]`, not a list",
    );
}

#[test]
fn overlap_stays_below_half_of_the_size() {
    check_error(
        "chunk_size = 100\nchunk_overlap = 50",
        "user.toml:2: `chunk_overlap` 50 must be less than half of `chunk_size` 100 (user.toml:1)",
    );
}

#[test]
fn an_overlap_that_nobody_chose_gives_way() {
    let overlap = |size: &str| Place::new().flag("--chunk-size", "chunk_size", size).load().chunk_overlap;
    assert_eq!((overlap("16"), overlap("100"), overlap("101"), overlap("4096")), (1, 10, 50, 50));
}

#[test]
fn a_converter_must_leave_room_for_the_program() {
    let limits = "[converter_limits]\nmemory = \"448 MiB\"";
    let expected = format!(
        "user.toml:2: `converter_limits.memory` 448 MiB does not fit in `max_memory` 512 MiB (built-in default), \
         which leaves {} for converters",
        ByteSize(children_share(512 << 20))
    );
    check_error(limits, &expected);
    let config = Place::new().user(limits).flag("--max-mem", "max_memory", "1 GiB").load();
    assert_eq!(config.converter_limits.memory, 448 << 20);
    let config = Place::new().flag("--max-mem", "max_memory", "268435456").load();
    assert_eq!(config.converter_limits.memory, children_share(256 << 20).min(192 << 20));
}

#[test]
fn clean_text_is_always_kept() {
    check_error(
        "[store]\nkeep = [\"raw\"]",
        "user.toml:2: `store.keep` must have \"clean\": the chunks point into that text",
    );
    assert!(!Place::new().user("[store]\nkeep = [\"clean\"]").load().store.keeps("raw"));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_looked_at_is_left_out_unless_it_was_named() {
    let mut place = Place::new();
    let path = place.folder.path().join("loop");
    std::os::unix::fs::symlink("loop", &path).unwrap();
    place.sources.user = Some(UserConfigFile::Home(path.join("pensieve.toml")));
    let warnings = place.load().warnings;
    assert!(
        warnings.len() == 1 && warnings[0].contains("loop/pensieve.toml` cannot be looked at ("),
        "{warnings:?}"
    );
    place.sources.user = Some(UserConfigFile::Named(path.join("pensieve.toml")));
    assert!(place.error().starts_with("cannot read configuration `loop/pensieve.toml`: "));
    place.sources.user = Some(UserConfigFile::Home("/dev/null/pensieve.toml".into()));
    assert_eq!(place.load().warnings, [""; 0]);
    place.sources.project = Some(ProjectConfigFile::Named(path.join("pensieve.toml")));
    assert!(place.error().starts_with("cannot read configuration `loop/pensieve.toml`: "));
}

#[test]
fn a_found_file_may_not_run_programs() {
    let evil = "[converters]\ntxt = \"sh evil {input}\"";
    let refused =
        "pensieve.toml:2: a configuration that was merely found may not run programs: `converters.txt`";
    assert_eq!(Place::new().project(evil).error(), refused);
    assert_eq!(
        Place::new().project("[converters]\npdf = \"sh evil {input}\"").error(),
        refused.replace("txt", "pdf")
    );
    Place::new().project(evil).named().load().check_converters().unwrap();

    let place = Place::new().project(evil);
    let folder = place.folder.path().display().to_string();
    place.user(&format!("trusted = [\"/nowhere\", \"{folder}\"]")).load();
    Place::new().project(evil).user("trusted = [\"~\"]").load();
    assert_eq!(Place::new().project(evil).user("trusted = [\".\", \"/\"]").error(), refused);
    let error = Place::new().project("trusted = [\"~\"]").error();
    assert_eq!(error, "pensieve.toml:1: `trusted` counts in your own configuration file only");
}

#[test]
fn a_file_that_was_merely_found_only_narrows_what_is_read() {
    let check = |user: &str, found: &str, refused: Option<&str>| {
        let place = Place::new().user(user).project(found);
        match refused {
            None => drop(place.load()),
            Some(key) => assert_eq!(
                place.error(),
                format!(
                    "pensieve.toml:2: a configuration that was merely found may not make more be read: `{key}`"
                ),
            ),
        }
    };
    for (found, key) in
        [("follow_symlinks = true", "scan.follow_symlinks"), ("ignore_files = false", "scan.ignore_files")]
    {
        check("", &format!("[scan]\n{found}"), Some(key));
        // What the user has set may be repeated.
        check(&format!("[scan]\n{found}"), &format!("[scan]\n{found}"), None);
    }
    check("[scan]\nhidden = false", "[scan]\nhidden = true", Some("scan.hidden"));
    check(
        "",
        "[scan]\nhidden = false\nmax_file_size = \"1MiB\"\ninclude = [\"*.md\"]\nexclude = [\"a/\"]",
        None,
    );
    check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = \"1MiB\"", Some("scan.max_file_size"));
    check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = 0", Some("scan.max_file_size"));
    check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = 999", None);
    check("[scan]\ninclude = [\"a/\"]", "[scan]\ninclude = [\"*\"]", Some("scan.include"));
    check("[scan]\nexclude = [\"a/\"]", "[scan]\nexclude = [\"b/\"]", Some("scan.exclude"));
    check("[scan]\nexclude = [\"a/\"]", "[scan]\nexclude = [\"b/\", \"a/\"]", None);
}

#[test]
fn a_file_that_was_merely_found_does_not_say_where_text_is_sent() {
    let refused = |key| {
        format!(
            "pensieve.toml:2: a configuration that was merely found may not decide where text is sent: `{key}`"
        )
    };
    let own = "[embedding]\nendpoint = \"http://127.0.0.1:1/v1/embeddings\"";
    for (found, key) in [
        ("[embedding]\nendpoint = \"http://x/\"", "embedding.endpoint"),
        ("[embedding]\napi_key_env = \"AWS_SECRET_ACCESS_KEY\"", "embedding.api_key_env"),
        ("[embedding]\nprefix_document = \"x\"", "embedding.prefix_document"),
        ("[search]\nmode = \"hybrid\"", "search.mode"),
    ] {
        assert_eq!(Place::new().user(own).project(found).error(), refused(key));
        Place::new().project(found).named().load();
    }
    // What `init` writes, and what holds already, is no other address.
    Place::new().user(own).project(DEFAULT).load();
    Place::new().user(own).project(own).load();
    let price = Place::new().user("[embedding]\nprice_per_million = 0.02").load().embedding.price_per_million;
    assert_eq!(price, 0.02);
}

#[test]
fn a_found_file_may_say_what_holds_already() {
    Place::new().project(DEFAULT).load();
    let place = Place::new().user("[converters]\npdf = \"mine {input}\"");
    let error = place.project("[converters]\npdf = \"pdftotext -enc UTF-8 {input} -\"").error();
    assert!(error.contains("may not run programs"), "{error}");
}

#[test]
fn converters_that_cannot_work_are_listed() {
    let text = "[converters]\npdf = \"pdftotext -\"\nPDF = \"x {input}\"\nodt = \"a 'b {input}\"";
    let config = Place::new().user(text).load();
    let extensions: Vec<String> =
        config.broken_converters().into_iter().map(|fault| fault.extension).collect();
    assert_eq!(extensions, ["PDF", "odt", "pdf"]);
    check_error(
        "[converters]\n\"tar.gz\" = \"x {input}\"",
        "user.toml:2: `converters.tar.gz`: `tar.gz` is no extension: write it in lower case and without dots, as in `pdf`",
    );
}

#[test]
fn a_converter_for_an_unknown_extension_is_a_format_and_perhaps_a_slip() {
    let text = "[converters]\ndjvu = \"djvutxt {input}\"\nxps = \"x {input}\"\npfd = \"x {input}\"";
    let config = Place::new().user(text).load();
    assert!(config.broken_converters().is_empty());
    let [warning] = &config.converter_warnings()[..] else { panic!("one of three may be misspelt") };
    assert!(
        warning.ends_with("user.toml:4: `converters.pfd` reads files named `.pfd`; did you mean `pdf`?"),
        "{warning}"
    );
}

#[test]
fn a_named_file_must_be_there_and_a_found_one_need_not() {
    Place::new().load();
    let error = Place::new().named().error();
    assert_eq!(error, "cannot read configuration `pensieve.toml`: no such file");
    let mut place = Place::new();
    place.sources.user = Some(UserConfigFile::Home(PathBuf::from("/")));
    assert_eq!(place.error(), "cannot read configuration `/`: not a regular file");
}

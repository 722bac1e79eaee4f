//! Ignore rules: the entries that ignore files exclude from a scan.
//!
//! `.pensieveignore` takes precedence over `.ignore`, that over `.gitignore`, and that over `.git/info/exclude`;
//! within one kind the deeper file wins, and within a file the last line that matches. Rules apply from the scanned
//! folder downwards, in a repository or not: files above it and global ones are not read. A nested repository does
//! not inherit git's own two kinds, as in git. Lines are parsed and matched by gitoxide, which follows git's own
//! matcher; what git does before its parser sees a line (a line ends at a NUL byte, a last line without newline is a
//! line) is done here.

use super::folder::{Folder, NameBuffer, read_small};
use super::path::stored_path;
use gix_ignore::glob::pattern::Mode as PatternMode;
use gix_ignore::glob::wildmatch::Mode;
use gix_ignore::glob::{Pattern, wildmatch};
use pensieve_isolate::platform::name_from_bytes;
use pensieve_text::model::Problem;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::Arc;

/// The kind of file that a list of rules comes from, in rising precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RuleOrigin {
    InfoExclude,
    Gitignore,
    Ignore,
    Pensieveignore,
}

/// The files with rules, by their names in a folder.
const FILES: [(RuleOrigin, &CStr); 4] = [
    (RuleOrigin::Pensieveignore, c".pensieveignore"),
    (RuleOrigin::Ignore, c".ignore"),
    (RuleOrigin::Gitignore, c".gitignore"),
    (RuleOrigin::InfoExclude, c".git/info/exclude"),
];

/// True if an entry of this name can contain rules.
pub fn is_ignore_file(name: &[u8]) -> bool {
    FILES.iter().any(|(_, file)| file.to_bytes() == name)
}

/// Larger files are not read, because they are not rule files.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Patterns with more `**` are ignored: each one can double the steps of git's matcher, and real patterns have fewer.
const MAX_DOUBLE_STARS: usize = 8;

/// The rule that hides a path, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRule {
    /// The ignore file, relative to the scanned folder in stored form, or the setting that contains the pattern.
    pub file: String,
    /// Its line, or the position of the pattern in the setting, counted from 1.
    pub line: usize,
    /// The pattern as it was parsed.
    pub pattern: String,
}

/// The rules of one file or setting.
#[derive(Debug)]
pub(super) struct IgnoreRuleList {
    kind: RuleOrigin,
    /// Bytes of the folder's path with its slash, which are removed from a path before it is matched.
    base: usize,
    source: String,
    lines: Vec<RuleLine>,
    /// The lines by what a path must have for them: a list may contain hundreds of thousands. None of a short list.
    index: Option<RuleIndex>,
}

/// Lines that are compared one by one in the time of a look into the index.
const MAX_COMPARED_LINES: usize = 6;

/// Lines of a list, each once and in order.
#[derive(Debug, Default)]
struct RuleIndex {
    /// Lines that are a plain name for any depth, by that name.
    names: HashMap<Vec<u8>, Vec<usize>>,
    /// Lines for paths, by the first folder or name of these: `build/*.o` by `build`.
    heads: HashMap<Vec<u8>, Vec<usize>>,
    /// Lines `*.o` for any depth, by what follows the star.
    tails: HashMap<Vec<u8>, Vec<usize>>,
    /// Other lines, by three bytes in a row that a path must have for them: of those of a line, which fewest others have.
    trigrams: HashMap<Trigram, Vec<usize>>,
    /// The rest.
    globs: Vec<usize>,
}

type Trigram = [u8; 3];

fn trigrams(text: &[u8]) -> impl Iterator<Item = Trigram> {
    text.windows(3).filter_map(|window| window.try_into().ok())
}

impl RuleIndex {
    fn of(lines: &[RuleLine]) -> RuleIndex {
        let mut index = RuleIndex::default();
        for (at, RuleLine { pattern, .. }) in lines.iter().enumerate() {
            let text: &[u8] = &pattern.text;
            let plain = &text[..pattern.first_wildcard_pos.unwrap_or(text.len())];
            let is_plain = plain.len() == text.len();
            let head = memchr::memchr(b'/', plain).or(is_plain.then_some(plain.len()));
            let is_tail =
                text.first() == Some(&b'*') && !text[1..].iter().any(|sign| b"*?[\\".contains(sign));
            let (group, key) = match (is_name(pattern), head) {
                (true, _) if is_plain => (&mut index.names, text),
                (true, _) if is_tail => (&mut index.tails, &text[1..]),
                (false, Some(head)) => (&mut index.heads, &text[..head]),
                _ => {
                    index.add_glob(at, text);
                    continue;
                }
            };
            group.entry(key.to_vec()).or_default().push(at);
        }
        index
    }

    fn add_glob(&mut self, at: usize, text: &[u8]) {
        // Slashes beside `**` need not be there, and in brackets each letter stands for itself.
        let is_plain = !text.iter().any(|sign| b"[\\".contains(sign));
        let pieces = text.split(|sign| b"*?/".contains(sign)).filter(|_| is_plain);
        let uses = |key: &Trigram| self.trigrams.get(key).map_or(0, Vec::len);
        match pieces.flat_map(trigrams).min_by_key(uses) {
            Some(rarest) => self.trigrams.entry(rarest).or_default().push(at),
            None => self.globs.push(at),
        }
    }

    /// The groups of lines that may match a path with this name.
    fn groups<'i>(&'i self, path: &'i [u8], name: &'i [u8]) -> impl Iterator<Item = &'i Vec<usize>> {
        let head = &path[..memchr::memchr(b'/', path).unwrap_or(path.len())];
        let tails = if self.tails.is_empty() { name.len() + 1 } else { 0 };
        let tails = (tails..=name.len()).filter_map(|at| self.tails.get(&name[at..]));
        let pieces = if self.trigrams.is_empty() { &[] } else { path };
        let rare = trigrams(pieces).filter_map(|key| self.trigrams.get(&key));
        self.names
            .get(name)
            .into_iter()
            .chain(self.heads.get(head))
            .chain(tails)
            .chain(rare)
            .chain([&self.globs])
    }
}

#[derive(Debug)]
struct RuleLine {
    pattern: Pattern,
    number: usize,
}

impl RuleLine {
    /// Matches as git does, not quite as gitoxide: git compares the part of a path pattern before its first wildcard
    /// separately, so that the stars of `q**/r` begin the rest of the pattern, where they match across slashes.
    fn matches(&self, path: &[u8], name: &[u8], is_folder: bool) -> bool {
        let Pattern { text, mode, first_wildcard_pos } = &self.pattern;
        if mode.contains(PatternMode::MUST_BE_DIR) && !is_folder {
            return false;
        }
        let is_name = is_name(&self.pattern);
        let value = if is_name { name } else { path };
        match *first_wildcard_pos {
            None => text == value,
            Some(_) if is_name => self.pattern.matches(value.into(), Mode::NO_MATCH_SLASH_LITERAL),
            Some(plain) => {
                let rest = value.strip_prefix(&text[..plain]);
                rest.is_some_and(|rest| {
                    wildmatch(text[plain..].into(), rest.into(), Mode::NO_MATCH_SLASH_LITERAL)
                })
            }
        }
    }
}

/// True for patterns without a slash, which match the last part of a path at any depth.
fn is_name(pattern: &Pattern) -> bool {
    pattern.mode.contains(PatternMode::NO_SUB_DIR) && !pattern.mode.contains(PatternMode::ABSOLUTE)
}

/// What rules are applied to: a path relative to the scanned folder, and whether it is a folder.
#[derive(Clone, Copy)]
pub(super) struct RuleSubject<'a> {
    pub path: &'a [u8],
    pub is_folder: bool,
}

impl IgnoreRuleList {
    /// Patterns of a setting, relative to the scanned folder.
    pub fn of_setting(setting: &str, patterns: &[String]) -> IgnoreRuleList {
        let parsed = patterns.iter().enumerate().filter_map(|(index, text)| {
            let (pattern, ..) = gix_ignore::parse(text.as_bytes(), false).next()?;
            Some(RuleLine { pattern, number: index + 1 })
        });
        IgnoreRuleList::new(RuleOrigin::Pensieveignore, 0, setting.to_owned(), parsed.collect())
    }

    fn of_file(kind: RuleOrigin, base: usize, source: String, bytes: &[u8]) -> IgnoreRuleList {
        let text = as_git_reads(bytes);
        let parsed = gix_ignore::parse(&text, false).map(|(pattern, number, _)| RuleLine { pattern, number });
        IgnoreRuleList::new(kind, base, source, parsed.collect())
    }

    fn new(kind: RuleOrigin, base: usize, source: String, mut lines: Vec<RuleLine>) -> IgnoreRuleList {
        lines.retain(|line| double_stars(&line.pattern.text) <= MAX_DOUBLE_STARS);
        let index = (lines.len() > MAX_COMPARED_LINES).then(|| RuleIndex::of(&lines));
        IgnoreRuleList { kind, base, source, lines, index }
    }

    /// True if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The last line that matches.
    fn last_match(&self, subject: RuleSubject<'_>) -> Option<&RuleLine> {
        let path = subject.path.get(self.base..)?;
        let name_at = memchr::memrchr(b'/', path).map(|slash| slash + 1);
        let name = &path[name_at.unwrap_or(0)..];
        let matches = |index: &usize| self.lines[*index].matches(path, name, subject.is_folder);
        let Some(index) = &self.index else {
            return (0..self.lines.len()).rev().find(matches).map(|at| &self.lines[at]);
        };
        let last = index.groups(path, name).fold(None, |last: Option<usize>, group| {
            let later = group.iter().rev().copied().take_while(|index| last.is_none_or(|last| *index > last));
            later.into_iter().find(matches).or(last)
        });
        last.map(|index| &self.lines[index])
    }

    /// True if the last matching line is a plain pattern, false if it is a negated one; `None` if no line matches.
    pub fn verdict(&self, subject: RuleSubject<'_>) -> Option<bool> {
        self.last_match(subject).map(|line| !line.pattern.is_negative())
    }

    /// True if the last matching line is a negated one that ends with the name of the entry: a pattern such as `!*/`, with which
    /// lists of what is allowed begin, happens to match and asks for nothing.
    pub fn brings_back(&self, subject: RuleSubject<'_>) -> bool {
        self.last_match(subject).is_some_and(|RuleLine { pattern, .. }| {
            let name_at = memchr::memrchr(b'/', &pattern.text).map_or(0, |slash| slash + 1);
            pattern.is_negative()
                && pattern.first_wildcard_pos.is_none_or(|wildcard| wildcard < name_at)
                && !pattern.text[name_at..].iter().any(|sign| b"*?[".contains(sign))
        })
    }

    /// The line that decides, for display.
    pub fn rule(&self, subject: RuleSubject<'_>) -> Option<IgnoreRule> {
        let line = self.last_match(subject)?;
        Some(IgnoreRule { file: self.source.clone(), line: line.number, pattern: line.pattern.to_string() })
    }
}

/// The rules that apply in one folder, the highest precedence first.
#[derive(Debug, Clone, Default)]
pub(super) struct IgnoreRules {
    lists: Vec<Arc<IgnoreRuleList>>,
}

impl IgnoreRules {
    /// The rules inside a folder: those around it and those of its own files. `names` is the whole listing, if it is
    /// known; otherwise the files are looked up one by one. `None` if the folder changes nothing.
    pub fn enter(
        &self,
        folder: &Folder,
        names: Option<&NameBuffer>,
        on_problem: &mut dyn FnMut(String, Problem),
    ) -> Option<IgnoreRules> {
        let may_exist = |name: &CStr| names.is_none_or(|names| names.contains(name.to_bytes()));
        let is_repository = may_exist(c".git") && folder.has(c".git");
        let mut own = Vec::new();
        for (kind, name) in FILES {
            let is_possible = if kind == RuleOrigin::InfoExclude { is_repository } else { may_exist(name) };
            if !is_possible {
                continue;
            }
            let source = [folder.prefix(), name.to_bytes()].concat();
            let source = stored_path(&name_from_bytes(&source)).0;
            match read_small(folder, name, MAX_FILE_BYTES) {
                Ok(Some(bytes)) => {
                    own.push(IgnoreRuleList::of_file(kind, folder.prefix().len(), source, &bytes))
                }
                Ok(None) => {}
                Err(problem) => on_problem(source, problem),
            }
        }
        own.retain(|list| !list.is_empty());
        (is_repository || !own.is_empty()).then(|| self.with(own, is_repository))
    }

    fn with(&self, own: Vec<IgnoreRuleList>, is_repository: bool) -> IgnoreRules {
        let inherited =
            self.lists.iter().filter(|list| !is_repository || list.kind >= RuleOrigin::Ignore).cloned();
        let mut lists: Vec<_> = own.into_iter().map(Arc::new).chain(inherited).collect();
        // Stable: within one kind the deeper folder, which comes first, stays first.
        lists.sort_by_key(|list| std::cmp::Reverse(list.kind));
        IgnoreRules { lists }
    }

    /// True if the entry is to be left out, false if it is brought back, `None` if no rule concerns it.
    pub fn verdict(&self, subject: RuleSubject<'_>) -> Option<bool> {
        self.lists.iter().find_map(|list| list.verdict(subject))
    }

    /// True below a `.gitignore`: who has one has said what is left out, and what git keeps is read.
    pub fn has_gits(&self) -> bool {
        self.lists.iter().any(|list| list.kind <= RuleOrigin::Gitignore)
    }

    /// True if the rule that decides brings the entry back by its name.
    pub fn brings_back(&self, subject: RuleSubject<'_>) -> bool {
        let decides = |list: &&Arc<IgnoreRuleList>| list.verdict(subject).is_some();
        self.lists.iter().find(decides).is_some_and(|list| list.brings_back(subject))
    }

    /// True if a rule asks for the entry: the one that decides has a `!`. Of folders, and in files of other programs, it must
    /// name the entry, because a pattern with wildcards that happens to match is no wish.
    pub fn is_wished(&self, subject: RuleSubject<'_>) -> bool {
        let is_wish = |list: &Arc<IgnoreRuleList>| {
            let pattern = &list.last_match(subject)?.pattern;
            let is_own = list.kind == RuleOrigin::Pensieveignore && !subject.is_folder;
            Some(pattern.is_negative() && (is_own || pattern.first_wildcard_pos.is_none()))
        };
        self.lists.iter().find_map(is_wish).unwrap_or(false)
    }

    /// The rule by which the entry is left out.
    pub fn rule(&self, subject: RuleSubject<'_>) -> Option<IgnoreRule> {
        let decides = |list: &&Arc<IgnoreRuleList>| list.verdict(subject).is_some();
        let list = self.lists.iter().find(decides).filter(|_| self.verdict(subject) == Some(true))?;
        list.rule(subject)
    }
}

/// The text that git's parser gets: C strings, each ended by a newline.
fn as_git_reads(bytes: &[u8]) -> Cow<'_, [u8]> {
    let has_nul = memchr::memchr(0, bytes).is_some();
    if !has_nul && bytes.last().is_none_or(|last| *last == b'\n') {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 1);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let end = memchr::memchr(0, line).unwrap_or(line.len());
        out.extend_from_slice(&line[..end]);
        out.push(b'\n');
    }
    Cow::Owned(out)
}

fn double_stars(pattern: &[u8]) -> usize {
    pattern.split(|byte| *byte == b'/').filter(|part| part.starts_with(b"**")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, path: &str, is_folder: bool, expected: Option<bool>) {
        let list = IgnoreRuleList::of_file(RuleOrigin::Gitignore, 0, ".gitignore".into(), lines.as_bytes());
        let verdict = list.verdict(RuleSubject { path: path.as_bytes(), is_folder });
        assert_eq!(verdict, expected, "{path} under {lines:?}");
    }

    #[test]
    fn the_last_matching_line_of_any_kind_decides() {
        check("a\n!a\n", "d/a", false, Some(false));
        check("!a\n*\n", "d/a", false, Some(true));
        check("*\n!a\n", "d/a", false, Some(false));
        check("a/\n", "a", false, None);
        check("a/\n", "a", true, Some(true));
        check("/a\n", "d/a", false, None);
        check("*\n!a/\n", "a", true, Some(false));
        check("*\n!a/\n", "a", false, Some(true));
        check("q**/r\n", "q/x/r", false, Some(true));
        check("*.o\n!keep.o\nbuild/*.o\n", "build/keep.o", false, Some(true));
        check("build/*.o\n*.o\n!keep.o\n", "build/keep.o", false, Some(false));
        check("!build/a.o\n*.o\n", "build/a.o", false, Some(true));
        check("*.o\n!/build/a.o\n", "build/a.o", false, Some(false));
        check("*[.]o\n!*.o\n", "a.o", false, Some(false));
        check("*one*two\n!*two*\n", "one.two", false, Some(false));
        check("!*two*\n*one*two\n", "one.two", false, Some(true));
        check("*one*two\n*three*two\n", "d/three two", false, Some(true));
        check("*/one/**/two?x\n", "d/one/two.x", false, Some(true));
        check("*/one/**/two?x\n", "d/one/tow.x", false, None);
        check("/a\n", "a", false, Some(true));
        check("a/b/\n", "a/b", false, None);
        check("*\n", "d/e", false, Some(true));
        check("q**/r\n", "q/x/s/r", false, Some(true));
    }

    #[test]
    fn lines_end_where_git_ends_them() {
        check("foo\0bar\nbaz\n", "foo", false, Some(true));
        check("foo\r", "foo", false, Some(true));
        check("foo\r\nbar", "bar", false, Some(true));
        check("\u{feff}foo\n", "foo", false, Some(true));
    }

    #[test]
    fn a_pattern_made_to_hang_the_matcher_is_ignored() {
        let hostile = format!("{}b\n", "**/a/".repeat(60));
        let path = "a/".repeat(120) + "c";
        check(&hostile, &path, false, None);
    }

    #[test]
    fn an_entry_is_brought_back_by_its_name() {
        let check = |lines: &str, expected: bool| {
            let list =
                IgnoreRuleList::of_file(RuleOrigin::Gitignore, 0, ".gitignore".into(), lines.as_bytes());
            assert_eq!(
                list.brings_back(RuleSubject { path: b"a/b", is_folder: true }),
                expected,
                "{lines:?}"
            );
        };
        check("!b\n", true);
        check("*\n!b/\n", true);
        check("!/a/b\n", true);
        check("!**/b/\n", true);
        check("!a/*\n", false);
        check("!*/\n", false);
        check("!b\n!*/\n", false);
        check("b\n", false);
        check("!c\n", false);
    }

    #[test]
    fn settings_count_their_patterns() {
        let list = IgnoreRuleList::of_setting("[scan] exclude", &["*.o".into(), "/out/".into()]);
        let rule = list.rule(RuleSubject { path: b"out", is_folder: true }).expect("a rule");
        assert_eq!(rule, IgnoreRule { file: "[scan] exclude".into(), line: 2, pattern: "/out/".into() });
    }
}

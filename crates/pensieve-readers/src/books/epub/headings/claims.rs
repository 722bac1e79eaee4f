//! Which heading belongs to which entry of the contents.

use super::counting::{is_count, is_number};
use super::label::{AnchorConfidence, TocLabel};
use crate::limits::epub::{MAX_COMPARED_HEADINGS, MAX_COMPARED_LINE_BYTES};
use pensieve_text::text::markdown::{FencePosition, FenceTracker, heading_words};
use std::collections::{BTreeMap, HashMap, HashSet};
use unicode_normalization::UnicodeNormalization;

/// How many non-blank lines at a place may be headings.
const MAX_NEAR_LINES: usize = 5;

/// How many more words a title may have than its label.
const MAX_EXTRA_WORDS: usize = 8;

/// The place of a label in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadingClaim {
    /// An existing heading, its level, and the line at which its section begins.
    Heading { line: usize, level: usize, begin: usize },
    /// A paragraph that becomes a heading.
    Title { line: usize, begin: usize },
    /// A new heading, inserted before a line.
    Put { line: usize },
}

impl HeadingClaim {
    pub(super) fn line(&self) -> usize {
        match *self {
            HeadingClaim::Heading { line, .. }
            | HeadingClaim::Title { line, .. }
            | HeadingClaim::Put { line } => line,
        }
    }

    /// The line at which the section begins: that of the heading, or one above.
    pub(super) fn begin(&self) -> usize {
        match *self {
            HeadingClaim::Heading { begin, .. } | HeadingClaim::Title { begin, .. } => begin,
            HeadingClaim::Put { line } => line,
        }
    }

    /// The level that a claimed heading had.
    pub(super) fn level(&self) -> Option<usize> {
        match *self {
            HeadingClaim::Heading { level, .. } => Some(level),
            _ => None,
        }
    }

    fn begins_at(&mut self, at: usize) {
        if let HeadingClaim::Heading { begin, .. } | HeadingClaim::Title { begin, .. } = self {
            *begin = at;
        }
    }
}

/// The lines of a text: their starts, and whether they are inside a fence.
pub(super) struct TextLines<'t> {
    text: &'t str,
    starts: Vec<(usize, bool)>,
}

impl<'t> TextLines<'t> {
    pub(super) fn new(text: &'t str) -> TextLines<'t> {
        let mut starts = Vec::new();
        let (mut at, mut fences) = (0, FenceTracker::default());
        for line in text.split_inclusive('\n') {
            starts.push((at, matches!(fences.read(line), FencePosition::Inside | FencePosition::Closes)));
            at += line.len();
        }
        TextLines { text, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Where a line begins; the end of the text for the line after the last.
    pub(super) fn start(&self, number: usize) -> usize {
        self.starts.get(number).map_or(self.text.len(), |line| line.0)
    }

    /// A line with its end.
    pub(super) fn whole(&self, number: usize) -> &'t str {
        &self.text[self.start(number)..self.start(number + 1)]
    }

    pub(super) fn line(&self, number: usize) -> &'t str {
        self.whole(number).trim_end_matches('\n')
    }

    /// The level and the words of a heading.
    pub(super) fn heading(&self, number: usize) -> Option<(usize, &'t str)> {
        let line = self.line(number);
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        let is_heading =
            (1..=6).contains(&level) && line[level..].starts_with(' ') && !self.is_fenced(number);
        is_heading.then(|| (level, line[level + 1..].trim_start()))
    }

    fn is_fenced(&self, number: usize) -> bool {
        self.starts.get(number).is_some_and(|line| line.1)
    }

    pub(super) fn is_blank(&self, number: usize) -> bool {
        self.line(number).trim().is_empty()
    }

    /// The line that contains a byte; after the last for the end of the text.
    pub(super) fn at(&self, at: usize) -> usize {
        if at >= self.text.len() {
            return self.len();
        }
        self.starts.partition_point(|line| line.0 <= at).saturating_sub(1)
    }

    /// The first line with words at a place: line ends are written with the words that follow them.
    pub(super) fn of(&self, at: usize) -> usize {
        let mut number = self.at(at);
        if self.is_after_words(at) {
            number += 1;
        }
        while number < self.len() && self.is_blank(number) {
            number += 1;
        }
        number
    }

    /// True for a place after the words of a line.
    fn is_after_words(&self, at: usize) -> bool {
        at > self.start(self.at(at)) && self.text.get(at..).is_some_and(|rest| rest.starts_with('\n'))
    }

    /// The first line of the block that a line belongs to, but not before `floor`.
    fn block_start(&self, mut number: usize, floor: usize) -> usize {
        while number > floor && number < self.len() && (self.is_fenced(number) || !self.is_blank(number - 1))
        {
            number -= 1;
        }
        number
    }

    /// True for a paragraph of one line.
    pub(super) fn is_alone(&self, number: usize) -> bool {
        let line = self.line(number);
        let is_block = line.starts_with(['|', '>', '-', '`', '!', '#', ' ', '['])
            || line.starts_with(|c: char| c.is_ascii_digit() && line.contains(". "));
        !is_block && self.is_blank(number + 1) && (number == 0 || self.is_blank(number - 1))
    }
}

/// A claim for each label, in their order; lines never go back. `None` for an unplaced label without a heading.
pub(super) fn settle(lines: &TextLines<'_>, labels: &[TocLabel<'_>]) -> Vec<Option<HeadingClaim>> {
    let from: Vec<usize> = labels.iter().map(|label| lines.of(label.at)).collect();
    let mut claims = Vec::with_capacity(labels.len());
    let (mut start, mut floor) = (0, 0);
    while start < labels.len() {
        let same = from[start..].iter().take_while(|&&line| line == from[start]).count();
        let until = from.get(start + same).copied().unwrap_or(lines.len());
        let group =
            LabelGroup { lines, labels: &labels[start..start + same], from: from[start], until, floor };
        for claim in group.claims() {
            if let Some(claim) = &claim {
                floor = claim.line() + usize::from(!matches!(claim, HeadingClaim::Put { .. }));
            }
            claims.push(claim);
        }
        start += same;
    }
    claims
}

/// Labels that point to the same place.
struct LabelGroup<'g> {
    lines: &'g TextLines<'g>,
    labels: &'g [TocLabel<'g>],
    from: usize,
    /// The place of the next label.
    until: usize,
    /// The lines before this one are taken.
    floor: usize,
}

impl LabelGroup<'_> {
    fn claims(&self) -> Vec<Option<HeadingClaim>> {
        let near = self.near();
        let far = self.far();
        let wanted: Vec<Vec<String>> = self.labels.iter().map(|label| words(label.words)).collect();
        let mut found = FoundClaims::new(self.labels.len());
        for (at, wanted) in wanted.iter().enumerate() {
            found.set(at, near.heading_with(&same_key(wanted), &near.same, found.free(at)));
        }
        for at in found.open(self.labels, |label| !label.is_sure()) {
            found.set(at, far.heading_with(&same_key(&wanted[at]), &far.same, found.free(at)));
        }
        for at in found.open(self.labels, |label| label.is_placed()) {
            found.set(at, near.similar(&wanted[at], found.free(at)));
        }
        for at in found.open(self.labels, |label| label.confidence == AnchorConfidence::Loose) {
            let named = name_key(&wanted[at]);
            found.set(at, named.and_then(|key| far.heading_with(&key, &far.named, found.free(at))));
        }
        for at in found.open(self.labels, |label| label.is_placed()) {
            found.set(at, near.title(&wanted[at], found.free(at)));
        }
        self.take_target(&mut found);
        let mut found = found.claims;
        self.begin_at_target(&mut found);
        self.begin_at_number(&mut found);
        self.with_put(&found)
    }

    /// The lines among which headings may be.
    fn near(&self) -> CandidateLines<'_> {
        let end = self.until.max(self.from);
        let most = MAX_NEAR_LINES + 2 * self.labels.len();
        let ahead = (self.from.max(self.floor)..end).filter(|&line| !self.lines.is_blank(line)).take(most);
        // The heading whose words end directly before the place.
        let before = (self.floor..self.from).rev().find(|&line| !self.lines.is_blank(line));
        let before = before.filter(|&line| self.lines.heading(line).is_some());
        CandidateLines::new(self.lines, ahead.collect(), before)
    }

    /// The candidates for labels without a place: all headings between their neighbours.
    fn far(&self) -> CandidateLines<'_> {
        let is_sure = self.labels.iter().all(TocLabel::is_sure);
        let end = if is_sure { self.floor } else { self.until.max(self.from) };
        let headings = (self.floor..end).filter(|&line| self.lines.heading(line).is_some());
        CandidateLines::new(self.lines, headings.collect(), None)
    }

    /// A heading that labels point to belongs to the innermost of them without a heading, whatever its words.
    fn take_target(&self, found: &mut FoundClaims) {
        let Some((level, _)) = self.lines.heading(self.from) else { return };
        let open = found.open(self.labels, |label| label.confidence == AnchorConfidence::Place);
        let Some(&at) = open.last() else { return };
        if found.free(at).contains(self.from) {
            found.set(at, Some(HeadingClaim::Heading { line: self.from, level, begin: self.from }));
        }
    }

    /// Lines between the place of the first label and its heading belong to its section: numbers, epigraphs,
    /// pictures.
    fn begin_at_target(&self, found: &mut [Option<HeadingClaim>]) {
        let Some(at) = self.labels.iter().position(TocLabel::is_sure) else { return };
        let is_first = found[..at].iter().flatten().next().is_none();
        let Some(claim) = found[at].as_mut().filter(|_| is_first) else { return };
        let begin = self.lines.block_start(self.from.min(self.lines.len()), self.floor);
        let has_heading = || (begin..claim.line()).any(|line| self.lines.heading(line).is_some());
        if begin < claim.line() && !has_heading() {
            claim.begins_at(begin);
        }
    }

    /// Headings and paragraphs that only count, directly above the heading of a label, belong to its section.
    fn begin_at_number(&self, found: &mut [Option<HeadingClaim>]) {
        let taken: HashSet<usize> = found.iter().flatten().map(HeadingClaim::line).collect();
        for claim in found.iter_mut().flatten() {
            let mut begin = claim.begin();
            while let Some(above) = self.number_above(begin).filter(|above| !taken.contains(above)) {
                begin = above;
            }
            claim.begins_at(begin);
        }
    }

    /// The line of a heading or a paragraph that only counts, with nothing but marks of pages between it and a line.
    fn number_above(&self, line: usize) -> Option<usize> {
        let is_mark = |line: &str| line.starts_with("<!--") && line.ends_with("-->");
        let has_words = |&above: &usize| !self.lines.is_blank(above) && !is_mark(self.lines.line(above));
        let above = (self.floor..line).rev().find(has_words)?;
        let counts = match self.lines.heading(above) {
            Some((_, words)) => is_number(&heading_words(words)),
            None => self.lines.is_alone(above) && is_count(&heading_words(self.lines.line(above))),
        };
        counts.then_some(above)
    }

    /// Inserts headings for labels without one: where their block begins, and after those before them.
    fn with_put(&self, found: &[Option<HeadingClaim>]) -> Vec<Option<HeadingClaim>> {
        // The first line at which a later section begins, for each label.
        let mut next = vec![usize::MAX; found.len() + 1];
        for (number, claim) in found.iter().enumerate().rev() {
            next[number] = next[number + 1].min(claim.as_ref().map_or(usize::MAX, HeadingClaim::begin));
        }
        let start = self.lines.block_start(self.from.min(self.lines.len()), self.floor);
        let mut floor = self.floor;
        let mut claims = Vec::with_capacity(self.labels.len());
        for (number, label) in self.labels.iter().enumerate() {
            let put = || HeadingClaim::Put { line: start.min(next[number]).max(floor) };
            let claim =
                found[number].or_else(|| (label.confidence != AnchorConfidence::UnplacedEntry).then(put));
            floor = claim.map_or(floor, |claim| match claim {
                HeadingClaim::Put { line } => line,
                other => other.line() + 1,
            });
            claims.push(claim);
        }
        claims
    }
}

/// The lines that a label may claim: between those of the labels before and after it.
#[derive(Debug, Clone, Copy)]
struct FreeLines {
    after: Option<usize>,
    before: usize,
}

impl FreeLines {
    fn contains(self, line: usize) -> bool {
        self.after.is_none_or(|after| line > after) && line < self.before
    }

    /// The first free line of some that are in order.
    fn first_of(self, lines: &[usize]) -> Option<usize> {
        let next = lines.partition_point(|&line| self.after.is_some_and(|after| line <= after));
        lines.get(next).copied().filter(|&line| line < self.before)
    }
}

/// The claims of a group as they are found. Lines rise with labels.
struct FoundClaims {
    claims: Vec<Option<HeadingClaim>>,
    lines: BTreeMap<usize, usize>,
}

impl FoundClaims {
    fn new(labels: usize) -> FoundClaims {
        FoundClaims { claims: vec![None; labels], lines: BTreeMap::new() }
    }

    fn free(&self, at: usize) -> FreeLines {
        let after = self.lines.range(..at).next_back().map(|(_, line)| *line);
        let before = self.lines.range(at..).next().map_or(usize::MAX, |(_, line)| *line);
        FreeLines { after, before }
    }

    fn set(&mut self, at: usize, claim: Option<HeadingClaim>) {
        if let Some(claim) = claim {
            self.lines.insert(at, claim.line());
            self.claims[at] = Some(claim);
        }
    }

    /// The labels without a claim that a search is for.
    fn open(&self, labels: &[TocLabel<'_>], is_meant: fn(&TocLabel<'_>) -> bool) -> Vec<usize> {
        let is_open = |at: &usize| self.claims[*at].is_none() && is_meant(&labels[*at]);
        (0..labels.len()).filter(is_open).collect()
    }
}

/// Lines in order, by what they say.
type LinesByWords = HashMap<String, Vec<usize>>;

/// Lines among which the labels of a group look for their headings. Each line is read once, and looked up by its words:
/// contents and headings may both be thousands.
struct CandidateLines<'l> {
    lines: &'l TextLines<'l>,
    /// In order.
    ahead: Vec<usize>,
    /// A line above them that counts last.
    before: Option<usize>,
    /// The words of each.
    words: HashMap<usize, Vec<String>>,
    /// Headings by all their words.
    same: LinesByWords,
    /// Headings by their words without a number.
    named: LinesByWords,
    /// Paragraphs of one line.
    titles: LinesByWords,
}

impl<'l> CandidateLines<'l> {
    fn new(lines: &'l TextLines<'l>, ahead: Vec<usize>, before: Option<usize>) -> CandidateLines<'l> {
        let mut found = CandidateLines {
            lines,
            ahead,
            before,
            words: HashMap::new(),
            same: HashMap::new(),
            named: HashMap::new(),
            titles: HashMap::new(),
        };
        for &line in found.ahead.iter().chain(&before) {
            let own = words(lines.heading(line).map_or_else(|| lines.line(line), |(_, text)| text));
            if lines.heading(line).is_some() {
                found.same.entry(same_key(&own)).or_default().push(line);
                if let Some(name) = name_key(&own) {
                    found.named.entry(name).or_default().push(line);
                }
            } else if lines.is_alone(line) && !own.is_empty() {
                found.titles.entry(own.join(" ")).or_default().push(line);
            }
            found.words.insert(line, own);
        }
        found
    }

    /// The first free line of a list, of which the one above may be the last.
    fn first_free(&self, known: &[usize], free: FreeLines) -> Option<usize> {
        let (ahead, last) = match known.split_last() {
            Some((last, ahead)) if Some(*last) == self.before => (ahead, Some(*last)),
            _ => (known, None),
        };
        free.first_of(ahead).or(last.filter(|&line| free.contains(line)))
    }

    fn claim(&self, line: usize) -> Option<HeadingClaim> {
        let (level, _) = self.lines.heading(line)?;
        Some(HeadingClaim::Heading { line, level, begin: line })
    }

    /// The first free heading with these words.
    fn heading_with(&self, key: &str, by_words: &LinesByWords, free: FreeLines) -> Option<HeadingClaim> {
        self.claim(self.first_free(by_words.get(key)?, free)?)
    }

    /// The first free heading that is similar, among so many as books have at one place.
    fn similar(&self, wanted: &[String], free: FreeLines) -> Option<HeadingClaim> {
        let first = self.ahead.partition_point(|&line| free.after.is_some_and(|after| line <= after));
        let ahead = self.ahead[first..].iter().copied().take_while(|&line| line < free.before);
        let above = self.before.filter(|&line| free.contains(line));
        let mut near = ahead.take(MAX_COMPARED_HEADINGS).chain(above);
        let is_near =
            |line: &usize| self.lines.heading(*line).is_some() && is_similar(wanted, &self.words[line]);
        self.claim(near.find(is_near)?)
    }

    /// The first free paragraph that is a label, or its beginning.
    fn title(&self, wanted: &[String], free: FreeLines) -> Option<HeadingClaim> {
        let mut beginning = String::new();
        let mut lines = Vec::new();
        for word in wanted {
            beginning.push_str(if beginning.is_empty() { "" } else { " " });
            beginning.push_str(word);
            lines.extend(self.titles.get(&beginning).and_then(|known| self.first_free(known, free)));
        }
        // The line above counts last.
        let line = lines.into_iter().min_by_key(|line| (Some(*line) == self.before, *line))?;
        Some(HeadingClaim::Title { line, begin: line })
    }
}

/// The words of a label or heading, wherever white space is between them.
fn same_key(words: &[String]) -> String {
    words.concat()
}

/// The words after a number, if there are any.
fn name_key(words: &[String]) -> Option<String> {
    let name = unnumbered(words);
    (!name.is_empty()).then(|| name.join(" "))
}

/// True for the same words after a number.
fn is_named(label: &[String], heading: &[String]) -> bool {
    let (name, own) = (unnumbered(label), unnumbered(heading));
    !name.is_empty() && name == own
}

/// True if one is a part of the other, or the heading has most words of the label.
fn is_similar(label: &[String], heading: &[String]) -> bool {
    if label.is_empty() || heading.is_empty() {
        return false;
    }
    if is_named(label, heading) {
        return true;
    }
    let contains = |long: &[String], short: &[String]| long.windows(short.len()).any(|part| part == short);
    if contains(label, heading)
        || (contains(heading, label) && heading.len() <= label.len() + MAX_EXTRA_WORDS)
    {
        return true;
    }
    label.len() > 2 && label.iter().filter(|word| heading.contains(word)).count() * 10 >= label.len() * 7
}

/// Without a leading number, which contents and pages may write in different figures: `II. Friendship`, `2. Friendship`.
fn unnumbered(words: &[String]) -> &[String] {
    let is_number = |word: &String| {
        word.chars().all(|c| c.is_ascii_digit()) || word.chars().all(|c| "ivxlcdm".contains(c))
    };
    match words.split_first() {
        Some((first, rest)) if is_number(first) => rest,
        _ => words,
    }
}

/// The words of a line in the form in which they are compared: without case and accents, `&` as the word that it
/// means.
pub(super) fn words(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(MAX_COMPARED_LINE_BYTES)];
    let plain: String = text.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).collect();
    plain
        .replace('&', " and ")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with every heading, these labels take minutes.
    #[test]
    fn many_labels_find_their_headings_among_many() {
        const COUNT: usize = 20_000;
        let text: String = (0..COUNT).map(|at| format!("# Chapter {at}\n\nwords\n\n")).collect();
        let lines = TextLines::new(&text);
        let settled = |confidence, number: &dyn Fn(usize) -> usize| {
            let names: Vec<String> = (0..COUNT).map(|at| format!("Chapter {}", number(at))).collect();
            let label = |(seq, words)| TocLabel { seq, level: 1, words, at: 0, confidence };
            let labels: Vec<TocLabel<'_>> = names.iter().map(String::as_str).enumerate().map(label).collect();
            let claims = settle(&lines, &labels);
            claims.iter().flatten().filter(|claim| claim.level().is_some()).count()
        };
        assert_eq!(settled(AnchorConfidence::Loose, &|at| at), COUNT);
        assert_eq!(settled(AnchorConfidence::UnplacedEntry, &|at| COUNT - 1 - at), 1);
        assert_eq!(settled(AnchorConfidence::UnplacedEntry, &|at| at + COUNT), 0);
    }

    #[test]
    fn headings_have_one_to_six_signs_and_a_blank() {
        let text = "#One\n# One\n###### a\n####### a\n##  b\nwords\n```\n# c\n```\n# d\n";
        let lines = TextLines::new(text);
        let found: Vec<Option<(usize, &str)>> = (0..lines.len()).map(|line| lines.heading(line)).collect();
        let mut expected = vec![None; 10];
        expected[1] = Some((1, "One"));
        expected[2] = Some((6, "a"));
        expected[4] = Some((2, "b"));
        expected[9] = Some((1, "d"));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_place_belongs_to_the_words_after_it() {
        let lines = TextLines::new("a\n\nb\n");
        let found: Vec<usize> = (0..6).map(|at| lines.of(at)).collect();
        assert_eq!(found, [0, 2, 2, 2, 3, 3]);
        let lines = TextLines::new("a\nb\n\nc\n");
        let starts =
            [(0, 0), (1, 0), (1, 1), (3, 0), (4, 0)].map(|(line, floor)| lines.block_start(line, floor));
        assert_eq!(starts, [0, 0, 1, 3, 4]);
    }

    #[test]
    fn a_paragraph_of_one_line_is_alone() {
        let lines = TextLines::new("a\n\nb\nc\n\n1. x\n\n1 y\n\na. z\n\n| t\n");
        let alone: Vec<usize> = (0..lines.len()).filter(|&line| lines.is_alone(line)).collect();
        // Blank lines are asked about by nobody.
        let alone: Vec<usize> = alone.into_iter().filter(|&line| !lines.is_blank(line)).collect();
        assert_eq!(alone, [0, 7, 9]);
        for block in ["|", ">", "-", "`", "!", "#", " ", "["] {
            assert!(!TextLines::new(&format!("{block}x\n")).is_alone(0), "{block}");
        }
    }

    #[test]
    fn a_heading_may_have_most_words_of_its_label() {
        let check = |label: &str, heading: &str, expected: bool| {
            assert_eq!(is_similar(&words(label), &words(heading)), expected, "{label} - {heading}");
        };
        check("a", "", false);
        check("", "a", false);
        check("a b", "a", true);
        check("a", "a 2 3 4 5 6 7 8 9", true);
        check("a", "a 2 3 4 5 6 7 8 9 10", false);
        check("a b", "b a", false);
        check("a b e", "e b a", true);
        check("a b e", "b a", false);
        check("a b e f", "x b a e", true);
        check("a b e f", "x b a", false);
        check("a b e f g h j k n o", "j h g f e b a", true);
        check("a b e f g h j k n o", "h g f e b a", false);
        check("II. Cat", "2. Cat", true);
        check("Cat dog", "Cow dog", false);
    }
}

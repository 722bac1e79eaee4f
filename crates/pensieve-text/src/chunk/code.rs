//! Source code and structured data, by lines: what a cut between two lines would interrupt.
//!
//! A chunk of code begins at a definition, with its comment and attributes, wherever that is possible; a function that
//! is too long is cut at its blank lines and at the ends of its blocks. Indentation and braces say what is inside of
//! what, so no grammar is needed, and each chunk knows the definitions around it.

use super::boundary::BoundaryRank;
use super::code_lines::{CodeLine, LineKind, code_lines, depth_change};
use super::definitions::{DefinitionKind, Scopes};
use super::outline::{BoundaryCollector, OverlapStart, ProtectedSpan, SegmentOutline};
use crate::model::Span;

/// The outline of code.
pub(super) fn outline(mut collector: BoundaryCollector<'_>) -> SegmentOutline {
    let text = collector.text();
    let lines = code_lines(text);
    let mut outliner = Outliner::new(text, &lines);
    let mut paths: Vec<(usize, Option<String>)> = Vec::new();
    let mut above = None;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.span.is_blank()) {
        let rank = outliner.next(at, above);
        if let Some(rank) = rank.filter(|_| above.is_some()) {
            collector.mark(line.span.start, rank, is_fresh(rank));
        }
        if outliner.scopes.has_changed() {
            paths.push((line.span.start, outliner.scopes.path()));
        }
        above = Some(at);
    }
    // All code is protected: within a line it is cut only if the line is too long for a chunk.
    let whole = ProtectedSpan { span: Span::new(0, text.len()), context: None };
    let overlap = OverlapStart::Fresh;
    SegmentOutline { boundaries: collector.finish(), protected: vec![whole], paths, overlap }
}

/// True for the beginnings of definitions, and of paragraphs outside of all functions.
fn is_fresh(rank: BoundaryRank) -> bool {
    rank >= BoundaryRank::Section5
}

/// Goes through the lines of code, from top to bottom.
struct Outliner<'t> {
    text: &'t str,
    lines: &'t [CodeLine],
    /// For each line of a comment or of attributes, the line that it is about; for other lines their own number.
    subjects: Vec<usize>,
    scopes: Scopes<'t>,
    /// The indentations of the blocks that the last statement is inside of, and its own.
    levels: Vec<usize>,
    head: Head,
}

/// Where the last line was in the head of a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// Outside.
    None,
    /// Between the parentheses of its parameters.
    Parameters { depth: isize },
    /// At its end.
    End,
}

impl<'t> Outliner<'t> {
    fn new(text: &'t str, lines: &'t [CodeLine]) -> Outliner<'t> {
        let subjects = subjects(lines);
        Outliner { text, lines, subjects, scopes: Scopes::default(), levels: Vec::new(), head: Head::None }
    }

    /// Goes to the next line that is not blank and ranks a cut before it; `None` if there should be none.
    fn next(&mut self, at: usize, above: Option<usize>) -> Option<BoundaryRank> {
        let line = &self.lines[at];
        let after_blank = above.is_some_and(|above| above + 1 < at);
        if above.is_some_and(|above| self.subjects[above] >= at) {
            // Inside a comment, or between a comment and what it is about.
            let is_inside = above.is_some_and(|above| self.lines[above].kind == line.kind);
            return Some(self.inside(above, after_blank))
                .filter(|_| is_inside && line.kind == LineKind::Comment);
        }
        let subject = &self.lines[self.subjects[at]];
        let found = self.scopes.enter(self.text, subject);
        let head = std::mem::replace(&mut self.head, Head::None);
        if let Head::Parameters { depth } = head
            && !after_blank
        {
            self.head = self.head_after(line, depth);
            // Between parameters only if nothing else is left, and never before the closing parenthesis.
            return Some(BoundaryRank::Protected).filter(|_| line.kind != LineKind::Closing);
        }
        match line.kind {
            LineKind::Closing => return None,
            // Braces in the style of GNU and Allman stand on a line of their own below the head.
            LineKind::Opening if above.is_some_and(|above| self.takes_brace(above)) => {
                self.head = head;
                return None;
            }
            // `else` and `catch` belong to the statement above.
            LineKind::Branch => return Some(BoundaryRank::Protected),
            // A docstring below the head of its function, or a line inside of a string.
            LineKind::Text if line.is_inside || head == Head::End => {
                return Some(self.inside(above, after_blank));
            }
            _ => {}
        }
        let depth = self.scopes.open.len();
        let statement = self.statement(subject, above, after_blank, found.is_some());
        if found.is_some_and(|found| found.kind != DefinitionKind::Value) {
            self.head = self.head_after(subject, 0);
        }
        // The first statement stays with the head of its function.
        if head == Head::End {
            return Some(BoundaryRank::ProtectedBlank);
        }
        let is_apart = after_blank || self.subjects[at] > at;
        // `// Helpers` above a blank line is the title of what follows.
        if above.is_some_and(|above| self.is_title(above)) {
            return Some(BoundaryRank::Line);
        }
        Some(match found {
            // A constant is an item if a comment or a blank line is above it; in a row it is a statement.
            Some(found) if found.kind != DefinitionKind::Value || is_apart => {
                match (depth, self.scopes.is_local()) {
                    // A function inside of a function is no place to begin a chunk.
                    (_, true) => BoundaryRank::SentenceLine,
                    (0 | 1, _) => BoundaryRank::Section1,
                    (2, _) => BoundaryRank::Section2,
                    _ => BoundaryRank::Section3,
                }
            }
            _ => statement,
        })
    }

    fn head_after(&self, line: &CodeLine, depth: isize) -> Head {
        match depth + depth_change(line.words(self.text)) {
            depth if depth > 0 => Head::Parameters { depth },
            _ => Head::End,
        }
    }

    /// The rank of a cut inside a comment or a string: between its paragraphs, or between its lines.
    fn inside(&self, above: Option<usize>, after_blank: bool) -> BoundaryRank {
        let is_empty = above.is_some_and(|above| {
            let words = self.lines[above].words(self.text);
            // A line with `//`, `#`, `*` or `--` alone separates the paragraphs of a comment.
            words.len() <= 3 && !words.starts_with("/*")
        });
        if after_blank || is_empty { BoundaryRank::ProtectedBlank } else { BoundaryRank::Protected }
    }

    /// True for a comment of one line that is about no line, but about the part of the file below it.
    fn is_title(&self, at: usize) -> bool {
        let is_alone = |at: usize| self.lines[at].kind == LineKind::Comment && self.subjects[at] == at;
        is_alone(at) && at.checked_sub(1).is_none_or(|above| self.lines[above].kind != LineKind::Comment)
    }

    /// True if a brace on a line of its own belongs to the line above.
    fn takes_brace(&self, above: usize) -> bool {
        // After these a brace begins a block or an element of its own.
        !self.lines[above].words(self.text).ends_with([',', ';', '{', '[', '(', '}'])
    }

    /// The rank of a cut before a statement, by its depth below the definition around it.
    fn statement(
        &mut self,
        line: &CodeLine,
        above: Option<usize>,
        after_blank: bool,
        opens: bool,
    ) -> BoundaryRank {
        // `#if` stands at the margin whatever it is inside of.
        let indent = match above {
            Some(_) if line.kind == LineKind::Directive => self.levels.last().copied().unwrap_or(0),
            _ => line.indent(),
        };
        while self.levels.last().is_some_and(|level| *level > indent) {
            self.levels.pop();
        }
        if self.levels.last() != Some(&indent) {
            self.levels.push(indent);
        }
        // A line that opens a definition belongs to the one around it.
        let around = self.scopes.open.iter().rev().nth(usize::from(opens));
        let in_callable = around.is_some_and(|open| open.definition.kind == DefinitionKind::Callable);
        let outside = around.map_or(0, |open| self.levels.partition_point(|level| *level <= open.indent));
        let depth = self.levels.len().saturating_sub(outside + 1);
        let above = above.map(|above| &self.lines[above]);
        let block_ended =
            above.is_some_and(|above| above.kind == LineKind::Closing || above.indent() > indent);
        let begins_block =
            above.is_some_and(|above| above.indent() < indent && opens_block(above.words(self.text)));
        let goes_on = above.is_some_and(|above| {
            // The statement goes on in the next line.
            above.kind == LineKind::Code && above.words(self.text).ends_with(['=', '\\', '+', '&', '|'])
        });
        match (after_blank, block_ended, depth) {
            // A head stays with the first line of its block, a statement with its next line.
            _ if begins_block || goes_on => BoundaryRank::Protected,
            // In functions no rank is above `Line`, so that a chunk rather ends between two items.
            _ if in_callable => match (after_blank, block_ended, depth) {
                (true, _, 0) => BoundaryRank::Line,
                (true, _, 1) | (false, true, 0) => BoundaryRank::Clause,
                (true, _, _) | (false, true, 1) | (false, false, 0) => BoundaryRank::Word,
                (false, true, _) | (false, false, 1) => BoundaryRank::ProtectedBlank,
                _ => BoundaryRank::Protected,
            },
            (true, _, 0) => BoundaryRank::Section4,
            (false, true, 0) => BoundaryRank::Section5,
            (true, _, 1) => BoundaryRank::Block,
            (false, true, 1) | (false, false, 0) => BoundaryRank::Item,
            (true, _, _) => BoundaryRank::SentenceLine,
            (false, false, 1) | (false, true, 2) => BoundaryRank::Sentence,
            _ => BoundaryRank::Line,
        }
    }
}

/// For each line of a comment or of attributes, the line that it is about; the last line of the comment if it is about
/// none.
fn subjects(lines: &[CodeLine]) -> Vec<usize> {
    let mut subjects: Vec<usize> = (0..lines.len()).collect();
    let mut below = lines.len();
    for at in (0..lines.len()).rev() {
        let next = match lines[at].kind {
            // An attribute may have blank lines and comments below it; a comment above a blank line is about
            // nothing.
            LineKind::Attribute => below,
            LineKind::Comment => at + 1,
            _ => lines.len(),
        };
        if lines.get(next).is_some_and(|next| {
            !matches!(next.kind, LineKind::Blank | LineKind::Closing | LineKind::Branch | LineKind::Opening)
        }) {
            subjects[at] = subjects[next];
        }
        if !lines[at].span.is_blank() {
            below = at;
        }
    }
    subjects
}

/// True for the first line of a block, which must not be separated from the block.
fn opens_block(words: &str) -> bool {
    words.ends_with(['{', '(', '[', ':'])
}

#[cfg(test)]
mod tests {
    use super::super::{ChunkOptions, Chunker, StrategyChoice};
    use crate::layout::WindowOptions;
    use crate::model::{ChunkStrategy, Segment};
    use crate::text::tokens::Tokenizer;

    /// The chunks of a text, each with its path.
    fn chunks(text: &str, size: usize, overlap: usize) -> Vec<(String, String)> {
        let windows = WindowOptions::default();
        let options = ChunkOptions { size, overlap, strategy: StrategyChoice::Auto, windows };
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let segment = Segment { text: text.to_owned(), ..Segment::default() };
        let chunks = Chunker::new(&options, ChunkStrategy::Code, counter).cut(&segment);
        let of = |chunk: super::super::TextChunk| {
            (text[chunk.span.range()].to_owned(), chunk.heading_path.unwrap_or_default())
        };
        chunks.into_iter().map(of).collect()
    }

    /// Every chunk of many items below a first line begins and ends with certain words, and its path ends with the name
    /// of its first item.
    fn check(first: &str, item: &str, begins: &str, ends: &str, path: &str) {
        let items: String = (0..40).map(|i| item.replace('§', &i.to_string())).collect();
        let text = format!("{first}{items}");
        for (size, overlap) in [(128, 0), (128, 20), (256, 50)] {
            let found = chunks(&text, size, overlap);
            assert!(found.len() > 5);
            for (content, found) in &found[1..] {
                let words = content.trim_start();
                assert!(words.starts_with(begins) && words.ends_with(ends), "{size}: {content}");
                let number: String = words
                    .chars()
                    .skip_while(|c| !c.is_ascii_digit())
                    .take_while(char::is_ascii_digit)
                    .collect();
                assert_eq!(*found, path.replace('§', &number), "{content}");
            }
        }
    }

    #[test]
    fn chunks_begin_with_the_comment_of_an_item_and_end_with_its_end() {
        let body = "    int a = read(phase);\n    if (a > 3)\n    {\n        a = 3;\n    }\n    return a;\n";
        // A comment without stars, types on their own line, braces of GNU and of Allman.
        check(
            "",
            &format!("/* Level §\n   of the tide. */\nstatic int\nlevel_§ (int phase)\n{{\n{body}}}\n\n"),
            "/* Level",
            "}",
            "level_§",
        );
        check(
            "",
            &format!("// Level §\n// of the tide.\nint Tide::level§(int phase)\n{{\n{body}}}\n"),
            "// Level",
            "}",
            "Tide > level§",
        );
        check(
            "namespace Harbour\n{\n    public class Tide : Base\n    {\n",
            "        /// <summary>Level §.</summary>\n        [HttpGet(\"level\")]\n        [Authorize(\n            Roles = \"a\")]\n        public async Task<int> Level§(int id)\n        {\n            if (id > 1)\n            {\n                return 1;\n            }\n            return 2;\n        }\n\n",
            "/// <summary>Level",
            "}",
            "Harbour > Tide > Level§",
        );
        check(
            "public class Tide {\n",
            "    /**\n     * Level §.\n\n     Without a star.\n     */\n    @Override\n    @Get(\n        \"level\"\n    )\n    public int level§(int id) throws Bad {\n        if (id > 1) {\n            return 1;\n        } else {\n            return 2;\n        }\n    }\n\n",
            "/**\n",
            "}",
            "Tide > level§",
        );
        check(
            "package tide\n\n",
            "// Level§ is the level.\nfunc (g *Gauge) Level§(phase int) (int, error) {\n\tv, err := g.read(phase)\n\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\n\treturn v, nil\n}\n\n",
            "// Level",
            "}",
            "Gauge > Level§",
        );
        check(
            "impl<T> Tide<T> for Gauge<T>\nwhere\n    T: Copy,\n{\n",
            "    /// Level §.\n    #[inline]\n    pub fn level_§(\n        &self,\n        phase: u32,\n    ) -> u32 {\n        let a = self.read(phase);\n\n        a + 1\n    }\n\n",
            "/// Level",
            "}",
            "Gauge > level_§",
        );
    }

    #[test]
    fn words_end_blocks_and_strings_stay_with_their_item() {
        check(
            "import os\n\n\nclass Gauge:\n",
            "    @cached\n    def level_§(self, phase):\n        \"\"\"Level §.\n\n        Waits for the moon.\n\n        class Moon: no code.\n        \"\"\"\n        value = self.read(phase)\n\n        if value:\n            value += 1\n        else:\n            value = 2\n\n        return value\n\n",
            "@cached\n",
            "return value",
            "Gauge > level_§",
        );
        check(
            "Option Explicit\n\n",
            "' Level § isn't read\n' by the moon\nPublic Function Level§(phase As Integer) As Integer\n    If phase = 1 Then\n        phase = 2\n    End If\n    Level§ = phase\nEnd Function\n\n",
            "' Level",
            "End Function",
            "Level§",
        );
        check(
            "",
            "-- Level §\nCREATE OR REPLACE FUNCTION tide.level_§(phase int)\nRETURNS int\nLANGUAGE plpgsql\nAS $$\nDECLARE\n  v int;\nBEGIN\n  v := phase;\n\n  IF v > 1 THEN\n    v := 2;\n  END IF;\n\n  RETURN v;\nEND;\n$$;\n\n",
            "-- Level",
            "$$;",
            "level_§",
        );
        check(
            "",
            "CREATE PROCEDURE level_§\nAS\nBEGIN\n  UPDATE tide SET level = 1;\n\n  UPDATE moon SET phase = 2;\nEND;\n\n",
            "CREATE",
            "END;",
            "level_§",
        );
        check(
            "module Tide\n  class Gauge < Base\n",
            "    # Level §\n    def level_§(phase)\n      text = <<~TEXT\nclass Moon\n      TEXT\n      phase.each do |a|\n        puts a\n      end\n\n      text\n    end\n\n",
            "# Level",
            "end",
            "Tide > Gauge > level_§",
        );
        check(
            "local M = {}\n\n",
            "--[[ Level §\nof the tide ]]\nfunction M.level_§(phase)\n  for i = 1, 3 do\n    phase = phase + i\n  end\n\n  return phase\nend\n\n",
            "--[[",
            "end",
            "M > level_§",
        );
    }

    #[test]
    fn a_long_function_is_cut_between_its_statements_and_knows_its_name() {
        let steps: String = (0..30)
            .map(|i| {
                format!(
                    "        // Step {i}.\n        if ready({i}) {{\n            go({i});\n        }}\n\n"
                )
            })
            .collect();
        let text = format!(
            "impl Tide {{\n    fn small() {{}}\n\n    /// Rises.\n    fn rise(&self) {{\n{steps}    }}\n\n    fn fall() {{}}\n}}\n"
        );
        let found = chunks(&text, 128, 30);
        assert!(found.len() > 5);
        assert_eq!(found[0].1, "Tide");
        for (content, path) in &found[1..found.len() - 1] {
            assert!(content.starts_with("        // Step") && content.ends_with('}'), "{content}");
            assert_eq!(path, "Tide > rise");
        }
    }

    #[test]
    fn overlap_begins_at_an_item() {
        let body: String = (0..60).map(|i| format!("    call_number({i});\n")).collect();
        let text = format!("fn first() {{\n    a();\n}}\n\n/// Long.\nfn long() {{\n{body}}}\n");
        for (content, _) in chunks(&text, 64, 25) {
            assert!(
                content.starts_with("fn first")
                    || content.starts_with("/// Long")
                    || content.starts_with("    call"),
                "{content}"
            );
        }
        let overlaps = chunks(&text, 64, 25)
            .windows(2)
            .filter(|pair| pair[1].0.contains(pair[0].0.lines().last().unwrap()))
            .count();
        assert_eq!(overlaps, 0);
    }

    #[test]
    fn elements_of_data_keep_their_braces() {
        let element = |i: usize| format!("  {{\n    \"number\": {i},\n    \"name\": \"gauge {i}\"\n  }}");
        let text = format!("[\n{}\n]\n", (0..40).map(element).collect::<Vec<_>>().join(",\n"));
        for (content, path) in &chunks(&text, 96, 10)[1..] {
            assert!(content.starts_with("  {\n") && path.is_empty(), "{content}");
        }
    }
}

//! `pensieve eval`: how well a corpus answers questions whose answers are known.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::filters::FilterArgs;
use super::shared::terminal;
use clap::Args;
use pensieve_store::retrieval::eval::{
    EvalOptions, EvalQuestion, KindScores, QuestionError, QuestionScore, ScoreTable, evaluate,
};
use pensieve_store::store::{SearchMode, SearchOptions, Store, WordMatch};
use pensieve_text::model::numbers::{count, counted};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Measure how well search answers questions whose answers are known.
///
/// Each line of QUESTIONS is a JSON object: {"id":"q1","question":"when was it built?","path":"a.md","start":10,"end":90}
/// with bytes of the source file, or with "text":"the words" in place of start and end; docs/eval.md explains the other
/// keys, and the figures. Questions that name an unknown path, or words that a document does not have, are reported and
/// not counted; they end with exit code 1.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve eval corpus.db questions.jsonl --at 5,10")]
pub struct EvalArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The questions, one JSON object a line; `-` reads standard input.
    #[arg(value_name = "QUESTIONS")]
    questions: PathBuf,
    /// For how many of the first hits to give figures.
    #[arg(long = "at", alias = "limit", value_name = "K,...", value_delimiter = ',', default_value = "5,10",
          value_parser = clap::value_parser!(u16).range(1..))]
    limit: Vec<u16>,
    #[command(flatten)]
    filters: FilterArgs,
    /// What a question finds: chunks with any of its words, by how well they answer (auto, any), or with all words as
    /// written.
    #[arg(long = "match", value_name = "WORDS", default_value = "auto", value_parser = WordMatch::NAMES)]
    word_match: String,
    /// How chunks are found: by their words, by their meaning, or by both.
    #[arg(long, value_parser = SearchMode::NAMES)]
    mode: Option<String>,
    /// Store the mode in the database: its searches use it from now on unless another is asked for.
    #[arg(long, requires = "mode")]
    set_mode: bool,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object for each question before the result: its rank, its recall, and what was found.
    #[arg(long)]
    each: bool,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &EvalArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let asked = args.mode.as_deref().and_then(SearchMode::from_name);
    let embedder = context.embedder(&store, asked, args.config.as_deref())?;
    let mode = embedder.mode(&store, asked)?;
    let mut report = EvalReport::new(args, mode, context);
    let questions = report.read_questions(&args.questions)?;
    let options = EvalOptions {
        limits: report.table.limits.clone(),
        search: SearchOptions {
            mode,
            word_match: WordMatch::from_name(&args.word_match).unwrap_or_default(),
            documents: args.filters.0.clone(),
            ..SearchOptions::default()
        },
    };
    let mut printed = Ok(());
    evaluate(&store, &questions, &options, &embedder, &mut |question, score| {
        printed = match score {
            Ok(score) => {
                report.add(&score);
                if args.each { context.print_json(&score) } else { Ok(()) }
            }
            Err(error) => report.add_problem(question.line, Some(&question.id), &error),
        };
        printed.is_ok()
    })?;
    printed?;
    report.print()?;
    if args.set_mode {
        drop(store);
        let store = Store::open_for_change(&args.database)?;
        store.meta().set_search_mode(mode)?;
        store.close()?;
        context.say(&format!("searches of this database use `--mode {}` from now on", mode.as_str()));
    }
    Ok(if report.problems.is_empty() { CommandOutcome::Done } else { CommandOutcome::Problems })
}

/// The result so far.
struct EvalReport<'a> {
    args: &'a EvalArgs,
    mode: SearchMode,
    context: &'a CommandContext,
    table: ScoreTable,
    /// Questions that were not counted.
    problems: Vec<Value>,
    /// Questions that were answered by words though another mode was asked for.
    by_words: usize,
}

impl<'a> EvalReport<'a> {
    fn new(args: &'a EvalArgs, mode: SearchMode, context: &'a CommandContext) -> EvalReport<'a> {
        let mut limits: Vec<usize> = args.limit.iter().map(|&limit| usize::from(limit)).collect();
        limits.sort_unstable();
        limits.dedup();
        EvalReport { args, mode, context, table: ScoreTable::new(&limits), problems: Vec::new(), by_words: 0 }
    }

    /// The questions of a file; bad lines become problems.
    fn read_questions(&mut self, path: &Path) -> Result<Vec<EvalQuestion>, Failure> {
        let unreadable = |source| Failure::Unreadable { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        match path.as_os_str() == "-" {
            true => std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()).map_err(unreadable)?,
            false => bytes = std::fs::read(path).map_err(unreadable)?,
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut questions = Vec::new();
        for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match EvalQuestion::parse(line, at + 1) {
                Ok(question) => questions.push(question),
                Err(error) => self.add_problem(at + 1, None, &error)?,
            }
        }
        if questions.is_empty() && self.problems.is_empty() {
            return Err(Failure::Usage {
                message: format!("`{}` has no questions", path.display()),
                hint: "write one JSON object a line; docs/eval.md shows some".to_owned(),
            });
        }
        Ok(questions)
    }

    fn add(&mut self, score: &QuestionScore) {
        self.table.add(score);
        self.by_words += usize::from(score.mode != self.mode.as_str());
        if self.by_words == 1 {
            score.notes.iter().for_each(|note| self.context.say(&format!("note: {}", terminal::line(note))));
        }
    }

    fn add_problem(&mut self, line: usize, id: Option<&str>, error: &QuestionError) -> Result<(), Failure> {
        let name = id.map_or(String::new(), |id| format!(" ({id})"));
        self.context.complain(&format!("line {line}{name}: {error}"));
        let problem = json!({"line": line, "id": id, "problem": error.to_string()});
        if self.args.each {
            self.context.print_json(&problem)?;
        }
        self.problems.push(problem);
        Ok(())
    }

    fn print(&self) -> Result<(), Failure> {
        if self.args.json {
            return self.context.print_json(&self.json());
        }
        self.context.print(&format_table(&self.table))?;
        if self.by_words > 0 {
            let questions = counted(self.by_words as u64, "question");
            self.context.complain(&format!("{questions} answered by words, not by {}", self.mode.as_str()));
        }
        if !self.problems.is_empty() {
            let questions = counted(self.problems.len() as u64, "line");
            self.context.complain(&format!("{questions} not counted"));
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let kinds: Map<String, Value> =
            self.table.kinds.iter().map(|(kind, scores)| (kind.clone(), self.scores(scores))).collect();
        json!({
            "limits": self.table.limits, "match": self.args.word_match, "mode": self.mode.as_str(), "by_words": self.by_words, "all": self.scores(&self.table.all),
            "kinds": kinds, "not_counted": self.problems.len(), "problems": self.problems,
        })
    }

    fn scores(&self, scores: &KindScores) -> Value {
        let by_limit = |figure: &dyn Fn(usize) -> f64| {
            let limits = self.table.limits.iter().enumerate();
            limits.map(|(at, limit)| (limit.to_string(), rounded(figure(at)))).collect::<Map<String, Value>>()
        };
        json!({
            "questions": scores.questions, "zero": rounded(scores.zero()), "hit": by_limit(&|at| scores.hit(at)),
            "recall": by_limit(&|at| scores.recall(at)), "mrr": rounded(scores.mrr()),
            "tokens": by_limit(&|at| scores.tokens(at)),
        })
    }
}

/// Four decimals: more say nothing about a few hundred questions.
fn rounded(figure: f64) -> Value {
    ((figure * 10_000.0).round() / 10_000.0).into()
}

fn format_table(table: &ScoreTable) -> String {
    let limits = || table.limits.iter().enumerate();
    let mut lines = vec![vec!["kind".to_owned(), "questions".to_owned(), "no hits".to_owned()]];
    lines[0].extend(limits().map(|(_, limit)| format!("hit@{limit}")));
    lines[0].extend(limits().map(|(_, limit)| format!("recall@{limit}")));
    lines[0].push("MRR".to_owned());
    lines[0].extend(limits().map(|(_, limit)| format!("tokens@{limit}")));
    for (kind, scores) in table.rows() {
        let share = |figure: f64| format!("{figure:.3}");
        let mut cells =
            vec![terminal::line(kind).into_owned(), count(scores.questions as u64), share(scores.zero())];
        cells.extend(limits().map(|(at, _)| share(scores.hit(at))));
        cells.extend(limits().map(|(at, _)| share(scores.recall(at))));
        cells.push(share(scores.mrr()));
        cells.extend(limits().map(|(at, _)| count(scores.tokens(at).round() as u64)));
        lines.push(cells);
    }
    aligned(&lines)
}

/// Columns as wide as their widest cell: the first to the left, the others to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|cells| cells.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for cells in lines {
        let mut line = String::new();
        for (at, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let _ = if at == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let lines = [["kind", "n"], ["größer", "1,000"]].map(|cells| cells.map(str::to_owned).to_vec());
        assert_eq!(aligned(&lines), "kind        n\ngrößer  1,000\n");
    }
}

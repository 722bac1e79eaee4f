//! How well a corpus answers questions whose answers are known.
//!
//! A [`EvalQuestion`] says where its answer is: bytes of a source file, or words. Each is asked as a person would ask
//! it; [`QuestionScore`] says what the first hits cover of the answer, and [`ScoreTable`] is the mean of all questions
//! and of each kind.

mod answer;
mod evaluation;
mod question;
mod score;
mod table;
mod words;

pub use evaluation::{EvalOptions, evaluate};
pub use question::{EvalQuestion, ExpectedSpan, QuestionError};
pub use score::{CountedHit, QuestionScore};
pub use table::{KindScores, ScoreTable};

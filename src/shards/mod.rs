//! One corpus from many machines: a tree is divided into lists of files, each list is ingested into a database of its own
//! (a shard), and the shards are merged into one database that equals a single run over the tree.
//!
//! Who runs what where is left to others: a shell, a batch system, a cluster engine.

mod balance;
mod check;
mod cost;
mod error;
mod merge;
mod plan;
mod plan_output;
mod plan_parquet;
mod plan_parts;
mod planned_entry;
mod summary;

pub use error::{MergeError, PlanError};
pub use merge::{MergeOptions, merge};
pub use plan::{PlanOptions, PlanSummary, plan};
pub use plan_output::{PlanTable, PlannedShard};
pub use plan_parts::{PartSummary, PlanPart, merge_parts, plan_part};
pub use summary::MergeSummary;

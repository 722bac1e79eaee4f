//! The words of Pensieve: the types that every floor shares, and nothing else.
//!
//! This module imports no other module. It owns identities, states, spans and their maps, the parts of a document,
//! and the events by which work tells what it does. It does no work itself.

mod document;
mod event;
mod hash;
mod laid;
mod locator;
mod mail;
pub mod numbers;
mod places;
mod problem;
mod section;
mod segment;
mod span;
mod spanmap;
mod status;
mod told;

pub use document::{Document, Doubt, DoubtKind, Member};
pub use event::{Event, NoteLevel, Observer, Phase, Silent};
pub use hash::{ContentHash, Hasher};
pub use laid::{AuxKind, Laid, Role};
pub use locator::{CellRange, Locator, PartOf, Places};
pub use mail::{Mail, MailPage};
pub use problem::{Problem, ProblemKind};
pub use section::{Section, SectionStart};
pub use segment::{LineAnchor, LineCursor, Segment};
pub use span::Span;
pub use spanmap::{MapBuilder, MapError, Run, Source, SpanMap};
pub(crate) use status::names;
pub use status::{DocumentKind, DuplicateStatus, FileType, ProcessingStatus, Strategy, TextKind};
pub use told::told;

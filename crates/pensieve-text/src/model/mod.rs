//! The types that all modules share: identities, states, spans and their maps, locators, documents, problems and
//! events.
//!
//! This module uses no other module.

mod closed_list;
mod document;
mod event;
mod hash;
mod hidden_text;
mod layout_locator;
mod locator;
mod locator_codec;
mod locator_words;
mod mail;
pub mod numbers;
mod problem;
mod recipe;
mod section;
mod segment;
mod span;
mod spanmap;
mod status;
mod visibility;

pub(crate) use closed_list::names;
pub use document::{AbsentContent, ContainerMember, Document, ReviewReason, ReviewReasonKind};
pub use event::{NoteLevel, Observer, ProgressEvent, RunPhase};
pub use hash::{ContentHash, ContentHasher};
pub use hidden_text::{HiddenPassage, HiddenReason};
pub use layout_locator::{AuxKind, LayoutLocator, LayoutRole};
pub use locator::{CellRange, Locator, LocatorMap, PartOwner};
pub use locator_words::locator_words;
pub use mail::{MailFacts, MailHtml};
pub use problem::{Problem, ProblemKind};
pub use recipe::{RecipeLine, recipe_text};
pub use section::{DocumentSection, SectionStart};
pub use segment::{LineAnchor, LineCursor, Segment};
pub use span::Span;
pub use spanmap::{MapBuilder, MapError, MapRun, SourceSpan, SpanMap};
pub use status::{ChunkStrategy, DocumentKind, DuplicateStatus, FileType, ProcessingStatus, TextKind};
pub use visibility::{FoldKind, Visibility};

//! The part of the corpus that a report covers.

/// The part of the corpus that a report covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportScope {
    /// Documents, and attachments in a section of their own.
    All,
    /// Files on disk, and the mails of mailboxes.
    Documents,
    /// Documents inside documents.
    Attachments,
}

//! The schema as numbered steps, forward only.

/// Step n migrates schema n to n + 1.
pub(super) const STEPS: &[&str] = &[
    include_str!("migrations/0001_corpus.sql"),
    include_str!("migrations/0002_mail.sql"),
    include_str!("migrations/0003_search.sql"),
    include_str!("migrations/0004_groups.sql"),
    include_str!("migrations/0005_digests.sql"),
    include_str!("migrations/0006_changes.sql"),
    include_str!("migrations/0007_paragraphs.sql"),
    include_str!("migrations/0008_vectors.sql"),
    include_str!("migrations/0009_parts.sql"),
    include_str!("migrations/0010_secrets.sql"),
    include_str!("migrations/0011_hidden_text.sql"),
    include_str!("migrations/0012_review_counts.sql"),
    include_str!("migrations/0013_document_fields.sql"),
    include_str!("migrations/0014_tables.sql"),
    include_str!("migrations/0015_repetition.sql"),
    include_str!("migrations/0016_boilerplate.sql"),
    include_str!("migrations/0017_found_runs.sql"),
];

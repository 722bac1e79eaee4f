//! Every limit of a reader, in one place: what a document may cost before the reader stops, and why at that number.
//!
//! A limit is a number of bytes, a count, a depth or a number of seconds. What lies above it is left out or the document
//! is refused; either way the reader reports it. `docs/limits.md` is generated from these rows. Thresholds by which a
//! reader judges what a text means (the longest heading, the share of links in a menu) are no limits and lie beside the
//! code that uses them.

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitUnit {
    /// Bytes, in memory or in a file.
    Bytes,
    /// Things of one sort, such as parts of a mail.
    Count,
    /// Things inside each other.
    Depth,
    /// Seconds.
    Seconds,
}

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The name of the constant.
    pub name: &'static str,
    /// What the number counts.
    pub unit: LimitUnit,
    /// The number.
    pub value: u64,
    /// What is limited, what happens above it, and why it is this much.
    pub reason: &'static str,
}

/// The limits of one group of readers.
#[derive(Debug, Clone, Copy)]
pub struct LimitGroup {
    /// The module of the readers, such as `mail`.
    pub name: &'static str,
    /// Its limits, in the order of this file.
    pub limits: &'static [Limit],
}

/// Declares the limits of one group of readers as constants and as rows.
macro_rules! limits {
    ($group:ident: $($(#[doc = $reason:literal])+ $unit:ident $name:ident: $type:ty = $value:expr;)*) => {
        /// Limits of the readers of this name.
        pub(crate) mod $group {
            $($(#[doc = $reason])+ pub(crate) const $name: $type = $value;)*

            pub(super) const ROWS: super::LimitGroup = super::LimitGroup {
                name: stringify!($group),
                limits: &[$(super::Limit {
                    name: stringify!($name),
                    unit: super::LimitUnit::$unit,
                    value: $value as u64,
                    reason: concat!($($reason),+),
                },)*],
            };
        }
    };
}

limits! { worker:
    /// Processor time that a worker may take for one document; a document that needs more is reported as `Timeout`. The
    /// slowest documents of the corpora need 4 s.
    Seconds READER_SECONDS: u64 = 60;
    /// Bytes that a worker may write for one small document: more than any page can grow to.
    Bytes READER_OUTPUT_BYTES: u64 = 64 << 20;
}

limits! { markdown:
    /// Tables, notes and items inside each other; what lies deeper is written without its form, so that hostile nesting
    /// costs no more than its words.
    Depth MAX_NESTED_BLOCKS: usize = 8;
    /// Quotations and items around a line that indent it; deeper lines are not indented further, which would cost the
    /// square of their depth.
    Depth MAX_INDENTS: usize = 24;
    /// Bytes that repeated and empty cells of tables may add to one document: merged cells of a few bytes could ask for
    /// gigabytes. Beyond it cells stand once.
    Bytes MAX_REPEATED_BYTES: usize = 4 << 20;
}

limits! { pdf:
    /// Bytes that one stream of a PDF file may expand to, at each of its filters; a stream that gives more is left out.
    /// Kilobytes can expand to gigabytes.
    Bytes MAX_STREAM_BYTES: usize = 24 << 20;
    /// Bytes that all decoded streams of a document may have together; pages after that are left out.
    Bytes MAX_DECODED_BYTES: usize = 1 << 30;
    /// Pages that are read; later ones are left out. Each takes 2 KB as long as the file is open.
    Count MAX_PAGES: usize = 20_000;
    /// Bytes before the data of a stream in which its dictionary is looked for before the file is opened; a stream with a
    /// longer one is not checked in advance.
    Bytes MAX_PRESCAN_BYTES: usize = 16 << 10;
    /// Dictionaries that are tried as that of a stream before the file is opened: it may hold others.
    Count MAX_PRESCAN_DICTIONARIES: usize = 64;
    /// Bytes of the character map of a font with codes of one byte; a font with a larger one is not read. Each entry
    /// takes five times its bytes in memory.
    Bytes MAX_SIMPLE_CMAP_BYTES: usize = 6 << 20;
}

/// All limits, by group.
pub const GROUPS: &[LimitGroup] = &[markdown::ROWS, pdf::ROWS, worker::ROWS];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_limit_has_a_reason_and_a_name_of_its_own() {
        for group in GROUPS {
            let mut names = HashSet::new();
            for limit in group.limits {
                assert!(names.insert(limit.name), "{} stands twice in {}", limit.name, group.name);
                assert!(limit.reason.split_whitespace().count() > 3, "{}: {}", limit.name, limit.reason);
                assert!(limit.value > 0, "{}", limit.name);
            }
        }
    }
}

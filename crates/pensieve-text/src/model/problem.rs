//! What went wrong with one file, as data.

use super::closed_list::names;

names! {
    /// The closed list of `errors.error_type`.
    ProblemKind {
        /// A reader or converter could not extract text from the file.
        ExtractionFailed = "ExtractionFailed",
        /// No permission to read the file or folder.
        Permissions = "Permissions",
        /// The configured converter is not installed.
        MissingDependency = "MissingDependency",
        /// A reader or converter took longer than its limit.
        Timeout = "Timeout",
        /// A reader or converter was killed by a signal or overflowed its stack.
        Crashed = "Crashed",
        /// A reader or converter made a system call that its sandbox forbids, and was ended.
        Forbidden = "Forbidden",
        /// A reader or converter needed more memory than its limit.
        MemoryLimit = "MemoryLimit",
        /// A reader or converter wrote more than its limit.
        OutputLimit = "OutputLimit",
        /// A converter started more processes than its limit.
        ProcessLimit = "ProcessLimit",
        /// The file is larger than a limit.
        SizeLimit = "SizeLimit",
        /// The document is encrypted.
        Encrypted = "Encrypted",
        /// The document is broken.
        Damaged = "Damaged",
        /// Bytes that no encoding explains; they are replaced by U+FFFD.
        Undecodable = "Undecodable",
        /// The file changed while it was read, three times.
        Changed = "Changed",
        /// The file disappeared between the scan and the reading.
        Vanished = "Vanished",
        /// The system could not read the file.
        Io = "Io",
        /// The path is longer than the system can open.
        PathTooLong = "PathTooLong",
        /// The layout of a PDF file failed one of its checks.
        LayoutAudit = "LayoutAudit",
        /// The service that makes vectors made none of a chunk.
        EmbeddingFailed = "EmbeddingFailed",
    }
}

impl ProblemKind {
    /// True if the cause is outside the file, so that trying again may help without a change to it.
    pub fn is_circumstance(self) -> bool {
        use ProblemKind::*;
        matches!(
            self,
            Permissions
                | MissingDependency
                | Timeout
                | Crashed
                | MemoryLimit
                | Changed
                | Vanished
                | Io
                | PathTooLong
        )
    }
}

/// One problem with one file. It never ends a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind, from the closed list.
    pub kind: ProblemKind,
    /// A lower-case fragment that names the thing and, if there is one, the cure.
    pub message: String,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(kind: ProblemKind, message: impl Into<String>) -> Problem {
        Problem { kind, message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_causes_outside_the_file_are_circumstances() {
        use ProblemKind::*;
        assert!(
            [Permissions, Timeout, MemoryLimit, Io, Vanished].into_iter().all(ProblemKind::is_circumstance)
        );
        assert!(
            ![Damaged, Encrypted, LayoutAudit, EmbeddingFailed].into_iter().any(ProblemKind::is_circumstance)
        );
    }
}

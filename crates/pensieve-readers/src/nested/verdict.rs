//! What to do with a document inside another: read it, give it to a converter, or list it with the reason.

use crate::event::MemberVerdict;
use crate::limits::nested::MAX_DEPTH;
use crate::registry::{converter_key, no_reader_message};
use crate::settings::{OcrPass, ReadSettings};
use pensieve_text::format::{Format, ReaderKind, SniffOptions, SniffVerdict, extension_of, sniff};
use pensieve_text::model::{ContainerMember, Problem, ProblemKind, ProcessingStatus};

/// Bytes from which the format of a member is decided.
pub(super) const HEAD_BYTES: usize = 64 << 10;

/// The MIME type of a document, and its format or the reason why it has none.
pub(super) fn sniff_format(
    head: &[u8],
    whole: bool,
    path: &str,
    settings: &ReadSettings,
) -> (String, SniffVerdict) {
    let options = SniffOptions {
        svg: settings.svg,
        archives: !settings.skip_archives,
        secrets: settings.secrets,
        converters: &settings.converters,
    };
    let sniffed = sniff(head, whole, path, &options);
    (sniffed.mime, sniffed.verdict)
}

/// What the verdicts depend on.
pub(super) struct VerdictRules<'s> {
    pub(super) settings: &'s ReadSettings,
    /// Bytes of a document in an archive that may be held.
    pub(super) room: usize,
}

impl VerdictRules<'_> {
    /// The MIME type of a member that is too large to be held, and what to do with it.
    pub(super) fn of_streamed(
        &self,
        start: &[u8],
        (member, name): (&str, &str),
        size: u64,
        depth: usize,
    ) -> (String, MemberVerdict) {
        let (mime, verdict) = sniff_format(start, false, place_of(member, name), self.settings);
        let verdict = match verdict {
            SniffVerdict::Binary { reason, .. } => skipped(ProcessingStatus::SkippedBinary, reason),
            SniffVerdict::Secret { reason } => skipped(ProcessingStatus::SkippedSecret, reason),
            SniffVerdict::Read(format) => match self.of_format(format, name, size, depth) {
                MemberVerdict::Read(_) if format.reader == ReaderKind::Text => {
                    MemberVerdict::Read(format.name.to_owned())
                }
                MemberVerdict::Read(_) | MemberVerdict::Convert { .. } => {
                    let room = self.room;
                    too_large(format!(
                        "{size} bytes, more than the {room} that are held of a document in an archive"
                    ))
                }
                other => other,
            },
        };
        (mime, verdict)
    }

    /// The MIME type of a member, and what to do with it.
    pub(super) fn of_held(&self, member: &ContainerMember, depth: usize) -> (String, MemberVerdict) {
        if let Some(absent) = &member.absent {
            return (absent.mime.to_owned(), skipped(ProcessingStatus::SkippedBinary, absent.reason.clone()));
        }
        if let Some(problem) = member.problem.as_ref().filter(|_| member.bytes.is_empty()) {
            return ("application/octet-stream".to_owned(), unread(problem));
        }
        let head = &member.bytes[..member.bytes.len().min(HEAD_BYTES)];
        let (mime, verdict) = sniff_format(
            head,
            head.len() == member.bytes.len(),
            place_of(&member.member, &member.name),
            self.settings,
        );
        let verdict = match verdict {
            SniffVerdict::Binary { reason, .. } => skipped(ProcessingStatus::SkippedBinary, reason),
            SniffVerdict::Secret { reason } => skipped(ProcessingStatus::SkippedSecret, reason),
            SniffVerdict::Read(format) => {
                self.of_format(format, &member.name, member.bytes.len() as u64, depth)
            }
        };
        match (&verdict, &member.problem) {
            // Only a document that is read can say that it is not whole.
            (MemberVerdict::Read(_), _) | (_, None) => (mime, verdict),
            (_, Some(problem)) => (mime, unread(problem)),
        }
    }

    /// What to do with a document of this format.
    fn of_format(&self, format: &'static Format, filename: &str, size: u64, depth: usize) -> MemberVerdict {
        let name = format.name.to_owned();
        let chosen = |extension: &str| self.settings.converters.iter().any(|known| known == extension);
        if let Some(extension) = converter_key(format, &extension_of(filename), chosen) {
            return MemberVerdict::Convert { format: name, extension: extension.to_owned() };
        }
        if depth >= MAX_DEPTH {
            return too_large(format!("it lies more than {MAX_DEPTH} documents deep"));
        }
        match format.reader {
            ReaderKind::Text => MemberVerdict::Read(name),
            ReaderKind::Document => match format.whole_limit.filter(|&limit| size > limit) {
                Some(limit) => {
                    too_large(format!("{size} bytes, larger than the limit of {limit} for {}", format.label))
                }
                None if self.settings.ocr == OcrPass::Read && format.name == "pdf" => {
                    MemberVerdict::Convert { format: name.clone(), extension: name }
                }
                None => MemberVerdict::Read(name),
            },
            ReaderKind::Converter => skipped(ProcessingStatus::SkippedDependency, no_reader_message(format)),
        }
    }

    /// The verdict on a member at which a worker was lost before.
    pub(super) fn of_lost(&self, path: &str) -> Option<MemberVerdict> {
        let lost = self.settings.lost.iter().find(|lost| lost.path == path)?;
        let kind = ProblemKind::from_name(&lost.kind).unwrap_or(ProblemKind::Crashed);
        Some(unread(&Problem::new(kind, lost.message.clone())))
    }
}

/// The path of a document in its container: archives have folders, other containers only names.
fn place_of<'m>(member: &'m str, name: &'m str) -> &'m str {
    if member.ends_with(name) { member } else { name }
}

fn skipped(status: ProcessingStatus, reason: String) -> MemberVerdict {
    MemberVerdict::Skipped { status, reason, problem: None }
}

fn too_large(reason: String) -> MemberVerdict {
    let problem = Some(ProblemKind::SizeLimit);
    MemberVerdict::Skipped { status: ProcessingStatus::SkippedLimit, reason, problem }
}

/// The verdict on a member that cannot be read because of this problem.
fn unread(problem: &Problem) -> MemberVerdict {
    let status = match problem.kind {
        ProblemKind::SizeLimit => ProcessingStatus::SkippedLimit,
        _ => ProcessingStatus::Error,
    };
    MemberVerdict::Skipped { status, reason: problem.message.clone(), problem: Some(problem.kind) }
}

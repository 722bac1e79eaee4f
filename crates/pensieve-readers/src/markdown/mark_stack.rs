//! The marks around the words to come: written before the first word, closed after the last one.

use crate::markdown::inline_mark::InlineMark;

/// The state of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkState {
    /// No word has come yet.
    Waiting,
    Open,
    /// Not written, or not written again.
    Done,
}

/// The marks that are open, innermost last.
#[derive(Debug, Default)]
pub(super) struct MarkStack(Vec<(Option<InlineMark>, MarkState)>);

impl MarkStack {
    /// Adds a mark. It is not written inside one of its kind or inside code; `None` is never written.
    pub fn push(&mut self, mark: Option<InlineMark>) {
        let is_written = mark.as_ref().is_some_and(|mark| {
            let is_same = |other: &InlineMark| std::mem::discriminant(other) == std::mem::discriminant(mark);
            !self.is_in(|other| is_same(other) || matches!(other, InlineMark::Code(_)))
        });
        self.0.push((mark, if is_written { MarkState::Waiting } else { MarkState::Done }));
    }

    /// Removes the innermost mark; returns it if it has to be closed.
    pub fn pop(&mut self) -> Option<InlineMark> {
        let (mark, state) = self.0.pop()?;
        mark.filter(|_| state == MarkState::Open)
    }

    /// The opening of the waiting marks, outermost first.
    pub fn open(&mut self) -> impl Iterator<Item = String> + '_ {
        let waiting = self.0.iter_mut().filter(|(_, state)| *state == MarkState::Waiting);
        waiting.filter_map(|(mark, state)| {
            *state = MarkState::Open;
            Some(mark.as_ref()?.opening())
        })
    }

    /// The closing of the open marks at the end of a line, innermost first: all but links open again at the next
    /// word.
    pub fn suspend(&mut self) -> impl Iterator<Item = String> + '_ {
        let open = self.0.iter_mut().rev().filter(|(_, state)| *state == MarkState::Open);
        open.filter_map(|(mark, state)| {
            let mark = mark.as_ref()?;
            let is_link = matches!(mark, InlineMark::Link(_));
            *state = if is_link { MarkState::Done } else { MarkState::Waiting };
            Some(mark.closing())
        })
    }

    /// The sign of the innermost emphasis.
    pub fn outer_sign(&self) -> Option<char> {
        self.0.iter().rev().find_map(|(mark, state)| match mark {
            Some(InlineMark::Strong(sign) | InlineMark::Emphasis(sign)) if *state != MarkState::Done => {
                Some(*sign)
            }
            _ => None,
        })
    }

    /// True inside code.
    pub fn is_in_code(&self) -> bool {
        self.is_in(|mark| matches!(mark, InlineMark::Code(_)))
    }

    /// True inside the words of a link.
    pub fn is_in_link(&self) -> bool {
        let is_link = |mark: &Option<InlineMark>| matches!(mark, Some(InlineMark::Link(_)));
        self.0.iter().any(|(mark, state)| *state == MarkState::Open && is_link(mark))
    }

    fn is_in(&self, is_wanted: impl Fn(&InlineMark) -> bool) -> bool {
        self.0.iter().any(|(mark, state)| *state != MarkState::Done && mark.as_ref().is_some_and(&is_wanted))
    }
}

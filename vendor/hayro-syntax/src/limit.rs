//! How much the filters of a document may give: not part of the published crate, see `PATCH.md`.

use core::cell::Cell;

/// How many objects a document may have.
pub(crate) const OBJECTS: usize = 1 << 19;

/// How many pages a document may have.
pub(crate) const PAGES: usize = 20_000;

std::thread_local! {
    static ROOM: Cell<Room> = const { Cell::new(Room { stream: usize::MAX, total: usize::MAX, kept: usize::MAX, met: false }) };
}

#[derive(Clone, Copy)]
struct Room {
    stream: usize,
    total: usize,
    kept: usize,
    met: bool,
}

/// Sets, for this thread, how many bytes one filter of a stream may give, all of them together from now on, and all
/// object streams together. What lies beyond is cut off.
pub fn set(stream: usize, total: usize, kept: usize) {
    ROOM.set(Room { stream, total, kept, met: false });
}

/// Changes what one filter of a stream may give; returns what it was.
pub fn narrow(stream: usize) -> usize {
    let room = ROOM.get();
    ROOM.set(Room { stream, ..room });
    room.stream
}

/// Whether anything was cut off since the limits were set.
pub fn was_met() -> bool {
    ROOM.get().met
}

/// How many bytes all filters together may still give.
pub fn left() -> usize {
    ROOM.get().total
}

/// How many bytes the next filter may give.
pub(crate) fn room() -> usize {
    let room = ROOM.get();
    room.stream.min(room.total)
}

/// Notes that a filter gave that many bytes.
pub(crate) fn spend(bytes: usize) {
    let room = ROOM.get();
    let met = room.met || bytes >= room.stream.min(room.total);
    ROOM.set(Room { total: room.total.saturating_sub(bytes), met, ..room });
}

/// Notes that something was left out.
pub(crate) fn meet() {
    ROOM.set(Room { met: true, ..ROOM.get() });
}

/// Whether that much may be kept for as long as the document lives.
pub(crate) fn keep(bytes: usize) -> bool {
    let room = ROOM.get();
    let fits = bytes <= room.kept;
    ROOM.set(Room { kept: room.kept.saturating_sub(bytes), met: room.met || !fits, ..room });
    fits
}

//! The stored form of locators.
//!
//! Names of sheets and parts are written once; numbers are written as differences where they grow.

use super::layout_locator::{AuxKind, LayoutLocator, LayoutRole};
use super::locator::{CellRange, Locator, LocatorMap, PartOwner};
use super::span::Span;
use super::spanmap::MapError;
use super::spanmap::{put, take};
use super::visibility::Visibility;
use std::sync::Arc;

const LINES: usize = 0;
const PAGES: usize = 1;
const PAGE_BOX: usize = 2;
const SLIDES: usize = 3;
const CELLS: usize = 4;
const PART: usize = 5;
const LAYOUT: usize = 6;
const PARAGRAPHS: usize = 7;
/// Before the locator of text that was recognised in a picture.
const OCR: usize = 8;
/// Before the locator of text that not everybody sees: why, and if a locator follows.
const MARKED: usize = 9;

/// Appends the stored form.
pub(super) fn encode_places(places: &LocatorMap, bytes: &mut Vec<u8>) {
    let names = names_of(places);
    put(bytes, names.len());
    for name in &names {
        put(bytes, name.len());
        bytes.extend_from_slice(name.as_bytes());
    }
    let number = |name: &Arc<str>| names.iter().position(|known| known == name).unwrap_or_default();
    put(bytes, places.0.len());
    let mut before = 0;
    for (span, locator) in &places.0 {
        put(bytes, span.start - before);
        put(bytes, span.len());
        before = span.start;
        encode_locator(locator, &number, bytes);
    }
}

/// Reads what [`encode_places`] wrote; never reads past the end.
pub(super) fn decode_places(bytes: &[u8], at: &mut usize) -> Result<LocatorMap, MapError> {
    let mut names: Vec<Arc<str>> = Vec::new();
    for _ in 0..take(bytes, at)? {
        let len = take(bytes, at)?;
        let end = at.checked_add(len).ok_or(MapError { at: *at })?;
        let name = bytes.get(*at..end).and_then(|name| std::str::from_utf8(name).ok());
        names.push(name.ok_or(MapError { at: *at })?.into());
        *at = end;
    }
    let mut places = LocatorMap::default();
    let mut before = 0_usize;
    for _ in 0..take(bytes, at)? {
        let broken = MapError { at: *at };
        let start = before.checked_add(take(bytes, at)?).ok_or(broken)?;
        let end = start.checked_add(take(bytes, at)?).ok_or(MapError { at: *at })?;
        before = start;
        places.0.push((Span::new(start, end), decode_locator(&names, bytes, at)?));
    }
    Ok(places)
}

/// All names, in the order of first use. Parts are in document order, so the search begins with the last name.
fn names_of(places: &LocatorMap) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut add = |name: &Arc<str>| {
        if !names.iter().rev().any(|known| known == name) {
            names.push(name.clone());
        }
    };
    for (_, locator) in &places.0 {
        match locator.unmarked() {
            Some(Locator::Cells { sheet, .. }) => add(sheet),
            Some(Locator::Part { first, last, .. }) => {
                add(first);
                add(last);
            }
            _ => {}
        }
    }
    names
}

fn encode_locator(locator: &Locator, number: &dyn Fn(&Arc<str>) -> usize, bytes: &mut Vec<u8>) {
    if matches!(locator, Locator::Pages { ocr: true, .. }) || matches!(locator, Locator::Layout(at) if at.ocr)
    {
        put(bytes, OCR);
    }
    let mut all = |values: &[usize]| values.iter().for_each(|&value| put(bytes, value));
    match locator {
        Locator::Lines { first, last } => all(&[LINES, *first as usize, *last as usize]),
        Locator::Paragraphs { first, last } => all(&[PARAGRAPHS, *first as usize, *last as usize]),
        Locator::Slides { first, last } => all(&[SLIDES, *first as usize, *last as usize]),
        Locator::Pages { first, last, bbox: None, .. } => all(&[PAGES, *first as usize, *last as usize]),
        Locator::Pages { first, bbox: Some(bbox), .. } => {
            all(&[PAGE_BOX, *first as usize]);
            bytes.extend(bbox.iter().flat_map(|value| value.to_le_bytes()));
        }
        Locator::Layout(layout) => {
            let role = layout.role.map_or(0, |role| role as usize + 1);
            let kind = layout.kind.map_or(0, |kind| kind as usize + 1);
            let section = layout.section.map_or(0, |section| section as usize + 1);
            let counts = [layout.level as usize, layout.sentence as usize, layout.spots.len()];
            all(&[LAYOUT, role, kind, section]);
            all(&counts);
            for (page, bbox) in &layout.spots {
                put(bytes, *page as usize);
                bytes.extend(bbox.iter().flat_map(|value| value.to_le_bytes()));
            }
        }
        Locator::Cells { sheet, range } => all(&[
            CELLS,
            number(sheet),
            range.first_row as usize,
            range.first_column as usize,
            range.last_row as usize,
            range.last_column as usize,
        ]),
        Locator::Marked { visibility, place } => {
            all(&[MARKED, visibility.number(), place.is_some() as usize]);
            if let Some(place) = place {
                encode_locator(place, number, bytes);
            }
        }
        Locator::Part { of, first, last, bytes: part } => {
            let of = matches!(of, PartOwner::Whole) as usize;
            let span = part.unwrap_or(Span::new(0, 0));
            all(&[PART, of, number(first), number(last), part.is_some() as usize, span.start, span.len()]);
        }
    }
}

fn decode_locator(names: &[Arc<str>], bytes: &[u8], at: &mut usize) -> Result<Locator, MapError> {
    match take(bytes, at)? {
        MARKED => {
            let visibility = Visibility::numbered(take(bytes, at)?).ok_or(MapError { at: *at })?;
            let place = match take(bytes, at)? {
                0 => None,
                // A mark inside a mark is refused there: its kind is unknown.
                _ => Some(take(bytes, at).and_then(|kind| decode_place(kind, names, bytes, at))?),
            };
            Ok(Locator::Marked { visibility, place: place.map(Box::new) })
        }
        kind => decode_place(kind, names, bytes, at),
    }
}

/// Decodes a locator after its kind.
fn decode_place(kind: usize, names: &[Arc<str>], bytes: &[u8], at: &mut usize) -> Result<Locator, MapError> {
    let (kind, ocr) = match kind {
        OCR => (take(bytes, at)?, true),
        kind => (kind, false),
    };
    let broken = |at: usize| MapError { at };
    let small = |value: usize, at: usize| u32::try_from(value).map_err(|_| MapError { at });
    let name = |number: usize, at: usize| names.get(number).cloned().ok_or(MapError { at });
    match kind {
        LINES | PARAGRAPHS | PAGES | SLIDES => {
            let (first, last) = (take(bytes, at)? as u64, take(bytes, at)? as u64);
            Ok(match kind {
                LINES => Locator::Lines { first, last },
                PARAGRAPHS => Locator::Paragraphs { first, last },
                PAGES => Locator::Pages { first, last, bbox: None, ocr },
                _ => Locator::Slides { first, last },
            })
        }
        PAGE_BOX => {
            let page = take(bytes, at)? as u64;
            let bbox = Some(Box::new(take_box(bytes, at)?));
            Ok(Locator::Pages { first: page, last: page, bbox, ocr })
        }
        LAYOUT => {
            let (role, kind, section) = (take(bytes, at)?, take(bytes, at)?, take(bytes, at)?);
            let (level, sentence) = (take(bytes, at)?.min(255) as u8, take(bytes, at)? as u64);
            let mut spots = Vec::new();
            for _ in 0..take(bytes, at)? {
                spots.push((take(bytes, at)? as u64, take_box(bytes, at)?));
            }
            Ok(Locator::Layout(Box::new(LayoutLocator {
                role: role.checked_sub(1).and_then(|at| LayoutRole::ALL.get(at).copied()),
                kind: kind.checked_sub(1).and_then(|at| AuxKind::ALL.get(at).copied()),
                section: section.checked_sub(1).map(|section| section as u64),
                level,
                sentence,
                spots,
                ocr,
            })))
        }
        CELLS => {
            let sheet = name(take(bytes, at)?, *at)?;
            let mut next = || take(bytes, at).and_then(|value| small(value, *at));
            let range = CellRange {
                first_row: next()?,
                first_column: next()?,
                last_row: next()?,
                last_column: next()?,
            };
            Ok(Locator::Cells { sheet, range })
        }
        PART => {
            let of = if take(bytes, at)? == 0 { PartOwner::Spine } else { PartOwner::Whole };
            let (first, last) = (name(take(bytes, at)?, *at)?, name(take(bytes, at)?, *at)?);
            let is_known = take(bytes, at)? != 0;
            let (start, len) = (take(bytes, at)?, take(bytes, at)?);
            let end = start.checked_add(len).ok_or(broken(*at))?;
            Ok(Locator::Part { of, first, last, bytes: is_known.then(|| Span::new(start, end)) })
        }
        _ => Err(broken(*at)),
    }
}

fn take_box(bytes: &[u8], at: &mut usize) -> Result<[f32; 4], MapError> {
    let raw = bytes.get(*at..*at + 16).ok_or(MapError { at: *at })?;
    *at += 16;
    let mut bbox = [0.0; 4];
    for (value, raw) in bbox.iter_mut().zip(raw.chunks_exact(4)) {
        *value = f32::from_le_bytes(raw.try_into().expect("chunks of four bytes"));
    }
    Ok(bbox)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FoldKind, HiddenReason};

    #[test]
    fn every_kind_reads_back_and_broken_bytes_are_refused() {
        let cells = CellRange { first_row: 1, first_column: 2, last_row: 30, last_column: 4 };
        let kinds = [
            Locator::Lines { first: 1, last: 9 },
            Locator::page(3),
            Locator::Pages { first: 4, last: 4, bbox: Some(Box::new([1.5, 2.0, 30.25, 4.0])), ocr: false },
            Locator::Pages { first: 4, last: 5, bbox: None, ocr: true },
            Locator::Slides { first: 2, last: 3 },
            Locator::Paragraphs { first: 3, last: 7 },
            Locator::Cells { sheet: "Sheet é".into(), range: cells },
            Locator::spine("a.xhtml", Some(Span::new(10, 20))),
            Locator::part("word/document.xml", None),
            Locator::Layout(Box::new(LayoutLocator {
                role: Some(LayoutRole::Aux),
                kind: Some(AuxKind::Table),
                section: Some(0),
                level: 2,
                sentence: 77,
                spots: vec![(1, [1.5, 2.0, 30.25, 4.0]), (2, [0.0; 4])],
                ocr: true,
            })),
            Locator::Marked { visibility: Visibility::Folded(FoldKind::Sheet), place: None },
            Locator::slide(3).marked(Some(Visibility::Hidden(HiddenReason::Clipped))),
        ];
        let mut places = LocatorMap::default();
        for (at, locator) in kinds.into_iter().enumerate() {
            places.push(Span::new(at * 10, at * 10 + 5), locator);
        }
        let mut bytes = Vec::new();
        encode_places(&places, &mut bytes);
        assert_eq!(decode_places(&bytes, &mut 0).as_ref(), Ok(&places));
        for cut in 0..bytes.len() {
            assert!(decode_places(&bytes[..cut], &mut 0).is_err(), "cut at {cut}");
        }
    }
}

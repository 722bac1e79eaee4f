//! What the command prints: units, blocks and chunks as rows, counts and times as one object.

use super::chunks::Chunk;
use pensieve_text::layout::{
    BlockClass, LayoutBatch, LayoutCounters, LayoutStage, LayoutViolation, isolation, wrapping,
};
use pensieve_text::model::{Document, ReviewReasonKind};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// One file with its layout.
pub(super) struct PdfLayout {
    pub(super) document: Document,
    pub(super) parts: Vec<LayoutBatch>,
    pub(super) report: LayoutReport,
}

/// What was measured while the file was read.
#[derive(Debug, Default)]
pub(super) struct LayoutReport {
    pub(super) pages: usize,
    pub(super) times: Vec<(LayoutStage, Duration)>,
}

impl LayoutReport {
    /// The violations found by all proofs: those of the layout, and those of the chunks.
    pub(super) fn violations(&self, parts: &[LayoutBatch], chunks: &[Chunk]) -> Vec<LayoutViolation> {
        let mut found: Vec<LayoutViolation> = parts.iter().flat_map(|part| part.violations.clone()).collect();
        let contents: Vec<_> = chunks.iter().map(|chunk| chunk.contents.clone()).collect();
        found.extend(isolation(&contents));
        found.extend(wrapping(chunks.iter().filter_map(|chunk| Some((chunk.role?, chunk.text.as_str())))));
        found
    }

    /// Counts, times and findings of a document.
    pub(super) fn metrics(
        &self,
        doc_id: &str,
        layout: &PdfLayout,
        chunks: &[Chunk],
        found: &[LayoutViolation],
    ) -> Value {
        let parts = &layout.parts;
        let mut counters = LayoutCounters::default();
        parts.iter().for_each(|part| counters.add(part));
        let suppressed: Vec<Value> = parts
            .iter()
            .flat_map(|part| &part.suppressed)
            .map(|left_out| {
                let band = left_out.band.as_str();
                json!({"text": left_out.text, "band": band, "pages": left_out.pages})
            })
            .collect();
        let baselines: Vec<Value> = parts
            .iter()
            .flat_map(|part| &part.baselines)
            .map(|run| {
                let bands: Vec<Value> =
                    run.bands.iter().map(|band| json!([rounded(band.left), rounded(band.right)])).collect();
                json!({"pages": [run.pages.0, run.pages.1], "columns": run.columns, "bands": bands,
                       "font_size": rounded(run.size), "line_height": rounded(run.leading)})
            })
            .collect();
        let times: Map<String, Value> = stage_times(&self.times)
            .map(|(name, time)| (name.to_owned(), json!((time.as_secs_f64() * 1e5).round() / 100.0)))
            .collect();
        let reasons: Vec<&str> =
            layout.document.review_reasons.iter().map(|reason| words(reason.kind)).collect();
        json!({
            "doc_id": doc_id,
            "pages": self.pages,
            "mode": if counters.is_prose { "prose" } else { "plain" },
            "blocks": counters.blocks,
            "main": counters.main,
            "headings": counters.headings,
            "aux": counters.aux,
            "sections": counters.sections,
            "units": counters.units,
            "chunks": chunks.len(),
            "suppressed": suppressed,
            "columns": counters.columns,
            "baselines": baselines,
            "dehyphenations": counters.dehyphenations,
            "milliseconds": times,
            "violations": found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "needs_review": !reasons.is_empty() || !found.is_empty(),
            "review_reasons": reasons,
        })
    }
}

/// Rounds to two decimal places.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 100.0).round() / 100.0
}

fn bbox([x0, y0, x1, y1]: [f32; 4]) -> Value {
    json!([rounded(x0), rounded(y0), rounded(x1), rounded(y1)])
}

/// A review reason in words.
pub(super) fn words(kind: ReviewReasonKind) -> &'static str {
    match kind {
        ReviewReasonKind::NoTextLayer => "no text layer",
        ReviewReasonKind::UnmappedGlyphs => "unmapped glyphs",
        ReviewReasonKind::SkippedParts => "skipped parts",
        other => other.as_str(),
    }
}

/// Every sentence in order.
pub(super) fn units(doc_id: &str, parts: &[LayoutBatch]) -> Vec<Value> {
    let all = parts.iter().flat_map(|part| &part.units);
    all.map(|unit| {
        let first = unit.places.first();
        let mut row = json!({
            "doc_id": doc_id,
            "role": unit.role.as_str(),
            "subtype": unit.subtype(),
            "text": unit.emitted(),
            "section_seq": unit.key.section_seq,
            "heading": &*unit.heading,
            "para_seq": unit.key.para_seq,
            "sent_seq": unit.key.sent_seq,
            "emit_phase": unit.key.emit_phase,
            "page": unit.page(),
            "bbox": first.map(|piece| bbox(piece.bounds.to_array())),
        });
        if unit.kind.is_some() {
            row["owner_section_seq"] = json!(unit.key.section_seq);
        }
        if unit.places.len() > 1 {
            let places = unit.places.iter();
            let places = places.map(|p| json!({"page": p.page, "bbox": bbox(p.bounds.to_array())}));
            row["places"] = places.collect();
        }
        row
    })
    .collect()
}

/// Every block with its class and the reasons for it.
pub(super) fn blocks(doc_id: &str, parts: &[LayoutBatch]) -> Vec<Value> {
    let all = parts.iter().flat_map(|part| part.blocks.iter().zip(&part.classes.of));
    let mut rows: Vec<Value> = all
        .map(|(block, (class, reasons))| {
            let (role, subtype) = match class {
                BlockClass::Main => ("MAIN", None),
                BlockClass::Heading(_) => ("MAIN", Some("heading")),
                BlockClass::Aux(kind) => ("AUX", Some(kind.as_str())),
            };
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            let level = match class {
                BlockClass::Heading(level) => Some(*level),
                _ => None,
            };
            json!({
                "doc_id": doc_id,
                "page": block.page,
                "bbox": bbox(block.bounds.to_array()),
                "role": role,
                "subtype": subtype,
                "level": level,
                "reasons": reasons,
                "font": {"name": block.face.name, "size": rounded(block.size), "weight": block.face.weight,
                         "style": if block.face.is_italic { "italic" } else { "normal" }},
                "line_height": block.leading.map(rounded),
                "rotation": block.lines.first().map(|line| line.rotation),
                "lines": block.lines.len(),
                "text": block.shown_text(),
            })
        })
        .collect();
    for left_out in parts.iter().flat_map(|part| &part.suppressed) {
        let band = left_out.band.as_str();
        rows.push(json!({"doc_id": doc_id, "role": "AUX", "subtype": "furniture", "band": band,
                         "pages": left_out.pages, "text": left_out.text}));
    }
    rows
}

/// Every chunk as `ingest` would cut it, AUX sentences in tags.
pub(super) fn chunks(doc_id: &str, chunks: &[Chunk]) -> Vec<Value> {
    let row = |(at, chunk): (usize, &Chunk)| {
        let locator = chunk.locator.as_ref().map(|locator| locator.to_json());
        let locator = locator.and_then(|json| serde_json::from_str::<Value>(&json).ok());
        json!({
            "doc_id": doc_id,
            "chunk_seq": at,
            "role": chunk.role.map(|role| role.as_str()),
            "subtype": chunk.kind.map(|kind| kind.as_str()),
            "section_seq": chunk.section,
            "owner_section_seq": chunk.section.filter(|_| chunk.kind.is_some()),
            "heading_path": chunk.heading_path,
            "tokens": chunk.tokens,
            "text": chunk.text,
            "locator": locator,
        })
    };
    chunks.iter().enumerate().map(row).collect()
}

/// The time of each step, in the order of the steps.
fn stage_times(times: &[(LayoutStage, Duration)]) -> impl Iterator<Item = (&'static str, Duration)> {
    let mut sums: BTreeMap<LayoutStage, Duration> = BTreeMap::new();
    for (stage, time) in times {
        *sums.entry(*stage).or_default() += *time;
    }
    sums.into_iter().map(|(stage, time)| (stage.as_str(), time))
}

//! Golden pairs of the layout: `tests/layout/<what it shows>.pages` draws pages, `<what it shows>.units` is what they
//! become: a line for every unit, with its pages and boxes, then what was left out.
//!
//! The instructions are those of [`drawing`]; [`random_documents`] draws more of them. `UPDATE_GOLDEN=1` writes the units
//! anew; read the difference before you keep it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod drawing;
mod random_documents;
mod support;

use drawing::Drawing;
use pensieve_text::layout::LayoutBatch;
use std::fmt::Write;
use std::fs;

#[test]
fn drawn_pages_become_the_expected_units() {
    for path in support::files("layout", |extension| extension == "pages") {
        let drawing = Drawing::read(&fs::read_to_string(&path).unwrap());
        support::compare(&path.with_extension("units"), &listing(&drawing.laid_out()));
    }
}

/// Everything that a layout says.
fn listing(batches: &[LayoutBatch]) -> String {
    let mut out = String::new();
    for batch in batches {
        let mut heading = None;
        for unit in &batch.units {
            if heading != Some(&unit.heading) {
                let _ = writeln!(out, "== {}", unit.heading);
                heading = Some(&unit.heading);
            }
            let key = unit.key;
            let role = match (unit.level, unit.kind) {
                (0, None) => unit.role.as_str().to_owned(),
                (0, Some(kind)) => format!("{} {}", unit.role.as_str(), kind.as_str()),
                (level, _) => format!("h{level}"),
            };
            let _ = writeln!(
                out,
                "{}.{}.{} {role} {:?}",
                key.section_seq, key.para_seq, key.sent_seq, unit.separator
            );
            let _ = writeln!(out, "  {}", unit.emitted().replace('\n', "\\n"));
            for place in &unit.places {
                let (span, page, bounds) = (place.span, place.page, place.bounds);
                let (left, top, right, bottom) = (bounds.x0, bounds.y0, bounds.x1, bounds.y1);
                let _ = writeln!(
                    out,
                    "  {}-{} page {page}: {left:.0},{top:.0} {right:.0},{bottom:.0}",
                    span.start, span.end
                );
            }
        }
        for line in &batch.suppressed {
            let _ = writeln!(out, "left out: {} {:?} {}", line.band.as_str(), line.pages, line.text);
        }
        for style in &batch.baselines {
            let _ = writeln!(out, "body: {style:?}");
        }
        let _ = writeln!(out, "sections {}, joined at hyphens {}", batch.sections, batch.dehyphenations);
        for violation in &batch.violations {
            let _ = writeln!(out, "violation: {violation:?}");
        }
    }
    out
}

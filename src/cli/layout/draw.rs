//! `--draw`: one SVG per page, with its text in grey and its blocks as coloured boxes with their class and place in
//! the order. The text only needs to be recognisable: each span is stretched to its length, in any font.

use crate::cli::shared::failure::Failure;
use pensieve_text::layout::{BlockClass, LayoutBatch, LayoutPage, ShapeKind, TextSpan};
use pensieve_text::model::AuxKind;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of spans drawn on one page.
const MAX_SPANS: usize = 20_000;

/// A folder for the drawings of pages.
pub(super) struct Drawing {
    folder: PathBuf,
    pages: Vec<u64>,
}

impl Drawing {
    /// Creates the folder.
    pub(super) fn into_folder(folder: &Path) -> Result<Drawing, Failure> {
        fs::create_dir_all(folder)
            .map_err(|source| Failure::Unwritable { path: folder.to_owned(), source })?;
        Ok(Drawing { folder: folder.to_owned(), pages: Vec::new() })
    }

    /// Writes the drawing of a page; its blocks are added by `finish`.
    pub(super) fn page(&mut self, page: &LayoutPage) -> Result<(), Failure> {
        self.pages.push(page.number);
        self.write(page.number, &background(page))
    }

    /// Draws the blocks over the pages.
    pub(super) fn finish(&self, parts: &[LayoutBatch]) -> Result<(), Failure> {
        let mut over: BTreeMap<u64, String> = BTreeMap::new();
        for part in parts {
            for (at, (block, (class, _))) in part.blocks.iter().zip(&part.classes.of).enumerate() {
                let [x0, y0, x1, y1] = block.bounds.to_array();
                let (colour, label) = class_style(*class);
                let _ = writeln!(
                    over.entry(block.page).or_default(),
                    "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\" \
                     fill-opacity=\"0.18\" stroke=\"{colour}\" stroke-width=\"0.7\"/>\n<text x=\"{x0:.1}\" y=\"{:.1}\" \
                     font-size=\"6\" fill=\"{colour}\">{at} {label}</text>",
                    x1 - x0,
                    y1 - y0,
                    y0 - 0.5,
                );
            }
        }
        for page in &self.pages {
            let path = self.path(*page);
            let unwritable = |source| Failure::Unwritable { path: path.clone(), source };
            let under = fs::read_to_string(&path).map_err(unwritable)?;
            let blocks = over.get(page).map(String::as_str).unwrap_or_default();
            self.write(*page, &format!("{under}{blocks}</svg>\n"))?;
        }
        Ok(())
    }

    fn path(&self, page: u64) -> PathBuf {
        self.folder.join(format!("page-{page:04}.svg"))
    }

    fn write(&self, page: u64, text: &str) -> Result<(), Failure> {
        let path = self.path(page);
        fs::write(&path, text).map_err(|source| Failure::Unwritable { path, source })
    }
}

/// The colour and the label of a class.
fn class_style(class: BlockClass) -> (&'static str, String) {
    let colour = match class {
        BlockClass::Main => "#1a7f37",
        BlockClass::Heading(_) => "#0550ae",
        BlockClass::Aux(AuxKind::Caption) => "#bc4c00",
        BlockClass::Aux(AuxKind::Table) => "#8250df",
        BlockClass::Aux(AuxKind::Footnote) => "#6e7781",
        BlockClass::Aux(AuxKind::Sidebar) => "#bf3989",
        BlockClass::Aux(_) => "#cf222e",
    };
    let label = match class {
        BlockClass::Main => "MAIN".to_owned(),
        BlockClass::Heading(level) => format!("heading {level}"),
        BlockClass::Aux(kind) => kind.as_str().to_owned(),
    };
    (colour, label)
}

fn background(page: &LayoutPage) -> String {
    let (width, height) = (page.width, page.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for shape in &page.shapes {
        let [x0, y0, x1, y1] = shape.bbox;
        let style = match shape.kind {
            ShapeKind::Fill => "fill=\"#eef1f4\"",
            ShapeKind::Image => "fill=\"#dfe7df\"",
            ShapeKind::Frame => "fill=\"none\" stroke=\"#c0c6cc\" stroke-width=\"0.5\"",
            ShapeKind::Rule => "fill=\"#c0c6cc\" stroke=\"#c0c6cc\" stroke-width=\"0.4\"",
        };
        let (w, h) = (x1 - x0, y1 - y0);
        let _ =
            writeln!(svg, "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" {style}/>");
    }
    page.spans.iter().take(MAX_SPANS).for_each(|span| draw_span(&mut svg, span));
    svg
}

fn draw_span(svg: &mut String, span: &TextSpan) {
    let [x, y] = span.origin;
    let turn = match span.rotation {
        0.0 => String::new(),
        angle => format!(" transform=\"rotate({angle:.1} {x:.1} {y:.1})\""),
    };
    let weight = if span.font.weight >= 600 { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{:.1}\" textLength=\"{:.1}\" \
         lengthAdjust=\"spacingAndGlyphs\" fill=\"#57606a\"{weight}{turn}>{}</text>",
        span.size,
        span.length.max(0.1),
        escaped(&span.text),
    );
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Characters that XML does not allow.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

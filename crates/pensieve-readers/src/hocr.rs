//! Reads hOCR, the HTML that OCR programs write: pages, lines and words with boxes in pixels.
//!
//! Source: the hOCR specification 1.2 (kba.github.io/hocr-spec), and what Tesseract writes.

use crate::limits::ocr::MAX_LINES;
use crate::settings::{RecognizedLine, RecognizedPage};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};

/// Gaps between words that are wider than this many sizes of their letters separate columns or cells.
const WIDE_GAP: f32 = 2.0;

/// The pages of a text; `None` if it is no hOCR.
pub fn pages(text: &str) -> Option<Vec<RecognizedPage>> {
    let beginning = text.get(..text.floor_char_boundary(4096))?;
    if !beginning.trim_start().starts_with('<') || !text.contains("ocr_page") {
        return None;
    }
    let mut reader = HocrReader::default();
    let mut xml = XmlReader::new(text);
    while let Some(event) = xml.next() {
        match event {
            XmlEvent::Start(tag) => reader.start(&tag, xml.depth()),
            XmlEvent::Text { text, .. } => reader.text(&text),
            XmlEvent::End(_) => reader.end(xml.depth()),
        }
    }
    reader.end_line();
    Some(reader.pages)
}

/// What an element is, by its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HocrClass {
    Page,
    Paragraph,
    Line,
    Word,
}

impl HocrClass {
    fn of(tag: &XmlTag<'_>) -> Option<HocrClass> {
        let names = tag.get("class")?;
        names.split_ascii_whitespace().find_map(|name| match name {
            "ocr_page" => Some(HocrClass::Page),
            "ocr_par" => Some(HocrClass::Paragraph),
            "ocr_line" | "ocrx_line" | "ocr_header" | "ocr_footer" | "ocr_caption" | "ocr_textfloat" => {
                Some(HocrClass::Line)
            }
            "ocrx_word" | "ocr_word" => Some(HocrClass::Word),
            _ => None,
        })
    }
}

/// A word and its box.
#[derive(Debug, Default)]
struct HocrWord {
    text: String,
    bbox: Option<[f32; 4]>,
}

/// The properties of a line.
#[derive(Debug, Default, Clone, Copy)]
struct LineProperties {
    bbox: [f32; 4],
    size: Option<f32>,
    /// Slope, and the distance from the bottom of the box at its left end.
    baseline: (f32, f32),
}

#[derive(Debug, Default)]
struct HocrReader {
    pages: Vec<RecognizedPage>,
    line: Option<LineProperties>,
    words: Vec<HocrWord>,
    /// The depths of the open line and word.
    line_depth: usize,
    word_depth: usize,
    paragraph: u32,
    lines: usize,
}

impl HocrReader {
    fn start(&mut self, tag: &XmlTag<'_>, depth: usize) {
        let Some(class) = HocrClass::of(tag) else { return };
        let title = tag.get("title").unwrap_or_default();
        let bbox: Option<[f32; 4]> = numbers(&title, "bbox");
        match class {
            HocrClass::Page => {
                self.end_line();
                let [_, _, width, height] = bbox.unwrap_or_default();
                let page = self.pages.len() as u64 + 1;
                self.pages.push(RecognizedPage { page, width, height, has_boxes: true, lines: Vec::new() });
                self.paragraph = 0;
            }
            HocrClass::Paragraph => {
                self.end_line();
                self.paragraph += 1;
            }
            HocrClass::Line => {
                self.end_line();
                let [slope, offset] = numbers(&title, "baseline").unwrap_or_default();
                let size = numbers::<1>(&title, "x_size").map(|[size]| size).filter(|size| *size > 0.0);
                self.line =
                    Some(LineProperties { bbox: bbox.unwrap_or_default(), size, baseline: (slope, offset) });
                self.line_depth = depth;
            }
            HocrClass::Word => {
                self.words.push(HocrWord { text: String::new(), bbox });
                self.word_depth = depth;
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.word_depth == 0 {
            // A line may have its text without words.
            if self.line.is_some() && !text.trim().is_empty() {
                let bbox = self.line.map(|line| line.bbox);
                self.words.push(HocrWord { text: text.to_owned(), bbox });
            }
        } else if let Some(word) = self.words.last_mut() {
            word.text.push_str(text);
        }
    }

    fn end(&mut self, depth: usize) {
        if depth < self.word_depth {
            self.word_depth = 0;
        }
        if depth < self.line_depth {
            self.end_line();
        }
    }

    /// Adds the line that is open to the page, divided at wide gaps.
    fn end_line(&mut self) {
        let words = std::mem::take(&mut self.words);
        let line = self.line.take();
        (self.line_depth, self.word_depth) = (0, 0);
        let Some(page) = self.pages.last_mut() else { return };
        let mut parts: Vec<RecognizedLine> = Vec::new();
        for word in words.iter().filter(|word| !word.text.trim().is_empty()) {
            let Some(bbox) = word.bbox.or(line.map(|line| line.bbox)) else { continue };
            let line = line.unwrap_or(LineProperties { bbox, ..LineProperties::default() });
            let size = line.size.unwrap_or(line.bbox[3] - line.bbox[1]).max(1.0);
            let text = word.text.split_whitespace().collect::<Vec<_>>().join(" ");
            match parts.last_mut() {
                Some(part) if bbox[0] - part.bbox[2] <= WIDE_GAP * size => part.add(&text, bbox),
                _ => parts.push(RecognizedLine {
                    text,
                    bbox,
                    baseline: line.baseline_at(bbox[0]),
                    size,
                    paragraph: self.paragraph,
                }),
            }
        }
        self.lines += parts.len();
        if self.lines <= MAX_LINES {
            page.lines.append(&mut parts);
        }
    }
}

impl LineProperties {
    /// The height of the baseline at `x`.
    fn baseline_at(&self, x: f32) -> f32 {
        let (slope, offset) = self.baseline;
        self.bbox[3] + offset + slope * (x - self.bbox[0])
    }
}

impl RecognizedLine {
    fn add(&mut self, text: &str, [left, top, right, bottom]: [f32; 4]) {
        let [a, b, c, d] = self.bbox;
        self.text.push(' ');
        self.text.push_str(text);
        self.bbox = [a.min(left), b.min(top), c.max(right), d.max(bottom)];
    }
}

/// The numbers of a property in a title such as `bbox 1 2 30 40; x_size 12`.
fn numbers<const N: usize>(title: &str, name: &str) -> Option<[f32; N]> {
    let property =
        title.split(';').map(str::trim).find_map(|part| part.strip_prefix(name)?.strip_prefix(' '))?;
    let mut found = [0.0; N];
    let mut words = property.split_ascii_whitespace();
    for number in &mut found {
        *number = words.next()?.parse().ok().filter(|value: &f32| value.is_finite())?;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<?xml version='1.0'?>\n<html><body>\
        <div class='ocr_page' title='image \"/tmp/x.png\"; bbox 0 0 2000 3000; ppageno 0'>\
        <div class='ocr_carea'><p class='ocr_par' title='bbox 1 2 3 4'>\
        <span class='ocr_line' title=\"bbox 100 200 900 250; baseline 0.01 -10; x_size 40\">\n\
        <span class='ocrx_word' title='bbox 100 200 300 250; x_wconf 96'>Fish &amp;</span> \
        <span class='ocrx_word' title='bbox 320 200 500 250'><strong>chips</strong></span> \
        <span class='ocrx_word' title='bbox 800 200 900 250'>3.20</span></span></p></div>\
        <p class='ocr_par'><span class='ocrx_line' title='bbox 100 300 500 340'>no words, a line</span></p>\
        </div><div class='ocr_page' title='bbox 0 0 10 20'></div></body></html>";

    #[test]
    fn lines_have_words_boxes_and_baselines() {
        let pages = pages(PAGE).unwrap();
        assert_eq!(pages.iter().map(|page| page.page).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((pages[0].width, pages[0].height, pages[1].lines.len()), (2000.0, 3000.0, 0));
        let lines: Vec<_> = pages[0].lines.iter().map(|line| (line.text.as_str(), line.paragraph)).collect();
        assert_eq!(lines, [("Fish & chips", 1), ("3.20", 1), ("no words, a line", 2)]);
        let first = &pages[0].lines[0];
        assert_eq!((first.bbox, first.size, first.baseline), ([100.0, 200.0, 500.0, 250.0], 40.0, 240.0));
        assert_eq!(pages[0].lines[1].baseline, 247.0);
        assert_eq!(pages[0].lines[2].size, 40.0);
    }

    #[test]
    fn other_text_is_no_hocr() {
        assert_eq!(pages("plain words about ocr_page"), None);
        assert_eq!(pages("<html><body>a page</body></html>"), None);
        assert_eq!(pages(""), None);
    }

    #[test]
    fn broken_hocr_gives_what_can_be_read() {
        let cut = &PAGE[..PAGE.find("chips").unwrap()];
        assert_eq!(pages(cut).unwrap()[0].lines[0].text, "Fish &");
        let odd =
            "<div class='ocr_page' title='bbox x y'><span class='ocrx_word' title='bbox nan 1 2 3'>w</span>";
        let page = &pages(odd).unwrap()[0];
        assert_eq!((page.width, page.lines.len()), (0.0, 0));
    }
}

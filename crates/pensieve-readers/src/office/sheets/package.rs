//! The XML parts around the sheets of `.xlsx` and `.xlsb`: drawings, charts, comments.
//!
//! Knows nothing of the sheets themselves. Sources: ECMA-376 part 1, chapters 18.7 (comments), 20 and 21 (drawings);
//! [MS-XLSX] 2.1.17 (threaded comments).

use super::annotations::{CellComment, TextAllowance, without_author};
use super::row::{cell_reference, clip_name};
use super::stream::{XmlStream, XmlToken, resolve};
use super::unescape::unescape_characters;
use crate::limits::sheets::{MAX_DRAWING_PARAGRAPHS, MAX_NAME_BYTES, MAX_PARAGRAPH_BYTES};
use crate::markdown::{Block, Words};
use crate::shared::opc::{OpcPackage, Relationships, drawing};
use std::collections::HashMap;
use std::io::Read;

/// The paragraphs of a drawing, a chart or a diagram, and the descriptions of its pictures.
fn read_paragraphs(source: impl Read, allowance: &mut TextAllowance) -> Vec<String> {
    let mut stream = XmlStream::new(source);
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut add = |text: String| {
        if !text.trim().is_empty() && allowance.take(&text) {
            found.push(text);
        }
        found.len() < MAX_DRAWING_PARAGRAPHS
    };
    let (mut is_text, mut in_picture) = (false, false);
    while let Some(token) = stream.next() {
        match token {
            // Repeats the drawing for older editions of Excel.
            XmlToken::Start(tag) if tag.name == b"Fallback" => stream.skip_element(),
            XmlToken::Start(tag) => match tag.name {
                b"t" => is_text = true,
                b"br" => paragraph.push('\n'),
                b"pic" => in_picture = true,
                b"cNvPr" if in_picture => {
                    add(tag.get("descr").unwrap_or_default().into_owned());
                }
                _ => {}
            },
            XmlToken::End(name) => match name {
                b"t" => is_text = false,
                b"pic" => in_picture = false,
                b"p" if !add(std::mem::take(&mut paragraph)) => break,
                _ => {}
            },
            XmlToken::Text(raw) if is_text && paragraph.len() < MAX_PARAGRAPH_BYTES => {
                paragraph.push_str(&resolve(raw))
            }
            XmlToken::Verbatim(raw) if is_text && paragraph.len() < MAX_PARAGRAPH_BYTES => {
                paragraph.push_str(&String::from_utf8_lossy(raw));
            }
            _ => {}
        }
    }
    add(paragraph);
    found
}

/// The words of the drawings of a sheet, its diagrams, and the titles of its charts, whose numbers are those of cells.
pub(super) fn read_drawings(package: &mut OpcPackage<'_>, around: &Relationships) -> Vec<Block> {
    let (mut blocks, mut allowance) = (Vec::new(), TextAllowance::default());
    for part in around.of_kind("drawing") {
        if let Ok(stream) = package.archive().stream(part) {
            let texts = read_paragraphs(stream, &mut allowance).into_iter();
            blocks.extend(texts.map(|text| Block::Paragraph(Words::plain(text))));
        }
        let inner = package.relations(part);
        for kind in ["diagramData", "chart", "chartEx"] {
            for part in inner.of_kind(kind) {
                if blocks.len() < MAX_DRAWING_PARAGRAPHS {
                    blocks.extend(match kind {
                        "diagramData" => drawing::diagram(package, part),
                        _ => titles(drawing::chart(package, part)),
                    });
                }
            }
        }
    }
    blocks
}

/// A chart without its numbers.
fn titles(mut chart: Vec<Block>) -> Vec<Block> {
    chart.retain(|block| !matches!(block, Block::Table(_)));
    chart
}

/// The comments of a sheet: the threaded ones, and the plain ones of cells without a thread.
pub(super) fn read_comments(
    package: &mut OpcPackage<'_>,
    around: &Relationships,
    people: &PersonNames,
) -> Vec<CellComment> {
    let mut comments = Vec::new();
    for part in around.of_kind("threadedComment") {
        if let Ok(stream) = package.archive().stream(part) {
            comments.extend(read_threads(stream, people));
        }
    }
    let mut threaded: Vec<(u32, u32)> =
        comments.iter().map(|comment| (comment.row, comment.column)).collect();
    threaded.sort_unstable();
    for part in around.of_kind("comments").filter(|part| !part.ends_with(".bin")) {
        if let Ok(stream) = package.archive().stream(part) {
            let plain = read_plain_comments(stream).into_iter();
            comments.extend(plain.filter(|one| threaded.binary_search(&(one.row, one.column)).is_err()));
        }
    }
    comments
}

/// Names of people by their identifiers.
pub(super) type PersonNames = HashMap<String, String>;

/// The people who wrote threaded comments.
pub(super) fn read_people(package: &mut OpcPackage<'_>, around: &Relationships) -> PersonNames {
    let (mut people, mut allowance) = (PersonNames::new(), TextAllowance::default());
    for part in around.of_kind("person") {
        let Ok(stream) = package.archive().stream(part) else { continue };
        let mut stream = XmlStream::new(stream);
        while let Some(token) = stream.next() {
            if let XmlToken::Start(tag) = token
                && tag.name == b"person"
                && let (Some(id), Some(name)) = (tag.get("id"), tag.get("displayName"))
                && allowance.take(&id)
                && allowance.take(&name)
            {
                people.insert(id.into_owned(), clip_name(&name));
            }
        }
    }
    people
}

fn read_threads(source: impl Read, people: &PersonNames) -> Vec<CellComment> {
    let mut stream = XmlStream::new(source);
    let (mut found, mut allowance) = (Vec::new(), TextAllowance::default());
    let mut current = CellComment::default();
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) if tag.name == b"threadedComment" => {
                let (row, column) = tag.get("ref").and_then(|text| cell_reference(&text)).unwrap_or((1, 1));
                let author = tag.get("personId").and_then(|id| people.get(&*id)).cloned().unwrap_or_default();
                current = CellComment { row, column, author, text: String::new() };
            }
            XmlToken::Start(tag) if tag.name == b"text" => {
                current.text = stream.text_inside(MAX_PARAGRAPH_BYTES)
            }
            XmlToken::End(b"threadedComment") => {
                found.extend(
                    Some(std::mem::take(&mut current)).filter(|comment| comment.fits(&mut allowance)),
                );
            }
            _ => {}
        }
    }
    found
}

/// The comments of a part in the form that every edition of Excel writes.
pub(super) fn read_plain_comments(source: impl Read) -> Vec<CellComment> {
    let mut stream = XmlStream::new(source);
    let mut authors: Vec<String> = Vec::new();
    let (mut found, mut allowance) = (Vec::new(), TextAllowance::default());
    let mut current: Option<CellComment> = None;
    let (mut is_text, mut in_author) = (false, false);
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) => match tag.name {
                b"author" => {
                    in_author = allowance.take("");
                    if in_author {
                        authors.push(String::new());
                    }
                }
                b"comment" => {
                    let (row, column) =
                        tag.get("ref").and_then(|text| cell_reference(&text)).unwrap_or((1, 1));
                    let author = tag.number("authorId").and_then(|id| authors.get(id as usize)).cloned();
                    current = Some(CellComment {
                        row,
                        column,
                        author: author.unwrap_or_default(),
                        text: String::new(),
                    });
                }
                b"t" => is_text = true,
                b"rPh" => stream.skip_element(),
                _ => {}
            },
            XmlToken::End(b"author") => in_author = false,
            XmlToken::End(b"t") => is_text = false,
            XmlToken::End(b"comment") => {
                found.extend(
                    current.take().filter(|comment| comment.fits(&mut allowance)).map(without_author),
                );
            }
            XmlToken::Text(raw) if in_author => {
                let name = clip_name(&resolve(raw));
                if let Some(last) =
                    authors.last_mut().filter(|last| last.len() < MAX_NAME_BYTES && allowance.take(&name))
                {
                    last.push_str(&name);
                }
            }
            XmlToken::Text(raw) if is_text => {
                if let Some(comment) =
                    current.as_mut().filter(|comment| comment.text.len() < MAX_PARAGRAPH_BYTES)
                {
                    comment.text.push_str(&unescape_characters(&resolve(raw)));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_have_authors_and_no_phonetic_runs() {
        let source = "<comments><authors><author>Jo</author></authors><commentList><comment ref='B3' authorId='0'><text>\
                      <r><t>Jo:</t></r><r><t>\nlook_x000D_</t></r><rPh><t>no</t></rPh></text></comment></commentList></comments>";
        let expected = CellComment { row: 3, column: 2, author: "Jo".into(), text: "look".into() };
        assert_eq!(read_plain_comments(source.as_bytes()), [expected]);
    }

    #[test]
    fn drawings_give_paragraphs_and_what_pictures_show() {
        let source = "<d><pic><cNvPr descr='A cat'/></pic><p><r><t>one</t></r><br/><r><t>two</t></r></p><p/>\
                      <Fallback><p><t>again</t></p></Fallback></d>";
        assert_eq!(read_paragraphs(source.as_bytes(), &mut TextAllowance::default()), ["A cat", "one\ntwo"]);
    }
}

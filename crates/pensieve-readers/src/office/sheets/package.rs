//! What the two packaged formats of Excel share: texts of drawings and charts, comments.
//!
//! Owns the XML parts around the sheets; knows neither form of the sheets themselves. Sources: ECMA-376 part 1, chapters 18.7 (comments), 20 and 21 (drawings); [MS-XLSX] 2.1.17 (threaded comments).

use super::grid::Comment;
use super::row::{Room, cell_reference, short};
use super::stream::{Token, XmlStream, resolve};
use crate::shared::opc::{OpcPackage, Relationships};
use std::collections::HashMap;
use std::io::Read;

/// Paragraphs that are taken from the drawings of a sheet.
const MOST_PARAGRAPHS: usize = 100_000;

/// Bytes of a paragraph or comment.
const LONGEST: usize = 64 << 10;

/// The paragraphs of a drawing, a chart or a diagram, and what its pictures show.
fn paragraphs(source: impl Read, room: &mut Room) -> Vec<String> {
    let mut stream = XmlStream::new(source);
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut add = |text: String| {
        if !text.trim().is_empty() && room.take(&text) {
            found.push(text);
        }
        found.len() < MOST_PARAGRAPHS
    };
    let (mut is_text, mut in_picture) = (false, false);
    while let Some(token) = stream.next() {
        match token {
            // The same once more, for readers of older editions.
            Token::Start(tag) if tag.name == b"Fallback" => stream.pass(),
            Token::Start(tag) => match tag.name {
                b"t" => is_text = true,
                b"br" => paragraph.push('\n'),
                b"pic" => in_picture = true,
                b"cNvPr" if in_picture => {
                    add(tag.get("descr").unwrap_or_default().into_owned());
                }
                _ => {}
            },
            Token::End(name) => match name {
                b"t" => is_text = false,
                b"pic" => in_picture = false,
                b"p" if !add(std::mem::take(&mut paragraph)) => break,
                _ => {}
            },
            Token::Text(raw) if is_text && paragraph.len() < LONGEST => paragraph.push_str(&resolve(raw)),
            Token::Verbatim(raw) if is_text && paragraph.len() < LONGEST => {
                paragraph.push_str(&String::from_utf8_lossy(raw));
            }
            _ => {}
        }
    }
    add(paragraph);
    found
}

/// Everything that is written on the drawings of a sheet, charts and diagrams included.
pub(super) fn drawing_texts(package: &mut OpcPackage<'_>, around: &Relationships) -> Vec<String> {
    let (mut texts, mut room) = (Vec::new(), Room::default());
    let mut read = |package: &mut OpcPackage<'_>, part: &str| {
        if texts.len() < MOST_PARAGRAPHS
            && let Ok(stream) = package.archive().stream(part)
        {
            texts.extend(paragraphs(stream, &mut room));
        }
    };
    for drawing in around.of_kind("drawing") {
        read(package, drawing);
        let inner = package.relations(drawing);
        ["diagramData", "chart", "chartEx"]
            .iter()
            .flat_map(|kind| inner.of_kind(kind))
            .for_each(|part| read(package, part));
        for chart in inner.of_kind("chart") {
            package.relations(chart).of_kind("chartUserShapes").for_each(|part| read(package, part));
        }
    }
    texts
}

/// The comments of a sheet: the threaded ones, and the others where no thread stands on the cell.
pub(super) fn comments(
    package: &mut OpcPackage<'_>,
    around: &Relationships,
    people: &People,
) -> Vec<Comment> {
    let mut comments = Vec::new();
    for part in around.of_kind("threadedComment") {
        if let Ok(stream) = package.archive().stream(part) {
            comments.extend(threads(stream, people));
        }
    }
    let mut threaded: Vec<(u32, u32)> =
        comments.iter().map(|comment| (comment.row, comment.column)).collect();
    threaded.sort_unstable();
    for part in around.of_kind("comments").filter(|part| !part.ends_with(".bin")) {
        if let Ok(stream) = package.archive().stream(part) {
            let plain = plain_comments(stream).into_iter();
            comments.extend(plain.filter(|one| threaded.binary_search(&(one.row, one.column)).is_err()));
        }
    }
    comments
}

/// Names of people by their identifiers.
pub(super) type People = HashMap<String, String>;

/// The people who wrote threaded comments.
pub(super) fn people(package: &mut OpcPackage<'_>, around: &Relationships) -> People {
    let (mut people, mut room) = (People::new(), Room::default());
    for part in around.of_kind("person") {
        let Ok(stream) = package.archive().stream(part) else { continue };
        let mut stream = XmlStream::new(stream);
        while let Some(token) = stream.next() {
            if let Token::Start(tag) = token
                && tag.name == b"person"
                && let (Some(id), Some(name)) = (tag.get("id"), tag.get("displayName"))
                && room.take(&id)
                && room.take(&name)
            {
                people.insert(id.into_owned(), short(&name));
            }
        }
    }
    people
}

fn threads(source: impl Read, people: &People) -> Vec<Comment> {
    let mut stream = XmlStream::new(source);
    let (mut found, mut room) = (Vec::new(), Room::default());
    let mut current = Comment::default();
    while let Some(token) = stream.next() {
        match token {
            Token::Start(tag) if tag.name == b"threadedComment" => {
                let (row, column) = tag.get("ref").and_then(|text| cell_reference(&text)).unwrap_or((1, 1));
                let author = tag.get("personId").and_then(|id| people.get(&*id)).cloned().unwrap_or_default();
                current = Comment { row, column, author, text: String::new() };
            }
            Token::Start(tag) if tag.name == b"text" => current.text = stream.text_inside(LONGEST),
            Token::End(b"threadedComment") => {
                found.extend(Some(std::mem::take(&mut current)).filter(|comment| comment.fits(&mut room)));
            }
            _ => {}
        }
    }
    found
}

/// The comments of a part as every edition of Excel writes it.
pub(super) fn plain_comments(source: impl Read) -> Vec<Comment> {
    let mut stream = XmlStream::new(source);
    let mut authors: Vec<String> = Vec::new();
    let (mut found, mut room) = (Vec::new(), Room::default());
    let mut current: Option<Comment> = None;
    let (mut is_text, mut in_author) = (false, false);
    while let Some(token) = stream.next() {
        match token {
            Token::Start(tag) => match tag.name {
                b"author" => {
                    in_author = room.take("");
                    if in_author {
                        authors.push(String::new());
                    }
                }
                b"comment" => {
                    let (row, column) =
                        tag.get("ref").and_then(|text| cell_reference(&text)).unwrap_or((1, 1));
                    let author = tag.number("authorId").and_then(|id| authors.get(id as usize)).cloned();
                    current = Some(Comment {
                        row,
                        column,
                        author: author.unwrap_or_default(),
                        text: String::new(),
                    });
                }
                b"t" => is_text = true,
                b"rPh" => stream.pass(),
                _ => {}
            },
            Token::End(b"author") => in_author = false,
            Token::End(b"t") => is_text = false,
            Token::End(b"comment") => {
                found.extend(current.take().filter(|comment| comment.fits(&mut room)).map(without_author));
            }
            Token::Text(raw) if in_author => {
                let name = short(&resolve(raw));
                if let Some(last) = authors.last_mut().filter(|last| last.len() < 1024 && room.take(&name)) {
                    last.push_str(&name);
                }
            }
            Token::Text(raw) if is_text => {
                if let Some(comment) = current.as_mut().filter(|comment| comment.text.len() < LONGEST) {
                    comment.text.push_str(&unescaped(&resolve(raw)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Excel writes the author's name at the start of the text as well.
pub(super) fn without_author(mut comment: Comment) -> Comment {
    let author = comment.author.trim();
    if !author.is_empty()
        && let Some(rest) = comment.text.trim_start().strip_prefix(author)
        && let Some(rest) = rest.trim_start().strip_prefix(':')
    {
        comment.text = rest.trim_start().to_owned();
    }
    comment
}

/// Characters that XML cannot hold are written as `_x000D_`.
pub(super) fn unescaped(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains("_x") {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let is_hex = |code: &&str| code.bytes().all(|byte| byte.is_ascii_hexdigit());
        match code.filter(is_hex).and_then(|code| u32::from_str_radix(code, 16).ok()) {
            Some(code) => {
                out.push_str(&rest[..at]);
                out.extend(char::from_u32(code).filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
                rest = &rest[at + 7..];
            }
            None => {
                out.push_str(&rest[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_have_authors_and_no_phonetic_runs() {
        let source = "<comments><authors><author>Jo</author></authors><commentList><comment ref='B3' authorId='0'><text>\
                      <r><t>Jo:</t></r><r><t>\nlook_x000D_</t></r><rPh><t>no</t></rPh></text></comment></commentList></comments>";
        let expected = Comment { row: 3, column: 2, author: "Jo".into(), text: "look".into() };
        assert_eq!(plain_comments(source.as_bytes()), [expected]);
    }

    #[test]
    fn drawings_give_paragraphs_and_what_pictures_show() {
        let source = "<d><pic><cNvPr descr='A cat'/></pic><p><r><t>one</t></r><br/><r><t>two</t></r></p><p/>\
                      <Fallback><p><t>again</t></p></Fallback></d>";
        assert_eq!(paragraphs(source.as_bytes(), &mut Room::default()), ["A cat", "one\ntwo"]);
    }

    #[test]
    fn escapes_of_control_characters_are_resolved() {
        assert_eq!(unescaped("a_x000D_\n_x005F_x0041__xyz_x00"), "a\n_x0041__xyz_x00");
    }
}

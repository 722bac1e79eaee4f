//! Charts and diagrams: parts of their own, which a document or slide shows inline.
//!
//! Reads their words: titles, names of series and categories of charts; the texts of diagrams (SmartArt) by their
//! levels. The values of a chart are in its workbook. Sources: ECMA-376 part 1, sections 21.2 (charts) and 21.4
//! (diagrams); [MS-ODRAWXML] 2.24.3 (extended charts).

use super::package::OpcPackage;
use crate::limits::opc::{MAX_DESCRIPTION_CHARACTERS, MAX_DRAWING_TEXTS};
use crate::markdown::{Block, ItemMarker, TextRun, Words};
use crate::shared::xml::{XmlEvent, XmlReader};
use std::collections::{HashMap, HashSet};

/// Sentences that programs add to their descriptions of pictures.
const GENERATED_SENTENCES: &[&str] = &[
    "description automatically generated",
    "ai-generated content may be incorrect",
    "automatically generated",
    "automatisch generierte beschreibung",
    "ki-generierte inhalte können fehlerhaft sein",
    "description générée automatiquement",
    "le contenu généré par l’ia peut être incorrect",
    "descripción generada automáticamente",
    "el contenido generado por ia puede ser incorrecto",
    "descrizione generata automaticamente",
    "il contenuto generato dall'ia potrebbe non essere corretto",
    "descrição gerada automaticamente",
    "o conteúdo gerado por ia pode estar incorreto",
    "automatisch gegenereerde beschrijving",
    "door ai gegenereerde inhoud is mogelijk onjuist",
];

/// The words that describe a picture, without what a program added to them; `None` if they are only a file name.
pub(crate) fn alternative(text: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_added =
        |line: &&str| GENERATED_SENTENCES.contains(&line.trim_end_matches('.').to_lowercase().as_str());
    lines.retain(|line| !is_added(line));
    let text = lines.join(" ");
    let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let is_picture =
        ["png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "emf", "wmf", "svg"].contains(&ending.as_str());
    let is_name = is_picture && (!text.contains(' ') || text.contains(['\\', '/']));
    (!text.is_empty() && !is_name).then_some(text)
}

/// A picture as an HTML element with its description: the picture itself is not kept, and Markdown has no image without
/// an address.
pub(crate) fn image(alternative: &str) -> TextRun {
    let words: String = alternative.chars().take(MAX_DESCRIPTION_CHARACTERS).collect();
    let words = words.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    TextRun { text: format!("<img alt=\"{words}\"/>"), is_markup: true, ..TextRun::default() }
}

/// The words of a chart; nothing if its part cannot be read.
pub(crate) fn chart(package: &mut OpcPackage<'_>, part: &str) -> Vec<Block> {
    let Ok(text) = package.text(part) else { return Vec::new() };
    let mut blocks = chart_blocks(&text.text);
    let shapes: Vec<_> = package.relations(part).of_kind("chartUserShapes").take(4).cloned().collect();
    for part in shapes {
        if let Ok(text) = package.text(&part) {
            blocks.extend(paragraphs(&text.text).into_iter().map(paragraph));
        }
    }
    blocks
}

fn paragraph(text: String) -> Block {
    Block::Paragraph(Words::plain(text))
}

/// Texts without repetitions.
#[derive(Default)]
struct UniqueTexts {
    known: HashSet<String>,
    all: Vec<String>,
}

impl UniqueTexts {
    fn add(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() && self.all.len() < MAX_DRAWING_TEXTS && self.known.insert(text.to_owned()) {
            self.all.push(text.to_owned());
        }
    }

    fn line(self) -> Option<Block> {
        (!self.all.is_empty()).then(|| paragraph(self.all.join(", ")))
    }
}

fn chart_blocks(source: &str) -> Vec<Block> {
    let mut reader = XmlReader::new(source);
    let (mut titles, mut series, mut categories) =
        (Vec::new(), UniqueTexts::default(), UniqueTexts::default());
    // The open elements that determine what a value is.
    let mut open: Vec<&str> = Vec::new();
    let mut paragraph_text = String::new();
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "Fallback" | "txPr" => reader.pass(),
                "t" => paragraph_text.push_str(&reader.text_inside()),
                // A point contains a value, in extended charts its text directly.
                "v" | "pt" => match () {
                    () if open.contains(&"cat") || open.contains(&"strDim") => {
                        categories.add(&reader.text_inside());
                    }
                    () if open.contains(&"title") => titles.push(reader.text_inside().trim().to_owned()),
                    () if open.contains(&"tx") => series.add(&reader.text_inside()),
                    () => reader.pass(),
                },
                name => {
                    let kept = ["cat", "strDim", "tx", "title"].into_iter().find(|known| *known == name);
                    if let Some(kept) = kept {
                        open.push(kept);
                    }
                }
            },
            XmlEvent::End("p") => titles.push(std::mem::take(&mut paragraph_text)),
            XmlEvent::End(name) if open.last() == Some(&name) => {
                open.pop();
            }
            _ => {}
        }
    }
    titles.retain(|title| !title.trim().is_empty());
    titles.truncate(MAX_DRAWING_TEXTS);
    titles.into_iter().map(paragraph).chain(series.line()).chain(categories.line()).collect()
}

/// The paragraphs of a drawing.
fn paragraphs(source: &str) -> Vec<String> {
    let mut reader = XmlReader::new(source);
    let mut found = Vec::new();
    let mut paragraph = String::new();
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "Fallback" => reader.pass(),
                "t" => paragraph.push_str(&reader.text_inside()),
                "br" => paragraph.push('\n'),
                _ => {}
            },
            XmlEvent::End("p") => found.push(std::mem::take(&mut paragraph)),
            _ => {}
        }
    }
    found.retain(|text| !text.trim().is_empty());
    found.truncate(MAX_DRAWING_TEXTS);
    found
}

/// The words of a diagram, from its data part: an item for each paragraph of each point.
pub(crate) fn diagram(package: &mut OpcPackage<'_>, part: &str) -> Vec<Block> {
    let Ok(text) = package.text(part) else { return Vec::new() };
    diagram_blocks(&text.text)
}

/// A point of a diagram.
#[derive(Default)]
struct DiagramPoint {
    id: String,
    is_root: bool,
    texts: Vec<String>,
}

fn diagram_blocks(source: &str) -> Vec<Block> {
    let mut reader = XmlReader::new(source);
    let mut points: Vec<DiagramPoint> = Vec::new();
    // For each parent, its children with their order.
    let mut children: HashMap<String, Vec<(u32, String)>> = HashMap::new();
    let mut text = String::new();
    let (mut links, mut in_paragraph) = (0, false);
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "pt" => match tag.get("type").as_deref().unwrap_or("node") {
                    kind @ ("node" | "asst" | "doc") if points.len() < MAX_DRAWING_TEXTS => {
                        let id = tag.get("modelId").unwrap_or_default();
                        points.push(DiagramPoint { id, is_root: kind == "doc", texts: Vec::new() });
                    }
                    _ => reader.pass(),
                },
                // A point has its paragraphs in a `t` as well.
                "p" => in_paragraph = true,
                "t" if in_paragraph => text.push_str(&reader.text_inside()),
                "br" => text.push('\n'),
                "cxn" if links < MAX_DRAWING_TEXTS && tag.get("type").is_none_or(|kind| kind == "parOf") => {
                    links += 1;
                    let place = tag.get("srcOrd").and_then(|place| place.parse().ok()).unwrap_or(0);
                    let child = (place, tag.get("destId").unwrap_or_default());
                    children.entry(tag.get("srcId").unwrap_or_default()).or_default().push(child);
                }
                _ => {}
            },
            XmlEvent::End("p") => {
                in_paragraph = false;
                let text = std::mem::take(&mut text);
                if let Some(point) = points.last_mut().filter(|_| !text.trim().is_empty()) {
                    point.texts.push(text);
                }
            }
            _ => {}
        }
    }
    outline(&points, children)
}

/// The points in the order of their tree; those outside the tree follow.
fn outline(points: &[DiagramPoint], mut children: HashMap<String, Vec<(u32, String)>>) -> Vec<Block> {
    let by_id: HashMap<&str, usize> =
        points.iter().enumerate().map(|(at, point)| (point.id.as_str(), at)).collect();
    let mut blocks = Vec::new();
    let mut is_done = vec![false; points.len()];
    let roots = points.iter().enumerate().filter(|(_, point)| point.is_root);
    let rest = points.iter().enumerate().filter(|(_, point)| !point.is_root);
    let starts: Vec<usize> = roots.chain(rest).map(|(at, _)| at).collect();
    for start in starts {
        let mut stack = vec![(start, 0_u8)];
        while let Some((at, depth)) = stack.pop() {
            let Some(point) = points.get(at).filter(|_| !is_done[at]) else { continue };
            is_done[at] = true;
            for text in &point.texts {
                blocks.push(Block::Item {
                    depth: depth.saturating_sub(1),
                    marker: Some(ItemMarker::Bullet),
                    words: Words::plain(text.clone()),
                });
            }
            let mut children_here = children.remove(&point.id).unwrap_or_default();
            children_here.sort();
            let children_here = children_here.iter().rev().filter_map(|(_, id)| by_id.get(id.as_str()));
            stack.extend(children_here.map(|&at| (at, depth.saturating_add(1))));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::MarkdownDraft;

    fn check(blocks: Vec<Block>, expected: &str) {
        let mut draft = MarkdownDraft::new();
        blocks.iter().for_each(|block| draft.push(block));
        assert_eq!(draft.finish().text, expected);
    }

    #[test]
    fn charts_give_titles_series_and_categories() {
        let source = "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>\
            <c:ser><c:tx><c:strRef><c:f>S!$B$1</c:f><c:strCache><c:pt><c:v>East</c:v></c:pt></c:strCache></c:strRef></c:tx>\
            <c:cat><c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache></c:cat>\
            <c:val><c:numCache><c:pt><c:v>4.3</c:v></c:pt></c:numCache></c:val></c:ser>\
            <c:ser><c:cat><c:pt><c:v>May</c:v></c:pt></c:cat></c:ser></c:chart>";
        check(chart_blocks(source), "Sales\n\nEast\n\nMay, June\n");
    }

    #[test]
    fn diagrams_give_their_tree_and_no_circle_holds_them() {
        let point = |id: &str, text: &str| {
            format!("<dgm:pt modelId='{id}'><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>")
        };
        let source = format!(
            "<d><dgm:pt modelId='0' type='doc'/>{}{}{}<dgm:pt modelId='9' type='pres'><a:p><a:t>no</a:t></a:p></dgm:pt>\
             <dgm:cxn srcId='0' destId='2' srcOrd='0'/><dgm:cxn srcId='0' destId='1' srcOrd='1'/>\
             <dgm:cxn srcId='2' destId='3' srcOrd='0'/><dgm:cxn srcId='3' destId='2' srcOrd='0'/></d>",
            point("1", "last"),
            point("2", "first"),
            point("3", "inner"),
        );
        check(diagram_blocks(&source), "- first\n  - inner\n- last\n");
    }

    #[test]
    fn titles_and_names_of_series_may_be_in_caches() {
        let title = "<c:title><c:tx><c:strRef><c:strCache>\n<c:pt>\n<c:v>Cached</c:v>\n</c:pt></c:strCache></c:strRef></c:tx></c:title>";
        check(chart_blocks(title), "Cached\n");
        let series =
            "<c:ser><c:tx><c:v>South</c:v></c:tx></c:ser><c:ser><c:tx><c:v>North</c:v></c:tx></c:ser>";
        check(chart_blocks(series), "South, North\n");
        let axis = "<c:catAx><c:txPr><a:p><a:t>no</a:t></a:p></c:txPr><mc:Fallback><a:p><a:t>no</a:t></a:p></mc:Fallback></c:catAx>";
        check(chart_blocks(axis), "");
        let extended = "<cx:data><cx:strDim type='cat'><cx:f>S!A1</cx:f><cx:lvl><cx:pt> May </cx:pt><cx:pt>June</cx:pt></cx:lvl></cx:strDim>\
            <cx:numDim><cx:lvl><cx:pt>4.3</cx:pt></cx:lvl></cx:numDim></cx:data>";
        check(chart_blocks(extended), "May, June\n");
    }

    #[test]
    fn charts_give_the_words_of_their_shapes() {
        let rels = "<R><Relationship Id='s' Type='t/chartUserShapes' Target='s.xml'/></R>";
        let shapes = "<a:p><a:t>one</a:t><a:br/><a:t>two</a:t></a:p><a:p/><mc:Fallback><a:p><a:t>no</a:t></a:p></mc:Fallback><a:p><a:t>three</a:t></a:p>";
        let entries: &[(&str, &[u8])] = &[
            ("c.xml", b"<a:p><a:t>Title</a:t></a:p>"),
            ("_rels/c.xml.rels", rels.as_bytes()),
            ("s.xml", shapes.as_bytes()),
            ("d.xml", b"<pt><p><t>point</t></p></pt>"),
        ];
        let mut file = std::io::Cursor::new(crate::shared::archive::testing::package(entries));
        let mut source = crate::source::DocumentSource::new(&mut file, "a.docx").unwrap();
        let mut package = OpcPackage::open(&mut source).unwrap();
        check(chart(&mut package, "c.xml"), "Title\n\none\\\ntwo\n\nthree\n");
        check(chart(&mut package, "gone.xml"), "");
        check(diagram(&mut package, "d.xml"), "- point\n");
    }

    #[test]
    fn charts_and_diagrams_have_a_limit() {
        let titles: String = (0..=MAX_DRAWING_TEXTS).map(|at| format!("<p/><p><t>{at}</t></p>")).collect();
        assert_eq!(chart_blocks(&titles).len(), MAX_DRAWING_TEXTS);
        assert_eq!(paragraphs(&titles).len(), MAX_DRAWING_TEXTS);
        let mut unique = UniqueTexts::default();
        (0..=MAX_DRAWING_TEXTS).for_each(|at| unique.add(&at.to_string()));
        assert_eq!(unique.all.len(), MAX_DRAWING_TEXTS);
        let points: String =
            (0..=MAX_DRAWING_TEXTS).map(|at| format!("<pt modelId='{at}'><p><t>{at}</t></p></pt>")).collect();
        assert_eq!(diagram_blocks(&points).len(), MAX_DRAWING_TEXTS);
        let points = "<pt modelId='b'><p><t>b</t></p></pt><pt modelId='a'><p><t>a</t></p></pt><pt modelId='0' type='doc'/>";
        for (others, expected) in [(1, "- a\n- b\n"), (0, "- a\n  - b\n")] {
            let others = "<cxn srcId='x' destId='y'/>".repeat(MAX_DRAWING_TEXTS - 2 + others);
            let links = "<cxn srcId='0' destId='a'/>".to_owned() + &others + "<cxn srcId='a' destId='b'/>";
            check(diagram_blocks(&format!("{points}{links}")), expected);
        }
    }

    #[test]
    fn only_links_between_parent_and_child_make_a_tree() {
        let source = "<d><pt modelId='0' type='doc'/><pt modelId='1' type='asst'><p><t>a</t><br/><t>b</t></p><p><t> </t></p></pt>\
            <pt modelId='2'><p><t>c</t></p><t>no</t></pt><pt modelId='3'><p><t>d</t></p></pt>\
            <cxn srcId='0' destId='1' type='parOf'/><cxn srcId='1' destId='2' type='presOf'/><cxn srcId='1' destId='3'/></d>";
        check(diagram_blocks(source), "- a\\\n  b\n  - d\n- c\n");
    }

    #[test]
    fn descriptions_are_words_but_not_names_of_files() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(alternative(text).as_deref(), expected, "{text:?}");
        };
        check("A cat \n\n on a mat.", Some("A cat on a mat."));
        check("A cat\nDescription automatically generated", Some("A cat"));
        check(" \n", None);
        check("cat", Some("cat"));
        check("photo.of", Some("photo.of"));
        check("cat.PNG", None);
        check("my cat.png", Some("my cat.png"));
        check("C:\\my pictures\\cat.jpeg", None);
        check("my pictures/cat.jpeg", None);
        for sentence in GENERATED_SENTENCES {
            check(&format!(" {}. ", sentence.to_uppercase()), None);
        }
        let run = image(&format!("<\"&{}", "x".repeat(MAX_DESCRIPTION_CHARACTERS)));
        let rest = "x".repeat(MAX_DESCRIPTION_CHARACTERS - 3);
        assert_eq!(run.text, format!("<img alt=\"&lt;&quot;&amp;{rest}\"/>"));
        assert!(run.is_markup);
    }
}

//! Charts and diagrams: parts of their own, which a document or slide shows inline.
//!
//! Reads their words: the titles of charts, and a table of their categories with the numbers of each series, as the
//! program that drew them keeps these beside the drawing; the texts of diagrams (SmartArt) by their levels. Sources: ECMA-376 part 1, sections 21.2 (charts) and 21.4
//! (diagrams); [MS-ODRAWXML] 2.24.3 (extended charts).

use super::package::OpcPackage;
use crate::limits::opc::{MAX_DESCRIPTION_CHARACTERS, MAX_DRAWING_TEXTS};
use crate::markdown::{Block, ItemMarker, Table, TableCell, TableRow, TextRun, Words};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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

/// Points of a chart by their numbers.
type ChartPoints = BTreeMap<u32, String>;

/// A series of a chart.
#[derive(Default)]
struct ChartSeries {
    name: String,
    /// The categories, those of each level; the innermost level is the first.
    levels: Vec<ChartPoints>,
    values: ChartPoints,
}

impl ChartSeries {
    /// The name of a point: on an outer level a category holds until the next one.
    fn category(&self, point: u32) -> Option<String> {
        let levels = self.levels.iter().rev();
        let names: Vec<&str> =
            levels.filter_map(|level| Some(level.range(..=point).next_back()?.1.as_str())).collect();
        (!names.is_empty()).then(|| names.join(" "))
    }
}

/// What the values inside an open element are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChartPart {
    Title,
    Name,
    Categories,
    Values,
}

/// The texts and numbers of a chart as they are read.
#[derive(Default)]
struct ChartReader {
    titles: Vec<String>,
    /// Names of series, which extended charts have apart from their numbers.
    names: Vec<String>,
    series: Vec<ChartSeries>,
    /// The open elements that determine what a value is.
    open: Vec<(String, ChartPart)>,
    /// The number of the point that is open, and of the next one without a number of its own.
    point: u32,
    next_point: u32,
    points: usize,
}

impl ChartReader {
    fn begin(&mut self, tag: &XmlTag<'_>) {
        let part = match tag.name() {
            "cat" | "xVal" | "strDim" => ChartPart::Categories,
            "val" | "yVal" | "numDim" => ChartPart::Values,
            "title" => ChartPart::Title,
            "tx" => ChartPart::Name,
            "ser" | "data" => return self.series.push(ChartSeries::default()),
            "lvl" => return self.begin_level(),
            _ => return,
        };
        // The text of a title is in the same element as the name of a series.
        let part = if self.part() == Some(ChartPart::Title) { ChartPart::Title } else { part };
        self.open.push((tag.name().to_owned(), part));
        self.begin_level();
    }

    fn end(&mut self, name: &str) {
        self.open.pop_if(|(open, _)| open == name);
    }

    fn part(&self) -> Option<ChartPart> {
        self.open.last().map(|(_, part)| *part)
    }

    fn begin_level(&mut self) {
        self.next_point = 0;
        if self.part() == Some(ChartPart::Categories) {
            if self.series.is_empty() {
                self.series.push(ChartSeries::default());
            }
            let levels = self.series.last_mut().map(|series| &mut series.levels);
            levels
                .into_iter()
                .filter(|levels| levels.last().is_none_or(|level| !level.is_empty()))
                .for_each(|levels| levels.push(ChartPoints::new()));
        }
    }

    fn add(&mut self, value: &str) {
        let (value, point) = (value.trim().to_owned(), self.point);
        self.points += 1;
        if value.is_empty() || self.points > MAX_DRAWING_TEXTS {
            return;
        }
        let series = self.series.last_mut();
        match (self.open.last().map(|(_, part)| *part), series) {
            (Some(ChartPart::Title), _) => self.titles.push(value),
            (Some(ChartPart::Name), Some(series)) if series.name.is_empty() && series.values.is_empty() => {
                series.name = value
            }
            (Some(ChartPart::Name), _) => self.names.push(value),
            (Some(ChartPart::Categories), Some(series)) => {
                if let Some(level) = series.levels.last_mut() {
                    level.insert(point, value);
                }
            }
            (Some(ChartPart::Values), Some(series)) => {
                series.values.insert(point, shown_number(&value));
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Vec<Block> {
        let waiting = self.series.iter_mut().filter(|series| series.name.is_empty());
        waiting.zip(self.names).for_each(|(series, name)| series.name = name);
        self.titles.retain(|title| !title.trim().is_empty());
        self.titles.truncate(MAX_DRAWING_TEXTS);
        let mut blocks: Vec<Block> = self.titles.into_iter().map(paragraph).collect();
        if self.series.iter().all(|series| series.values.is_empty()) {
            let (mut names, mut categories) = (UniqueTexts::default(), UniqueTexts::default());
            for series in &self.series {
                names.add(&series.name);
                series
                    .levels
                    .iter()
                    .rev()
                    .flat_map(|level| level.values())
                    .for_each(|text| categories.add(text));
            }
            blocks.extend(names.line());
            blocks.extend(categories.line());
            return blocks;
        }
        self.series.retain(|series| !series.values.is_empty());
        // Series over the same categories are the columns of one table.
        let is_same = |a: &ChartSeries, b: &ChartSeries| a.levels == b.levels || b.levels.is_empty();
        blocks.extend(self.series.chunk_by(is_same).map(|series| Block::Table(chart_table(series))));
        blocks
    }
}

/// A row for each category with its numbers.
fn chart_table(series: &[ChartSeries]) -> Table {
    let plain = |text: &str| TableCell::plain(text);
    let row = |cells: Vec<TableCell>| TableRow { cells, place: None };
    let categories = series.iter().filter_map(|series| series.levels.first());
    let values = series.iter().map(|series| &series.values);
    let points: BTreeSet<u32> = categories.chain(values).flat_map(|points| points.keys().copied()).collect();
    let names = series.iter().map(|series| plain(&series.name));
    let mut rows = vec![row(std::iter::once(plain("")).chain(names).collect())];
    for point in points {
        let category = series.iter().find_map(|series| series.category(point));
        let category = category.unwrap_or_else(|| (u64::from(point) + 1).to_string());
        let values = series.iter().map(|series| plain(series.values.get(&point).map_or("", String::as_str)));
        rows.push(row(std::iter::once(plain(&category)).chain(values).collect()));
    }
    // A table needs a row of names.
    if series.iter().all(|series| series.name.is_empty()) {
        rows.remove(0);
    }
    Table { rows }
}

/// A number of a cache, which has more digits than it was typed with: `28.599999999999998`.
fn shown_number(value: &str) -> String {
    let number = value.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1e15);
    let rounded = number.and_then(|number| format!("{number:.14e}").parse::<f64>().ok());
    rounded.map_or_else(|| value.to_owned(), |number| number.to_string())
}

fn chart_blocks(source: &str) -> Vec<Block> {
    let mut reader = XmlReader::new(source);
    let mut chart = ChartReader::default();
    let mut paragraph_text = String::new();
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "Fallback" | "txPr" => reader.pass(),
                "t" => paragraph_text.push_str(&reader.text_inside()),
                // A point contains a value, in extended charts its text directly.
                "pt" => {
                    chart.point = tag.get("idx").and_then(|idx| idx.parse().ok()).unwrap_or(chart.next_point);
                    chart.next_point = chart.point.saturating_add(1);
                    chart.add(&reader.text_inside());
                }
                "v" => chart.add(&reader.text_inside()),
                _ => chart.begin(&tag),
            },
            XmlEvent::End("p") => chart.titles.push(std::mem::take(&mut paragraph_text)),
            XmlEvent::End(name) => chart.end(name),
            _ => {}
        }
    }
    chart.finish()
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
        let table = "|  | East |\n| - | - |\n| May | 4.3 |\n| June |  |\n";
        check(chart_blocks(source), &format!("Sales\n\n{table}"));
    }

    #[test]
    fn series_over_the_same_categories_are_one_table() {
        let points = |texts: &[&str]| -> String {
            let texts = texts.iter().enumerate();
            texts.map(|(at, text)| format!("<c:pt idx='{at}'><c:v>{text}</c:v></c:pt>")).collect()
        };
        let series = |name: &str, categories: &[&str], values: &[&str]| {
            let (categories, values) = (points(categories), points(values));
            format!(
                "<c:ser><c:tx><c:v>{name}</c:v></c:tx><c:cat>{categories}</c:cat><c:val>{values}</c:val></c:ser>"
            )
        };
        let coasts = ["East", "West"];
        let both =
            series("2023", &coasts, &["20", "28.599999999999998"]) + &series("2024", &coasts, &["", "-3e-2"]);
        check(
            chart_blocks(&both),
            "|  | 2023 | 2024 |\n| - | - | - |\n| East | 20 |  |\n| West | 28.6 | -0.03 |\n",
        );
        // The points of an outer level hold for those after them; without categories points have numbers.
        let levels = "<c:ser><c:cat><c:lvl><c:pt idx='0'><c:v>a</c:v></c:pt><c:pt idx='1'><c:v>b</c:v></c:pt></c:lvl>\
            <c:lvl><c:pt idx='0'><c:v>North</c:v></c:pt></c:lvl></c:cat><c:val><c:pt idx='1'><c:v>7</c:v></c:pt></c:val></c:ser>";
        check(chart_blocks(levels), "| North a |  |\n| - | - |\n| North b | 7 |\n");
        let bare = "<c:ser><c:tx><c:v>n</c:v></c:tx><c:val><c:pt idx='0'><c:v>7</c:v></c:pt></c:val></c:ser>";
        check(chart_blocks(bare), "|  | n |\n| - | - |\n| 1 | 7 |\n");
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
        check(chart_blocks(extended), "| May | 4.3 |\n| - | - |\n| June |  |\n");
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

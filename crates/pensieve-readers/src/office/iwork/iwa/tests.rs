//! Small documents, each for one rule of the tree of objects.

mod storages;

use super::*;
use crate::limits::iwork::{MAX_DRAWABLE_DEPTH, MAX_UNITS};
use crate::markdown::SEGMENT_BYTES;
use crate::settings::OfficeOptions;
use crate::source::DiscardingSink;
use pensieve_text::model::{ContainerMember, Segment};
use snap::raw::Encoder;

/// Number, type and message of an object.
type TestObject = (u64, u32, Vec<u8>);

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn inside(field: u64, message: &[Vec<u8>]) -> Vec<u8> {
    let message = message.concat();
    [varint(field << 3 | 2), varint(message.len() as u64), message].concat()
}

fn text(field: u64, text: &str) -> Vec<u8> {
    inside(field, &[text.as_bytes().to_vec()])
}

fn refer(field: u64, object: u64) -> Vec<u8> {
    inside(field, &[number(1, object)])
}

fn object(identifier: u64, kind: u32, message: &[Vec<u8>]) -> TestObject {
    (identifier, kind, message.concat())
}

fn storage(identifier: u64, words: &str) -> TestObject {
    object(identifier, 2001, &[text(3, words)])
}

/// A shape, and its text in the storage of the number after it.
fn shape(identifier: u64, words: &str) -> [TestObject; 2] {
    [object(identifier, 2011, &[refer(4, identifier + 1)]), storage(identifier + 1, words)]
}

fn shapes(shapes: &[(u64, &str)]) -> Vec<TestObject> {
    shapes.iter().flat_map(|(identifier, words)| shape(*identifier, words)).collect()
}

fn store_of(objects: &[TestObject]) -> ObjectStore {
    let mut index = Vec::new();
    for (identifier, kind, message) in objects {
        let part = inside(2, &[number(1, u64::from(*kind)), number(3, message.len() as u64)]);
        let info = [number(1, *identifier), part].concat();
        index.extend([varint(info.len() as u64), info, message.clone()].concat());
    }
    let block = Encoder::new().compress_vec(&index).expect("the index is small");
    let mut packed = vec![0];
    packed.extend_from_slice(&(block.len() as u32).to_le_bytes()[..3]);
    packed.extend(block);
    let mut store = ObjectStore::default();
    assert!(store.add(&packed));
    store
}

/// The text, the slides of its places, and whether something was left out.
fn read_all(objects: &[TestObject], office: &OfficeOptions) -> (String, Vec<String>, bool) {
    let store = store_of(objects);
    let mut sink = DiscardingSink;
    let mut output = UnitWriter::new(&mut sink);
    let is_cut = read_document(&store, office, &mut output).expect("the sink takes everything");
    let segment = output.finish();
    let places = segment.places.0.iter().map(|(_, place)| place.to_json()).collect();
    (segment.text, places, is_cut)
}

fn check(objects: &[TestObject], expected: &str) {
    let (text, _, is_cut) = read_all(objects, &OfficeOptions::default());
    assert_eq!((text.as_str(), is_cut), (expected, false));
}

/// A document of Pages with these drawables on its pages.
fn pages(drawables: &[u64], more: &[TestObject]) -> Vec<TestObject> {
    let drawables: Vec<Vec<u8>> = drawables.iter().map(|drawable| refer(1, *drawable)).collect();
    let root = object(1, 10000, &[inside(15, &[]), refer(20, 2)]);
    [&[root, object(2, 10011, &drawables)], more].concat()
}

#[test]
fn pages_have_a_body_and_shapes_by_page_and_layer() {
    let entry = |layer: u64, drawable: u64| inside(layer, &[refer(1, drawable)]);
    let root = [inside(15, &[]), refer(4, 10), refer(3, 20), refer(20, 30)];
    let floating = [
        inside(1, &[number(1, 2), entry(4, 46), entry(2, 40), entry(3, 42), entry(5, 52)]),
        inside(1, &[number(1, 1), entry(2, 44)]),
    ];
    let mut objects = vec![
        object(1, 10000, &root),
        storage(10, "Body"),
        object(20, 10010, &floating),
        object(30, 10011, &[refer(1, 48), refer(1, 50)]),
    ];
    let words =
        [(40, "back"), (42, "middle"), (44, "first"), (46, "front"), (48, "z"), (50, "y"), (52, "no")];
    objects.extend(shapes(&words));
    check(&objects, "Body\n\nfirst\n\nback\n\nmiddle\n\nfront\n\nz\n\ny\n");
}

#[test]
fn headers_and_footers_of_all_pages_follow_the_body() {
    let section = |field: u64, master: u64| vec![refer(field, master)];
    let body = [text(3, "Body"), inside(17, &[inside(1, &[refer(2, 20)]), inside(1, &[refer(2, 21)])])];
    let mut objects = vec![
        object(1, 10000, &[inside(15, &[]), refer(4, 10), refer(5, 22), refer(5, 20)]),
        object(10, 2001, &body),
        object(20, 10011, &section(23, 30)),
        object(21, 10011, &section(24, 31)),
        object(22, 10011, &[section(25, 32), section(26, 33)].concat()),
        object(30, 10143, &[refer(2, 41), refer(1, 40), refer(3, 46)]),
        object(31, 10143, &[refer(1, 42), refer(1, 43)]),
        object(32, 10143, &[refer(2, 44)]),
        object(33, 10143, &[refer(2, 45)]),
    ];
    let words = ["head", "foot", "even", "right", "last", "no", "no"];
    objects.extend((40..).zip(words).map(|(identifier, words)| storage(identifier, words)));
    check(&objects, "Body\n\nhead\n\nfoot\n\neven\n\nright\n\nlast\n");
    let without = OfficeOptions { headers: false, ..OfficeOptions::default() };
    assert_eq!(read_all(&objects, &without).0, "Body\n");
}

#[test]
fn sheets_are_read_once_with_their_headers() {
    let headers = |first: u64| [16, 15, 18, 19, 17].map(|field| refer(field, first + field)).concat();
    let first = [text(1, "One"), refer(2, 40), refer(2, 42), headers(100)];
    let form = [text(1, "Two"), refer(2, 44)];
    let mut objects = vec![
        object(1, 1, &[inside(8, &[]), refer(1, 10), refer(1, 9), refer(1, 11), refer(1, 10)]),
        object(10, 2, &first),
        object(11, 3, &[inside(1, &form)]),
    ];
    objects.extend(
        [(115, "a"), (116, "b"), (117, "no"), (118, "c"), (119, "d")].map(|(at, text)| storage(at, text)),
    );
    objects.extend(shapes(&[(40, "x"), (42, "y"), (44, "z")]));
    check(&objects, "## One\n\nx\n\ny\n\na\n\nb\n\nc\n\nd\n\n## Two\n\nz\n");
    let without = OfficeOptions { headers: false, ..OfficeOptions::default() };
    let (text, places, _) = read_all(&objects, &without);
    assert_eq!(text, "## One\n\nx\n\ny\n\n## Two\n\nz\n");
    assert_eq!(places.len(), 1, "{places:?}");
}

#[test]
fn slides_have_a_title_placeholders_drawables_and_notes() {
    let first = [20, 42, 7, 30, 6, 5].map(|field| refer(field, 100 + 2 * field));
    let first = [first.concat(), refer(27, 90)];
    let mut objects = vec![
        object(1, 1, &[refer(2, 2)]),
        object(2, 2, &[inside(3, &[refer(2, 11), refer(2, 12), refer(2, 13), refer(2, 14)])]),
        object(11, 4, &[refer(2, 21)]),
        // Twice the same slide, and one that is missing.
        object(12, 4, &[refer(2, 21)]),
        object(13, 4, &[refer(2, 99)]),
        object(14, 4, &[refer(2, 22)]),
        object(21, 5, &first),
        object(22, 5, &[refer(7, 300)]),
        object(90, 15, &[refer(1, 91)]),
        storage(91, "say"),
    ];
    let words =
        [(140, "17"), (184, "c"), (114, "d"), (160, "b"), (112, "a"), (110, "One\ntitle"), (300, "e")];
    objects.extend(shapes(&words));
    check(&objects, "## One title\n\na\n\nb\n\nc\n\nd\n\nsay\n\ne\n");
    let places = read_all(&objects, &OfficeOptions::default()).1;
    assert_eq!(places, ["{\"slide\":1}", "{\"slide\":3}"]);
}

#[test]
fn slides_of_the_first_versions_are_a_tree() {
    let node = |identifier: u64, children: &[u64]| {
        let children: Vec<Vec<u8>> = children.iter().map(|child| refer(1, *child)).collect();
        object(identifier, 4, &[children.concat(), refer(2, identifier + 10)])
    };
    let mut objects = vec![
        object(1, 1, &[refer(2, 2)]),
        object(2, 2, &[inside(3, &[refer(1, 10)])]),
        node(10, &[11, 13]),
        node(11, &[12, 10]),
        node(12, &[]),
        node(13, &[99]),
    ];
    objects.extend((20..24).map(|slide| object(slide, 5, &[refer(7, slide * 2)])));
    objects.extend(shapes(&[(40, "root"), (42, "first"), (44, "below"), (46, "second")]));
    check(&objects, "root\n\nfirst\n\nbelow\n\nsecond\n");
}

#[test]
fn slides_above_the_limit_are_left_out() {
    let (root, last) = (10, 10 + MAX_UNITS as u64);
    let children: Vec<Vec<u8>> = (root + 1..=last).map(|child| refer(1, child)).collect();
    let mut objects = vec![
        object(1, 1, &[refer(2, 2)]),
        object(2, 2, &[inside(3, &[refer(1, root)])]),
        object(root, 4, &children),
        object(last - 1, 4, &[refer(2, 3)]),
        object(last, 4, &[refer(2, 4)]),
        object(3, 5, &[refer(7, 5)]),
        object(4, 5, &[refer(7, 7)]),
    ];
    objects.extend((root + 1..last - 1).map(|node| object(node, 4, &[])));
    objects.extend(shapes(&[(5, "last"), (7, "no")]));
    check(&objects, "last\n");
}

#[test]
fn what_is_too_deep_is_left_out() {
    let depths = MAX_DRAWABLE_DEPTH as u64 + 3;
    let expected: Vec<String> = (0..=MAX_DRAWABLE_DEPTH).map(|depth| format!("at {depth}\n")).collect();
    let image =
        |depth: u64, caption: &[u8]| [inside(1, &[]), text(8, &format!("at {depth}")), caption.to_vec()];
    // Groups in groups, each beside an image.
    let nested: Vec<TestObject> = (0..depths)
        .flat_map(|depth| {
            let group = 100 + depth;
            let children = [refer(2, 200 + depth), refer(2, group + 1)];
            [object(group, 3008, &children), object(200 + depth, 3005, &[inside(1, &image(depth + 1, &[]))])]
        })
        .collect();
    check(&pages(&[100], &nested), &expected[1..].join("\n"));
    // Captions of captions.
    let captions: Vec<TestObject> = (0..depths)
        .map(|depth| object(100 + depth, 3005, &[inside(1, &image(depth, &refer(11, 101 + depth)))]))
        .collect();
    check(&pages(&[100], &captions), &expected.join("\n"));
    // A group that contains itself, and an image twice.
    let group = object(100, 3008, &[refer(2, 100), refer(2, 200), refer(2, 200)]);
    check(&pages(&[100], &[group, object(200, 3005, &[inside(1, &image(0, &[]))])]), "at 0\n");
}

#[test]
fn drawables_have_text_captions_and_descriptions() {
    let described = |base: bool, description: &str, more: &[u8]| {
        let base = if base { inside(1, &[]) } else { Vec::new() };
        object(100, 3005, &[inside(1, &[base, text(8, description), more.to_vec()])])
    };
    let one = |object: TestObject, expected: &str| {
        let captions = shapes(&[(40, "title"), (42, "caption")]);
        check(&pages(&[100, 110], &[&[object], shape(110, "-").as_slice(), &captions].concat()), expected);
    };
    one(described(true, " A cat ", &[]), "A cat\n\n\\-\n");
    one(described(false, "A cat", &[]), "\\-\n");
    one(described(true, " ", &[]), "\\-\n");
    one(described(true, "A\0cat", &[]), "\\-\n");
    let captions = [refer(10, 40), refer(11, 42)].concat();
    one(described(true, "A cat", &captions), "A cat\n\ntitle\n\ncaption\n\n\\-\n");
    one(described(true, "", &[captions.clone(), number(12, 1)].concat()), "caption\n\n\\-\n");
    one(described(true, "", &[captions.clone(), number(13, 1)].concat()), "title\n\n\\-\n");
    one(described(true, "", &[captions.clone(), number(12, 0)].concat()), "title\n\ncaption\n\n\\-\n");
    // The storages of a shape in the fields of all versions; its drawable is two messages deep.
    let flow = object(50, 2017, &[refer(1, 51)]);
    let storages = [storage(51, "flow"), storage(52, "old"), storage(53, "own"), flow];
    let shape = [refer(2, 52), refer(3, 50), refer(4, 53), inside(1, &[inside(1, &[refer(11, 42)])])];
    for (kind, message) in [2014, 7, 12, 10016, 10017]
        .map(|kind| (kind, inside(1, &shape)))
        .into_iter()
        .chain([(2011, shape.concat())])
    {
        let objects =
            [storages.as_slice(), &shapes(&[(42, "caption")]), &[object(100, kind, &[message])]].concat();
        check(&pages(&[100], &objects), "own\n\nold\n\nflow\n\ncaption\n");
    }
    // The caption of a table.
    let table = object(100, 6000, &[inside(1, &[refer(11, 42)]), refer(2, 44)]);
    check(&pages(&[100], &[&[table], shapes(&[(42, "caption")]).as_slice()].concat()), "caption\n");
}

#[test]
fn comments_come_with_their_answers() {
    let comment = |identifier: u64, words: &str, author: u64, replies: &[u64]| {
        let replies = replies.iter().map(|reply| refer(4, *reply)).collect::<Vec<_>>().concat();
        object(identifier, 3056, &[text(1, words), refer(3, author), replies])
    };
    let objects = [
        object(100, 2011, &[refer(4, 101), inside(1, &[inside(1, &[refer(6, 10)])])]),
        object(110, 2011, &[inside(1, &[inside(1, &[refer(6, 15)])])]),
        storage(101, "x"),
        comment(10, " Why? ", 20, &[11, 13, 10, 14]),
        comment(11, "Because", 21, &[12]),
        comment(12, "Oh", 22, &[]),
        comment(13, "Second", 21, &[]),
        comment(14, " ", 20, &[]),
        // Something else that has a text.
        object(15, 3057, &[text(1, "no")]),
        object(20, 212, &[text(1, " Ann ")]),
        object(21, 212, &[text(1, "Bob")]),
    ];
    let objects = pages(&[100, 110], &objects);
    check(&objects, "x\n\n**Ann:** Why?\n\n**Bob:** Because\n\nOh\n\n**Bob:** Second\n");
    let without = OfficeOptions { comments: false, ..OfficeOptions::default() };
    assert_eq!(read_all(&objects, &without).0, "x\n");
}

#[test]
fn texts_of_an_unknown_tree_are_all_read() {
    let header = object(11, 2001, &[number(1, 1), text(3, "head")]);
    let body = object(12, 2005, &[number(1, 0), text(3, "body")]);
    let objects = [header, body, storage(13, "more"), object(14, 2011, &[text(3, "no")])];
    for root in [Vec::new(), vec![object(1, 1, &[])]] {
        let objects = [root.as_slice(), &objects].concat();
        let (text, _, is_cut) = read_all(&objects, &OfficeOptions::default());
        assert_eq!((text.as_str(), is_cut), ("body\n\nmore\n\nhead\n", true));
        let without = OfficeOptions { headers: false, ..OfficeOptions::default() };
        assert_eq!(read_all(&objects, &without).0, "body\n\nmore\n");
    }
}

/// Refuses all text.
struct RefusingSink;

impl DocumentSink for RefusingSink {
    fn text(&mut self, _: Segment) -> Result<(), Problem> {
        Err(Problem::new(ProblemKind::Damaged, "enough"))
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

#[test]
fn a_sink_that_refuses_ends_the_reading() {
    let long = "x".repeat(SEGMENT_BYTES + 1);
    let store = store_of(&pages(&[100], &shape(100, &long)));
    let mut sink = RefusingSink;
    let mut output = UnitWriter::new(&mut sink);
    let read = read_document(&store, &OfficeOptions::default(), &mut output);
    assert_eq!(read.map_err(|problem| problem.message), Err("enough".to_owned()));
}

//! Package documents and what is read of them: spine, navigation, metadata, and the limits of each.

use super::*;

fn spine(xml: &str) -> Vec<String> {
    let package = Package::read("O/p.opf", xml);
    let paths = package.spine.iter().map(|part| package.short(&part.item.path).to_owned());
    paths.chain(package.dangling.iter().map(|id| format!("no {id}"))).collect()
}

#[test]
fn the_spine_is_read_in_order_with_fallbacks() {
    let manifest = "<manifest>\
        <item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
        <item id='i' href='i.jpg' media-type='image/jpeg' fallback='j'/>\
        <item id='j' href='j.png' media-type='image/png' fallback='s'/>\
        <item id='s' href='../s.svg' media-type='image/svg+xml'/>\
        <item id='x' href='x.abc' media-type='x/abc' fallback='y'/>\
        <item id='y' href='y.abc' media-type='x/abc' fallback='x'/>\
        <item id='m' href='m.xml' media-type='application/xml' fallback='a'/></manifest>";
    let references = ["i", "a", "gone", "x", "m"].map(|id| format!("<itemref idref='{id}'/>")).concat();
    let xml = format!("<package>{manifest}<spine>{references}</spine></package>");
    assert_eq!(spine(&xml), ["s.svg", "a.xhtml", "x.abc", "a.xhtml", "no gone"]);
    assert_eq!(spine(&format!("<package>{manifest}")), ["a.xhtml"]);
}

#[test]
fn a_file_is_read_once_however_many_of_its_places_are_named() {
    let item =
        |id: &str, href: &str| format!("<item id='{id}' href='{href}' media-type='application/xhtml+xml'/>");
    let items = [item("a", "a.xhtml#s1"), item("b", "b.xhtml"), item("c", "a.xhtml#s2")].concat();
    let references = ["a", "b", "c", "b"].map(|id| format!("<itemref idref='{id}'/>")).concat();
    let xml = format!("<package><manifest>{items}</manifest><spine>{references}</spine></package>");
    assert_eq!(spine(&xml), ["a.xhtml", "b.xhtml", "b.xhtml"]);
}

fn package_of(items: &str, references: &str) -> Package {
    let xml = format!("<package><manifest>{items}</manifest><spine>{references}</spine></package>");
    Package::read("p.opf", &xml)
}

fn page(id: impl std::fmt::Display) -> String {
    format!("<item id='{id}' href='{id}.xhtml' media-type='application/xhtml+xml'/>")
}

#[test]
fn a_place_in_a_file_and_the_whole_file_are_read_once() {
    let items = "<item id='a' href='a.xhtml#s' media-type='text/html'/>\
                 <item id='b' href='a.xhtml' media-type='text/html'/>";
    for order in ["<itemref idref='a'/><itemref idref=' b '/>", "<itemref idref='b'/><itemref idref='a'/>"] {
        assert_eq!(package_of(items, order).spine.len(), 1, "{order}");
    }
    // The first item of an id counts, and parts outside of the main order are read.
    let items = [page("a"), "<item id='a' href='b.xhtml' media-type='text/html'/>".to_owned()].concat();
    let spine = package_of(&items, "<itemref idref='a' linear='no'/>").spine;
    assert_eq!(spine.iter().map(|part| part.listed.as_str()).collect::<Vec<_>>(), ["a.xhtml"]);
}

#[test]
fn no_more_than_the_limit_of_items_is_read() {
    let many = "<itemref idref='a'/>".repeat(MAX_ITEMS + 1);
    assert_eq!(package_of(&page("a"), &many).spine.len(), MAX_ITEMS);
    let many: String = (0..=MAX_ITEMS).map(page).collect();
    assert_eq!(package_of(&many, "").spine.len(), MAX_ITEMS);
    let names: Vec<String> = (0..=MAX_ITEMS).map(|number| format!("{number}.htm")).collect();
    assert_eq!(Package::of_pages(&names).spine.len(), MAX_ITEMS);
}

#[test]
fn a_chain_of_fallbacks_has_a_limit() {
    for (length, expected) in [(MAX_FALLBACKS - 1, "page.xhtml"), (MAX_FALLBACKS, "0.abc")] {
        let link = |number: usize| {
            let next = if number + 1 == length { "page".to_owned() } else { (number + 1).to_string() };
            format!("<item id='{number}' href='{number}.abc' media-type='x/abc' fallback=' {next} '/>")
        };
        let items: String = (0..length).map(link).chain([page("page")]).collect();
        let package = package_of(&items, "<itemref idref='0'/>");
        assert_eq!(package.spine[0].item.path, expected, "after {length}");
        assert_eq!(package.spine[0].listed, "0.abc");
    }
}

#[test]
fn without_a_core_type_the_first_part_with_words_is_read() {
    let items = "<item id='a' href='a.jpg' media-type='image/jpeg' fallback='b'/>\
                 <item id='b' href='b.txt' media-type='text/plain' fallback='c'/>\
                 <item id='c' href='c.xml' media-type='application/xml'/>";
    assert_eq!(package_of(items, "<itemref idref='a'/>").spine[0].item.path, "b.txt");
}

#[test]
fn words_are_expected_by_type_or_by_name() {
    let check = |media: &str, path: &str, expected: bool| {
        let item = ManifestItem { path: path.into(), media: media.into(), ..ManifestItem::default() };
        assert_eq!(is_readable(&item), expected, "{media} {path}");
    };
    check("application/xml", "a", true);
    check("text/vnd.x.html", "a", true);
    check("text/x-oeb1-document", "a", true);
    check("text/plain", "a", true);
    check("", "f/A.HTM", true);
    check("x/abc", "a.svg", true);
    check("image/jpeg", "a.html/a.jpg", false);
}

#[test]
fn the_contents_are_found_by_property_by_reference_by_type_and_by_name() {
    let nav = "<item id='n' href='n.xhtml' media-type='application/xhtml+xml' properties='svg nav'/>";
    let named = "<item id='x' href='x.ncx' media-type='x/abc'/>";
    let typed = "<item id='t' href='t.xml' media-type='APPLICATION/x-dtbncx+xml '/>";
    let check = |items: &[&str], toc: &str, expected: [Option<&str>; 2]| {
        let xml = format!("<package>{}<item href='y'/>{}<spine {toc}/>", items.concat(), page("a"));
        let package = Package::read("p.opf", &xml);
        let found = [&package.nav, &package.ncx].map(|item| item.as_ref().map(|item| item.path.as_str()));
        assert_eq!(found, expected, "{xml}");
        let spine: Vec<&str> = package.spine.iter().map(|part| part.item.path.as_str()).collect();
        assert_eq!(spine, ["a.xhtml"], "{xml}");
    };
    check(&[], "", [None, None]);
    check(&[nav, named], "", [Some("n.xhtml"), Some("x.ncx")]);
    check(&[typed, named], "", [None, Some("t.xml")]);
    check(&[typed, named], "toc=' x '", [None, Some("x.ncx")]);
    check(&[typed, named], "toc='gone'", [None, Some("t.xml")]);
}

#[test]
fn pages_without_a_document_are_read_by_name() {
    let names = ["b.HTML", "a/c.xhtml", "x.css", "a.htm", "htm"].map(str::to_owned);
    let package = Package::of_pages(&names);
    let parts = package.spine.iter().map(|part| (part.listed.as_str(), part.item.path.as_str()));
    let parts: Vec<_> = parts.collect();
    assert_eq!(parts, ["a.htm", "a/c.xhtml", "b.HTML"].map(|path| (path, path)));
    assert!(package.spine.iter().all(|part| part.item.media == "application/xhtml+xml"));
}

#[test]
fn the_main_title_and_the_unique_identifier_come_first() {
    let package = Package::read(
        "p.opf",
        "<package unique-identifier='u'><metadata><dc:title id='s'>Sub</dc:title><dc:title id='m'>Ma\u{ad}in</dc:title>\
         <meta refines='#m' property='title-type'>main</meta><meta refines='#s' property='title-type'>subtitle</meta>\
         <dc:identifier>1</dc:identifier><dc:identifier id='u'>2</dc:identifier></metadata></package>",
    );
    let values: Vec<&str> = package.metadata.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["Main", "Sub", "2", "1"]);
}

fn rows_of(metadata: &str) -> Vec<String> {
    let package = Package::read("p.opf", &format!("<package><metadata>{metadata}</metadata></package>"));
    package.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

#[test]
fn metadata_are_rows() {
    let rows = rows_of(
        "<dc:title> A\n b </dc:title><dc:creator opf:role='aut'>One</dc:creator>\
         <dc:creator>Two</dc:creator><dc:date opf:event='modification'>2020</dc:date><x:type>no</x:type>\
         <meta property='dcterms:modified'>2021</meta><meta name='calibre:series' content='S'/>\
         <meta property='dcterms:modified' refines='#x'>1</meta>",
    );
    assert_eq!(rows, ["title=A b", "author=One", "author=Two", "modified=2020", "modified=2021", "series=S"]);
    let rows = rows_of(
        "<DC:Title>A</DC:Title><type>T</type><dcterms:rights>R</dcterms:rights><dc:subject> </dc:subject>\
         <dc:subject>S</dc:subject><dc:subject>S</dc:subject><dc:title>S</dc:title>\
         <dc:date event='creation'>1</dc:date><dc:date event='publication'>2</dc:date>\
         <dc:source event='creation'>3</dc:source><meta name='cover' content='x'/><dc:format>f</dc:format>\
         <meta property=' belongs-to-collection '>C</meta><meta name='Calibre:Series' content='D'>E</meta>",
    );
    let known = "title=A type=T rights=R subject=S title=S created=1 date=2 source=3 series=C series=D";
    assert_eq!(rows, known.split(' ').collect::<Vec<_>>());
}

#[test]
fn metadata_have_a_limit() {
    let rows: String =
        (0..=MAX_METADATA_ROWS).map(|number| format!("<dc:subject>{number}</dc:subject>")).collect();
    assert_eq!(rows_of(&rows).last(), Some(&format!("subject={}", MAX_METADATA_ROWS - 1)));
    let long = "\u{e9}".repeat(MAX_METADATA_CHARACTERS);
    assert_eq!(rows_of(&format!("<dc:title>{long}e</dc:title>")), [format!("title={long}")]);
}

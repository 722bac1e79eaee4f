//! Cleaning as the commands do it.

use crate::support::Workshop;

#[test]
fn page_breaks_are_marked_where_that_is_asked_for() {
    let workshop = Workshop::new();
    workshop.write("pages.txt", "The first page ends.\u{c}The second begins.\n");
    workshop.ingest(&[]);
    let plain = "The first page ends.\n\nThe second begins.\n";
    let marked = "The first page ends.\n\n--- PAGE ---\n\nThe second begins.\n";
    assert_eq!(workshop.run(["text", "corpus.db", "pages.txt"]).expect(0).stdout, plain);
    assert_eq!(workshop.run(["text", "corpus.db", "pages.txt", "--page-markers"]).expect(0).stdout, marked);
    workshop.ingest(&["--page-markers"]);
    assert_eq!(workshop.run(["text", "corpus.db", "pages.txt"]).expect(0).stdout, marked);
    workshop.verify();
}

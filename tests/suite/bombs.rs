//! Archives that unpack to more than anybody has room for, or to themselves.

use crate::archives::{check_fresh, gzip, tar, workshop, zip};

#[test]
fn bombs_end_within_limits() {
    let workshop = workshop();
    let zeros = vec![0; 300 << 20];
    let packed = gzip(&zeros);
    workshop.write("zeros.gz", &packed);
    workshop.write("nested.zip", zip(&[("c.txt", b"Words before.\n"), ("a.gz", &packed), ("b.gz", &packed)]));
    let mut deep = zip(&[("a.txt", b"The innermost words.\n")]);
    for level in 0..12 {
        deep = zip(&[(&format!("{level}.zip"), &deep)]);
    }
    workshop.write("deep.zip", deep);
    workshop.write("cut.tar.gz", &gzip(&tar(&[("a.txt", b"Whole.\n"), ("b.txt", &[b'x'; 9000])]))[..60]);
    workshop.ingest(&[]);
    assert!(
        workshop.fate("zeros.gz/zeros").starts_with("Skipped_Limit"),
        "{}",
        workshop.fate("zeros.gz/zeros")
    );
    let limited = "SELECT DISTINCT path FROM errors WHERE error_type = 'SizeLimit' AND path LIKE '%zeros.gz'";
    assert_eq!(workshop.rows(limited).len(), 1);
    assert_eq!(workshop.fate("nested.zip/c.txt"), "Processed|");
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE relative_path LIKE 'deep.zip/%'"), "9");
    assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE '%innermost%'"), "0");
    check_fresh(&workshop, &[]);
}

/// A gzip file that unpacks to itself.
///
/// Source: Russ Cox, "Zip Files All The Way Down" (2010). `literal(n)` prints the n units after it, `REPEAT` prints the
/// last 4 units again; a unit has 5 bytes.
fn quine() -> Vec<u8> {
    // Two matches of 10 bytes at a distance of 20, in a block of the fixed Huffman code.
    const REPEAT: &[u8] = &[0x42, 0x88, 0x21, 0xc4, 0];
    let literal = |units: u16| {
        let length = units * 5;
        [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat()
    };
    let (none, one, four) = (literal(0), literal(1), literal(4));
    let head = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03loop\0";
    // The checksum of these bytes with itself in them, and their number.
    let tail = [&none[..], b"\x03\0", &0xdbc5_51e8_u32.to_le_bytes(), &210_u32.to_le_bytes()].concat();
    let parts: [&[u8]; 34] = [
        head, &four, head, &four, REPEAT, &one, REPEAT, &one, &one, &four, REPEAT, &one, &one, &four, REPEAT,
        &four, REPEAT, &four, REPEAT, &four, REPEAT, &four, REPEAT, &none, &none, &four, REPEAT, &none,
        &none, &four, REPEAT, &tail, REPEAT, &tail,
    ];
    parts.concat()
}

#[test]
fn a_file_that_unpacks_to_itself_is_a_copy_of_itself() {
    let workshop = workshop();
    let quine = quine();
    workshop.write("loop.gz", &quine);
    workshop.write("in.tar", tar(&[("loop.gz", &quine), ("after.txt", b"Words after.\n")]));
    workshop.ingest(&[]);
    let rows = "SELECT relative_path, duplicate_status FROM files WHERE filename LIKE 'loop%' ORDER BY relative_path";
    let copies = ["in.tar/loop.gz|duplicate", "loop.gz|canonical", "loop.gz/loop|duplicate"];
    assert_eq!(workshop.rows(rows), copies);
    assert_eq!(workshop.fate("in.tar/after.txt"), "Processed|");
    check_fresh(&workshop, &[]);
}

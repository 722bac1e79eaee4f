//! EUC-TW: the two planes of CNS 11643 that Big5 contains, mapped to Big5 character by character.
//!
//! Both standards sort by strokes, so the planes are long runs of Big5 with a few characters moved. Planes 3 and up
//! have no counterpart and are undecodable here.

use encoding_rs::BIG5;

/// Runs of plane 1: the first code, its place in Big5, the length of the run.
#[rustfmt::skip]
const PLANE_1: &[(u16, u16, u16)] = &[
    (0, 0, 5), (6, 6, 8), (15, 15, 6), (21, 23, 2), (24, 22, 1), (29, 29, 44), (73, 74, 1), (74, 73, 1),
    (75, 75, 22), (98, 98, 1), (100, 100, 27), (127, 128, 1), (128, 127, 1), (129, 129, 19), (148, 149, 1),
    (149, 148, 1), (150, 150, 4), (155, 21, 1), (156, 156, 2), (160, 160, 1), (162, 162, 1), (165, 165, 69),
    (282, 234, 29), (312, 264, 1), (314, 266, 142), (470, 6101, 20), (3290, 471, 17), (3307, 263, 1),
    (3308, 489, 86), (3394, 265, 1), (3395, 576, 1307), (4702, 1884, 424), (5126, 1883, 1),
    (5127, 2308, 1876), (7003, 4571, 1), (7004, 4184, 387), (7391, 4572, 525), (7916, 5286, 1),
    (7917, 5097, 105), (8023, 5203, 83), (8106, 5287, 84), (8190, 5517, 1), (8191, 5371, 54),
    (8245, 5426, 1), (8246, 5425, 1), (8247, 5427, 90), (8337, 5518, 354),
];

/// Runs of plane 2.
#[rustfmt::skip]
const PLANE_2: &[(u16, u16, u16)] = &[
    (0, 6280, 10), (10, 6291, 33), (43, 6372, 1), (44, 6324, 48), (92, 6373, 46), (138, 6586, 1),
    (139, 6419, 167), (306, 6587, 1840), (2146, 9074, 1), (2147, 8428, 108), (2255, 8537, 537),
    (2792, 8427, 1), (2793, 9075, 100), (2893, 8536, 1), (2894, 9175, 399), (3293, 9575, 1637),
    (4930, 11761, 1), (4931, 11212, 146), (5077, 11899, 1), (5078, 11358, 287), (5365, 12508, 1),
    (5366, 11645, 116), (5482, 11762, 137), (5619, 11900, 104), (5723, 12425, 1), (5724, 12004, 222),
    (5946, 12227, 198), (6144, 12426, 82), (6226, 12509, 86), (6312, 12226, 1), (6313, 12595, 8),
    (6321, 12604, 153), (6474, 12758, 56), (6530, 13114, 1), (6531, 12814, 113), (6644, 12603, 1),
    (6645, 12927, 142), (6787, 12757, 1), (6788, 13069, 45), (6833, 13115, 71), (6904, 13380, 1),
    (6905, 13186, 194), (7099, 13381, 490), (7589, 13914, 1), (7590, 13871, 43), (7633, 13915, 1),
    (7634, 13917, 11), (7645, 13916, 1), (7646, 13928, 4),
];

/// The character of two bytes, or of four that begin with 0x8E and the plane.
pub(super) fn char(code: &[u8]) -> Option<char> {
    let (runs, row, column) = match *code {
        [row, column] | [0x8e, 0xa1, row, column] => (PLANE_1, row, column),
        [0x8e, 0xa2, row, column] => (PLANE_2, row, column),
        _ => return None,
    };
    if !(0xa1..0xff).contains(&row) || !(0xa1..0xff).contains(&column) {
        return None;
    }
    let at = u16::from(row - 0xa1) * 94 + u16::from(column - 0xa1);
    let run = runs[..runs.partition_point(|run| run.0 <= at)].last()?;
    let (offset, (_, first, count)) = (at - run.0, *run);
    (offset < count).then(|| big5(first + offset))?
}

/// The character at a place of Big5: rows of 157 from 0xA140.
fn big5(place: u16) -> Option<char> {
    let (row, column) = ((place / 157) as u8, (place % 157) as u8);
    let trail = if column < 63 { 0x40 + column } else { column - 63 + 0xa1 };
    let text = BIG5.decode_without_bom_handling_and_without_replacement(&[0xa1 + row, trail])?.into_owned();
    text.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_lead_to_characters() {
        let check = |code: &[u8], expected: Option<char>| assert_eq!(char(code), expected, "{code:x?}");
        check(b"\xc4\xa1", Some('一'));
        check(b"\xc4\xe3", Some('中'));
        check(b"\xb0\xa1", None);
        check(b"\x8e\xa1\xc4\xa1", Some('一'));
        check(b"\x8e\xa2\xa1\xa1", Some('乂'));
        check(b"\x8e\xa3\xa1\xa1", None);
        check(b"\xa1\x20", None);
        check(b"", None);
    }
}

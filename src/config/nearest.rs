//! The most similar valid name for a mistyped one.
//!
//! There is an answer unless the list is empty: the caller has an error to explain and a list to choose from.

/// The name that is closest to `given`, by edits of single characters; earlier names win ties.
///
/// Names may have a table before a dot. A key in the wrong table is close to the right one.
pub fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names.into_iter().min_by_key(|name| {
        let as_written = edits(given, name);
        let alone = edits(leaf(given), leaf(name)) + 1;
        if begins_alike(given, name) { 0 } else { as_written.min(alone) }
    })
}

/// The closest name if it is so close that it may be meant: one of four characters differs at most.
pub fn likely<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest(given, names).filter(|name| edits(given, name) * 4 <= given.chars().count().min(name.len()))
}

/// True if one single character makes the difference. Short names differ so little by their nature.
pub fn is_one_slip(given: &str, name: &str) -> bool {
    let are_long = given.len().min(name.len()) >= 3;
    are_long && edits(given, name) == 1
}

/// True for `timeout` and `timeout_seconds` of one section.
fn begins_alike(given: &str, name: &str) -> bool {
    let in_one_section =
        given.rsplit_once('.').map(|pair| pair.0) == name.rsplit_once('.').map(|pair| pair.0);
    let (given, name) = (leaf(given), leaf(name));
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('_'));
    in_one_section && (begins(name, given) || begins(given, name))
}

fn leaf(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The number of single characters to insert, delete, replace or swap with their neighbour to turn one text into the
/// other.
///
/// Only the first 64 characters count, which bounds the work for long keys.
fn edits(from: &str, to: &str) -> usize {
    let head = |text: &str| text.chars().take(64).collect::<String>();
    strsim::osa_distance(&head(from), &head(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: &str) {
        let names = [
            "chunk_size",
            "chunk_overlap",
            "max_memory",
            "scan.hidden",
            "scan.links",
            "html.markdown",
            "store.fts",
            "html.links_seen",
        ];
        assert_eq!(nearest(given, names), Some(expected), "{given}");
    }

    #[test]
    fn slips_lead_to_the_name_that_was_meant() {
        check("chunksize", "chunk_size");
        check("chunk_szie", "chunk_size");
        check("overlap", "chunk_overlap");
        check("max_mem", "max_memory");
        check("scan.hiden", "scan.hidden");
        check("html.makrdown", "html.markdown");
        check("html.links", "html.links_seen");
    }

    #[test]
    fn a_key_in_the_wrong_table_leads_to_the_right_one() {
        check("hidden", "scan.hidden");
        check("scan.fts", "store.fts");
    }

    #[test]
    fn swapped_neighbours_are_one_edit() {
        assert_eq!(edits("fts", "fst"), 1);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("same", "same"), 0);
        assert_eq!(nearest("x", []), None);
        assert!(is_one_slip("dcx", "docx") && is_one_slip("pfd", "pdf") && !is_one_slip("pdf", "pdf"));
        assert!(!is_one_slip("hs", "rs") && !is_one_slip("djvu", "pdf"));
    }
}

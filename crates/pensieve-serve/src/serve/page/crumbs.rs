//! The folders above a folder or a document, as links.

use super::words::address;
use maud::{Markup, html};
use pensieve_store::store::MEMBER_SEPARATOR;

/// The address of a folder, or of the documents inside a document.
pub fn folder_link(root_id: i64, path: &str) -> String {
    address("/docs", &[("root", &root_id.to_string()), ("folder", path)])
}

/// Links to the list of documents and to each folder of a path; the last one is where the reader is, if `is_here`.
pub fn crumbs(root_id: i64, path: &str, is_here: bool) -> Markup {
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).chain([path.len()]).collect();
    html! {
        a href="/docs" { "Documents" }
        @if !path.is_empty() {
            @for (number, &end) in ends.iter().enumerate() {
                @let start = if number == 0 { 0 } else { ends[number - 1] + 1 };
                " / "
                @if is_here && end == path.len() { bdi aria-current="page" { (path[start..end]) } }
                @else { a href=(folder_link(root_id, &path[..end])) { bdi { (path[start..end]) } } }
            }
        }
    }
}

/// The folder of a document by its name for people: that of the outermost document, if it is inside others.
pub fn folder_of(name: &str) -> &str {
    let file = name.split(MEMBER_SEPARATOR).next().unwrap_or(name);
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_is_a_link() {
        let shown = crumbs(2, "a/b c", true).into_string();
        assert_eq!(
            shown,
            "<a href=\"/docs\">Documents</a> / <a href=\"/docs?root=2&amp;folder=a\"><bdi>a</bdi></a> / \
             <bdi aria-current=\"page\">b c</bdi>"
        );
        assert_eq!(crumbs(1, "", true).into_string(), "<a href=\"/docs\">Documents</a>");
        assert!(crumbs(1, "a", false).into_string().ends_with("folder=a\"><bdi>a</bdi></a>"));
    }

    #[test]
    fn a_document_inside_another_is_in_the_folder_of_that_one() {
        assert_eq!(folder_of("a/b/m.eml » 2 » x/y.txt"), "a/b");
        assert_eq!(folder_of("m.eml"), "");
    }
}

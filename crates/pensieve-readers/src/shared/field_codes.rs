//! Field codes in RTF and in Word before OOXML: the targets of links, and the text that a field shows.

/// The link target of a field, from its code: `HYPERLINK "http://..." \o "tip"`. Targets inside the document are not
/// links.
pub(crate) fn link_of(code: &str) -> Option<String> {
    let rest = code
        .trim_start()
        .strip_prefix("HYPERLINK")
        .or_else(|| code.trim_start().strip_prefix("hyperlink"))?;
    let rest = rest.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => rest.split_whitespace().next().unwrap_or_default(),
    };
    let is_outside = !target.is_empty() && !target.starts_with(['\\', '#']);
    is_outside.then(|| target.trim().to_owned())
}

/// The text of a field without a result: the base of a ruby formula, or the words of a button.
pub(crate) fn text_without_result(code: &str) -> Option<&str> {
    let code = code.trim();
    let name = code.split_whitespace().next()?;
    let rest = code[name.len()..].trim_start();
    if name.eq_ignore_ascii_case("MACROBUTTON") {
        let macro_name = rest.split_whitespace().next()?;
        return Some(rest[macro_name.len()..].trim());
    }
    if !name.eq_ignore_ascii_case("EQ") || !rest.contains("\\o") {
        return None;
    }
    let (_, base) = rest.rsplit_once([',', ';'])?;
    Some(base.trim_end().trim_end_matches(')').trim())
}

/// True for fields whose result is a page number, which is not content of the document.
pub(crate) fn is_page_number(code: &str) -> bool {
    let name = code.split_whitespace().next().unwrap_or_default();
    ["PAGE", "NUMPAGES", "SECTIONPAGES"].iter().any(|other| name.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_field_codes() {
        assert_eq!(link_of(" HYPERLINK \"http://a/b\" \\o \"tip\"").as_deref(), Some("http://a/b"));
        assert_eq!(link_of("HYPERLINK http://a"), Some("http://a".to_owned()));
        assert_eq!(link_of("HYPERLINK \\l \"here\""), None);
        assert_eq!(link_of("PAGEREF x"), None);
        assert_eq!(text_without_result("EQ \\* jc2 \\o\\ad(\\s\\up 9(x),y)"), Some("y"));
        assert_eq!(text_without_result(" MACROBUTTON none Click here"), Some("Click here"));
        assert_eq!(text_without_result("EQ \\f(1,2)"), None);
        assert!(is_page_number(" PAGE  \\* MERGEFORMAT"));
    }
}

//! Finds the encoding that a document declares: XML declarations, `meta` elements, coding comments and others.
//!
//! Whether the bytes agree with the declaration is decided by the caller.

use super::encoding::{Encoding, EncodingScheme};

/// Maximum bytes from the start of a document in which declarations are searched for.
const MAX_DECLARATION_BYTES: usize = 4096;

/// How documents of a format declare their encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeclarationFormat {
    /// No declaration of its own. Declarations that no text contains by chance still count: an XML declaration at the
    /// start, a coding comment in the first two lines, `@charset`, the header of a message catalogue, `inputenc` of
    /// TeX.
    #[default]
    None,
    /// In an XML declaration.
    Xml,
    /// In a `meta` element or an XML declaration.
    Html,
}

/// The encoding declared in the first bytes, if it is known.
pub(super) fn declared(head: &[u8], format: DeclarationFormat) -> Option<Encoding> {
    let head = &head[..head.len().min(MAX_DECLARATION_BYTES)];
    let label = match format {
        DeclarationFormat::Xml => xml(head),
        // XHTML may have both; readers of XML see only the first.
        DeclarationFormat::Html => xml(head).or_else(|| meta(head)),
        DeclarationFormat::None => xml(head)
            .or_else(|| comment(head))
            .or_else(|| style(head))
            .or_else(|| catalogue(head))
            .or_else(|| tex(head))
            .or_else(|| book(head)),
    };
    let encoding = Encoding::from_name(label?)?;
    // A declaration that is readable as ASCII cannot be UTF-16 or UTF-32, whatever it says.
    Some(match encoding.0 {
        EncodingScheme::Utf16(_) | EncodingScheme::Utf32(_) => Encoding::UTF_8,
        _ => encoding,
    })
}

fn xml(head: &[u8]) -> Option<&str> {
    // XML wants its declaration at the first byte (XML 1.0, 2.8); white space before it is forgiven.
    let rest = trimmed(head).strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(rest, b"?>")?;
    value(after(&rest[..end], "encoding")?)
}

/// The first `meta` element outside comments that names an encoding.
fn meta(head: &[u8]) -> Option<&str> {
    let mut rest = head;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix(b"!--") {
            rest = &comment[memchr::memmem::find(comment, b"-->")?..];
            continue;
        }
        let is_meta = rest
            // `<metal>` is no `meta`.
            .get(..5)
            .is_some_and(|name| name[..4].eq_ignore_ascii_case(b"meta") && !name[4].is_ascii_alphanumeric());
        if !is_meta {
            continue;
        }
        let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        if let Some(label) = after(&rest[..end], "charset").and_then(value) {
            return Some(label);
        }
        rest = &rest[end..];
    }
    None
}

/// `# -*- coding: latin-1 -*-`, `# coding=utf-8`, `// vim: fileencoding=cp1251` in the first two lines.
fn comment(head: &[u8]) -> Option<&str> {
    // Python (PEP 263) and Emacs look at two lines, since the first may be `#!`.
    head.split(|byte| *byte == b'\n').take(2).find_map(|line| {
        let line = trimmed(line);
        let is_comment = [b"#".as_slice(), b"//", b"/*", b"--", b";", b"%", b"\""]
            .iter()
            .any(|mark| line.starts_with(mark));
        // `-*-` marks a line for Emacs in comments of any syntax.
        if !is_comment && memchr::memmem::find(line, b"-*-").is_none() {
            return None;
        }
        let rest = after(line, "coding")?;
        let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"=")).map(trimmed)?;
        // Emacs names line ends as well: `utf-8-unix`.
        let label = word(rest)?;
        ["-unix", "-dos", "-mac"].iter().find_map(|end| label.strip_suffix(end)).or(Some(label))
    })
}

fn style(head: &[u8]) -> Option<&str> {
    word(head.strip_prefix(b"@charset \"")?)
}

/// The header entry of a gettext catalogue.
fn catalogue(head: &[u8]) -> Option<&str> {
    // The form that GNU gettext writes into the entry of the empty message.
    let at = memchr::memmem::find(head, b"\"Content-Type: text/plain; charset=")?;
    word(&head[at + 35..])
}

fn tex(head: &[u8]) -> Option<&str> {
    let at = memchr::memmem::find(head, b"]{inputenc}")?;
    let start = memchr::memrchr(b'[', &head[..at])?;
    // inputenc's own names for the pages of Windows and of old Macs; its others are usual labels.
    Some(match std::str::from_utf8(&head[start + 1..at]).ok()? {
        "ansinew" => "windows-1252",
        "applemac" => "mac-roman",
        label => label,
    })
}

/// The header of a text of Project Gutenberg.
fn book(head: &[u8]) -> Option<&str> {
    // Any other text may have such a line, in a form for instance.
    memchr::memmem::find(head, b"Project Gutenberg")?;
    let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r'));
    word(lines.find_map(|line| line.strip_prefix(b"Character set encoding:"))?.trim_ascii_start())
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// The text after a name in any case.
fn after<'a>(bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let at = bytes.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name.as_bytes()))?;
    Some(bytes[at + name.len()..].trim_ascii_start())
}

/// The value after an equals sign, with or without quotes.
fn value(rest: &[u8]) -> Option<&str> {
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    word(rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start())
}

fn word(rest: &[u8]) -> Option<&str> {
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"-_.:".contains(byte));
    let word = std::str::from_utf8(&rest[..end.unwrap_or(rest.len())]).ok()?;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_where_formats_have_them() {
        let check = |format, head: &str, expected: Option<&str>| {
            assert_eq!(declared(head.as_bytes(), format).map(Encoding::name), expected, "{head}");
        };
        let xml = DeclarationFormat::Xml;
        check(xml, "<?xml version='1.0' encoding='ISO-8859-2'?><a/>", Some("iso-8859-2"));
        check(xml, "\u{feff}<?xml version=\"1.0\" encoding = \"koi8-r\" ?>", Some("koi8-r"));
        check(xml, "<?xml version='1.0'?><a encoding='koi8-r'/>", None);
        check(xml, "<?xml version='1.0' encoding='UTF-16'?>", Some("utf-8"));
        let html = DeclarationFormat::Html;
        check(html, "<html><META Charset=gb2312>", Some("gb18030"));
        check(
            html,
            "<meta name=x><meta http-equiv=Content-Type content=\"text/html; charset=Shift_JIS\">",
            Some("shift_jis"),
        );
        check(html, "<!-- <meta charset=big5> --><meta charset='euc-kr'>", Some("cp949"));
        check(html, "<metal charset=big5>", None);
        check(html, "<meta content='the charset of the page'>", None);
        let none = DeclarationFormat::None;
        check(none, "#!/usr/bin/python\n# -*- coding: iso-8859-15 -*-\n", Some("iso-8859-15"));
        check(none, "\n\n# -*- coding: iso-8859-15 -*-\n", None);
        check(none, ";; -*- mode: lisp; coding: euc-jp-unix -*-", Some("euc_jp"));
        check(none, "# vim: set fileencoding=cp1251 :", Some("windows-1251"));
        check(none, "coding: cp1251", None);
        check(none, "@charset \"windows-1250\";", Some("windows-1250"));
        check(none, "msgstr \"\"\n\"Content-Type: text/plain; charset=EUC-JP\\n\"", Some("euc_jp"));
        check(none, "\\usepackage[latin1]{inputenc}", Some("windows-1252"));
        let book = "Project Gutenberg's X\r\n\r\nCharacter set encoding: ISO-8859-1\r\n";
        check(none, book, Some("windows-1252"));
        check(none, "Character set encoding: ISO-8859-1\n", None);
        check(none, "<meta charset=big5>", None);
    }
}

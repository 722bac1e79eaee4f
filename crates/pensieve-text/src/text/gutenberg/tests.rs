//! Invented texts in the forms of every decade: what is cut, what is kept, what is reported.

use super::*;
use crate::model::{Segment, Span, SpanMap};

/// An invented book, long enough to be recognised as one.
const BOOK: &str = "THE GREY HERON\n\nby A. N. Other\n\nCHAPTER I.\n\nThe heron stood in the reeds, and the reeds stood in \
the rain,\nand the rain stood, as far as anyone could see, in the way of everybody.\n\nNobody minded it less than the \
heron did.\n\nTHE END";

const LICENCE: &str = "Updated editions will replace the previous one--the old editions will be\nrenamed.\n\n\
*** START: FULL LICENSE ***\n\nTHE FULL PROJECT GUTENBERG LICENSE\nPLEASE READ THIS BEFORE YOU DISTRIBUTE OR USE THIS \
WORK\n\nTo protect the Project Gutenberg-tm mission of promoting the free\ndistribution of electronic works, by using \
this work you agree.\n";

const HEADER: &str = "The Project Gutenberg EBook of The Grey Heron, by A. N. Other\n\nThis eBook is for the use of \
anyone anywhere at no cost and with\nalmost no restrictions whatsoever under the terms of the Project Gutenberg License\n\
\n\nTitle: The Grey Heron\n       A Tale of Rain\n\nAuthor: A. N. Other\n\nRelease Date: May 1, 2001 [EBook #99999]\n\
\nLanguage: English\n\nCharacter set encoding: ASCII\n\n";

/// Stripping `before`, the book and `after` must leave exactly the book.
fn check(before: &str, after: &str, expected: &[GutenbergFinding]) {
    for ends in ["\n", "\r\n"] {
        let text = format!("{before}{BOOK}{after}").replace('\n', ends);
        let body = find_body(&text);
        let kept = text[body.span.range()].trim_end();
        assert_eq!(kept, BOOK.replace('\n', ends), "{text}");
        assert_eq!(body.findings, expected, "{text}");
    }
}

#[test]
fn markers_of_every_age_are_known() {
    use GutenbergFinding::*;
    let footer = format!("\n\n\n*** END OF THE PROJECT GUTENBERG EBOOK THE GREY HERON ***\n\n{LICENCE}");
    let starts = [
        "*** START OF THE PROJECT GUTENBERG EBOOK THE GREY HERON ***",
        "*** START OF THIS PROJECT GUTENBERG EBOOK THE GREY\nHERON ***",
        "*** START OF THIS PROJECT\nGUTENBERG EBOOK THE GREY HERON ***",
        "***START OF THE PROJECT GUTENBERG EBOOK THE GREY HERON***",
        "*** START OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK, THE GREY HERON ***",
        "*** START OF THE PROJECT GUTENBERG E-TEXT THE GREY HERON ***\n\nTitle: The Grey Heron\n\nAuthor: A. N. \
         Other\n\n*** START OF THIS PROJECT GUTENBERG EBOOK THE GREY HERON ***",
    ];
    let credits = [
        "",
        "Produced by Ann Onym and the Online Distributed\nProofreading Team at http://www.pgdp.net",
        "E-text prepared by Ann Onym (ann@example.org)\n\n\nNote: Project Gutenberg also has an HTML version of this\n      \
         file which includes the original illustrations.\n      See 99999-h.htm or 99999-h.zip:\n      \
         (http://www.gutenberg.org/9/9/9/99999/99999-h.zip)",
        "Transcribed from the 1899 Heron & Co. edition by Ann Onym, email\nann@example.org",
    ];
    for start in starts {
        for credit in credits {
            check(&format!("\u{feff}{HEADER}{start}\n\n\n{credit}\n\n\n\n"), &footer, &[]);
        }
    }
    let ends = [
        "End of the Project Gutenberg EBook of The Grey Heron, by A. N. Other",
        "End of Project Gutenberg's The Grey Heron, by A. N. Other",
        "End of The Project Gutenberg Etext of The Grey Heron",
        "Ende dieses Projekt Gutenberg Etextes The Grey Heron",
        "Ende dieses Project Gutenberg Etextes The Grey Heron",
        "Fin du Project Gutenberg EBook The Grey Heron",
        "***END OF THE PROJECT GUTENBERG EBOOK THE GREY HERON***",
        "*** END OF THIS PROJECT GUTENBERG EBOOK THE GREY HERON, A TALE\nOF RAIN ***",
        "End of the Project Gutenberg EBook of The Grey Heron, by A. N.\nOther\n\n*** END OF THIS PROJECT GUTENBERG EBOOK \
         THE GREY HERON ***",
    ];
    let header = format!("{HEADER}{}\n\n", starts[0]);
    for end in ends {
        check(&header, &format!("\n\n\n\n{end}\n"), &[]);
        check(
            &header,
            &format!("\n\n{end}\n\n***** This file should be named 99999.txt *****\n{LICENCE}"),
            &[],
        );
        check("", &format!("\n\n{end}\n"), &[NoHeader]);
    }
    check(&header, "\n\n", &[NoFooter]);
    check(&header, &format!("\n\n{LICENCE}"), &[]);
}

const SMALL_PRINT: &str = "**Welcome To The World of Free Plain Vanilla Electronic Texts**\n\n**Etexts Readable By Both \
Humans and By Computers, Since 1971**\n\nInformation on contacting Project Gutenberg to get Etexts, and\nfurther \
information is included below. We need your donations.\n\n\nThe Project Gutenberg Etext of The Grey Heron by A. N. \
Other\n******This file should be named heron10.txt or heron10.zip******\n\nMay, 1993 [Etext #99]\n\n\
***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***\nWhy is this \"Small Print!\" statement here? You know: \
lawyers.\nThey tell us you might sue us if there is something wrong with\nyour copy of this etext, even if you got it for \
free.\n\n";

#[test]
fn the_small_print_of_the_nineties_ends_the_header_or_follows_the_book() {
    for end in [
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
        "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.10/04/01*END*",
        "*END*THE SMALL PRINT! FOR ETEXTS*Ver.12.08.90*END*",
    ] {
        check(&format!("{SMALL_PRINT}{end}\n\n\n\n"), "\n\n", &[GutenbergFinding::NoFooter]);
        let prepared = "This etext was prepared by Ann Onym <ann@example.org>";
        let after = "\n\n\nEnd of The Project Gutenberg Etext of The Grey Heron by Other\n";
        check(&format!("{SMALL_PRINT}{end}\n\n\n{prepared}\n\n\n"), after, &[]);
        let header = format!("{HEADER}*** START OF THE PROJECT GUTENBERG EBOOK, THE GREY HERON ***\n\n");
        let behind = "\n\n*** END OF THE PROJECT GUTENBERG EBOOK, THE GREY HERON ***\n\n";
        check(&header, &format!("{behind}{SMALL_PRINT}{end}\n"), &[]);
    }
}

#[test]
fn a_header_without_marker_is_recognised_by_its_words() {
    check(HEADER, "\n", &[GutenbergFinding::HeaderByWords, GutenbergFinding::NoFooter]);
    check(
        &format!("{HEADER}Produced by Ann Onym, with scans of the Internet Archive\n\n\n"),
        "",
        &[GutenbergFinding::HeaderByWords, GutenbergFinding::NoFooter],
    );
}

/// A text from which nothing may be removed.
fn check_kept(text: &str, expected: &[GutenbergFinding]) {
    let body = find_body(text);
    assert_eq!((body.span, &body.findings[..]), (Span::new(0, text.len()), expected), "{text}");
}

#[test]
fn what_is_no_text_of_the_project_stays_whole() {
    use GutenbergFinding::*;
    check_kept("", &[NoHeader, NoFooter]);
    check_kept(&format!("Title: none of yours\n\nProduced by nobody\n\n{BOOK}"), &[NoHeader, NoFooter]);
    check_kept(
        &format!(
            "{BOOK}\n\nHe told them how, at the end of the Project Gutenberg was no longer\nalone.\n\n{BOOK}"
        ),
        &[NoHeader, NoFooter],
    );
}

#[test]
fn uncertain_text_is_kept_and_reported() {
    use GutenbergFinding::*;
    let start = "*** START OF THE PROJECT GUTENBERG EBOOK THE GREY HERON ***\n\n";
    let end = "\n\n*** END OF THE PROJECT GUTENBERG EBOOK THE GREY HERON ***\n\n";
    check_kept(&format!("{start}A heron.{end}{LICENCE}"), &[NothingLeft]);
    let long = BOOK.repeat(10);
    check_kept(&format!("{long}\n\n{start}{BOOK}\n"), &[DoubtfulHeader, NoFooter]);
    check_kept(&format!("{BOOK}{end}{long}"), &[NoHeader, DoubtfulFooter]);
    // Two volumes in one file: only the text around both is cut.
    let two = format!("{HEADER}{start}{BOOK}{end}{long}\n\n{BOOK}{end}{LICENCE}");
    let body = find_body(&two);
    assert_eq!(two[body.span.range()].trim_end(), format!("{BOOK}{end}{long}\n\n{BOOK}"));
}

#[test]
fn the_map_leads_to_the_same_bytes() {
    let text = format!("{HEADER}*** START OF THE PROJECT GUTENBERG EBOOK THE GREY HERON ***\n\n{BOOK}");
    let map = SpanMap::identity(text.len(), 3);
    let (left, _) = strip_boilerplate(Segment { text: text.clone(), map, ..Segment::default() });
    let source = left.map.source(Span::new(0, 5)).map(|source| source.start);
    assert_eq!(source, text.find("THE GREY HERON\n\nby").map(|at| at + 3));
    // The same through the step, however the text is divided.
    let mut step = GutenbergStripper::default();
    let mut parts = Segment::default();
    for c in text.char_indices() {
        let map = SpanMap::identity(c.1.len_utf8(), c.0 + 3);
        parts.append(step.push(Segment { text: c.1.to_string(), map, ..Segment::default() }));
    }
    parts.append(step.finish());
    assert_eq!(
        (parts.text, parts.map.source(Span::new(0, 5)).map(|source| source.start)),
        (left.text, source)
    );
}

#[test]
fn the_header_is_read() {
    let check = |text: &str, title: &str, author: &str, id: Option<u32>| {
        let header = read_header(text);
        let of = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        assert_eq!((header.title, header.author, header.id), (of(title), of(author), id), "{text}");
    };
    check(HEADER, "The Grey Heron A Tale of Rain", "A. N. Other", Some(99999));
    check(SMALL_PRINT, "The Grey Heron", "A. N. Other", Some(99));
    check("Project Gutenberg's Autobiography of X, by X\n\nThis eBook", "Autobiography of X", "X", None);
    check(BOOK, "", "", None);
    check("", "", "", None);
    let header = read_header(HEADER);
    assert_eq!(header.main_title.as_deref(), Some("The Grey Heron"));
    assert_eq!((header.language.as_deref(), header.encoding.as_deref()), (Some("English"), Some("ASCII")));
}

#[test]
fn hostile_text_does_no_harm() {
    for text in [
        "***",
        "*** START OF",
        "\u{feff}",
        "\r\r\n",
        "End of Project Gutenberg",
        "[EBook #]",
        "Title:",
        "***\n***",
    ] {
        let body = find_body(text);
        assert!(body.span.end <= text.len());
        read_header(text);
    }
}

#[test]
fn a_header_in_a_block_of_code_leaves_no_fence() {
    let start = "*** START OF THE PROJECT GUTENBERG EBOOK THE GREY HERON ***";
    let footer =
        format!("\n\n```\n*** END OF THE PROJECT GUTENBERG EBOOK THE GREY HERON \\*\\*\\*\n\n{LICENCE}```\n");
    check(&format!("```\n{HEADER}{start}\n```\n\n"), &footer, &[]);
}

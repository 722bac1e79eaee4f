//! The parser on valid and invalid queries.

use super::super::tree::QueryField;
use super::*;

/// A tree in one line.
fn written(tree: &Expression) -> String {
    let term = |term: &QueryTerm| {
        let (first, prefix) = (if term.is_first { "^" } else { "" }, if term.is_prefix { "*" } else { "" });
        format!("{first}<{}>{prefix}", term.text)
    };
    let list = |parts: &[Expression], operator: &str| {
        let parts: Vec<String> = parts.iter().map(written).collect();
        parts.join(operator)
    };
    match tree {
        Expression::Term(one) => term(one),
        Expression::Near { terms, distance } => {
            let terms: Vec<String> = terms.iter().map(term).collect();
            format!("near{distance}({})", terms.join(" "))
        }
        Expression::Any(parts) => format!("({})", list(parts, " | ")),
        Expression::All { wanted, unwanted } if unwanted.is_empty() => format!("({})", list(wanted, " & ")),
        Expression::All { wanted, unwanted } => {
            format!("({} - {})", list(wanted, " & "), list(unwanted, " - "))
        }
    }
}

fn check(query: &str, expected: &str) {
    let parsed = parse(query).map(|query| query.expression.as_ref().map(written).unwrap_or_default());
    assert_eq!(parsed.as_deref(), Ok(expected), "{query}");
}

fn refused(query: &str, expected: &str) {
    let error = parse(query).expect_err(query);
    assert_eq!(error.to_string(), expected, "{query}");
    assert!(!error.cure().is_empty());
}

fn noted(query: &str, expected: &str) {
    let notes: Vec<String> = parse(query).unwrap().notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, [expected], "{query}");
}

#[test]
fn words_phrases_and_operators() {
    check("lamp", "<lamp>");
    check("fog lamp", "(<fog> & <lamp>)");
    check("fog AND lamp", "(<fog> & <lamp>)");
    check("fog and lamp", "(<fog> & <and> & <lamp>)");
    check("\"fog lamp\" horn", "(<fog lamp> & <horn>)");
    check("\"fog lam\"*", "<fog lam>*");
    check("“fog lamp”", "<fog lamp>");
    check("\"say \"\"hello\"\" now\"", "<say \"hello\" now>");
    check("a OR b c", "(<a> | (<b> & <c>))");
    check("(a OR b) c", "((<a> | <b>) & <c>)");
    check("((a))", "<a>");
    check("a NOT b c", "(<a> & <c> - <b>)");
    check("NOT b a", "(<a> - <b>)");
    check("a AND NOT (b OR c)", "(<a> - (<b> | <c>))");
    check("a NOT b NOT c", "(<a> - <b> - <c>)");
    check("lam*", "<lam>*");
    check("^Guide lam**", "(^<Guide> & <lam>*)");
    check("content:lamp text:\"a b\"", "(<lamp> & <a b>)");
    check("lamp -content:fog", "(<lamp> - <fog>)");
}

#[test]
fn near_in_all_its_forms() {
    check("a NEAR b", "near10(<a> <b>)");
    check("a NEAR/3 b NEAR/5 \"c d\"", "near3(<a> <b> <c d>)");
    check("NEAR(a b)", "near10(<a> <b>)");
    check("NEAR(a \"b, c\", 5) d", "(near5(<a> <b, c>) & <d>)");
    check("NEAR (a b, c)", "near10(<a> <b,> <c>)");
    check("NEAR(a)", "<a>");
    check("near a NEARBY", "(<near> & <a> & <NEARBY>)");
    check("(x OR NEAR(a* b, 2)) y", "((<x> | near2(<a>* <b>)) & <y>)");
    refused("NEAR(a OR b)", "`OR` at character 8 cannot be inside NEAR");
    refused("x NEAR(a (b c))", "`(` at character 10 cannot be inside NEAR");
    refused("NEAR(a b", "the parenthesis at character 5 is not closed");
    refused("NEAR(a \"b)", "the quotation mark at character 8 is not closed");
    refused("NEAR()", "`NEAR` at character 1 has no term after it");
    refused("a NEAR", "`NEAR` at character 3 has no term after it");
    refused("NEAR b", "`NEAR` at character 1 has no term before it");
}

/// People copy words with punctuation from programs, paths and mails.
#[test]
fn words_with_punctuation_stay_words() {
    for word in [
        "C++",
        "C#",
        "foo-bar",
        "don't",
        "a/b.rs",
        "src\\main.rs",
        "me@example.org",
        "1.2.3-rc1",
        "std::io::Error",
        "println!(\"x\")",
        "main()",
        "f(x)",
        "foo(bar",
        "a[0]",
        "5\"",
        "#include",
        "$HOME",
        "x=1",
        "https://example.org/a?b=c&d",
        "10:30",
        "a:b",
        "{x}",
        "<div>",
        "50%",
        "'quoted'",
        "a;b",
        "AND/OR",
        "日本語",
    ] {
        check(word, &format!("<{word}>"));
        let is_open = word.contains('(') && !word.contains(')');
        if !is_open {
            check(&format!("({word}) x"), &format!("(<{word}> & <x>)"));
        }
    }
    check("a) b", "(<a)> & <b>)");
    check("--force -x", "(<--force> & <-x>)");
    check("*word w*rd", "(<*word> & <w*rd>)");
    check("foo.*", "<foo.>");
    check("text::normalize", "<text::normalize>");
}

#[test]
fn punctuation_alone_is_left_out_and_reported() {
    check("foo - bar", "(<foo> & <bar>)");
    check("C ++", "<C>");
    check("a && b || c", "(<a> & <b> & <c>)");
    check("foo AND ++", "<foo>");
    check("() foo", "<foo>");
    check("\"\" foo", "<foo>");
    noted("foo - bar", "`-` at character 5 has no letter or digit and is left out");
    noted("foo \"!!\"", "`\"!!\"` at character 5 has no letter or digit and is left out");
    noted("foo -bar", "`-bar` at character 5 is looked for as a word; `NOT bar` leaves it out");
    noted(
        "author:smith",
        "`author:` at character 1 is no column, so its words are looked for; columns are content, heading, path and format",
    );
    refused("++", "`++` at character 1 has no letter or digit, and nothing else is asked for");
    refused("  *", "`*` at character 3 has no letter or digit, and nothing else is asked for");
    refused("🎉", "`🎉` at character 1 has no letter or digit, and nothing else is asked for");
}

#[test]
fn what_cannot_be_understood_is_refused_with_its_place() {
    refused("", "the query is empty");
    refused(" \t", "the query is empty");
    refused("()", "the query is empty");
    refused("\"", "the quotation mark at character 1 is not closed");
    refused("fog \"lamp horn", "the quotation mark at character 5 is not closed");
    refused("(a OR b", "the parenthesis at character 1 is not closed");
    refused("(", "the parenthesis at character 1 is not closed");
    refused("AND a", "`AND` at character 1 has no term before it");
    refused("größe AND", "`AND` at character 7 has no term after it");
    refused("a OR OR b", "`OR` at character 6 has no term before it");
    refused("OR", "`OR` at character 1 has no term before it");
    refused("a OR", "`OR` at character 3 has no term after it");
    refused("(a OR) b", "`OR` at character 4 has no term after it");
    refused("a NOT", "`NOT` at character 3 has no term after it");
    refused("NOT NOT a", "`NOT` at character 1 has no term after it");
    refused("NOT a", "`NOT` at character 1 leaves out, but nothing says what to look for");
    refused("a OR NOT b", "`NOT` at character 6 leaves out, but nothing says what to look for");
    refused(&format!("{}a", "(".repeat(30)), "the query has more than 24 parentheses inside each other");
    refused(&"a ".repeat(300), "the query has more than 256 terms");
}

#[test]
fn filters_stand_outside() {
    let check = |query: &str, words: &str, expected: &[(QueryField, &str, bool)]| {
        let parsed = parse(query).unwrap();
        assert_eq!(parsed.expression.as_ref().map(written).unwrap_or_default(), words, "{query}");
        let filters: Vec<_> =
            parsed.filters.iter().map(|f| (f.field, f.term.text.as_str(), f.is_negated)).collect();
        assert_eq!(filters, expected, "{query}");
    };
    check("fog path:docs/**", "<fog>", &[(QueryField::Path, "docs/**", false)]);
    check("path:\"my docs/*.md\" fog", "<fog>", &[(QueryField::Path, "my docs/*.md", false)]);
    check(
        "fog format:pdf NOT path:old",
        "<fog>",
        &[(QueryField::Format, "pdf", false), (QueryField::Path, "old", true)],
    );
    check("fog -format:pdf", "<fog>", &[(QueryField::Format, "pdf", true)]);
    check("heading:install", "", &[(QueryField::Heading, "install", false)]);
    check("fog AND heading:\"how to\"", "<fog>", &[(QueryField::Heading, "how to", false)]);
    refused("a OR path:docs", "`path:` at character 6 is inside parentheses or beside OR");
    refused("(a path:docs)", "`path:` at character 4 is inside parentheses or beside OR");
    refused("fog path:", "`path:` at character 5 has nothing after it");
    refused("heading:++", "`++` at character 1 has no letter or digit, and nothing else is asked for");
}

#[test]
fn limits_are_met_at_and_above() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    check(&nested(24), "<a>");
    refused(&nested(25), "the query has more than 24 parentheses inside each other");
    // Parentheses beside each other are not inside each other.
    check(&"((a)) ".repeat(30), &format!("({})", ["<a>"; 30].join(" & ")));
    check(&"a ".repeat(256), &format!("({})", ["<a>"; 256].join(" & ")));
    refused(&"a ".repeat(257), "the query has more than 256 terms");
    check(&"NEAR(a b) ".repeat(128), &format!("({})", ["near10(<a> <b>)"; 128].join(" & ")));
    refused(&format!("{}c", "NEAR(a b) ".repeat(128)), "the query has more than 256 terms");
    check("NEAR(a b, 999999)", "near999999(<a> <b>)");
    check("NEAR(a b, 1000000)", "near10(<a> <b,> <1000000>)");
    check("NEAR(a b, )", "near10(<a> <b,>)");
}

#[test]
fn marks_have_a_meaning_only_beside_letters() {
    check("\"a!\"* b", "(<a!> & <b>)");
    check("\"a\"b", "(<a> & <b>)");
    check("a+* b", "(<a+> & <b>)");
    check("^+a b", "(<^+a> & <b>)");
    check("^a NEAR b", "near10(<a> <b>)");
    check("a NEAR ++ NEAR/2 b", "near2(<a> <b>)");
    check("so\u{ad}ft\u{200b} a\tb", "(<soft> & <a> & <b>)");
    check("((a) b)c d", "((<a> & <b>) & <c> & <d>)");
    check("(f(x) y) z", "((<f(x)> & <y>) & <z>)");
}

#[test]
fn only_what_looks_like_a_sign_of_another_language_is_noted() {
    let check = |query: &str, expected: &[&str]| {
        let notes = parse(query).unwrap().notes;
        let kinds = notes.iter().map(|note| match note {
            QueryNote::Minus { text, at } => format!("minus {text} {at}"),
            QueryNote::NoColumn { name, at } => format!("column {name} {at}"),
            other => other.to_string(),
        });
        assert_eq!(kinds.collect::<Vec<_>>(), expected, "{query}");
    };
    check("a -xy", &["minus -xy 3"]);
    check("a -x", &[]);
    check("a --xy", &[]);
    check("a -12", &[]);
    check("a xy-", &[]);
    check("ab:c", &["column ab 1"]);
    check("x a_b:\"c\"", &["column a_b 3"]);
    check("a:b", &[]);
    check("ab: c", &[]);
    check("ab:-c", &[]);
    check("Ab:c", &[]);
    check("a1:c", &[]);
    check("ab::c", &[]);
    check("NEAR(a -xy)", &["minus -xy 8"]);
}

#[test]
fn questions_are_only_words() {
    let check = |query: &str, is_question: bool, words: Option<&str>| {
        let query_parsed = parse(query).unwrap();
        assert_eq!(query_parsed.is_question, is_question, "{query}");
        assert_eq!(query_parsed.plain_words().as_deref(), words, "{query}");
    };
    check("what is fog", true, Some("what is fog"));
    check("fog", true, Some("fog"));
    check("fog ?", true, Some("fog"));
    check("fog lam*", false, None);
    check("^fog lamp", false, None);
    check("\"fog lamp\"", false, None);
    check("fog OR lamp", false, None);
    check("fog AND lamp", false, Some("fog lamp"));
    check("fog NOT lamp", false, None);
    check("(fog) lamp", false, Some("fog lamp"));
    check("fog path:docs", false, Some("fog"));
    check("path:docs", false, None);
    check("fog NEAR lamp", false, None);
    check("(a OR b) c", false, None);
}

#[test]
fn any_text_is_understood_or_refused() {
    use proptest::prelude::*;
    let piece = prop::sample::select(vec![
        "a", "b*", "\"", "\"a b\"", "(", ")", "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR/2", ",", "5", ":",
        "path:", "heading:", "x:", "^", "*", "+", "-", "\u{0}", "日本", "é", " ", "  ", "“", "”", "{", "}",
        "\\", "'",
    ]);
    proptest!(|(pieces in prop::collection::vec((piece, prop::bool::ANY), 0..12))| {
        let text: String =
            pieces.iter().map(|(piece, glued)| format!("{piece}{}", if *glued { "" } else { " " })).collect();
        let _ = parse(&text);
    });
}

#[test]
fn each_error_has_a_cure() {
    let check = |query: &str, expected: &str| {
        let cure = parse(query).unwrap_err().cure();
        assert!(cure.contains(expected), "{query}: {cure}");
    };
    check("", "at least one word");
    check("++", "words are looked for");
    check("\"a", "closing `\"`");
    check("(a", "closing `)`");
    check("a OR", "write `term OR term`, or `or` in small letters");
    check("NOT a", "add a word before it");
    check("(path:a)", "group the words");
    check("path:", "write `path:value` without a space");
    check("NEAR(a OR b)", "write words or phrases");
    check(&"a ".repeat(300), "ask for less");
}

#[test]
fn what_is_in_quotes_ends_no_group() {
    check("NEAR(\"a) b\" c, 4)", "near4(<a) b> <c>)");
    check("NEAR(\"(a\" b, 3)", "near3(<(a> <b>)");
    check("NEAR(a \"b, 7\")", "near10(<a> <b, 7>)");
    check("NEAR(a, 8 b, 12)", "near12(<a,> <8> <b>)");
    check("NEAR(f(x, 2) y, 3)", "near3(<f(x,> <2)> <y>)");
    check("NEAR(a b, 3) NEAR(c d, 4) e", "(near3(<a> <b>) & near4(<c> <d>) & <e>)");
    check("NEAR(a \"b\", 3 )", "near3(<a> <b>)");
    check("NEAR \t(a b,3)c", "(near3(<a> <b>) & <c>)");
    check("xNEAR(a b)", "(<xNEAR(a> & <b)>)");
    check("NEAR(a b, +3)", "near10(<a> <b,> <+3>)");
    check("a NEAR/0 b", "near0(<a> <b>)");
    check("a NEAR/x b", "(<a> & <NEAR/x> & <b>)");
    check("a NEAR5 b", "(<a> & <NEAR5> & <b>)");
    check("a NEAR/9 b NEAR c NEAR/12 d", "near9(<a> <b> <c> <d>)");
    refused("xy NEAR(a \"b)", "the quotation mark at character 11 is not closed");
    refused("xy NEAR(a \"b\" (c)", "the parenthesis at character 8 is not closed");
    refused("xy NEAR(a NEAR(b OR c))", "`OR` at character 18 cannot be inside NEAR");
    refused("xy NEAR(a NEAR(b c))", "`NEAR` at character 11 cannot be inside NEAR");
    refused("xy NEAR(a AND b)", "`AND` at character 11 cannot be inside NEAR");
    refused("xy NEAR(a NOT b)", "`NOT` at character 11 cannot be inside NEAR");
    refused("xy NEAR(a path:b)", "`path:` at character 11 cannot be inside NEAR");
    refused("xy NEAR(a NEAR b)", "`NEAR` at character 11 cannot be inside NEAR");
    refused("xy NEAR(++)", "`NEAR` at character 4 has no term after it");
}

#[test]
fn fields_have_their_places_and_terms() {
    check("content:lamp*", "<lamp>*");
    check("content:^lamp", "^<lamp>");
    check("content:++ a", "<a>");
    check("-content:++ a", "<a>");
    check("-contents:a", "<-contents:a>");
    check("content::a b", "(<content::a> & <b>)");
    check("content:“fog horn” b", "(<fog horn> & <b>)");
    check("(content:a) b", "(<a> & <b>)");
    refused("xy -path:", "`path:` at character 4 has nothing after it");
    refused("xy path:\" \"", "`path:` at character 4 has nothing after it");
    refused("xy -heading:++", "`++` at character 4 has no letter or digit, and nothing else is asked for");
    refused("xy heading:\"a", "the quotation mark at character 12 is not closed");
    refused("NEAR(a content:\"b)", "the quotation mark at character 16 is not closed");
    refused("xy “a\"", "the quotation mark at character 4 is not closed");
    noted("xy content:++", "`content:++` at character 4 has no letter or digit and is left out");
}

#[test]
fn the_terms_of_filters_are_words_or_patterns() {
    let check = |query: &str, expected: QueryTerm| {
        assert_eq!(parse(query).unwrap().filters[0].term, expected, "{query}");
    };
    let plain = |text: &str| QueryTerm { text: text.to_owned(), ..QueryTerm::default() };
    check("path:^a*", plain("^a*"));
    check("format:pdf*", plain("pdf*"));
    check("heading:^a*", QueryTerm { is_prefix: true, is_first: true, ..plain("a") });
    check("heading:\"a b\"*", QueryTerm { is_prefix: true, is_exact: true, ..plain("a b") });
}

#[test]
fn signs_alone_are_noted_with_their_place() {
    let check = |query: &str, expected: Option<(&str, usize)>| {
        let note = expected.map(|(text, at)| QueryNote::NoWords { text: text.to_owned(), at });
        assert_eq!(signs_only(query), note, "{query:?}");
    };
    check("", None);
    check("   ", None);
    check("  a ", None);
    check("++", Some(("++", 1)));
    check("  ++ - ", Some(("++ -", 3)));
}

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

fn noted(query: &str, expected: &[&str]) {
    let notes: Vec<String> = parse(query).unwrap().notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, expected, "{query}");
}

/// Checks that a text is a question, of these words.
fn asked(query: &str, expected: &str) {
    check(query, expected);
    let parsed = parse(query).unwrap();
    assert!(parsed.is_question && parsed.notes.is_empty(), "{query}: {:?}", parsed.notes);
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
    check("((a OR b))", "(<a> | <b>)");
    check("a NOT b c", "(<a> & <c> - <b>)");
    check("a AND NOT (b OR c)", "(<a> - (<b> | <c>))");
    check("a NOT (b c)", "(<a> - (<b> & <c>))");
    check("a NOT b NOT c", "(<a> - <b> - <c>)");
    check("(NASA OR ESA) missions", "((<NASA> | <ESA>) & <missions>)");
    check("\"FOG\" OR \"LAMP\"", "(<FOG> | <LAMP>)");
    check("数据 OR 内存", "(<数据> | <内存>)");
    check("lam*", "<lam>*");
    check("^Guide lam**", "(^<Guide> & <lam>*)");
    check("content:lamp text:\"a b\"", "(<lamp> & <a b>)");
    check("lamp -content:fog", "(<lamp> - <fog>)");
    check("fog lamp -horn", "(<fog> & <lamp> - <horn>)");
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
    // What is no list of terms is no operator.
    asked("NEAR(a b", "(<NEAR(a> & <b>)");
    asked("a NEAR", "(<a> & <NEAR>)");
    asked("NEAR b", "(<NEAR> & <b>)");
}

/// What people ask in, and paste from, prose, reports, forums and programs.
#[test]
fn a_question_is_a_question() {
    asked("DO NOT RESUSCITATE", "(<DO> & <NOT> & <RESUSCITATE>)");
    asked("what does DO NOT RESUSCITATE mean?", "(<what> & <does> & <DO> & <NOT> & <RESUSCITATE> & <mean?>)");
    asked("a client MUST NOT send it", "(<a> & <client> & <MUST> & <NOT> & <send> & <it>)");
    asked("TO BE OR NOT TO BE", "(<TO> & <BE> & <OR> & <NOT> & <TO> & <BE>)");
    asked("LIVE FREE OR DIE in small", "(<LIVE> & <FREE> & <OR> & <DIE> & <in> & <small>)");
    asked("what is AND", "(<what> & <is> & <AND>)");
    asked("OR what", "(<OR> & <what>)");
    asked("NOT b a", "(<NOT> & <b> & <a>)");
    asked("a OR OR b", "(<a> & <OR> & <OR> & <b>)");
    asked("capex (in USD millions)?", "(<capex> & <in> & <USD> & <millions>)");
    asked("FY2019 revenue / (average PP&E)", "(<FY2019> & <revenue> & <average> & <PP&E>)");
    asked("net margin (as a %)?", "(<net> & <margin> & <as> & <a>)");
    asked("f(x) (see a) b", "(<f(x)> & <see> & <a> & <b>)");
    asked("a :) b", "(<a> & <b>)");
    asked("(a", "<a>");
    asked("5\" pipe", "(<5\"> & <pipe>)");
    asked("an \"open quote", "(<an> & <\"open> & <quote>)");
    asked("editor:smith date:soon path:", "(<editor:smith> & <date:soon> & <path:>)");
    asked("is it - really - so -bad?", "(<is> & <it> & <really> & <so> & <-bad?>)");
    asked("ls -la --all", "(<ls> & <-la> & <--all>)");
    asked("who is in -charge here", "(<who> & <is> & <in> & <-charge> & <here>)");
    asked("foo && bar || \"!!\" x", "(<foo> & <bar> & <x>)");
    asked(&"a ".repeat(300), &format!("({})", ["<a>"; 300].join(" & ")));
    asked(&format!("{}a", "(".repeat(30)), "<a>");
}

#[test]
fn what_was_taken_for_an_operator_is_told() {
    noted("fog NOT lamp", &["NOT leaves out \"lamp\""]);
    noted("fog horn -lamp", &["a minus sign leaves out \"lamp\""]);
    noted("fog OR lamp", &["OR: one of its sides is enough"]);
    noted("fog AND lamp AND horn", &["AND: both sides must occur"]);
    noted("\"fog lamp\" hor*", &["\"fog lamp\" is found as written", "`hor*` finds longer words too"]);
    noted("a NEAR/3 b", &["NEAR: at most 3 words between"]);
    noted("fog path:docs", &["`path:docs` narrows the whole search"]);
    noted("^Guide", &["`^Guide` finds the beginnings of chunks"]);
    noted("a NOT (b OR c)", &["NOT leaves out what is in parentheses", "OR: one of its sides is enough"]);
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
    // They narrow the whole search, wherever they stand.
    check("a OR b path:docs", "(<a> | <b>)", &[(QueryField::Path, "docs", false)]);
    check("(a OR b path:docs) c", "((<a> | <b>) & <c>)", &[(QueryField::Path, "docs", false)]);
    refused("path:a NOT b", "`NOT` at character 8 only leaves words out; nothing says what to look for");
}

#[test]
fn operators_in_capitals_that_connect_nothing_are_refused() {
    refused("", "the query is empty");
    refused(" \t", "the query is empty");
    refused("FOG AND", "`AND` at character 5 connects nothing");
    refused("A BAKER AND OR A SMITH", "`AND` at character 9 connects nothing");
    refused("OR FOG", "`OR` at character 1 connects nothing");
    asked("SHOPS NEAR STATION", "(<SHOPS> & <NEAR> & <STATION>)");
    asked("WHETHER OR NOT", "(<WHETHER> & <OR> & <NOT>)");
}

#[test]
fn limits_are_met_at_and_above() {
    let nested = |depth: usize| format!("{}a OR b{}", "(".repeat(depth), ")".repeat(depth));
    check(&nested(24), "(<a> | <b>)");
    refused(&nested(25), "the query has more than 24 parentheses inside each other");
    check(&format!("{}OR b", "a ".repeat(254)), &format!("(({}) | <b>)", ["<a>"; 254].join(" & ")));
    refused(&format!("{}OR b", "a ".repeat(255)), "the query has more than 256 terms");
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
    check("so\u{ad}ft\u{200b} a\tb", "(<soft> & <a> & <b>)");
    check("((a) b)c d", "(<a> & <b> & <c> & <d>)");
    check("(f(x) OR y) z", "((<f(x)> | <y>) & <z>)");
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
    check("(fog) lamp", true, Some("fog lamp"));
    check("fog path:docs", true, Some("fog"));
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
    asked("xy NEAR(a \"b)", "(<xy> & <NEAR(a> & <\"b)>)");
    check("xy NEAR(a NOT b)", "(<xy> & <NEAR(a> - <b)>)");
    asked("xy NEAR(++)", "(<xy> & <NEAR(++)>)");
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
    asked("xy -path: heading:++", "(<xy> & <-path:> & <heading:++>)");
    asked("xy content:++", "<xy>");
    check("xy “a\"", "(<xy> & <“a\">)");
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
fn signs_alone_are_noted() {
    let check = |query: &str, expected: Option<&str>| {
        let note = expected.map(|text| QueryNote::NoWords { text: text.to_owned() });
        assert_eq!(signs_only(query), note, "{query:?}");
    };
    check("", None);
    check("   ", None);
    check("  a ", None);
    check("++", Some("++"));
    check("  ++ - ", Some("++ -"));
}

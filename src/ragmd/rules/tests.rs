//! A golden pair for each rule, and the law that holds for all: clean text stays as it is.

use super::*;
use proptest::prelude::*;

fn cleaned(text: &str, options: &CleanOptions) -> String {
    Cleaner::new(options).unwrap().clean(text)
}

fn check(text: &str, expected: &str) {
    let found = cleaned(text, &CleanOptions::default());
    assert_eq!(found.trim_end_matches('\n'), expected.trim_end_matches('\n'), "of {text}");
    assert_eq!(cleaned(&found, &CleanOptions::default()), found, "twice, of {text}");
}

fn check_with(footnotes: Footnotes, text: &str, expected: &str) {
    let options = CleanOptions { footnotes, ..CleanOptions::default() };
    let found = cleaned(text, &options);
    assert_eq!(found, expected, "of {text}");
    assert_eq!(cleaned(&found, &options), found, "twice, of {text}");
}

#[test]
fn every_rule_has_a_name_of_its_own_and_can_be_switched_off() {
    let all: HashSet<&str> = names().map(|(name, _)| name).collect();
    assert_eq!(all.len(), TABLE.len());
    let off = |rule: &str| CleanOptions { off: vec![rule.to_owned()], ..CleanOptions::default() };
    for (rule, text) in [
        ("soft_hyphens", "a\u{ad}b\n"),
        ("controls", "a\u{1b}[1mb\u{2060}\n"),
        ("page_breaks", "a \\newpage\n"),
        ("raw_html", "a <span>b</span>\n"),
        ("div_fences", "::: note\n\na\n"),
        ("attributes", "# A {#a}\n"),
        ("empty_images", "a ![]()\n"),
        ("image_links", "![a](b.png)\n"),
        ("footnotes", "a[^1]\n"),
        ("address_echoes", "[a](http://b) [http://b]\n"),
        ("dangling_links", "[a](b.xhtml#c)\n"),
        ("figure_references", "A (see Figure 1.1).\n"),
        ("white_space", "a  b\n"),
    ] {
        assert_eq!(cleaned(text, &off(rule)), text, "{rule}");
        assert_ne!(cleaned(text, &CleanOptions::default()), text, "{rule}");
    }
    assert!(matches!(Cleaner::new(&off("nonsense")), Err(RuleError::Unknown { .. })));
}

#[test]
fn the_address_of_a_link_is_not_said_twice() {
    check("See [a](https://b.org/c_d) [https://b.org/c_d], or", "See [a](https://b.org/c_d), or");
    check("See [a](https://b.org/) [<https://b.org>].", "See [a](https://b.org/).");
    check("[a](https://b.org)\n[https://b.org] x", "[a](https://b.org) x");
    check("[a](https://b.org) (https://b.org)", "[a](https://b.org)");
    for kept in [
        "[a](https://b.org) [https://c.org]",
        "[a](https://b.org) and [https://b.org]",
        "[a](https://b.org) [1]",
    ] {
        check(kept, kept);
    }
}

#[test]
fn soft_hyphens_and_page_breaks_go() {
    check("ex\u{ad}am\u{ad}ple", "example");
    check(
        "well\u{2060}—said\u{feff}, a\u{200b}b, \u{645}\u{6cc}\u{200c}\u{62e}",
        "well—said, ab, \u{645}\u{6cc}\u{200c}\u{62e}",
    );
    check("One<!-- page 12 --> two.", "One two.");
    check("One <span id=\"p1\" epub:type=\"pagebreak\" title=\"12\"></span>two.", "One two.");
    check("wo<!-- page 2 -->rd, on<!-- page 3 --> it <!-- page 4 -->.", "word, on it .");
    check("One\n\n\\newpage\n\n\u{c}two []{#page_7 .pagebreak}\n", "One\n\ntwo");
    let options = CleanOptions { page_markers: true, ..CleanOptions::default() };
    assert_eq!(
        cleaned("a <!-- page 12 --> b\n\n<!-- page -->\n", &options),
        "a --- PAGE 12 --- b\n\n--- PAGE ---\n"
    );
    assert_eq!(cleaned("wo<!-- page 2 -->rd one\n", &options), "word --- PAGE 2 --- one\n");
}

#[test]
fn markup_without_words_goes() {
    check("<div class=\"x\">\n\n# A {#a .b key=\"v\"}\n\n</div>", "# A");
    check("[Small]{.smallcaps} and {x} and {1} and a{#b}", "Small and {x} and {1} and a");
    check("::: {.epigraph}\nWords\n:::", "Words");
    check("a ![](x.png) b ![ ]() c", "a b c");
    check("![A map](img/map(1).png)", "A map");
    check(r"![\[a\] b\*c](z.png)", r"\[a\] b\*c");
    check("m<sup>2</sup> 1<sup>st</sup> H<sub>2</sub>O", "m^2 1st H2O");
    check("<img src=\"a\" alt=\"A map\"/>", "A map");
    check(
        "# A\n<a id=\"a\"></a>\n\n<a id=\"x\" class=\"y\"></a>b<!-- c\n\nd -->",
        "# A\n<a id=\"a\"></a>\n\nb",
    );
}

#[test]
fn footnotes_are_dropped_or_kept() {
    let text =
        "One[^1] two[^n-2].\n\nThree\n\n[^1]: First note.\n\n    More of it.\n[^n-2]: Second.\n\nFour\n";
    check(text, "One two.\n\nThree\n\nFour");
    check_with(Footnotes::Inline, text, "One [First note. More of it.] two [Second.].\n\nThree\n\nFour\n");
    check_with(
        Footnotes::End,
        text,
        "One[^1] two[^n-2].\n\nThree\n\nFour\n\n[^1]: First note.\n\n    More of it.\n[^n-2]: Second.\n",
    );
    check(
        "# N\n<a id=\"n\"></a>\n\n## One\n\n[^1]: a\n\n    b\n\n## Two\n\n[^2]: c\n\nWords\n\n## Three\n\n[^3]: d\n",
        "# N\n<a id=\"n\"></a>\n\n## Two\n\nWords",
    );
    check("a^[1](n.xhtml#n1)^ b[^2^](#fn2) c<sup>[3](#n3)</sup> d [↩](#r1)", "a b c d");
    check(
        "1. ```\n   a[^1]\n   ```\n\n## B[^1]\n\n> ```\n> \u{ad}\n> ```\n\nc[^1]",
        "1. ```\n   a[^1]\n   ```\n\n## B\n\n> ```\n> \u{ad}\n> ```\n\nc",
    );
    let code = "a[^1]\n\n[^1]:\n    ```\n    b[^2]\n    ```\n";
    check(code, "a");
    check_with(Footnotes::End, code, code);
    check("a [[^1]], b<sup>\\[[^1]\\]</sup>, c[^1],[^2]; ([^3] – [^4]) d [^5].\n\n[^1]: x\n", "a, b, c; d.");
    check_with(
        Footnotes::End,
        "a [[^1]] b[^1], [^2].\n\n[^1]: x []\n[^2]: y\n",
        "a [^1] b[^1][^2].\n\n[^1]: x\n[^2]: y\n",
    );
    check_with(Footnotes::Inline, "a[^1].\n\n[^1]: x[^2]\n[^2]: y[^1]\n", "a [x [y]].\n");
    check(
        "[^1] Begins\n\n- [^2] item\n\n## [^1][^2] Head\n\n> [^1] b [^3] c",
        "Begins\n\n- item\n\n## Head\n\n> b c",
    );
    check_with(
        Footnotes::Inline,
        "| a[^1] | b |\n| - | - |\n| c | d |\n\n[^1]: x | y\n",
        "| a [x \\| y] | b |\n| - | - |\n| c | d |\n",
    );
    check("In 10^5^ and [note](http://x/#1)", "In 10^5^ and [note](http://x/#1)");
    check("```\na[^1]\n```", "```\na[^1]\n```");
    check("`<div>  a[^1] {#x} ![]()` b[^1]", "`<div>  a[^1] {#x} ![]()` b");
}

#[test]
fn what_a_backslash_hides_is_text() {
    for kept in [
        "The class \\[^0-9] matches. f[0\\](x), \\section\\{#1}, and ![x\\](y), {\\{#each}}",
        "\\<div> and \\\\newpage and [z\\](q.xhtml#r)",
    ] {
        check(kept, kept);
    }
    check("a^[\\[1\\]](n.xhtml#n1)^ b[\\[2\\]](x.xhtml#note2) c\\\\[^3]", "a b c\\\\");
}

#[test]
fn links_that_lead_nowhere_become_words() {
    check(
        "# A\n<a id=\"a\"></a>\n\n[a](#a) [b](#b) [c](c.xhtml#d) [e](http://x/) [f [g]](h.html)",
        "# A\n<a id=\"a\"></a>\n\n[a](#a) b c [e](http://x/) f [g]",
    );
}

#[test]
fn bare_references_to_figures_go() {
    check("Leaves fall (see Figure 1.1).", "Leaves fall.");
    check("Leaves (Fig. 2a) fall (cf. Figures 3 and 4) in autumn [Figure 5].", "Leaves fall in autumn.");
    check("Leaves fall. See Fig. 3. They rot.", "Leaves fall. They rot.");
    check("Leaves fall. See Figure 1.1.", "Leaves fall.");
    check("See Figure 2-1 below. Leaves fall.", "Leaves fall.");
    check("(see Figure 1.1) stays", "stays");
    check("One.\n\n(see Figure 1.1)\n\nTwo.", "One.\n\nTwo.");
    check("Leaves fall\n(see Figure 1.1). They rot.", "Leaves fall. They rot.");
    check(
        "- a\n- See Figure 2.\n- b\n\n1. See Fig. 3.\n\n> See Figure 6.\n\n*See Figure 3.*\n\nc",
        "- a\n- b\n\nc",
    );
    check("- Leaves fall. See Figure 2.\n- See Figure 2. Leaves", "- Leaves fall.\n- Leaves");
    check("x (see Figures 3A and 3B) y (see **Figure** 2) z (see *Figure 7a*)", "x y z");
    for kept in [
        "As Figure 1.1 shows, leaves fall.",
        "Leaves fall, as you see in Figure 3.",
        "Leaves fall (see Figure 1.1 for the colours).",
        "See Fig. 3 for more. Leaves fall.",
        "We see Figure 3. It falls.",
        "Figure 1.1. Leaves that fall",
        "*Leaves (see Figure 2*) and *See Figure 3. Leaves*",
        "The figure (1.1) is right.",
    ] {
        check(kept, kept);
    }
}

#[test]
fn white_space_is_single() {
    check("\n\na  b \t c  \n\n\n\nd\n", "a b c\n\nd");
    check("a\r\n`b\r\r\nc`\rd", "a\n`b\n\nc`\nd");
    check("a\u{a0}b\u{2009} c\u{3000}d", "a b c\u{3000}d");
    check("*   [A](http://a)\n    *   b  c", "*   [A](http://a)\n    *   b c");
    check("```\na   b\n\n\nc\n```", "```\na   b\n\n\nc\n```");
}

#[test]
fn own_rules_come_last() {
    let own = vec![OwnRule::parse("n: ^(b)ad$ => ${1}est").unwrap()];
    assert!(OwnRule::parse("^bad$").is_err());
    assert_eq!(OwnRule::parse("n: a =>").unwrap().replacement, "");
    assert_eq!(cleaned("a\nbad\n", &CleanOptions { own, ..CleanOptions::default() }), "a\nbest\n");
    let own = vec![OwnRule { name: "n".into(), pattern: "(".into(), replacement: String::new() }];
    assert!(matches!(
        Cleaner::new(&CleanOptions { own, ..CleanOptions::default() }),
        Err(RuleError::Pattern { .. })
    ));
}

/// Pieces that hostile texts are made of.
const PIECES: &[&str] = &[
    "a",
    "Word ",
    ". ",
    "See Fig. 3.",
    "(see Figure 1.1)",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n    ",
    "# ",
    "- ",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "[^1]",
    "[^1]: ",
    "\n[^2]: ",
    "{#a}",
    "{.b",
    "}",
    "<div>",
    "<span",
    ">",
    "<!-- page 3 -->",
    "<!--",
    "-->",
    "\u{ad}",
    "\u{c}",
    "```\n",
    "~~~",
    ":::",
    "\n<a id=\"x\"></a>\n",
    "[y](#x)",
    "[z](q.xhtml#r)",
    "^",
    "<sup>",
    "\\newpage",
    "\t",
    "\r\n",
    "é",
    "*",
    "\\",
    "\\[",
    "![]()",
    "`",
    "``",
    "[]{#page_1}",
    "<img alt=\"",
    "\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn what_is_clean_stays_as_it_is(picks in prop::collection::vec(0..PIECES.len(), 0..40), mode in 0..3_usize) {
        let text: String = picks.into_iter().map(|pick| PIECES[pick]).collect();
        let footnotes = [Footnotes::Drop, Footnotes::Inline, Footnotes::End][mode];
        let options = CleanOptions { footnotes, page_markers: mode == 1, ..CleanOptions::default() };
        let once = cleaned(&text, &options);
        prop_assert_eq!(&cleaned(&once, &options), &once, "of {:?}", text);
    }
}

#[test]
fn a_clean_text_has_one_line_end_and_no_blank_lines_before_it() {
    let check = |text: &str, expected: &str| assert_eq!(trimmed(text), expected, "{text:?}");
    check("\n\n  a\n\n", "  a\n");
    check("a", "a\n");
    check(" \n ", "");
    check("", "");
}

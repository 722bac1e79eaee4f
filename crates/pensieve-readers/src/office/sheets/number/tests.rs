//! Numbers and codes, each with the text that a sheet shows.

use super::*;

fn shown(code: &str, value: f64) -> String {
    let mut out = String::new();
    NumberFormat::parse(code).push_number(value, DateEpoch::Year1900, &mut out);
    out
}

fn check(code: &str, value: f64, expected: &str) {
    assert_eq!(shown(code, value), expected, "{value} as {code}");
}

#[test]
fn general_shows_up_to_fifteen_digits() {
    for (value, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.3"),
        (1.0 / 3.0, "0.333333333333333"),
        (-1234.5, "-1234.5"),
        (5_901_234_123_457.0, "5901234123457"),
        (1e20, "1E+20"),
        (1.5e-12, "1.5E-12"),
        (0.001, "0.001"),
    ] {
        let mut out = String::new();
        push_general(value, &mut out);
        assert_eq!(out, expected);
    }
}

#[test]
fn numbers_are_rounded_as_they_are_shown() {
    check("0", 2.5, "3");
    check("0.00", 2.675, "2.68");
    check("0.00", 1.005, "1.01");
    check("0.00", -1.5, "-1.50");
    check("#,##0", 1_234_567.0, "1,234,567");
    check("#,##0.00", 999.999, "1,000.00");
    check("#,##0.00", 0.5, "0.50");
    check("#", 0.0, "");
    check("#.##", 0.5, ".5");
    check("0.0##", 1.25, "1.25");
    check("0,", 12_345.0, "12");
    check("0.0,,\"M\"", 12_345_678.0, "12.3M");
    check("000000", 123.0, "000123");
    check("000-00-0000", 123_456_789.0, "123-45-6789");
    check("(###) ###-####", 5_551_234_567.0, "(555) 123-4567");
    check("0%", 0.125, "13%");
    check("0.0%", 0.125, "12.5%");
    check("0.00E+00", 198_356_388.0, "1.98E+08");
    check("0.00E+00", 0.000_123, "1.23E-04");
    check("##0.0E+0", 12_345.0, "12.3E+3");
    check("0.0E+0", 9.99, "1.0E+1");
}

#[test]
fn sections_are_chosen_by_sign_or_condition() {
    check("\"$\"#,##0.00_);[Red](\"$\"#,##0.00)", -1599.99, "($1,599.99)");
    check("\"$\"#,##0.00_);[Red](\"$\"#,##0.00)", 1599.99, "$1,599.99");
    check("[$€-407] #,##0.00", 3.0, "€ 3.00");
    check("#,##0.00 [$€-407]", -3.0, "-3.00 €");
    check("_(\"$\"* #,##0.00_);_(\"$\"* (#,##0.00);_(\"$\"* \"-\"??_);_(@_)", 0.0, "$ -");
    check("0;-0;;@", 0.0, "");
    check("0.0;\"minus\" 0.0;\"none\"", -2.0, "minus 2.0");
    check("[>=1000]0.0,\"k\";0", 1500.0, "1.5k");
    check("[>=1000]0.0,\"k\";0", 15.0, "15");
    check("[<0]\"below\";\"above\"", -1.0, "below");
    check("0;@", -5.0, "-5");
    check("\"No. \"General", 7.0, "No. 7");
    check("0\\ \"days\"", 7.0, "7 days");
}

#[test]
fn fractions_are_the_nearest() {
    check("# ?/?", 2.5, "2 1/2");
    check("# ??/??", std::f64::consts::PI, "3 1/7");
    check("# ???/???", std::f64::consts::PI, "3 16/113");
    check("# ?/8", 0.5, "4/8");
    check("?/?", 1.5, "3/2");
    check("# ?/?", 2.0, "2");
    check("# ?/?", -0.25, "-1/4");
}

#[test]
fn dates_and_times() {
    check("yyyy-mm-dd", 45_306.0, "2024-01-15");
    check("yyyy-mm-dd hh:mm:ss", 45_306.5, "2024-01-15 12:00:00");
    check("m/d/yyyy", 1.0, "1/1/1900");
    check("m/d/yyyy", 60.0, "2/29/1900");
    check("m/d/yyyy", 61.0, "3/1/1900");
    check("d-mmm-yy", 39_219.85, "17-May-07");
    check("dddd, mmmm d", 45_306.0, "Monday, January 15");
    check("[$-407]d. mmmm yyyy", 45_306.0, "15. Januar 2024");
    check("[$-40C]dddd d mmmm", 45_306.0, "lundi 15 janvier");
    check("mmmmm", 45_306.0, "J");
    check("h:mm AM/PM", 33_966.760_424_803, "6:15 PM");
    check("h AM/PM", 0.0, "12 AM");
    check("h:mm", 33_966.260_424_618, "6:15");
    check("mm:ss.0", 0.000_694_5, "01:00.0");
    check("ss.000", 0.5 / 86_400.0, "00.500");
    check("[h]:mm:ss", 1.5, "36:00:00");
    check("[h]:mm", -1.25, "-30:00");
    check("[mm]:ss", 0.5, "720:00");
    check("hh:mm:ss", 0.999_999_99, "00:00:00");
    check("yyyy\"年\"m\"月\"d\"日\"", 45_306.0, "2024年1月15日");
    check("d/m/yyyy h:mm", -1.0, "-1");
    let mut out = String::new();
    NumberFormat::parse("yyyy-mm-dd").push_number(0.0, DateEpoch::Year1904, &mut out);
    assert_eq!(out, "1904-01-01");
}

#[test]
fn texts_keep_what_their_section_adds() {
    let text = |code: &str| {
        let mut out = String::new();
        NumberFormat::parse(code).push_text("x", &mut out);
        out
    };
    assert_eq!([text("0"), text("@"), text("0;0;0;\"Item \"@"), text(";;;")], ["x", "x", "Item x", "x"]);
}

#[test]
fn styles_take_numbers_of_formats() {
    let mut styles = CellStyles::default();
    styles.define(164, "0.0".to_owned());
    [0, 14, 164, 999].into_iter().for_each(|id| styles.push(id));
    let shown = |style| {
        let mut out = String::new();
        styles.push_number(45_306.25, style, &mut out);
        out
    };
    assert_eq!(
        [shown(0), shown(1), shown(2), shown(3), shown(9)].join(" "),
        "45306.25 1/15/2024 45306.3 45306.25 45306.25"
    );
}

#[test]
fn strange_codes_do_no_harm() {
    for code in [
        "[",
        "\"",
        "\\",
        "_",
        "*",
        "[$",
        "[<]",
        "0/",
        "/0",
        "E+",
        "0E+",
        "....",
        ",,,,",
        "%%%%%%%%",
        "[hhhhhhhhhhhhhhhh]",
        "?/",
        "ss.00000000",
        "é[",
        "@@@;@;@;@;@",
        "yyyyyyyyy",
        "0.0.0",
    ] {
        for value in [0.0, -1.5, 1e300, -1e-300, 45_306.7, f64::NAN, f64::INFINITY] {
            assert!(shown(code, value).len() < 2000, "{code}");
        }
    }
}

#[test]
fn compact_numbers_are_integers_or_halves_of_doubles() {
    let integer = |number: i32, flags: u32| (number << 2) as u32 | flags;
    assert_eq!(compact_number(integer(-7, 2)), -7.0);
    assert_eq!(compact_number(integer(1234, 3)), 12.34);
    assert_eq!(compact_number((1.5_f64.to_bits() >> 32) as u32), 1.5);
}

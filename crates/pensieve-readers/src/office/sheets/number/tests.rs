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

#[test]
fn built_in_formats_show_what_excel_shows() {
    let shown = |id: u32, value: f64| {
        let mut styles = CellStyles::default();
        styles.push(id);
        let mut out = String::new();
        styles.push_number(value, 0, &mut out);
        out
    };
    for (id, value, expected) in [
        (1, 1234.5, "1235"),
        (2, 1234.5, "1234.50"),
        (3, 1234.5, "1,235"),
        (4, 1234.5, "1,234.50"),
        (5, -1234.5, "($1,235)"),
        (6, 1234.5, "$1,235"),
        (7, 1234.5, "$1,234.50"),
        (8, -1234.5, "($1,234.50)"),
        (9, 0.5, "50%"),
        (10, 0.5, "50.00%"),
        (11, 1234.5, "1.23E+03"),
        (12, 0.25, "1/4"),
        (13, 0.04, "1/25"),
        (15, 45_306.75, "15-Jan-24"),
        (16, 45_306.75, "15-Jan"),
        (17, 45_306.75, "Jan-24"),
        (18, 45_306.75, "6:00 PM"),
        (19, 45_306.75, "6:00:00 PM"),
        (20, 45_306.75, "18:00"),
        (21, 45_306.75, "18:00:00"),
        (22, 45_306.75, "1/15/2024 18:00"),
        (27, 45_306.75, "2024/1/15"),
        (36, 45_306.75, "2024/1/15"),
        (32, 45_306.75, "18:00"),
        (33, 45_306.75, "18:00:00"),
        (37, -1234.5, "(1,235)"),
        (38, -1234.5, "(1,235)"),
        (39, -1234.5, "(1,234.50)"),
        (40, 1234.5, "1,234.50"),
        (41, 1234.5, "1,235"),
        (42, 1234.5, "$ 1,235"),
        (43, 1234.5, "1,234.50"),
        (44, 1234.5, "$ 1,234.50"),
        (45, 0.5, "00:00"),
        (46, 1.5, "36:00:00"),
        (47, 0.5, "00:00.0"),
        (48, 12_345.0, "12.3E+3"),
        (49, 12.5, "12.5"),
        (23, 12.5, "12.5"),
    ] {
        assert_eq!(shown(id, value).trim(), expected, "{value} in format {id}");
    }
}

#[test]
fn digits_without_placeholders_are_not_lost() {
    check(".00", 12.345, "12.35");
    check(".00", 0.5, ".50");
    check("0", 123_456_789_012.0, "123456789012");
    check("#,###", 1_234_567.0, "1,234,567");
    check("#,###", 999.0, "999");
    check("0,000", 7.0, "0,007");
    check("????.??", 12.5, "12.5");
    check("00.00%", 1.5, "150.00%");
    check("0%%", 0.5, "5000%%");
    check("0.00E-00", 1234.0, "1.23E03");
    check("0.00E-00", 0.0012, "1.20E-03");
    check("0E+0", 0.0, "0E+0");
    check("#E+0", 95.0, "1E+2");
    check("##0.0E+0", 999_999.0, "1.0E+6");
    check("##0.0E+0", 0.000_123, "123.0E-6");
    check("0,,", 1_500_000.0, "2");
    check("0-00", -105.0, "-1-05");
}

#[test]
fn fractions_without_a_whole_or_with_a_fixed_divisor() {
    check("# ?/4", 2.25, "2 1/4");
    check("# ?/4", 2.99, "3");
    check("?/16", 0.5, "8/16");
    check("# ??/100", 0.5, "50/100");
    check("# ?/?", 0.0, "0");
    check("?/?", 0.0, "0/1");
    check("0 0/0", 1.5, "1 1/2");
    check("# ?/?\" in\"", 1.5, "1 1/2 in");
    check("# ??/??", 0.99, "98/99");
}

#[test]
fn every_part_of_a_date() {
    check("yy", 45_306.0, "24");
    check("y", 45_306.0, "24");
    check("yyy", 45_306.0, "2024");
    check("e", 45_306.0, "2024");
    check("bb", 45_306.0, "67");
    check("bbbb", 45_306.0, "2567");
    check("m", 45_306.0, "1");
    check("mm", 45_306.0, "01");
    check("mmm", 45_306.0, "Jan");
    check("mmmm", 45_306.0, "January");
    check("d", 45_300.0, "9");
    check("dd", 45_300.0, "09");
    check("ddd", 45_306.0, "Mon");
    check("dddd", 45_306.0, "Monday");
    check("aaa", 45_306.0, "Mon");
    check("h:m:s", 45_306.043_113_4, "1:2:5");
    check("hh:mm:ss", 45_306.043_113_4, "01:02:05");
    check("h:mm A/P", 45_306.25, "6:00 A");
    check("h:mm A/P", 45_306.75, "6:00 P");
    check("h:mm AM/PM", 45_306.5, "12:00 PM");
    check("[s]", 1.0, "86400");
    check("[h]", 1.5, "36");
    check("[m]", 0.25, "360");
    check("hh:mm:ss.00", 0.5 + 0.25 / 86_400.0, "12:00:00.25");
    check("d.m.yyyy, h\"h\"", 45_306.5, "15.1.2024, 12h");
    check("gyyyy", 45_306.0, "2024");
}

#[test]
fn conditions_choose_sections() {
    let code = |condition: &str| format!("[{condition}]\"yes\";\"no\"");
    for (condition, value, expected) in [
        ("<5", 4.0, "yes"),
        ("<5", 5.0, "no"),
        ("<=5", 5.0, "yes"),
        ("<=5", 6.0, "no"),
        (">5", 5.0, "no"),
        (">5", 6.0, "yes"),
        (">=5", 5.0, "yes"),
        ("=5", 5.0, "yes"),
        ("=5", 6.0, "no"),
        ("<>5", 6.0, "yes"),
        ("<>5", 5.0, "no"),
    ] {
        assert_eq!(shown(&code(condition), value), expected, "{value} {condition}");
    }
}

#[test]
fn errors_have_the_names_of_excel() {
    let names = [0x00, 0x07, 0x0f, 0x17, 0x1d, 0x24, 0x2a, 0x2b, 0x99].map(error_name);
    assert_eq!(names.join(" "), "#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #ERR!");
    assert_eq!([truth_name(true), truth_name(false)], ["TRUE", "FALSE"]);
    assert_eq!([compact_number(1 << 2 | 2), compact_number((150 << 2) | 3)], [1.0, 1.5]);
}

#[test]
fn semicolons_in_quotes_brackets_and_escapes_divide_nothing() {
    for (code, above, below) in [
        ("0\\;0;\"n\"0", "0;5", "n5"),
        ("\"a;b\"0;\"n\"0", "a;b5", "n5"),
        ("[$;-409]0;\"n\"0", ";5", "n5"),
        ("0_;\"a\";\"n\"0", "5 a", "n5"),
        ("0*;;\"n\"0", "5", "n5"),
        ("0\\\\;\"n\"0", "5\\", "n5"),
        ("\"a\\\"0;\"n\"0", "a\\5", "n5"),
        ("[Red]0;[$x]\"n\"0", "5", "xn5"),
    ] {
        check(code, 5.0, above);
        check(code, -5.0, below);
    }
}

#[test]
fn escapes_and_brackets_are_read_whole() {
    check("*-0", 5.0, "5");
    check("\"a\"* 0", 5.0, "a 5");
    check("\"a\"_x0", 5.0, "a 5");
    check("\\é0_é0*é", 25.0, "é2 5");
    check("0\\", 5.0, "5");
    check("[$US$-409]0", 5.0, "US$5");
    check("[$a-b-409]0", 5.0, "a-b5");
    check("[$€]0", 5.0, "€5");
    check("[$-407,1]mmmm", 45_306.0, "Januar");
    check("[> 4]\"yes\";\"no\"", 5.0, "yes");
    check("[hhh]", 1.5, "036");
    check("[HH]:[MM]:[SS]", 1.5 + 1.0 / 86_400.0, "36:2160:129601");
    check("[hx]0", 5.0, "5");
    check("[]0", 5.0, "5");
    check("0[", 5.0, "5[");
    check("\"a\"\"b\"0\"c", 5.0, "ab5c");
}

#[test]
fn letters_are_parts_of_dates_only_in_their_numbers() {
    check("b0", 5.0, "b5");
    check("aa0", 5.0, "aa5");
    check("aaaa", 45_306.0, "Monday");
    check("ggge", 45_306.0, "2024");
    check("E", 45_306.0, "2024");
    check("e+0", 45_306.0, "E+4");
    check("gEnErAl\"x\"", 1.5, "1.5x");
    check("General%", 0.5, "0.5%");
    check("yyyyy", 45_306.0, "2024");
    check("mmmmmm", 45_306.0, "January");
    check("hhh:mm:sss", 0.25, "06:00:00");
    check("yyyy0#", 45_306.0, "20240");
    check("yyyy.mm,dd/%", 45_306.0, "2024.01,15/%");
}

#[test]
fn an_m_beside_hours_or_seconds_is_a_minute() {
    let value = 45_306.25 + 7.0 / 1440.0 + 9.0 / 86_400.0;
    for (code, expected) in [
        ("h:mm", "6:07"),
        ("h AM/PM m", "6 AM 7"),
        ("m \"x\" s", "7 x 9"),
        ("m AM/PM s", "7 AM 9"),
        ("[h]mm", "108735007"),
        ("m[s]", "73914460429"),
        ("mmm s", "Jan 9"),
        ("h mmm", "6 Jan"),
        ("d mm h", "15 01 6"),
        ("mm:dd", "01:15"),
        ("h m m", "6 7 1"),
    ] {
        check(code, value, expected);
    }
}

#[test]
fn half_days_begin_at_twelve() {
    for (hour, expected) in
        [(0, "12 AM"), (1, "1 AM"), (11, "11 AM"), (12, "12 PM"), (13, "1 PM"), (23, "11 PM")]
    {
        check("h AM/PM", 45_306.0 + f64::from(hour) / 24.0, expected);
    }
}

#[test]
fn seconds_are_rounded_if_they_are_shown() {
    let seconds = |seconds: f64| 45_306.0 + seconds / 86_400.0;
    check("h:mm:ss", seconds(59.6), "0:01:00");
    check("h:mm:ss", seconds(59.4), "0:00:59");
    check("h:mm", seconds(59.6), "0:00");
    check("[m]", 59.6 / 86_400.0, "0");
    check("s.0", seconds(1.26), "1.3");
    check("s.00", seconds(1.264), "1.26");
    check("s.000", seconds(1.2644), "1.264");
    check("s.0000", seconds(1.2344), "1.2344");
    check("s.00000x", seconds(1.25), "1.2500x");
    check("s.x", seconds(1.25), "1.x");
    check("[s].00", 1.25 / 86_400.0, "1.25");
}

#[test]
fn dates_end_with_the_year_9999() {
    check("d/m/yyyy", 2_958_465.0, "31/12/9999");
    check("d/m/yyyy", 2_958_466.0, "2958466");
    check("h:mm:ss", 2_958_465.999_999_9, "2958465.9999999");
    check("d/m/yyyy", 0.0, "0/1/1900");
    check("d/m/yyyy ddd", 1.0, "1/1/1900 Sun");
    check("d/m/yyyy ddd", 59.0, "28/2/1900 Tue");
    check("d/m/yyyy ddd", 60.0, "29/2/1900 Wed");
    check("d/m/yyyy ddd", 7.0, "7/1/1900 Sat");
    let shown_1904 = |code: &str, value: f64| {
        let mut out = String::new();
        NumberFormat::parse(code).push_number(value, DateEpoch::Year1904, &mut out);
        out
    };
    assert_eq!(shown_1904("[h]", 1.0), "24");
    assert_eq!(shown_1904("d/m/yyyy", 31.0), "1/2/1904");
    assert_eq!(shown_1904("d/m/yyyy", 2_957_003.0), "31/12/9999");
    assert_eq!(shown_1904("d/m/yyyy", 2_957_004.0), "2957004");
}

#[test]
fn moments_have_serial_numbers() {
    for (text, expected) in [
        ("1900-01-01", Some(1.0)),
        ("1900-02-28", Some(59.0)),
        ("1900-03-01", Some(61.0)),
        ("2024-01-15", Some(45_306.0)),
        ("2024-01-15T06:00:00.000", Some(45_306.25)),
        ("2024-01-15 18:00", Some(45_306.75)),
        ("2024-01-15T00:21:36Z", Some(45_306.015)),
        ("2024-01-15T00:00:43.2", Some(45_306.000_5)),
        ("0001-01-01", Some(-693_594.0)),
        ("0000-05-05", None),
        ("2024-13-01", None),
        ("2024-02-30", None),
        ("2024-01", None),
        ("2024-01-15-3", None),
        ("", None),
    ] {
        assert_eq!(date::serial_of(text), expected, "{text}");
    }
}

#[test]
fn commas_group_or_divide() {
    for (code, value, expected) in [
        (",0", 1234.0, "1234"),
        ("0,0", 1234.0, "1,234"),
        ("0,.0", 12_345.0, "12.3"),
        ("0,,.0", 12_345_678.0, "12.3"),
        ("0.,0", 12.34, "12.3"),
        ("0.0,0", 1234.56, "1234.56"),
        ("0,\"k\"", 12_345.0, "12k"),
        ("0,%", 12_345.0, "1235%"),
        ("#,##0", 100.0, "100"),
        ("#,##0", 1000.0, "1,000"),
        ("#,##0", 999_999.5, "1,000,000"),
        ("#,##0,", 1_234_567.0, "1,235"),
    ] {
        check(code, value, expected);
    }
}

#[test]
fn exponents_are_multiples_of_the_digits_before_the_point() {
    for (code, value, expected) in [
        ("00.0E+0", 12_345.0, "01.2E+4"),
        ("00.0E+0", 123_456.0, "12.3E+4"),
        ("00.0E+0", 99.96, "01.0E+2"),
        ("00.0E+0", 9.96, "10.0E+0"),
        ("00.0E+0", 0.000_12, "01.2E-4"),
        ("000E+0", 12_345.0, "012E+3"),
        ("0.0E-0", 123.0, "1.2E2"),
        ("0.0E+000", 123.0, "1.2E+002"),
        ("0.0E+0", 0.0, "0.0E+0"),
        ("0.0E+0", 0.996, "1.0E+0"),
        (".0E+0", 123.0, "1.2E+2"),
    ] {
        check(code, value, expected);
    }
}

#[test]
fn question_marks_are_digits_or_spaces() {
    check("\"a\"???", 5.0, "a  5");
    check("0.??\"b\"", 1.5, "1.5 b");
    check("\"a\"?.??\"b\"", 0.0, "a .  b");
    check("0-0", 1234.0, "123-4");
    check(".0", 12.34, "12.3");
    check("0.0.0", 1.5, "1.5.0");
    check("##", 5.0, "5");
    check("#.#", 1.0, "1.");
}

#[test]
fn a_slash_between_digits_is_a_fraction() {
    check("0/x", 5.0, "5/x");
    check("/0", 5.0, "/5");
    check("0 /0", 15.0, "1 /5");
    check("0.0/0", 1.25, "1.2/5");
    check("0/0E+0", 5.0, "0/5E+0");
    check("0/8", 0.5, "4/8");
}

#[test]
fn digits_are_rounded_half_up() {
    let rounded = |value: f64, decimals: i32| {
        let mut number = decimal::DecimalDigits::of(value);
        number.round(decimals);
        let digits: String = (-4..4).rev().map(|place| char::from(b'0' + number.digit(place))).collect();
        (digits, number.point, number.decimals())
    };
    let is = |digits: &str, point: i32, decimals: i32| (digits.to_owned(), point, decimals);
    assert_eq!(rounded(12.345, 4), is("00123450", 2, 3));
    assert_eq!(rounded(12.345, 3), is("00123450", 2, 3));
    assert_eq!(rounded(12.345, 2), is("00123500", 2, 2));
    assert_eq!(rounded(12.344, 2), is("00123400", 2, 2));
    assert_eq!(rounded(12.345, -1), is("00100000", 2, 0));
    assert_eq!(rounded(15.0, -1), is("00200000", 2, 0));
    assert_eq!(rounded(51.0, -2), is("01000000", 3, 0));
    assert_eq!(rounded(49.0, -2), is("00000000", 0, 0));
    assert_eq!(rounded(51.0, -3), is("00000000", 2, 0));
    assert_eq!(rounded(99.95, 1), is("01000000", 3, 0));
    assert_eq!(rounded(19.95, 1), is("00200000", 2, 0));
    assert_eq!(rounded(0.0051, 3), is("00000050", -2, 3));
    assert_eq!(rounded(0.04, 1), is("00000000", 0, 0));
    assert_eq!(rounded(0.05, 1), is("00001000", 0, 1));
}

#[test]
fn general_is_scientific_beyond_twenty_places() {
    for (value, expected) in [
        (999_999_999_999_999.0, "999999999999999"),
        (1e15, "1E+15"),
        (1.25e15, "1.25E+15"),
        (123_456.5, "123456.5"),
        (0.25, "0.25"),
        (1.5e-9, "0.0000000015"),
        (1.5e-10, "1.5E-10"),
        (-1.5e-10, "-1.5E-10"),
        (-2e16, "-2E+16"),
        (1e100, "1E+100"),
        (f64::NAN, "#NUM!"),
        (f64::NEG_INFINITY, "#NUM!"),
    ] {
        let mut out = String::new();
        push_general(value, &mut out);
        assert_eq!(out, expected);
    }
}

//! Which rows of a table name its columns, what the names are, and by what its numbers are to be multiplied.

use super::columns::{CellShape, ColumnTally, shape_of};
use std::collections::BTreeSet;

/// Rows of a header, at most.
const MAX_HEADER_ROWS: usize = 6;
/// Characters of a name, at most.
const MAX_NAME_CHARS: usize = 80;
/// The columns that a table has besides those of the document.
const OWN_COLUMNS: [&str; 2] = ["row", "section"];

/// The number of rows that name the columns, of a table whose first rows these are.
///
/// The first row is one unless it has numbers where the others have; those after it are as long as they have words or years, and no
/// number, above the numbers.
pub(super) fn header_rows(rows: &[Vec<String>], is_marked: bool) -> usize {
    let Some(first) = rows.first() else { return 0 };
    if !is_marked && is_above_index(first, &rows[1..]) {
        return 1;
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut tallies = vec![ColumnTally::default(); width];
    // The rows before the first amount may be more of the header, and do not count.
    let is_amount = |cell: &String| shape_of(cell) == CellShape::Number;
    let begin = rows.iter().skip(1).position(|row| row.iter().skip(1).any(is_amount)).unwrap_or(0) + 1;
    for row in rows.iter().skip(begin) {
        for (cell, tally) in row.iter().zip(&mut tallies) {
            tally.add(cell);
        }
    }
    let shape =
        |row: &[String], column: usize| match row.get(column).map_or(CellShape::Empty, |cell| shape_of(cell))
        {
            // Where most numbers look like years, one more is a value.
            CellShape::Year if tallies[column].years * 2 > tallies[column].numbers => CellShape::Number,
            shape => shape,
        };
    let numeric: Vec<usize> = (0..width).filter(|column| tallies[*column].is_numeric()).collect();
    let is_dated = |column: usize| tallies[column].dates * 2 > tallies[column].filled;
    let has_value = |row: &[String]| {
        numeric.iter().any(|column| {
            matches!(shape(row, *column), CellShape::Number | CellShape::Nothing | CellShape::Currency)
        }) || (0..width).any(|column| is_dated(column) && shape(row, column) == CellShape::Date)
    };
    let named = |row: &[String]| {
        let is_name = |column: &&usize| {
            matches!(shape(row, **column), CellShape::Text | CellShape::Year | CellShape::Date)
        };
        numeric.iter().filter(is_name).count()
    };
    if has_value(first) && named(first) == 0 {
        return 0;
    }
    // Numbers alone are values, even above words.
    let is_filled = |shape: &CellShape| *shape != CellShape::Empty;
    let shapes: Vec<CellShape> =
        (0..first.len()).map(|column| shape(first, column)).filter(is_filled).collect();
    if numeric.is_empty() && !is_marked {
        let names: BTreeSet<&str> =
            first.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        let are_names = names.len() == first.len() && names.iter().all(|name| name.chars().count() <= 40);
        return usize::from(are_names && shapes.iter().all(|shape| *shape == CellShape::Text));
    }
    if shapes.len() > 1 && shapes.iter().all(|shape| *shape == CellShape::Number) {
        return 0;
    }
    if numeric.is_empty() {
        return 1;
    }
    // The last one names half of the numbers at least; those before it may name groups of them.
    let mut header = 1;
    for (at, row) in rows.iter().enumerate().take(rows.len() - 1).take(MAX_HEADER_ROWS).skip(1) {
        let names = named(row);
        if has_value(row) || names == 0 {
            break;
        }
        if names * 2 >= numeric.len() {
            header = at + 1;
        }
    }
    header
}

/// True for the names, even numbers, over records that begin with a name or a number of their own, which has no name.
fn is_above_index(first: &[String], rows: &[Vec<String>]) -> bool {
    let is_filled = |cell: &String| !cell.trim().is_empty();
    let names: BTreeSet<&str> =
        first.iter().skip(1).filter(|name| is_filled(name)).map(|name| name.trim()).collect();
    let has_names = !names.is_empty() && names.len() + 1 == first.len() && !is_filled(&first[0]);
    has_names && !rows.is_empty() && rows.iter().all(|row| row.first().is_some_and(is_filled))
}

/// The names of columns, each made of these cells of the header rows.
pub(super) fn column_names(header: &[Vec<String>], columns: &[(usize, usize)]) -> Vec<String> {
    let header = with_spans(header);
    let mut known: BTreeSet<String> = OWN_COLUMNS.iter().map(|name| (*name).to_owned()).collect();
    let mut names = Vec::with_capacity(columns.len());
    for (at, cells) in columns.iter().enumerate() {
        let mut parts: Vec<&str> = Vec::new();
        for row in &header {
            for cell in row.iter().take(cells.1 + 1).skip(cells.0).map(|cell| cell.trim()) {
                if !cell.is_empty() && parts.last() != Some(&cell) && !is_scale_alone(cell) {
                    parts.push(cell);
                }
            }
        }
        // What is too long for a name, or leads to one, is a text above it.
        let length = |parts: &[&str]| parts.iter().map(|part| part.chars().count() + 1).sum::<usize>();
        while parts.len() > 1 && (length(&parts) > MAX_NAME_CHARS || parts[0].ends_with(':')) {
            parts.remove(0);
        }
        let mut name = parts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let is_short_scale = at == 0 && scale_of(&name).is_some() && name.split(' ').count() <= 4;
        if is_short_scale || !name.chars().any(char::is_alphanumeric) {
            name = if at == 0 { "label".to_owned() } else { format!("column_{}", at + 1) };
        }
        if name.chars().count() > MAX_NAME_CHARS {
            name = name.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect();
        }
        let mut unique = name.clone();
        let mut number = 2;
        while !known.insert(unique.to_lowercase()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        names.push(unique);
    }
    names
}

/// True for a cell that has nothing but what numbers are multiplied by: `(dollars in millions, except per share)`.
fn is_scale_alone(cell: &str) -> bool {
    cell.starts_with('(') && cell.ends_with(')') && !cell[1..].contains('(') && scale_of(cell).is_some()
}

/// The header rows with each spanning name above all that it spans, where that is certain: above names that come again and again, at
/// equal distances, or one above years and dates alone.
fn with_spans(header: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut rows = header.to_vec();
    let Some((last, above)) = rows.split_last_mut() else { return rows };
    if let Some(period) = period_of(last) {
        let is_filled = |cell: &&String| !cell.trim().is_empty();
        for row in above {
            row.resize(last.len().max(row.len()), String::new());
            let groups = (row.len() - 1).div_ceil(period);
            let named: Vec<usize> = (0..row.len()).filter(|at| is_filled(&&row[*at])).collect();
            // One name is above all columns if it begins above them, or stands in their middle.
            if let [one] = named[..]
                && one > 0
                && ((one - 1) / period == 0 || groups % 2 == 1 && (one - 1) / period == groups / 2)
            {
                let name = row[one].clone();
                row[1..].fill(name);
                continue;
            }
            // Who names each column names no group.
            let is_whole =
                row[1..].chunks(period).take(groups).all(|group| group.iter().all(|cell| is_filled(&cell)));
            for group in row[1..].chunks_mut(period).filter(|_| !is_whole) {
                let names: Vec<String> = group.iter().filter(is_filled).cloned().collect();
                group.fill(names.join(" "));
            }
        }
        return rows;
    }
    for at in 0..rows.len().saturating_sub(1) {
        let (above, below) = rows.split_at_mut(at + 1);
        spread(&mut above[at], &below[0]);
    }
    rows
}

/// After how many names the names of a row begin again: 3 in `2018, 2017, 2016, 2018, 2017, 2016`.
fn period_of(row: &[String]) -> Option<usize> {
    // What stands behind them has marks of notes.
    let end = row.iter().rposition(|name| !name.trim().is_empty())?;
    let names = row.get(1..=end)?;
    let is_period = |period: &usize| {
        names.len().is_multiple_of(*period)
            && names.iter().zip(&names[*period..]).all(|(one, next)| one == next && !one.trim().is_empty())
    };
    let period = (1..=names.len() / 2).find(is_period)?;
    (period > 1).then_some(period)
}

/// Repeats the names of a row over the empty cells on their right, if they are certain to span these.
fn spread(row: &mut [String], below: &[String]) {
    let width = below.len().min(row.len());
    let named: Vec<usize> = (1..width).filter(|column| !row[*column].trim().is_empty()).collect();
    let are_dates = |first: usize| {
        (first..width).all(|column| matches!(shape_of(&below[column]), CellShape::Year | CellShape::Date))
    };
    if let [one] = named[..]
        && width > 2
        && are_dates(1)
    {
        let name = row[one].clone();
        return row[1..width].fill(name);
    }
    let Some(first) = named.first().copied() else { return };
    let step = (width - first) / named.len();
    let are_even = (width - first).is_multiple_of(named.len())
        && named.iter().enumerate().all(|(n, at)| *at == first + n * step);
    if step < 2 || !(are_even && (named.len() > 1 || are_dates(first))) {
        return;
    }
    for column in first + 1..width {
        if row[column].trim().is_empty() && !below[column].trim().is_empty() {
            row[column] = row[column - 1].clone();
        }
    }
}

/// Words for what numbers are multiplied by, if a word before them says so, or a bracket.
const SCALES: &[(&str, u64)] = &[
    ("thousand", 1_000),
    ("thousands", 1_000),
    ("000", 1_000),
    ("000s", 1_000),
    ("1,000", 1_000),
    ("1,000s", 1_000),
    ("1.000", 1_000),
    ("1000", 1_000),
    ("tausend", 1_000),
    ("milliers", 1_000),
    ("miles", 1_000),
    ("migliaia", 1_000),
    ("milhares", 1_000),
    ("million", 1_000_000),
    ("millions", 1_000_000),
    ("millionen", 1_000_000),
    ("mn", 1_000_000),
    ("mm", 1_000_000),
    ("millones", 1_000_000),
    ("milioni", 1_000_000),
    ("milhões", 1_000_000),
    ("miljoen", 1_000_000),
    ("1,000,000", 1_000_000),
    ("billion", 1_000_000_000),
    ("billions", 1_000_000_000),
    ("milliarden", 1_000_000_000),
    ("milliards", 1_000_000_000),
];

/// Abbreviations and signs that are nothing else: a number before them makes them an amount.
const SCALE_SIGNS: &[(&str, u64)] = &[
    ("tsd", 1_000),
    ("tys", 1_000),
    ("тыс", 1_000),
    ("teur", 1_000),
    ("t€", 1_000),
    ("k€", 1_000),
    ("k$", 1_000),
    ("£000", 1_000),
    ("$000", 1_000),
    ("€000", 1_000),
    ("£'000", 1_000),
    ("$'000", 1_000),
    ("€'000", 1_000),
    ("千円", 1_000),
    ("천원", 1_000),
    ("万元", 10_000),
    ("万円", 10_000),
    ("lakh", 100_000),
    ("lakhs", 100_000),
    ("mio", 1_000_000),
    ("mln", 1_000_000),
    ("млн", 1_000_000),
    ("meur", 1_000_000),
    ("m€", 1_000_000),
    ("€m", 1_000_000),
    ("$m", 1_000_000),
    ("£m", 1_000_000),
    ("百万円", 1_000_000),
    ("百万元", 1_000_000),
    ("백만원", 1_000_000),
    ("crore", 10_000_000),
    ("crores", 10_000_000),
    ("億円", 100_000_000),
    ("亿元", 100_000_000),
    ("억원", 100_000_000),
    ("mrd", 1_000_000_000),
    ("mld", 1_000_000_000),
    ("млрд", 1_000_000_000),
    ("bn", 1_000_000_000),
    ("$bn", 1_000_000_000),
    ("€bn", 1_000_000_000),
    ("£bn", 1_000_000_000),
];

/// Words before such a word that make it one.
const BEFORE_SCALE: &[&str] = &[
    "in", "en", "em", "of", "dollars", "euros", "usd", "us$", "eur", "gbp", "chf", "cad", "rmb", "inr", "$",
    "€", "£", "¥", "₹", "rs", "x", "×",
];

/// What words say that numbers are multiplied by: `(in millions, except per share)`, `Tsd. EUR`. An amount such as `$2 million` says
/// nothing about others.
pub(super) fn scale_of(words: &str) -> Option<u64> {
    scale_at(words).map(|(scale, _)| scale)
}

/// The scale, and the byte at which it is said.
fn scale_at(words: &str) -> Option<(u64, usize)> {
    let mut before: Option<String> = None;
    let is_break = |c: char| c.is_whitespace() || matches!(c, '(' | '[');
    for raw in words.split(is_break).filter(|raw| !raw.is_empty()) {
        let at = raw.as_ptr() as usize - words.as_ptr() as usize;
        let is_opened = words[..at].trim_end().ends_with(['(', '[']);
        let word = raw
            .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '€' | '£' | '¥' | '₹'))
            .to_lowercase();
        let of = |list: &[(&str, u64)]| list.iter().find(|(name, _)| *name == word).map(|(_, scale)| *scale);
        if let Some(scale) = of(SCALES) {
            let is_introduced = before.as_deref().is_some_and(|before| BEFORE_SCALE.contains(&before));
            // Millimetres and metres are units as well, and 1000 a number.
            let is_unit = (word == "mm" || word.starts_with('1')) && !is_introduced;
            if (is_opened || is_introduced || at == 0) && !is_unit {
                return Some((scale, at));
            }
        }
        let is_amount =
            before.as_deref().is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
        if let Some(scale) = of(SCALE_SIGNS).filter(|_| !is_amount) {
            return Some((scale, at));
        }
        before = Some(word);
    }
    None
}

/// What the names of a table say that all of its numbers are multiplied by. What a name among other names says is of its column alone:
/// `Sales ($ millions)` beside `Employees`; but of all columns where these are years, or where it has its row to itself.
pub(super) fn common_scale(header: &[Vec<String>]) -> Option<u64> {
    let has_year = |cell: &str| cell.split(|c: char| !c.is_ascii_digit()).any(|part| part.len() == 4);
    let has_years =
        header.iter().flat_map(|row| row.iter().skip(1)).filter(|cell| has_year(cell)).count() > 1;
    header.iter().find_map(|row| {
        let is_alone = row.iter().skip(1).filter(|cell| !cell.trim().is_empty()).count() == 1;
        let common =
            |(at, cell): (usize, &String)| scale_of(cell).filter(|_| at == 0 || is_alone || has_years);
        row.iter().enumerate().find_map(common)
    })
}

/// True for a name that says that its numbers are percentages: `% of sales`, `Growth in %`.
pub(super) fn is_percent_name(name: &str) -> bool {
    let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']'));
    let is_exception = ["except", "and", "und", "or"].iter().any(|word| name.contains(&format!("{word} %")));
    let has_word = || name.split_whitespace().any(|word| word.eq_ignore_ascii_case("percent"));
    let is_change = || name.to_lowercase().ends_with("% change");
    (name.starts_with('%') || name.ends_with('%') || has_word() || is_change()) && !is_exception
}

/// The unit in brackets of a name: `Price (€)`, `Mass [kg]`.
pub(super) fn unit_of(name: &str) -> Option<&str> {
    let (_, rest) = name.rsplit_once(['(', '['])?;
    let unit = rest.split([')', ']']).next()?.trim();
    let is_unit = (1..=7).contains(&unit.chars().count())
        && !unit.contains(' ')
        && !unit.chars().all(|c| c.is_ascii_digit())
        && scale_at(unit).is_none();
    is_unit.then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
    }

    #[test]
    fn headers_end_where_values_begin() {
        let check =
            |text: &str, expected: usize| assert_eq!(header_rows(&rows(text), true), expected, "{text}");
        check("(Millions)|2018|2017\nSales|1,2|3,4\nCost|5|6", 1);
        check("|December 31,|\n(Millions)|2018|2017\nSales|1,200|3,400\nCost|5|6", 2);
        check("|Amount|\nYear|Part of|Number\n(Millions)|Income|Income\nA|$ 151|5\nB|(18)|6", 3);
        check("Foreign|$|58\nInterest||(1)\nTotal|$|57", 0);
        check("Item|Category|Price\nA|foo|\nB|bar|5\nC|x|6", 1);
        check("Name|Born\nA|1950\nB|1960", 1);
        check("2019|120\n2020|135", 0);
        check(
            "||All||\n||US||Other\n(Millions)|2018|2017|2018|2017\nCost||||\nService|$ 288|5|6|7\nInterest|1|2|3|4",
            3,
        );
        check("Name|Place\nA|B", 1);
        check("Item|Since|Code\nA|3/4/2021|x\nB|3/5/2021|7", 1);
        check("Securities|2018|2017\nShort|—|14\nLong|366|899", 1);
        check("Assets||\nCash|1|2\nOther|3|4", 1);
        assert_eq!(header_rows(&rows("a|a\nb|c"), false), 0);
        assert_eq!(header_rows(&rows("|0|1\n0|27|29\n1|59|53"), false), 1);
    }

    #[test]
    fn names_are_unique_and_spans_reach_over_what_they_span() {
        let check = |text: &str, expected: &[&str]| {
            let rows = rows(text);
            let columns: Vec<(usize, usize)> = (0..rows[0].len()).map(|at| (at, at)).collect();
            assert_eq!(column_names(&rows, &columns), expected);
        };
        check("(In millions)|2018|2018|", &["label", "2018", "2018_2", "column_4"]);
        check(
            "|Year ended||\n|2018|2017|2016",
            &["label", "Year ended 2018", "Year ended 2017", "Year ended 2016"],
        );
        check("|Gain||Loss|\nX|A|B|A|B", &["X", "Gain A", "Gain B", "Loss A", "Loss B"]);
        check(
            "||All|Pension||Other|\n||United States||International||Benefits\n(Millions)|2018|2017|2018|2017|2018|2017",
            &[
                "label",
                "All United States 2018",
                "All United States 2017",
                "Pension International 2018",
                "Pension International 2017",
                "Other Benefits 2018",
                "Other Benefits 2017",
            ],
        );
        check("|Weighted|\n|Average|Number", &["label", "Weighted Average", "Number"]);
        check("Row|section", &["Row_2", "section_2"]);
        let text =
            "Shares of the plan are included in all computations of earnings for each share of the company.";
        check(&format!("{text}||\nYear|Begin|End"), &["Year", "Begin", "End"]);
        check("The liability was:||\nYear|Begin|End", &["Year", "Begin", "End"]);
        check(
            "||Year ended|\n(In millions)|2018|2017|2016",
            &["label", "Year ended 2018", "Year ended 2017", "Year ended 2016"],
        );
        check(
            "|Three months||||||\n||June 2023|||June 2022||\n|Avg.|Min|Max|Avg.|Min|Max|",
            &[
                "label",
                "Three months June 2023 Avg.",
                "Three months June 2023 Min",
                "Three months June 2023 Max",
                "Three months June 2022 Avg.",
                "Three months June 2022 Min",
                "Three months June 2022 Max",
                "Three months",
            ],
        );
        check(
            "|Three months||Six months|\n|July 2,|%|July 2,|%\n(Millions)|2023|Change|2023|Change",
            &[
                "label",
                "Three months July 2, 2023",
                "Three months % Change",
                "Six months July 2, 2023",
                "Six months % Change",
            ],
        );
        // A name above the labels is that of the first group.
        check(
            "Pension|||Other|\n|2018|2017|2018|2017",
            &["Pension", "2018", "2017", "Other 2018", "Other 2017"],
        );
        check("At December 31,|2021|(dollars in millions)\n||2020", &["At December 31,", "2021", "2020"]);
    }

    #[test]
    fn scales_are_introduced() {
        for (words, expected) in [
            ("(Millions)", Some(1_000_000)),
            ("(in thousands, except per share data)", Some(1_000)),
            ("$ in billions", Some(1_000_000_000)),
            ("Sales (€ million)", Some(1_000_000)),
            ("Tsd. EUR", Some(1_000)),
            ("approximately $96 million", None),
            ("nine million people", None),
            ("Angaben in Mio. EUR", Some(1_000_000)),
            ("Length (mm)", None),
            ("£'000", Some(1_000)),
            ("売上(百万円)", Some(1_000_000)),
            ("Assets (₹ crore)", Some(10_000_000)),
            ("Выручка, млн руб.", Some(1_000_000)),
            ("Value bn", Some(1_000_000_000)),
            ("3 bn", None),
            ("Omzet (x 1.000)", Some(1_000)),
            ("1000", None),
        ] {
            assert_eq!(scale_of(words), expected, "{words}");
        }
        assert_eq!(
            [unit_of("Price (€)"), unit_of("Mass [kg]"), unit_of("Sales (Millions)"), unit_of("a (1)")],
            [Some("€"), Some("kg"), None, None]
        );
        let common = |text: &str| common_scale(&rows(text));
        assert_eq!(common("Item|Sales ($ millions)|Spread (bp)|Employees"), None);
        assert_eq!(common("|(in millions) 2018|2017"), Some(1_000_000));
        assert_eq!(common("||(in thousands)|\nItem|A|B|C"), Some(1_000));
        let percent =
            ["Growth in %", "% of sales", "Share (%)", "In millions, except %"].map(is_percent_name);
        assert_eq!(percent, [true, true, true, false]);
    }
}

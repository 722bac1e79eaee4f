//! Eight times as much of one thing costs about eight times as much: the smaller half of `scripts/doubling`, without a store.
//!
//! What is compared is the time that the thread had a processor, which other work on the machine hardly changes; quadratic
//! work would take 64 times as much, n log n takes 11.

use pensieve_readers::nested::read_bytes;
use pensieve_readers::settings::ReadSettings;
use std::fs;

/// The growth that is allowed for eight times as much: half way, on a logarithmic scale, between n log n and n².
const MAX_GROWTH: f64 = 26.0;

/// Less than this is the noise of a first reading.
const MIN_NANOSECONDS: f64 = 4e6;

const SENTENCE: &str = "The lamp on the mole burns rape oil and gives light to ships. ";

/// A text that has a thing so many times between its beginning and its end.
struct Pair {
    name: &'static str,
    thing: &'static str,
    before: &'static str,
    each: fn(usize) -> String,
    after: &'static str,
    /// A part that is repeated after the things, such as their end tags.
    end: &'static str,
}

const fn pair(
    name: &'static str,
    thing: &'static str,
    before: &'static str,
    each: fn(usize) -> String,
) -> Pair {
    Pair { name, thing, before, each, after: "", end: "" }
}

const HTML: &str =
    "<!doctype html><html><body><p>The lamp on the mole burns rape oil and gives light to ships.";
const MAIL: &str = "From: a@x\nSubject: s\nMIME-Version: 1.0\n";
const PARTS: &str = "From: a@x\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n";

const PAIRS: &[Pair] = &[
    pair("a.html", "paragraphs", HTML, |at| format!("<p>{SENTENCE}{at}")),
    pair("a.html", "equal paragraphs", HTML, |_| format!("<p>{SENTENCE}")),
    pair("a.html", "headings", HTML, |at| format!("<h2>H {at}</h2><p>{SENTENCE}")),
    pair("a.html", "links", HTML, |at| format!("<a href=u{at}>l{at}</a> and the words ")),
    pair("a.html", "notes", HTML, |at| {
        format!("<p>w<sup><a href=#n{at} id=r{at}>{at}</a></sup><p id=n{at}>note <a href=#r{at}>b</a>")
    }),
    pair("a.html", "rules of style sheets", HTML, |at| {
        format!("<style>.c{at}{{display:none}}</style><p class=c{at}>w")
    }),
    pair("a.html", "hidden parts", HTML, |at| format!("<p hidden>h{at}<p>w{at}")),
    pair("a.html", "closed details", HTML, |at| format!("<details><summary>s</summary>w{at}</details>")),
    pair("a.html", "rows", "<table>", |at| format!("<tr><td>{at}<td>b")),
    pair("a.html", "pictures", HTML, |at| format!("<img src=p{at} alt='A picture of lamp {at}'>")),
    Pair { end: "</div>", ..pair("a.html", "elements inside each other", HTML, |_| "<div>".to_owned()) },
    Pair { end: "</ul>", ..pair("a.html", "lists inside each other", HTML, |_| "<ul><li>a".to_owned()) },
    Pair {
        end: "</table>",
        ..pair("a.html", "tables inside each other", HTML, |_| "<table><tr><td>a".to_owned())
    },
    pair("a.html", "formats that do not end", HTML, |_| "<p><b>a".to_owned()),
    pair("a.eml", "empty parts", PARTS, |_| "--b\n\n".to_owned()),
    pair("a.eml", "parts", PARTS, |at| format!("--b\nContent-Type: text/plain\n\nw{at}\n")),
    pair("a.eml", "fields", MAIL, |at| format!("X-{at}: v\n")),
    pair("a.eml", "encoded words", "From: a@x\nSubject:", |_| " =?utf-8?q?J=C3=B6?=\n".to_owned()),
    pair("a.rtf", "groups", "{\\rtf1 ", |_| "{\\b a}".to_owned()),
    pair("a.rtf", "paragraphs", "{\\rtf1 ", |at| format!("w{at}\\par ")),
    pair("a.rtf", "rows", "{\\rtf1 ", |_| {
        "\\trowd\\cellx100\\cellx200\\intbl a\\cell b\\cell\\row ".to_owned()
    }),
    Pair { end: "}", ..pair("a.rtf", "groups inside each other", "{\\rtf1 ", |_| "{a".to_owned()) },
    Pair {
        after: "END:VCALENDAR\r\n",
        ..pair("a.ics", "events", "BEGIN:VCALENDAR\r\n", |at| {
            format!(
                "BEGIN:VEVENT\r\nUID:{at}\r\nSUMMARY:M {at}\r\nDTSTART:20260101T100000Z\r\nEND:VEVENT\r\n"
            )
        })
    },
    pair("a.vcf", "cards", "", |at| format!("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann {at}\r\nEND:VCARD\r\n")),
    pair("a.srt", "cues", "", |at| format!("{}\n00:00:01,000 --> 00:00:02,000\nWords {at}\n\n", at + 1)),
    Pair {
        after: "</article>",
        ..pair(
            "a.xml",
            "sections",
            "<article xmlns=\"http://docbook.org/ns/docbook\"><title>T</title>",
            |at| format!("<section><title>S{at}</title><para>p {at}</para></section>"),
        )
    },
];

/// Nanoseconds that this thread had a processor.
fn processor_time() -> Option<f64> {
    fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

fn cost(pair: &Pair, count: usize) -> Option<f64> {
    let things: String = (0..count).map(pair.each).collect();
    let text = [pair.before, &things, &pair.end.repeat(count), pair.after].concat();
    let begun = processor_time()?;
    read_bytes(text.as_bytes(), pair.name, &ReadSettings::default(), &mut |_| true);
    Some((processor_time()? - begun).max(1.0))
}

/// How much more eight times as many cost; the least of some tries, since a disturbance only adds.
fn growth(pair: &Pair) -> Option<f64> {
    let mut count = 64;
    while cost(pair, count)? < MIN_NANOSECONDS && count < 1 << 16 {
        count *= 2;
    }
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        least = least.min(cost(pair, 8 * count)? / cost(pair, count)?.max(MIN_NANOSECONDS));
        if least <= MAX_GROWTH {
            break;
        }
    }
    Some(least)
}

#[test]
fn eight_times_as_much_is_no_square() {
    let steep = PAIRS.iter().filter_map(|pair| {
        let growth = growth(pair).filter(|growth| *growth > MAX_GROWTH)?;
        Some(format!("{} of {}: {growth:.0} times", pair.thing, pair.name))
    });
    let steep: Vec<String> = steep.collect();
    assert!(steep.is_empty(), "{}", steep.join("\n"));
}

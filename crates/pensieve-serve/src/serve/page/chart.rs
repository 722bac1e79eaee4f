//! The chart of the corpus: one bar per format, divided by the status of its documents. Bars are SVG in percent of
//! their width, names and numbers are text beside them, so that they stay legible at any width. Colours are classes
//! of the stylesheet.

use super::words::{address, readable};
use maud::{Markup, html};
use pensieve_store::store::FormatStatus;
use pensieve_text::model::ProcessingStatus;
use pensieve_text::model::numbers::count;
use std::collections::BTreeMap;

/// Bars of the chart; the formats with the fewest documents share the last one.
const MAX_BARS: usize = 14;

/// The order of the parts of a bar: successes come first.
const ORDER: &[ProcessingStatus] = &[
    ProcessingStatus::Processed,
    ProcessingStatus::Pending,
    ProcessingStatus::Error,
    ProcessingStatus::SkippedLimit,
    ProcessingStatus::SkippedSecret,
    ProcessingStatus::SkippedDependency,
    ProcessingStatus::SkippedBinary,
];

/// One bar.
struct Bar {
    name: String,
    link: Option<String>,
    parts: BTreeMap<String, u64>,
}

impl Bar {
    fn total(&self) -> u64 {
        self.parts.values().sum()
    }

    /// Statuses with their numbers of documents, in order.
    fn ordered(&self) -> impl Iterator<Item = (&'static str, u64)> {
        ORDER.iter().filter_map(|status| {
            let files = self.parts.get(status.as_str())?;
            Some((status.as_str(), *files))
        })
    }
}

/// The chart.
pub fn formats(counts: &[FormatStatus]) -> Markup {
    let bars = bars(counts);
    let largest = bars.iter().map(Bar::total).max().unwrap_or(0).max(1);
    let mut all = Bar { name: String::new(), link: None, parts: BTreeMap::new() };
    for count in counts {
        *all.parts.entry(count.status.clone()).or_default() += count.files;
    }
    html! {
        ul .legend {
            @for (status, files) in all.ordered() {
                li {
                    a href=(address("/docs", &[("status", status)])) {
                        svg .key width="10" height="10" aria-hidden="true" {
                            rect class={ "s-" (status) } width="10" height="10" rx="2" {}
                        }
                        (readable(status)) " " b { (count(files)) }
                    }
                }
            }
        }
        ul .chart {
            @for bar in &bars { (row(bar, largest)) }
        }
    }
}

fn row(bar: &Bar, largest: u64) -> Markup {
    let mut left = 0.0;
    let parts: Vec<(&str, f64, f64, u64)> = bar
        .ordered()
        .map(|(status, files)| {
            let width = files as f64 / largest as f64 * 100.0;
            let part = (status, left, width.max(0.3), files);
            left += width;
            part
        })
        .collect();
    let labels: Vec<String> = parts
        .iter()
        .map(|(status, .., files)| format!("{} {}", count(*files), readable(status).to_lowercase()))
        .collect();
    html! {
        li {
            span .label {
                @match &bar.link {
                    Some(link) => a href=(link) { (bar.name) },
                    None => (bar.name),
                }
            }
            svg height="16" role="img" aria-label=(labels.join(", ")) {
                @for (status, x, width, files) in &parts {
                    rect class={ "s-" (status) } x=(format!("{x:.2}%")) width=(format!("{width:.2}%")) height="16" {
                        title { (bar.name) ": " (count(*files)) " " (readable(status).to_lowercase()) }
                    }
                }
            }
            span .number { (count(bar.total())) }
        }
    }
}

fn bars(counts: &[FormatStatus]) -> Vec<Bar> {
    let mut by_name: BTreeMap<Option<&str>, Bar> = BTreeMap::new();
    for count in counts {
        let format = count.format.as_deref();
        let bar = by_name.entry(format).or_insert_with(|| Bar {
            name: format.unwrap_or("not read").to_owned(),
            link: format.map(|format| address("/docs", &[("format", format)])),
            parts: BTreeMap::new(),
        });
        *bar.parts.entry(count.status.clone()).or_default() += count.files;
    }
    let mut bars: Vec<Bar> = by_name.into_values().collect();
    bars.sort_by_key(|bar| (std::cmp::Reverse(bar.total()), bar.name.clone()));
    if bars.len() > MAX_BARS {
        let rest = bars.split_off(MAX_BARS - 1);
        let name = format!("{} others", rest.len());
        let mut others = Bar { name, link: None, parts: BTreeMap::new() };
        for (status, files) in rest.into_iter().flat_map(|bar| bar.parts) {
            *others.parts.entry(status).or_default() += files;
        }
        bars.push(others);
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_of(format: &str, files: u64) -> FormatStatus {
        FormatStatus { format: Some(format.to_owned()), status: "Processed".to_owned(), files }
    }

    #[test]
    fn the_rarest_formats_share_a_bar() {
        let counts: Vec<_> = (0..20).map(|at| count_of(&format!("f{at:02}"), 100 - at)).collect();
        let bars = bars(&counts);
        assert_eq!((bars.len(), bars[MAX_BARS - 1].name.as_str()), (MAX_BARS, "7 others"));
        assert_eq!(
            bars.iter().map(Bar::total).sum::<u64>(),
            counts.iter().map(|count| count.files).sum::<u64>()
        );
    }

    #[test]
    fn names_are_escaped() {
        let chart = formats(&[count_of("<script>", 1)]).into_string();
        assert!(!chart.contains("<script>") && chart.contains("&lt;script&gt;"));
    }
}

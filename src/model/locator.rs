//! Places that a reader of the source understands: lines, pages, cells.

use super::Span;

/// Where a stretch of text stands in its source, in the source's own terms. Counts start at 1, ranges include both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locator {
    /// Lines of a text file.
    Lines {
        /// First line.
        first: u64,
        /// Last line.
        last: u64,
    },
    /// Pages of a paged document.
    Pages {
        /// First page.
        first: u64,
        /// Last page.
        last: u64,
    },
}

impl Locator {
    /// The stored JSON: sorted keys, no spaces.
    pub fn to_json(&self) -> String {
        match *self {
            Locator::Lines { first, last } => format!("{{\"line\":[{first},{last}]}}"),
            Locator::Pages { first, last } if first == last => format!("{{\"page\":{first}}}"),
            Locator::Pages { first, last } => format!("{{\"page\":[{first},{last}]}}"),
        }
    }

    /// The smallest place that holds both, where they are of one kind.
    pub fn joined(&self, other: &Locator) -> Option<Locator> {
        match (*self, *other) {
            (Locator::Lines { first: a, last: b }, Locator::Lines { first: c, last: d }) => {
                Some(Locator::Lines { first: a.min(c), last: b.max(d) })
            }
            (Locator::Pages { first: a, last: b }, Locator::Pages { first: c, last: d }) => {
                Some(Locator::Pages { first: a.min(c), last: b.max(d) })
            }
            _ => None,
        }
    }
}

/// The places of the stretches of one text, ordered by position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Places(pub Vec<(Span, Locator)>);

impl Places {
    /// The place of a span: the join of every stretch that it touches.
    pub fn of(&self, span: Span) -> Option<Locator> {
        let first = self.0.partition_point(|(stretch, _)| stretch.end <= span.start);
        let mut joined: Option<Locator> = None;
        for (stretch, locator) in &self.0[first..] {
            if stretch.start >= span.end {
                break;
            }
            joined = match joined {
                None => Some(*locator),
                Some(so_far) => so_far.joined(locator).or(Some(so_far)),
            };
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_over_two_pages_names_both() {
        let page = |n| Locator::Pages { first: n, last: n };
        let places = Places(vec![(Span::new(0, 10), page(1)), (Span::new(10, 20), page(2))]);
        assert_eq!(places.of(Span::new(2, 5)).map(|l| l.to_json()), Some("{\"page\":1}".to_owned()));
        assert_eq!(places.of(Span::new(9, 11)).map(|l| l.to_json()), Some("{\"page\":[1,2]}".to_owned()));
        assert_eq!(places.of(Span::new(20, 30)), None);
    }
}

//! Parts of packages that are read as documents of their own: their places are bytes of the part, not of the file.

use pensieve_text::model::{Locator, LocatorMap, Segment, Span};

/// The text of a part as text of the package: each span gets the place that `locate` returns for the bytes of the
/// part that the span comes from, if they are known.
pub(crate) fn placed(part: Segment, locate: &dyn Fn(Option<Span>) -> Locator) -> Segment {
    let mut places = LocatorMap::default();
    let mut at = 0;
    for (span, place) in &part.places.0 {
        let source = part.map.source(*span).map(|source| Span::new(source.start, source.end));
        places.push(Span::new(at, span.end), locate(source).marked(place.visibility()));
        at = span.end;
    }
    if at < part.text.len() {
        places.push(Span::new(at, part.text.len()), locate(None));
    }
    Segment { text: part.text, places, ..Segment::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::MapBuilder;

    #[test]
    fn spans_get_the_place_of_their_bytes_in_the_part() {
        let mut map = MapBuilder::new(7);
        map.copy(3);
        map.insert_blank(2);
        map.seek(20);
        map.copy(3);
        map.insert_blank(1);
        let lines = |line| Locator::Lines { first: line, last: line };
        let part = Segment {
            text: "one\n\ntwo\n".to_owned(),
            map: map.finish(),
            lines: Vec::new(),
            places: LocatorMap(vec![(Span::new(0, 5), lines(1)), (Span::new(5, 9), lines(2))]),
            ..Segment::default()
        };
        let whole = placed(part, &|bytes| Locator::spine("a.xhtml", bytes));
        assert_eq!(
            whole.places.of(Span::new(6, 7)),
            Some(Locator::spine("a.xhtml", Some(Span::new(20, 23))))
        );
        assert!(whole.map.is_empty());
    }
}

//! Pages: reading never panics, and what the map calls exact stands in the source.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve_readers::settings::HtmlOptions;
use pensieve_readers::web::html::read_html;
use pensieve_text::model::{Segment, SpanMap};

fuzz_target!(|page: &str| {
    for (markdown, main_content) in [(true, true), (true, false), (false, true)] {
        let decoded =
            Segment { text: page.to_owned(), map: SpanMap::identity(page.len(), 0), ..Segment::default() };
        let document = read_html(decoded, &HtmlOptions { markdown, main_content });
        for run in document.text.map.runs().iter().filter(|run| run.exact && run.out_unit == run.src_unit) {
            assert_eq!(
                document.text.text.as_bytes()[run.out..run.out_end()],
                page.as_bytes()[run.src..run.src_end()]
            );
        }
    }
});

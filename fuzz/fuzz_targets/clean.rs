//! The laws of cleaning on any text: clean text stays as it is, and how a text arrives does not show.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve_text::model::{Segment, SpanMap, TextKind};
use pensieve_text::text::clean::{CleanOptions, Cleaner};

const KINDS: [TextKind; 4] = [TextKind::Prose, TextKind::Markup, TextKind::Code, TextKind::Data];

fuzz_target!(|input: (u8, u8, &str)| {
    let (how, step, text) = input;
    let kind = KINDS[usize::from(how % 4)];
    let is_letter = how & 4 != 0;
    let options =
        CleanOptions { page_markers: how & 8 != 0, gutenberg: how & 16 != 0, ..CleanOptions::default() };
    let clean = |text: &str, step: usize| {
        let mut cleaner = if is_letter { Cleaner::for_mail_body(&options) } else { Cleaner::new(&options, kind) };
        let map = SpanMap::identity(text.len(), 0);
        let mut rest = Segment { text: text.to_owned(), map, ..Segment::default() };
        let mut whole = Segment::default();
        while rest.text.len() > step {
            let next = rest.split_off(rest.text.ceil_char_boundary(step));
            whole.append(cleaner.push(std::mem::replace(&mut rest, next)));
        }
        whole.append(cleaner.push(rest));
        whole.append(cleaner.finish());
        whole
    };
    let whole = clean(text, text.len().max(1));
    pensieve_fuzz::check(&whole);
    let parts = clean(text, usize::from(step).max(1));
    assert_eq!(parts.text, whole.text);
    assert!(
        whole.map.runs().iter().all(|run| run.src_end() <= text.len() && run.out_end() <= whole.text.len())
    );
    // What a book's frame is cannot be told from the book alone.
    if !options.gutenberg {
        assert_eq!(clean(&whole.text, whole.text.len().max(1)).text, whole.text);
    }
});

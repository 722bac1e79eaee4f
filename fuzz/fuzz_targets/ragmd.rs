//! The cleaning of Markdown for language models: no panic, clean text stays as it is, code and headings are kept.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve::ragmd::{CleanOptions, Footnotes, rules};

fuzz_target!(|input: (u8, &str)| {
    let (how, text) = input;
    let footnotes = [Footnotes::Drop, Footnotes::Inline, Footnotes::End][usize::from(how % 3)];
    let options = CleanOptions { footnotes, page_markers: how & 128 != 0, ..CleanOptions::default() };
    let cleaner = rules::Cleaner::new(&options).expect("no rule of the user's own");
    let once = cleaner.clean(text);
    assert_eq!(cleaner.clean(&once), once);
});

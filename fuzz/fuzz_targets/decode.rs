//! Bytes of any encoding: decoding never panics, and portions give the same text as the whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pensieve_text::text::decode::{DeclarationFormat, Decoder, EncodingHints, decode_slice, detect};

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (portion, bytes) = input;
    let hints = EncodingHints { declared: None, format: DeclarationFormat::None };
    let detection = detect(&bytes, true, &hints);
    let whole = Decoder::new(&detection).push(&bytes, true);
    let mut decoder = Decoder::new(&detection);
    let mut text = String::new();
    for part in bytes.chunks(usize::from(portion).max(1)) {
        text.push_str(&decoder.push(part, false).text);
    }
    text.push_str(&decoder.push(&[], true).text);
    assert_eq!(text, whole.text);
    for run in whole.map.runs() {
        assert!(run.out_end() <= whole.text.len() && run.src_end() <= bytes.len());
        if run.exact && whole.text.is_char_boundary(run.out) && whole.text.is_char_boundary(run.out_end()) {
            let cited = decode_slice(detection.encoding, &bytes[run.src..run.src_end()]);
            assert_eq!(cited.as_deref(), Some(&whole.text[run.out..run.out_end()]));
        }
    }
});

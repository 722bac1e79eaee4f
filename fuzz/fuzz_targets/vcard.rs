//! Documents of the format `vcard`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("vcard", "x.vcf", data));

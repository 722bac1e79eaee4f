//! Documents of the format `gzip`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("gzip", "x.gz", data));

//! Documents of the format `xz`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("xz", "x.xz", data));

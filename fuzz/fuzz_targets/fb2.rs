//! Documents of the format `fb2`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("fb2", "x.fb2", data));

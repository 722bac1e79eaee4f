//! Documents of the format `xls`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("xls", "x.xls", data));

//! Documents of the format `xlsx` in their binary form: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("xlsx", "x.xlsb", data));

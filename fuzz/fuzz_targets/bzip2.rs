//! Documents of the format `bzip2`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("bzip2", "x.bz2", data));

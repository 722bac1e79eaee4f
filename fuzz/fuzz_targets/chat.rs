//! Documents of the format `chat`: no panic, places inside the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pensieve_fuzz::read("chat", "x.json", data));

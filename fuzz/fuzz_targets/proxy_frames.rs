#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| plantime_fuzz::run("proxy_frames", input));

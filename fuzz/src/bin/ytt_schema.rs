#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| plantime_fuzz::run_ytt("ytt_schema", input));

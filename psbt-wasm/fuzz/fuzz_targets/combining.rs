#![no_main]

#[path = "../../tests/fuzz/making.rs"]
#[allow(dead_code, reason = "each target holds one of the properties")]
mod making;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| making::combining(bytes));

#![no_main]

#[path = "../../tests/fuzz/properties.rs"]
#[allow(dead_code, reason = "each target holds one of the properties")]
mod properties;
#[path = "../../tests/fuzz/seeds.rs"]
mod seeds;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::stripping(bytes));

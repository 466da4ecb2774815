#![no_main]

#[path = "../../tests/oracle/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "each target needs a part of it"
)]
mod oracle;
#[path = "../../tests/fuzz/properties.rs"]
#[allow(dead_code, reason = "each target holds one of the properties")]
mod properties;
#[path = "../../tests/fuzz/seeds.rs"]
#[allow(dead_code, reason = "other targets need the rest")]
mod seeds;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::inspecting(bytes));

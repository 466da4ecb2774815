#![no_main]

#[path = "../../tests/fuzz/messages.rs"]
mod messages;
#[path = "../../tests/fuzz/seeds.rs"]
#[allow(dead_code, reason = "other targets need the rest")]
mod seeds;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| messages::verifying(bytes));

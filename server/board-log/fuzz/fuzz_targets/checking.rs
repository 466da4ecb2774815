#![no_main]

#[path = "../../tests/fuzz/checking.rs"]
mod checking;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checking::checking(bytes));

//! The program as a person meets it.

#![allow(
    clippy::unwrap_used,
    reason = "a test says what it expects by panicking"
)]

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_reserves-audit"));
    for name in ["CHAIN", "CHAIN_QUORUM", "CHAIN_CHECKPOINT", "NETWORK"] {
        program.env_remove(name);
    }
    program.args(arguments).output().unwrap()
}

#[test]
fn without_a_board_it_says_what_is_missing() {
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("<URL>"), "{said}");
}

#[test]
fn without_a_chain_source_it_checks_nothing() {
    let output = run(&["https://board.invalid"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("CHAIN"), "{said}");
}

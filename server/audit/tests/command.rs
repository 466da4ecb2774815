//! The program as its users run it.

#![allow(
    clippy::unwrap_used,
    reason = "a test says what it expects by panicking"
)]

use std::process::Command;

/// Its status, and what it says.
fn run(mut program: Command) -> (Option<i32>, String) {
    let output = program.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

fn program(arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_reserves-audit"));
    for name in ["CHAIN", "CHAIN_QUORUM", "CHAIN_CHECKPOINT", "NETWORK"] {
        program.env_remove(name);
    }
    program.args(arguments);
    program
}

#[test]
fn without_a_board_or_a_chain_source_it_says_what_is_missing() {
    for (arguments, status, missing) in [
        (&[][..], 2, "<URL>"),
        (&["https://board.invalid"], 1, "CHAIN"),
    ] {
        let (found, said) = run(program(arguments));
        assert_eq!(found, Some(status));
        assert!(said.contains(missing), "{said}");
    }
}

/// A small container may have no root certificates, and needs none when every source uses plain HTTP on this machine.
#[test]
fn without_ca_certificates_it_starts() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let board = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    for source in [
        "bitcoind:http://127.0.0.1:1",
        "esplora:http://127.0.0.1:1,esplora:http://127.0.0.2:1",
    ] {
        let mut program = program(&[&board, "--chain", source]);
        program.args(["--network=regtest", "--patience=0"]);
        program.env("SSL_CERT_FILE", "/nonexistent");
        program.env("SSL_CERT_DIR", "/nonexistent");
        let (_, said) = run(program);
        assert!(said.contains("from the board"), "{said}");
    }
}

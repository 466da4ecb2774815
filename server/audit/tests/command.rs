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

/// The fixtures of the package.
fn fixture(name: &str) -> String {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../psbt-wasm/tests/node/fixtures/"
    );
    format!("{folder}{name}")
}

/// The status of `reserves-audit proof`, and the result and the reason in its JSON.
fn proof(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut program = program(&["proof", "--json"]);
    let output = program.args(arguments).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
    (output.status.code(), text("result"), text("reason"))
}

#[test]
fn a_proof_for_one_reader_is_right_false_or_not_checked() {
    let multisig = fixture("reader-multisig.json");
    let message = fixture("reader-message.json");
    let published = fixture("published-message.json");
    let request = "Acme Bank, loan 4711 k3v9q2";
    for (arguments, status, result, reason) in [
        (
            &["--network=regtest", "--request", request, &*multisig][..],
            2,
            "unchecked",
            "not looked up",
        ),
        (
            &[
                "--network=regtest",
                "--request",
                "  Acme Bank,\tloan 4711  k3v9q2 ",
                &multisig,
            ],
            2,
            "unchecked",
            "not looked up",
        ),
        (
            &["--request", request, &multisig],
            2,
            "unchecked",
            "its coins are on regtest",
        ),
        (
            &["--request", "Other Bank", &message],
            1,
            "false",
            "different from the one that you gave",
        ),
        (
            &["--request", "a\u{200b}b", &message],
            2,
            "unchecked",
            "--request: These words cannot be used",
        ),
        (
            &["--at", "2027-01-01T00:00:00", &message],
            2,
            "unchecked",
            "--at: The date lacks its time zone",
        ),
        (
            &["--request", request, &message, &multisig],
            1,
            "false",
            "another network",
        ),
        (
            &["--request", request, &message, &message],
            2,
            "unchecked",
            "could be checked",
        ),
        (
            &[&published],
            2,
            "unchecked",
            "published by https://board.example",
        ),
        (&["/nowhere.json"], 2, "unchecked", "cannot be read"),
        (
            &[concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            2,
            "unchecked",
            "not a proof file",
        ),
    ] {
        let (found, word, said) = proof(arguments);
        assert_eq!(
            (found, &*word),
            (Some(status), result),
            "{arguments:?}: {said}"
        );
        assert!(said.contains(reason), "{said}");
    }
    let file = std::fs::read_to_string(&multisig).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&file).unwrap();
    file["further_signatures"][0]["signature"] = file["further_signatures"][1]["signature"].clone();
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.json");
    std::fs::write(&wrong, file.to_string()).unwrap();
    let (status, _, said) = proof(&["--network=regtest", wrong.to_str().unwrap()]);
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("A signature that no script needs is wrong: wrong-signature"),
        "{said}"
    );
}

#[test]
fn the_text_says_what_was_found_and_what_it_does_not_show() {
    let mut program = program(&[
        "proof",
        "--network=regtest",
        &fixture("reader-multisig.json"),
    ]);
    let output = program.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    for words in [
        "SHA-256 ",
        "Request in the file: Acme Bank, loan 4711 k3v9q2",
        "Nobody checked this name.",
        "keys 1, 2, 3 of 3 signed; 2 needed",
        "Test coins (regtest)",
        "Not everything could be checked:",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

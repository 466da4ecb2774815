//! Files of public bug reports (`psbt-wasm/tests/behavior/public_reports`): the server's answers are those of the package.

use psbt_wasm::{Content, decode};

use super::*;

const FOLDER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../psbt-wasm/tests/behavior/public_reports/"
);
const INDEX: &str = include_str!("../../../../psbt-wasm/tests/behavior/public_reports/INDEX.tsv");

/// The verdict when the coins are those that the file states.
fn verdict(bytes: &[u8]) -> Verdict {
    let candidate = read(&text(bytes), Vec::new())?;
    let (Content::Psbt(psbt), Ok(binary)) = (&candidate.file.content, decode(bytes)) else {
        panic!("no PSBT");
    };
    assert!(binary.as_bytes().starts_with(b"psbt"));
    let inputs = psbt.unsigned_tx.input.iter().zip(&psbt.inputs);
    let coins = inputs.map(|(input, fields)| Coin {
        outpoint: input.previous_output,
        output: fields.witness_utxo.clone().expect("stated"),
    });
    Ledger::new(&coins.collect::<Vec<_>>()).verdict(bytes)
}

#[test]
fn every_file_has_its_right_answer() {
    for row in INDEX.lines() {
        let (name, _) = row.split_once('\t').expect("a name and an answer");
        let bytes = std::fs::read(format!("{FOLDER}{name}")).expect("a file");
        let verdict = verdict(&bytes);
        let refused = match name {
            "p1-core-rpc.json.psbt" | "p1-quoted.psbt" | "p1-base64url.psbt" => {
                assert_accepted(&verdict, name);
                continue;
            }
            "p1-pem.psbt" | "p1-base43-electrum-qr.txt" => {
                let sentence = verdict.expect_err(name).to_string();
                let words = if name.contains("pem") {
                    "lines of dashes"
                } else {
                    "Electrum"
                };
                assert!(sentence.contains(words), "{sentence}");
                continue;
            }
            "p2-no-outputs-bip174js.psbt" => ("no-outputs", None),
            "p4-half-signed-raw.hex.txn" => ("not-signed", Some(1)),
            "p5-asks-none-signed-all.psbt" | "p5-asks-single-signed-all.psbt" => {
                ("sighash-mismatch", Some(0))
            }
            "p6-taproot-type-1-sig-of-64.psbt" => ("sighash-byte-missing", Some(0)),
            // The field is dropped, and nobody has signed.
            "p3-bip127-commitment.psbt" | "p4-unsigned-raw.txn" => ("not-signed", Some(0)),
            other if other.starts_with("p7-") => ("not-signed", Some(0)),
            _ => panic!("no answer to {name}"),
        };
        assert_refused(&verdict, refused.0, refused.1);
    }
}

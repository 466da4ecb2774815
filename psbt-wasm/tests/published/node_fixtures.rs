//! Published proofs for the tests in JavaScript, here and in the web app.

use std::path::Path;

use bitcoin::consensus::encode::serialize_hex;
use psbt_wasm::Form;
use serde_json::json;

use crate::scene::{KINDS, NAME, ORIGIN, PERSON, Published, published};

#[test]
fn the_fixtures_are_current() {
    for (name, form) in [
        ("message", Form::Message),
        ("transaction", Form::Transaction),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/node/fixtures")
            .join(format!("published-{name}.json"));
        let expected = json_of(name, &published(&KINDS, form));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::write(&path, &expected).expect("writable");
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        assert!(text == expected, "run with UPDATE_FIXTURES=1");
    }
}

/// As `GET /api/functions/v1/proofs/{id}` answers.
fn json_of(binding: &str, proof: &Published) -> String {
    let inputs = proof.transaction.input.iter().zip(&proof.coins);
    let inputs: Vec<_> = inputs
        .enumerate()
        .map(|(at, (input, coin))| {
            let is_virtual = binding == "message" && at == 0;
            json!({
                "txid": input.previous_output.txid.to_string(),
                "vout": input.previous_output.vout,
                "value_sats": coin.value.to_sat(),
                "script_pubkey": coin.script_pubkey.to_hex_string(),
                "counts": (!is_virtual).then_some(true),
            })
        })
        .collect();
    let proof = json!({
        "id": "0190d0c2-0000-7000-8000-00000000000a",
        "network": "mainnet",
        "binding": binding,
        "created_at": "2026-11-20T12:00:00Z",
        "expires_at": "2027-02-18T12:00:00Z",
        "published_at": "2026-11-21T12:00:00Z",
        "profile": {
            "id": PERSON.account,
            "username": NAME.trim_start_matches('@'),
            "provider": PERSON.provider,
            "named": true,
        },
        "statement": {
            "text": proof.line,
            "name": proof.name,
            "block": {
                "height": 0,
                "header": proof.header.expect("dated").map(|byte| format!("{byte:02x}")).concat(),
            },
            "origin": ORIGIN,
            "provider": PERSON.provider,
            "subject": PERSON.subject,
            "account_id": PERSON.account,
            "nonce": proof.nonce.map(|byte| format!("{byte:02x}")).concat(),
        },
        "transaction": serialize_hex(&proof.transaction),
        "inputs": inputs,
    });
    serde_json::to_string_pretty(&proof).expect("JSON") + "\n"
}

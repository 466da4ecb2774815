//! Published proofs for the tests in JavaScript, here and in the web app.

use bitcoin::consensus::encode::serialize_hex;
use psbt_wasm::Form;
use serde_json::{Value, json};

use crate::current::assert_current;
use crate::kind::Kind;
use crate::scene::{NAME, PERSON, Published, for_reader, published};

#[test]
fn the_fixtures_are_current() {
    for (name, form) in [
        ("message", Form::Message),
        ("transaction", Form::Transaction),
    ] {
        let board = with_profile(evidence(name, 0, &published(&Kind::ALL, form)));
        compare(&format!("published-{name}.json"), &board);
        let reader = evidence(name, READER_HEIGHT, &for_reader(&Kind::ALL, form));
        compare(&format!("reader-{name}.json"), &reader);
    }
}

/// The height that a proof for one reader states of its block.
const READER_HEIGHT: u32 = 977_455;

fn compare(file: &str, proof: &Value) {
    let text = serde_json::to_string_pretty(proof).expect("JSON") + "\n";
    assert_current(&format!("tests/node/fixtures/{file}"), &text);
}

/// What `GET /api/functions/v1/proofs/{id}` answers besides.
fn with_profile(mut proof: Value) -> Value {
    let more = json!({
        "id": "0190d0c2-0000-7000-8000-00000000000a",
        "created_at": "2026-11-20T12:00:00Z",
        "expires_at": "2027-02-18T12:00:00Z",
        "published_at": "2026-11-21T12:00:00Z",
        "profile": {
            "id": PERSON.account,
            "username": NAME.trim_start_matches('@'),
            "provider": PERSON.provider,
            "named": true,
        },
    });
    let fields = proof.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    proof
}

/// The proof file, as a reader gets it.
fn evidence(binding: &str, height: u32, proof: &Published) -> Value {
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
    let person = &proof.person;
    json!({
        "network": "mainnet",
        "binding": binding,
        "statement": {
            "text": proof.line,
            "name": proof.name,
            "block": {
                "height": height,
                "header": proof.header.expect("dated").map(|byte| format!("{byte:02x}")).concat(),
            },
            "origin": person.origin,
            "provider": person.provider,
            "subject": person.subject,
            "account_id": person.account,
            "nonce": proof.nonce.map(|byte| format!("{byte:02x}")).concat(),
        },
        "transaction": serialize_hex(&proof.transaction),
        "inputs": inputs,
    })
}

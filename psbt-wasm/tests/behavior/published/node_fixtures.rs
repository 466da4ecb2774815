//! Published proofs for the tests in JavaScript, here and in the web app.

use super::*;

/// A proof for one reader: the words, and the name that the holder chose. `web/e2e/prove.test.ts` has them too.
const READER_WORDS: &str = "Acme Bank, loan 4711 k3v9q2";
const HOLDER: &str = "Mira Kowal";

#[test]
fn the_fixtures_are_current() {
    for (name, form) in [
        ("message", Form::Message),
        ("transaction", Form::Transaction),
    ] {
        let board = published(&Kind::ALL, form);
        let board = with_profile(evidence(name, 0, &board), form);
        let reader = Person::for_reader(CoinNetwork::Mainnet, READER_WORDS, HOLDER);
        let reader = signed_by(reader, HOLDER, &Kind::ALL, form);
        let reader = evidence(name, 977_455, &reader);
        for (whose, proof) in [("published", board), ("reader", reader)] {
            let file = format!("tests/node/fixtures/{whose}-{name}.json");
            let text = serde_json::to_string_pretty(&proof).expect("JSON") + "\n";
            assert_current(&file, &text);
        }
    }
    let (proof, cosigned) = keys::with_every_key();
    let cosigned = STANDARD.encode(cosigned.serialize()) + "\n";
    assert_current(
        "tests/node/fixtures/reader-multisig-cosigned.psbt",
        &cosigned,
    );
    let proof = evidence("transaction", 977_455, &proof);
    let text = serde_json::to_string_pretty(&proof).expect("JSON") + "\n";
    assert_current("tests/node/fixtures/reader-multisig.json", &text);
}

/// What `GET /api/functions/v1/proofs/{id}` answers besides.
fn with_profile(mut proof: Value, form: Form) -> Value {
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
        // The tests sign notes of their own.
        "note": "",
    });
    let inputs = proof["inputs"].as_array_mut().expect("a list");
    for (at, input) in inputs.iter_mut().enumerate() {
        let is_coin = at > 0 || form == Form::Transaction;
        input["counts"] = is_coin.then_some(true).into();
    }
    let fields = proof.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    proof
}

/// The proof file, as a reader gets it, which states this height of its block.
fn evidence(binding: &str, height: u32, proof: &Published) -> Value {
    let inputs = proof.transaction.input.iter().zip(&proof.coins);
    let inputs = inputs.map(|(input, coin)| {
        json!({
            "txid": input.previous_output.txid.to_string(),
            "vout": input.previous_output.vout,
            "value_sats": coin.value.to_sat(),
            "script_pubkey": coin.script_pubkey.to_hex_string(),
        })
    });
    let person = &proof.person;
    let mut file = json!({
        "network": person.network.name(),
        "binding": binding,
        "statement": {
            "text": proof.line,
            "name": proof.name,
            "block": {
                "height": height,
                "header": proof.header.to_lower_hex_string(),
            },
            "origin": person.origin,
            "provider": person.provider,
            "subject": person.subject,
            "account_id": person.account,
            "nonce": proof.nonce.to_lower_hex_string(),
        },
        "transaction": serialize_hex(&proof.transaction),
        "inputs": inputs.collect::<Vec<_>>(),
    });
    let further = proof.further.iter().map(|further| {
        json!({
            "input": further.input,
            "public_key": further.key.to_lower_hex_string(),
            "signature": further.signature.to_lower_hex_string(),
        })
    });
    if !proof.further.is_empty() {
        file["further_signatures"] = further.collect::<Vec<_>>().into();
    }
    file
}

//! The engine of `reserves-audit proof` and the package must give one verdict on right files and on damaged ones. 25 right and 75 damaged files;
//! with `LONG_RUNS` 500 and 1,500.

#![allow(
    clippy::unwrap_used,
    reason = "a test says what it expects by panicking"
)]

use std::collections::BTreeMap;

use audit::private::check_alone;
use bitcoin::consensus::encode::{serialize, serialize_hex};
use bitcoin::hashes::Hash;
use bitcoin::secp256k1::{Message, SecretKey};
use bitcoin::sighash::{EcdsaSighashType, SighashCache};
use bitcoin::{Psbt, PublicKey, TxOut};
use kind::{Coin, Kind};
use psbt_wasm::joined::ProofStatus;
use psbt_wasm::statement::{CoinNetwork, Person, READER};
use psbt_wasm::{
    Form, MakeOptions, ProofDocument, Signature, SignatureStatus, check_proof, make_proof,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use wallet::{Wanted, secp, spent};

mod damage;
#[path = "../../../../psbt-wasm/examples/fixtures/finalize.rs"]
mod finalize;
#[path = "../../../../psbt-wasm/examples/fixtures/kind.rs"]
mod kind;
#[path = "../../../../psbt-wasm/examples/fixtures/wallet.rs"]
mod wallet;

/// The verdict of the package on a file by itself, as `psbt-wasm verify` gives it.
fn package(file: &[u8]) -> ProofStatus {
    let Ok(document) = ProofDocument::read(file) else {
        return ProofStatus::Unchecked;
    };
    let Ok(check) = check_proof(&document.proof(), READER) else {
        return ProofStatus::Unchecked;
    };
    let is_false = check.statement.is_some() || check.carrier.is_some() || check.further.is_some();
    let has_wrong = check.signatures.inputs.iter().any(|input| {
        let is_open = !input.signatures.iter().all(Signature::commits_to_all);
        let can_be = [SignatureStatus::Valid, SignatureStatus::Inconclusive];
        is_open || !can_be.contains(&input.status)
    });
    match (is_false || has_wrong, check.is_complete()) {
        (true, _) => ProofStatus::False,
        (false, true) => ProofStatus::Right,
        (false, false) => ProofStatus::Unchecked,
    }
}

/// A right proof file over some coins, with a further signature for some multisig coins.
fn right(number: u32, random: &mut StdRng) -> Value {
    let kinds: Vec<Kind> = (0..random.random_range(1..=5))
        .map(|_| *Kind::ALL.choose(random).unwrap())
        .collect();
    let form = *Form::ALL.choose(random).unwrap();
    let network = *CoinNetwork::ALL.choose(random).unwrap();
    let words = format!("Acme Bank, loan {number} k3v9q2");
    let person = Person::for_reader(network, &words, "Mira Kowal");
    let block = bitcoin::constants::genesis_block(bitcoin::Network::Bitcoin);
    let (nonce, header) = ([7; 16], serialize(&block.header));
    let line = person.statement("Mira Kowal", &nonce, block.block_hash().as_ref());
    let line = line.unwrap();
    let coins = wallet::make(&Wanted {
        kinds: kinds.clone(),
        inputs: u32::try_from(kinds.len()).unwrap(),
        previous: Some(0),
        derivations: false,
        signed: false,
    });
    let made = make_proof(coins.serialize(), &MakeOptions::new(&line, form)).unwrap();
    let mut psbt = Psbt::deserialize(&made.psbt).unwrap();
    let outputs: Vec<TxOut> = spent(&psbt).into_iter().map(|(_, coin)| coin).collect();
    let unsigned = psbt.unsigned_tx.clone();
    let mut transaction = unsigned.clone();
    let (secp, mut cache) = (secp(), SighashCache::new(&unsigned));
    let mut further = Vec::new();
    // The first input of a message is signed with the keys of the first coin.
    let extra = outputs.len() - kinds.len();
    for (index, input) in psbt.inputs.iter_mut().enumerate() {
        let number = index.saturating_sub(extra);
        let coin_number = u32::try_from(number).unwrap();
        Coin::new(&secp, kinds[number], coin_number).sign(input, &mut cache, index, &outputs);
        let txin = &mut transaction.input[index];
        (txin.script_sig, txin.witness) = finalize::finalize(input, &outputs[index].script_pubkey);
        let script = input.witness_script.clone().or(input.redeem_script.clone());
        let is_multisig = matches!(kinds[number], Kind::P2shMultisig | Kind::P2wshMultisig);
        if let Some(script) = script.filter(|_| is_multisig && random.random_bool(0.7)) {
            let value = outputs[index].value;
            let digest = match kinds[number] {
                Kind::P2shMultisig => cache
                    .legacy_signature_hash(index, &script, EcdsaSighashType::All.to_u32())
                    .unwrap()
                    .to_byte_array(),
                _ => cache
                    .p2wsh_signature_hash(index, &script, value, EcdsaSighashType::All)
                    .unwrap()
                    .to_byte_array(),
            };
            // The third key of the coin.
            let mut secret = [3; 32];
            secret[..4].copy_from_slice(&(coin_number + 1).to_be_bytes());
            let secret = SecretKey::from_slice(&secret).unwrap();
            let key = PublicKey::new(secret.public_key(&secp));
            let signature = secp.sign_ecdsa(&Message::from_digest(digest), &secret);
            further.push(json!({
                "input": index,
                "public_key": hex::encode(key.to_bytes()),
                "signature": format!("{}01", hex::encode(signature.serialize_der())),
            }));
        }
    }
    let inputs = transaction.input.iter().zip(&outputs).map(|(input, coin)| {
        json!({
            "txid": input.previous_output.txid,
            "vout": input.previous_output.vout,
            "value_sats": coin.value.to_sat(),
            "script_pubkey": coin.script_pubkey.to_hex_string(),
        })
    });
    let mut file = json!({
        "network": network.name(),
        "binding": match form { Form::Message => "message", Form::Transaction => "transaction" },
        "statement": {
            "text": line,
            "origin": READER,
            "provider": READER,
            "subject": words,
            "account_id": "Mira Kowal",
            "name": "Mira Kowal",
            "nonce": hex::encode(nonce),
            "block": {"height": 1, "header": hex::encode(header)},
        },
        "transaction": serialize_hex(&transaction),
        "inputs": inputs.collect::<Vec<_>>(),
    });
    if !further.is_empty() {
        file["further_signatures"] = further.into();
    }
    file
}

/// What the two may say differently of a damaged file: what was damaged, the verdict of the package and that of the engine. None of it is right for
/// one and false for the other. A damaged script may be one that only the engine runs.
const DIFFERENCES: [(&str, &str, &str); 2] = [
    ("script", "unchecked", "false"),
    ("transaction", "unchecked", "false"),
];

#[test]
fn the_engine_and_the_package_give_one_verdict() {
    let files = match std::env::var_os("LONG_RUNS") {
        Some(_) => 500,
        None => 25,
    };
    let mut random = StdRng::seed_from_u64(54);
    let mut differences: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut damaged = 0;
    for number in 0..files {
        let file = right(number, &mut random);
        let bytes = file.to_string().into_bytes();
        assert_eq!(package(&bytes), ProofStatus::Right, "{file}");
        assert_eq!(check_alone(&bytes), ProofStatus::Right, "{file}");
        for _ in 0..3 {
            let (how, bytes) = damage::damaged(&file, &mut random);
            let (own, engine) = (package(&bytes), check_alone(&bytes));
            let both = [own, engine];
            let is_right = both.contains(&ProofStatus::Right);
            let text = String::from_utf8_lossy(&bytes);
            assert!(
                !(is_right && both.contains(&ProofStatus::False)),
                "{how}: {text}"
            );
            assert!(
                !is_right || damage::OF_THE_CHAIN.contains(&how),
                "{how}: {text}"
            );
            if own != engine {
                *differences
                    .entry((how, own.code(), engine.code()))
                    .or_default() += 1;
            }
            damaged += 1;
        }
    }
    println!("{files} right files, {damaged} damaged ones; they differ in {differences:?}");
    let new: Vec<_> = differences
        .keys()
        .filter(|it| !DIFFERENCES.contains(it))
        .collect();
    assert!(new.is_empty(), "new differences: {new:?}");
}

//! Makes `js/bip322.json`, the cases of `npx psbt-wasm vectors`: `UPDATE_FIXTURES=1 cargo test -p psbt-wasm conformance`.
//!
//! The signatures are made here with the `bitcoin` crate. `conformance/` has the other implementations that judge them.

use psbt_wasm::binding::to_spend;
use psbt_wasm::{MessageOptions, verify_message_with};
use strum::VariantArray;

use super::*;
use owner::{Owner, Type, owner};

mod owner;
mod right;
mod to_sign;
mod wrong;

const TEXT: &str = "I hold these coins.";

/// A coin, as the chain is said to have it.
#[derive(Clone)]
struct Coin {
    owner: Owner,
    previous: Transaction,
}

impl Coin {
    /// One that no chain has. Coins of different numbers have different transactions.
    fn new(owner: Owner, sats: u64, number: u8) -> Self {
        let mut previous = spending(&[OutPoint::new(txid(number), 0)], Vec::new());
        previous.output = vec![output(sats, owner.script_pubkey.clone())];
        Self { owner, previous }
    }

    fn outpoint(&self) -> OutPoint {
        OutPoint::new(self.previous.compute_txid(), 0)
    }

    fn output(&self) -> &TxOut {
        &self.previous.output[0]
    }

    fn stated(&self) -> Value {
        json!({
            "txid": self.outpoint().txid.to_string(),
            "vout": 0,
            "valueSats": self.output().value.to_sat(),
            "scriptPubKey": self.output().script_pubkey.to_hex_string(),
        })
    }
}

/// The virtual coin that a message spends.
fn virtual_coin(owner: &Owner, message: &str) -> Coin {
    Coin {
        owner: owner.clone(),
        previous: to_spend(message.as_bytes(), &owner.script_pubkey),
    }
}

/// The file to sign: the message first, then coins. Every input has both kinds of UTXO.
fn file(owner: &Owner, message: &str, coins: &[Coin]) -> Psbt {
    let coins = [&[virtual_coin(owner, message)], coins].concat();
    let outpoints: Vec<OutPoint> = coins.iter().map(Coin::outpoint).collect();
    let mut psbt = unsigned(&outpoints, vec![output(0, ScriptBuf::from(vec![0x6a]))]);
    psbt.unsigned_tx.version = Version(0);
    psbt.unsigned_tx.lock_time = LockTime::ZERO;
    for (input, (fields, coin)) in psbt
        .unsigned_tx
        .input
        .iter_mut()
        .zip(psbt.inputs.iter_mut().zip(&coins))
    {
        input.sequence = Sequence::ZERO;
        fields.witness_utxo = Some(coin.output().clone());
        fields.non_witness_utxo = Some(coin.previous.clone());
        coin.owner.describe(fields);
    }
    psbt
}

/// Signs and finalizes all inputs, of which the first is the message of `owner`.
fn signed(mut psbt: Psbt, owner: &Owner, coins: &[Coin]) -> Psbt {
    let owners = std::iter::once(owner).chain(coins.iter().map(|coin| &coin.owner));
    for (index, owner) in owners.enumerate() {
        for signer in owner.needed() {
            sign(&mut psbt, index, &signer.key, owner.sighash());
        }
    }
    psbt.inputs.iter_mut().for_each(finish);
    psbt
}

/// As a signer gives it back, with the UTXO that each input needs.
fn exported(mut psbt: Psbt) -> Psbt {
    for input in &mut psbt.inputs {
        let coin = input.witness_utxo.as_ref().expect("stated");
        let is_nested = input
            .redeem_script
            .as_ref()
            .is_some_and(|script| script.is_witness_program())
            || input.final_script_witness.is_some();
        if coin.script_pubkey.is_witness_program() || is_nested {
            input.non_witness_utxo = None;
        } else {
            input.witness_utxo = None;
        }
    }
    psbt
}

/// The transaction of a finalized file.
fn transaction(psbt: &Psbt) -> Transaction {
    psbt.clone().extract_tx_unchecked_fee_rate()
}

fn full(transaction: &Transaction) -> String {
    format!("ful{}", STANDARD.encode(serialize(transaction)))
}

fn simple(transaction: &Transaction) -> String {
    format!(
        "smp{}",
        STANDARD.encode(serialize(&transaction.input[0].witness))
    )
}

fn proof_of_funds(psbt: Psbt) -> String {
    format!("pof{}", STANDARD.encode(exported(psbt).serialize()))
}

/// A signature to verify, and what a verifier must say.
struct Signature<'a> {
    carrier: &'static str,
    owner: &'a Owner,
    message: &'a str,
    signature: String,
    coins: &'a [Coin],
    /// As in `MessageCheck`.
    found: (MessageStatus, Option<MessageReason>),
}

impl<'a> Signature<'a> {
    /// A valid one of [`TEXT`].
    fn new(owner: &'a Owner, signature: String) -> Self {
        let carrier = match signature.get(..3) {
            Some("ful") => "full",
            Some("pof") => "proof-of-funds",
            _ => "simple",
        };
        Self {
            carrier,
            owner,
            message: TEXT,
            signature,
            coins: &[],
            found: (MessageStatus::Valid, None),
        }
    }

    /// As a signature of another message.
    fn of(self, message: &'a str) -> Self {
        Self { message, ..self }
    }

    fn with(self, coins: &'a [Coin]) -> Self {
        Self { coins, ..self }
    }

    /// For this reason it is not valid.
    fn wrong(self, reason: MessageReason) -> Self {
        use MessageReason::{CoinsNotLookedUp, UnknownScript, UnknownVersion};
        let is_unknown = matches!(reason, UnknownScript | UnknownVersion | CoinsNotLookedUp);
        let status = if is_unknown {
            MessageStatus::Inconclusive
        } else {
            MessageStatus::Invalid
        };
        let found = (status, Some(reason));
        Self { found, ..self }
    }

    fn case(self, id: &str, because: &str, source: &str) -> Value {
        let (status, reason) = self.found;
        json!({
            "id": id,
            "task": "verify",
            "carrier": self.carrier,
            "script": self.owner.name,
            "address": self.owner.address(),
            "message": self.message,
            "signature": self.signature,
            "coins": self.coins.iter().map(Coin::stated).collect::<Vec<_>>(),
            "status": <&str>::from(status),
            "reason": reason.map(<&str>::from),
            "because": because,
            "source": source,
        })
    }
}

/// The transaction that signs a message for an address of this type.
fn signed_text(owner: &Owner, message: &str) -> Transaction {
    transaction(&signed(file(owner, message, &[]), owner, &[]))
}

fn cases() -> Vec<Value> {
    [right::cases(), wrong::cases(), to_sign::cases()].concat()
}

#[test]
fn the_cases_are_current() {
    let seeds = owner::SEEDS;
    let about = "Cases of BIP-322 (version 2.0.0). The seeds are test vectors of BIP-39 without a passphrase: never use them for coins.";
    let cases = cases();
    let cases = cases
        .iter()
        .map(|case| serde_json::to_string(case).expect("JSON"));
    let cases = cases.collect::<Vec<_>>().join(",\n");
    let text = format!(
        "{{\n\"about\": {},\n\"seeds\": {},\n\"cases\": [\n{cases}\n]\n}}\n",
        json!(about),
        json!(seeds)
    );
    assert_current("js/bip322.json", &text);
}

#[test]
fn every_case_has_its_own_name() {
    let cases = cases();
    let names: std::collections::BTreeSet<_> =
        cases.iter().map(|case| case["id"].to_string()).collect();
    assert_eq!(names.len(), cases.len());
}

/// The coins of a case.
fn coins_of(case: &Value) -> Vec<(OutPoint, TxOut)> {
    let coins = case["coins"].as_array().expect("a list").iter();
    let coins = coins.map(|coin| {
        let text = |member: &str| coin[member].as_str().expect("text");
        let outpoint = OutPoint::new(text("txid").parse().expect("a txid"), 0);
        let script = ScriptBuf::from_hex(text("scriptPubKey")).expect("hex");
        let sats = coin["valueSats"].as_u64().expect("a number");
        (outpoint, output(sats, script))
    });
    coins.collect()
}

#[test]
fn signatures_get_the_verdict_of_their_case() {
    let cases = cases();
    let verify = cases.iter().filter(|case| case["task"] == "verify");
    let wrong = verify.filter_map(|case| {
        let text = |member: &str| case[member].as_str().expect("text");
        let coins = coins_of(case);
        let options = MessageOptions {
            coins: &coins,
            ..MessageOptions::default()
        };
        let (address, message) = (text("address"), text("message"));
        let found = verify_message_with(address, message.as_bytes(), text("signature"), &options);
        let found = json!([<&str>::from(found.status), found.reason.map(<&str>::from)]);
        (found != json!([case["status"], case["reason"]]))
            .then(|| format!("{}: {found}", case["id"]))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}

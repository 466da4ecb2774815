//! Signed messages that name no coins, and files that lack what a wallet or a verifier needs: each is told what it is. Nothing
//! of them is looked up, so nobody is sent to look for a wrong network.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::encode::serialize;
use bitcoin::hashes::Hash;
use bitcoin::psbt::raw::Key;
use bitcoin::transaction::Version;
use bitcoin::{Amount, OutPoint, Psbt, ScriptBuf, Transaction, TxOut, Txid, Witness};
use verify::bip322::Fault;
use verify::{Refusal, UtxoHint, read};

use crate::forge::{Coin, Lock, MESSAGE, Single, VALUE, message, spend};

/// A signed message over so many coins, as a final transaction.
fn signed(coins: usize) -> (Transaction, Vec<Coin>) {
    signed_by(Lock::Wpkh, coins)
}

fn signed_by(lock: Lock, coins: usize) -> (Transaction, Vec<Coin>) {
    let owner = Single::new(lock);
    let coins: Vec<Coin> = (0..coins)
        .map(|vout| Coin {
            outpoint: OutPoint::new(Txid::hash(b"a coin"), u32::try_from(vout).expect("few")),
            output: TxOut {
                value: VALUE,
                script_pubkey: owner.script_pubkey(),
            },
        })
        .collect();
    let (mut transaction, coins) = message(owner.script_pubkey(), &coins);
    for input in 0..coins.len() {
        owner.sign(&mut transaction, &coins, input, 0x01);
    }
    (transaction, coins)
}

/// The same as a PSBT that says nothing about what it spends.
fn psbt(transaction: &Transaction) -> Psbt {
    let mut unsigned = transaction.clone();
    for input in &mut unsigned.input {
        input.witness = Witness::new();
        input.script_sig = ScriptBuf::new();
    }
    let mut psbt = Psbt::from_unsigned_tx(unsigned).expect("unsigned");
    for (fields, input) in psbt.inputs.iter_mut().zip(&transaction.input) {
        fields.final_script_witness = Some(input.witness.clone());
        fields.final_script_sig = Some(input.script_sig.clone());
    }
    psbt
}

fn refused(file: &str) -> (Refusal, String) {
    let refusal = read(file, Vec::new()).expect_err("no proof");
    let sentence = refusal.to_string();
    assert!(!sentence.contains("network"), "{sentence}");
    (refusal, sentence)
}

#[test]
fn a_message_without_coins_is_told_that_it_proves_none() {
    let (transaction, coins) = signed(0);
    let base64 = STANDARD.encode(serialize(&transaction));
    let with_script = {
        let mut psbt = psbt(&transaction);
        psbt.inputs[0].witness_utxo = Some(coins[0].output.clone());
        STANDARD.encode(psbt.serialize())
    };
    let bare = STANDARD.encode(psbt(&transaction).serialize());
    for file in [
        base64.clone(),
        format!("ful{base64}"),
        STANDARD.encode(format!("ful{base64}\n")),
        with_script,
        bare,
    ] {
        let (refusal, sentence) = refused(&file);
        assert_eq!(refusal.code(), "message-alone");
        assert!(sentence.contains("a proof of funds, with the coins in it"));
    }
}

/// What Electrum gives back, and a PSBT that says nothing about what it spends.
fn bare_forms(transaction: &Transaction) -> [Vec<u8>; 3] {
    let mut stated = psbt(transaction);
    let key = Key {
        type_value: 0x09,
        key: Vec::new(),
    };
    stated.unknown.insert(key, MESSAGE.to_vec());
    [
        serialize(transaction),
        psbt(transaction).serialize(),
        stated.serialize(),
    ]
}

#[test]
fn a_proof_of_funds_without_the_script_of_its_message_is_told_so() {
    // A taproot key signs without showing the output's.
    let (transaction, coins) = signed_by(Lock::TrKey, 2);
    for file in bare_forms(&transaction) {
        let (refusal, sentence) = refused(&STANDARD.encode(file));
        assert_eq!(refusal.code(), "message-without-script");
        assert!(sentence.contains("UTXO information of its first input"));
    }
    // With it, the file is looked at.
    let mut whole = psbt(&transaction);
    whole.inputs[0].witness_utxo = Some(coins[0].output.clone());
    let whole = STANDARD.encode(whole.serialize());
    assert!(read(&whole, Vec::new()).is_ok());
}

#[test]
fn the_script_of_a_message_is_taken_from_its_signature_and_proven_by_what_it_spends() {
    for lock in [Lock::Pkh, Lock::ShPk, Lock::ShWpkh, Lock::Wpkh, Lock::WshPk] {
        let (transaction, coins) = signed_by(lock, 2);
        for file in bare_forms(&transaction) {
            let candidate = read(&STANDARD.encode(file), Vec::new()).expect("a file");
            let signed = candidate.kind.message().expect("a signed message");
            assert_eq!(signed.output(), coins[0].output, "{lock:?}");
            assert!(signed.signs(MESSAGE), "{lock:?}");
            assert!(!signed.signs(b"something else"), "{lock:?}");
        }
        // The signature of another key shows another script, for which the message is another one.
        let mut other = transaction.clone();
        let (theirs, _) = signed_by(lock, 2);
        other.input[0].witness = theirs.input[0].witness.clone();
        other.input[0].script_sig = theirs.input[0].script_sig.clone();
        let candidate = read(&STANDARD.encode(serialize(&other)), Vec::new()).expect("a file");
        let signed = candidate.kind.message().expect("a signed message");
        assert!(!signed.signs(MESSAGE));
    }
}

#[test]
fn a_message_of_another_version_is_told_its_form() {
    for version in [1, 3] {
        let (mut transaction, coins) = signed(2);
        transaction.version = Version(version);
        let mut whole = psbt(&transaction);
        whole.inputs[0].witness_utxo = Some(coins[0].output.clone());
        let files = bare_forms(&transaction).into_iter();
        for file in files.chain([whole.serialize()]) {
            let (refusal, _) = refused(&STANDARD.encode(file));
            assert_eq!(refusal, Refusal::MessageForm(Fault::Version), "{version}");
        }
    }
}

#[test]
fn a_message_that_is_not_the_first_input_is_told_so() {
    let (transaction, coins) = signed(2);
    let mut whole = psbt(&transaction);
    for (fields, coin) in whole.inputs.iter_mut().zip(&coins) {
        fields.witness_utxo = Some(coin.output.clone());
    }
    whole.inputs.swap(0, 1);
    whole.unsigned_tx.input.swap(0, 1);
    assert_eq!(
        whole.inputs[1].witness_utxo.as_ref().expect("stated").value,
        Amount::ZERO
    );
    let mut stated = whole.clone();
    let key = Key {
        type_value: 0x09,
        key: Vec::new(),
    };
    stated.unknown.insert(key, MESSAGE.to_vec());
    for file in [whole, stated] {
        let (refusal, sentence) = refused(&STANDARD.encode(file.serialize()));
        assert_eq!(refusal, Refusal::MessageForm(Fault::FirstInput));
        assert!(sentence.contains("its first input must spend the message"));
    }
}

#[test]
fn an_unsigned_file_without_utxo_information_is_told_how_to_get_it() {
    let owner = Single::new(Lock::Wpkh);
    let coin = Coin {
        outpoint: OutPoint::new(Txid::hash(b"a coin"), 7),
        output: TxOut {
            value: VALUE,
            script_pubkey: owner.script_pubkey(),
        },
    };
    let mut psbt = Psbt::from_unsigned_tx(spend(std::slice::from_ref(&coin))).expect("unsigned");
    let bare = STANDARD.encode(psbt.serialize());
    let (refusal, sentence) = refused(&bare);
    assert_eq!(
        (refusal.code(), refusal.input()),
        ("no-utxo-information", Some(0))
    );
    assert!(sentence.contains("include UTXO info"), "{sentence}");
    // What the browser has removed is told beside the file.
    let hint = UtxoHint {
        outpoint: coin.outpoint,
        value_sats: coin.output.value.to_sat(),
        script_pubkey: coin.output.script_pubkey.clone(),
    };
    let refusal = read(&bare, vec![hint]).expect_err("not signed");
    assert_eq!(refusal, Refusal::NotSigned { input: 0 });
    psbt.inputs[0].witness_utxo = Some(coin.output);
    let refusal = read(&STANDARD.encode(psbt.serialize()), Vec::new()).expect_err("not signed");
    assert_eq!(refusal, Refusal::NotSigned { input: 0 });
}

//! Signed messages that name no coins, and files that lack what a wallet or a verifier needs: each gets a refusal that says what it is.
//! No coin is looked up, so the refusal never blames a wrong network.

use super::*;
use crate::forge::coins;

/// A signed message over this many coins, as a final transaction.
fn signed_by(lock: Lock, number: usize) -> (Transaction, Vec<Coin>) {
    let owner = Single::new(lock);
    let coins = coins(&vec![owner.script_pubkey(); number]);
    let (transaction, coins) = message(MESSAGE, owner.script_pubkey(), &coins);
    (signed(&owner, transaction, &coins), coins)
}

fn refused(file: impl AsRef<[u8]>) -> (Refusal, String) {
    refused_text(&text(file))
}

fn refused_text(text: &str) -> (Refusal, String) {
    let refusal = read(text, Vec::new()).expect_err("no proof");
    let sentence = refusal.to_string();
    assert!(!sentence.contains("network"), "{sentence}");
    (refusal, sentence)
}

/// States what the first input spends.
fn whole(transaction: &Transaction, coins: &[Coin]) -> Psbt {
    let mut psbt = finished(transaction);
    psbt.inputs[0].witness_utxo = Some(coins[0].output.clone());
    psbt
}

/// States the message.
fn stated(mut psbt: Psbt) -> Psbt {
    psbt.unknown.insert(message_key(), MESSAGE.to_vec());
    psbt
}

/// Electrum's result, and a PSBT that states nothing about its coins.
fn bare_forms(transaction: &Transaction) -> [Vec<u8>; 3] {
    [
        serialize(transaction),
        finished(transaction).serialize(),
        stated(finished(transaction)).serialize(),
    ]
}

#[test]
fn a_message_without_coins_is_told_that_it_proves_none() {
    let (transaction, coins) = signed_by(Lock::Wpkh, 0);
    let base64 = text(serialize(&transaction));
    for file in [
        base64.clone(),
        format!("ful{base64}"),
        text(format!("ful{base64}\n")),
        text(whole(&transaction, &coins).serialize()),
        text(finished(&transaction).serialize()),
    ] {
        let (refusal, sentence) = refused_text(&file);
        assert_eq!(refusal.code(), "message-alone");
        assert!(sentence.contains("a proof of funds that contains the coins"));
    }
}

#[test]
fn a_proof_of_funds_without_the_script_of_its_message_is_told_so() {
    // A signature by a taproot key does not show the output's key.
    let (transaction, coins) = signed_by(Lock::TrKey, 2);
    for file in bare_forms(&transaction) {
        let (refusal, sentence) = refused(file);
        assert_eq!(refusal.code(), "message-without-script");
        assert!(sentence.contains("UTXO information of its first input"));
    }
    // With it, the file is accepted for a look-up.
    let whole = whole(&transaction, &coins).serialize();
    assert!(read(&text(whole), Vec::new()).is_ok());
}

#[test]
fn the_script_of_a_message_is_taken_from_its_signature_and_proven_by_what_it_spends() {
    for lock in [Lock::Pkh, Lock::ShPk, Lock::ShWpkh, Lock::Wpkh, Lock::WshPk] {
        let (transaction, coins) = signed_by(lock, 2);
        for file in bare_forms(&transaction) {
            let candidate = read(&text(file), Vec::new()).expect("a file");
            let signed = candidate.kind.message().expect("a signed message");
            assert_eq!(signed.output(), coins[0].output, "{lock:?}");
            assert!(signed.signs(MESSAGE), "{lock:?}");
            assert!(!signed.signs(b"something else"), "{lock:?}");
        }
        // Another key's signature shows another script, which gives another message.
        let mut other = transaction.clone();
        let (theirs, _) = signed_by(lock, 2);
        other.input[0].witness = theirs.input[0].witness.clone();
        other.input[0].script_sig = theirs.input[0].script_sig.clone();
        let candidate = read(&text(serialize(&other)), Vec::new()).expect("a file");
        let signed = candidate.kind.message().expect("a signed message");
        assert!(!signed.signs(MESSAGE));
    }
}

#[test]
fn a_message_of_another_version_or_place_is_told_its_form() {
    for version in [1, 3] {
        let (mut transaction, coins) = signed_by(Lock::Wpkh, 2);
        transaction.version = Version(version);
        let whole = whole(&transaction, &coins).serialize();
        for file in bare_forms(&transaction).into_iter().chain([whole]) {
            let (refusal, _) = refused(file);
            assert_eq!(refusal, Refusal::MessageForm(Fault::Version), "{version}");
        }
    }
    let (transaction, coins) = signed_by(Lock::Wpkh, 2);
    let mut second = finished(&transaction);
    for (fields, coin) in second.inputs.iter_mut().zip(&coins) {
        fields.witness_utxo = Some(coin.output.clone());
    }
    second.inputs.swap(0, 1);
    second.unsigned_tx.input.swap(0, 1);
    let spent = second.inputs[1].witness_utxo.as_ref().expect("stated");
    assert_eq!(spent.value, Amount::ZERO);
    for file in [second.clone(), stated(second)] {
        let (refusal, sentence) = refused(file.serialize());
        assert_eq!(refusal, Refusal::MessageForm(Fault::FirstInput));
        assert!(sentence.contains("its first input must spend the message"));
    }
}

#[test]
fn an_unsigned_file_without_utxo_information_is_told_how_to_get_it() {
    let owner = Single::new(Lock::Wpkh);
    let coin = coins(&[owner.script_pubkey()]).remove(0);
    let mut psbt = Psbt::from_unsigned_tx(spend(std::slice::from_ref(&coin))).expect("unsigned");
    let (refusal, sentence) = refused(psbt.serialize());
    assert_eq!(refusal, Refusal::NoUtxoInformation { input: 0 });
    assert!(sentence.contains("include UTXO info"), "{sentence}");
    // The browser sends the UTXO information that it has removed next to the file.
    let hint = crate::hints::truth(&coin);
    let not_signed = Refusal::NotSigned { input: 0 };
    let refusal = read(&text(psbt.serialize()), vec![hint]).expect_err("not signed");
    assert_eq!(refusal, not_signed);
    psbt.inputs[0].witness_utxo = Some(coin.output);
    assert_eq!(refused(psbt.serialize()).0, not_signed);
}

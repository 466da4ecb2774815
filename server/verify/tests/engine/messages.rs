//! Signed messages that name no coins, and files that lack what a wallet or a verifier needs: each gets a refusal that says what it is.
//! No coin is looked up, so the refusal never blames a wrong network.

use super::*;

/// A signed message over this many coins, as a final transaction.
fn signed_by(lock: Lock, number: usize) -> (Transaction, Vec<Coin>) {
    let owner = Single::new(lock);
    let coins = coins(&vec![owner.script_pubkey(); number]);
    let (transaction, coins) = message(MESSAGE, owner.script_pubkey(), &coins);
    (signed(&owner, transaction, &coins), coins)
}

/// Why a file in the encoding of clients is refused, and the message.
fn refused(text: &str) -> (Refusal, String) {
    let refusal = read(text, Vec::new()).expect_err("no proof");
    let sentence = refusal.to_string();
    assert!(!sentence.contains("network"), "{sentence}");
    (refusal, sentence)
}

/// The same with the output that the first input spends.
fn whole(transaction: &Transaction, coins: &[Coin]) -> String {
    text(stated(transaction, &coins[..1]).serialize())
}

/// A file with and without the message.
fn with_message(mut psbt: Psbt) -> [String; 2] {
    let without = text(psbt.serialize());
    psbt.unknown.insert(message_key(), MESSAGE.to_vec());
    [without, text(psbt.serialize())]
}

/// Electrum's result, and PSBTs that state nothing about their coins.
fn bare_forms(transaction: &Transaction) -> [String; 3] {
    let [without, with] = with_message(finished(transaction));
    [text(serialize(transaction)), without, with]
}

#[test]
fn a_message_without_coins_is_told_that_it_proves_none() {
    let (transaction, coins) = signed_by(Lock::Wpkh, 0);
    let base64 = text(serialize(&transaction));
    for file in [
        base64.clone(),
        format!("ful{base64}"),
        text(format!("ful{base64}\n")),
        whole(&transaction, &coins),
        text(finished(&transaction).serialize()),
    ] {
        let (refusal, sentence) = refused(&file);
        assert_eq!(refusal.code(), "message-alone");
        assert!(sentence.contains("a proof of funds that contains the coins"));
    }
}

#[test]
fn a_proof_of_funds_without_the_script_of_its_message_is_told_so() {
    // A signature by a taproot key does not show the output's key.
    let (transaction, coins) = signed_by(Lock::TrKey, 2);
    for file in bare_forms(&transaction) {
        let (refusal, sentence) = refused(&file);
        assert_eq!(refusal.code(), "message-without-script");
        assert!(sentence.contains("UTXO information of its first input"));
    }
    // With this field, the file is accepted for a look-up.
    assert!(read(&whole(&transaction, &coins), Vec::new()).is_ok());
}

#[test]
fn the_script_of_a_message_is_taken_from_its_signature_and_proven_by_what_it_spends() {
    for lock in [Lock::Pkh, Lock::ShPk, Lock::ShWpkh, Lock::Wpkh, Lock::WshPk] {
        let (transaction, coins) = signed_by(lock, 2);
        for file in bare_forms(&transaction) {
            let candidate = read(&file, Vec::new()).expect("a file");
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
        let whole = whole(&transaction, &coins);
        for file in bare_forms(&transaction).into_iter().chain([whole]) {
            let (refusal, _) = refused(&file);
            assert_eq!(refusal, Refusal::MessageForm(Fault::Version), "{version}");
        }
    }
    let (transaction, coins) = signed_by(Lock::Wpkh, 2);
    let mut second = stated(&transaction, &coins);
    second.inputs.swap(0, 1);
    second.unsigned_tx.input.swap(0, 1);
    let spent = second.inputs[1].witness_utxo.as_ref().expect("stated");
    assert_eq!(spent.value, Amount::ZERO);
    for file in with_message(second) {
        let (refusal, sentence) = refused(&file);
        assert_eq!(refusal, Refusal::MessageForm(Fault::FirstInput));
        assert!(sentence.contains("its first input must spend the message"));
    }
}

#[test]
fn an_unsigned_file_without_utxo_information_is_told_how_to_get_it() {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey()]);
    let bare = text(finished(&spend(&coins)).serialize());
    let (refusal, sentence) = refused(&bare);
    assert_eq!(refusal, Refusal::NoUtxoInformation { input: 0 });
    assert!(sentence.contains("include UTXO info"), "{sentence}");
    // The browser sends the UTXO information that it has removed next to the file.
    let hint = crate::hints::truth(&coins[0]);
    let not_signed = Refusal::NotSigned { input: 0 };
    let refusal = read(&bare, vec![hint]).expect_err("not signed");
    assert_eq!(refusal, not_signed);
    assert_eq!(refused(&whole(&spend(&coins), &coins)).0, not_signed);
}

//! A5 and A10: inputs without a signature, or with an invalid one; and that the forgeries start from valid files.

use super::*;

/// The forgeries are made from these files, so the files themselves must be accepted.
#[test]
fn good_signatures_of_every_kind_are_accepted_and_none_may_be_missing() {
    let singles = Single::all();
    let coins = coins(&singles.map(|single| single.script_pubkey()));
    for (single, coin) in singles.iter().zip(&coins) {
        let coin = std::slice::from_ref(coin);
        let mut transaction = spend(coin);
        for byte in single.good_types() {
            single.sign(&mut transaction, coin, 0, byte);
            let what = format!("{:?} {byte}", single.lock);
            assert_accepted(&verdict_of(&transaction, coin), &what);
        }
    }
    let all = signed_by_each(&singles, spend(&coins), &coins);
    let ledger = Ledger::new(&coins);
    assert_accepted(&ledger.verdict_of(&all), "all in one");
    for unsigned in 0..coins.len() {
        let mut transaction = all.clone();
        transaction.input[unsigned].script_sig = ScriptBuf::new();
        transaction.input[unsigned].witness = Witness::new();
        assert_refused(&ledger.verdict_of(&transaction), "not-signed", unsigned);
        let mut psbt = finished(&all);
        // An empty witness is no signature, even in a field for final ones.
        psbt.inputs[unsigned].final_script_witness = Some(Witness::new());
        psbt.inputs[unsigned].final_script_sig = Some(ScriptBuf::new());
        psbt.inputs[0].witness_utxo = Some(coins[0].output.clone());
        let verdict = ledger.verdict(psbt.serialize());
        assert_refused(&verdict, "not-signed", unsigned);
    }
}

/// Some inputs are final, the others have partial signatures.
#[test]
fn signatures_that_are_not_in_their_places_are_put_there() {
    let singles = Single::all();
    let coins = coins(&singles.map(|single| single.script_pubkey()));
    let all = signed_by_each(&singles, spend(&coins), &coins);
    let mut half = finished(&all);
    for input in (0..coins.len()).step_by(2) {
        let signature = singles[input].signature(&all, &coins, input, 0x01);
        half.inputs[input] = Default::default();
        singles[input].place_in_fields(&mut half.inputs[input], &signature);
    }
    let verdict = Ledger::new(&coins).verdict(half.serialize());
    assert_accepted(&verdict, "half of it final");
    assert_eq!(verdict.expect("just asserted").transaction, all);
}

/// The file has no script, or one that does not match the coin's hash.
#[test]
fn a_script_that_cannot_be_completed_is_refused() {
    for lock in [Lock::ShPk, Lock::ShWpkh, Lock::WshPk] {
        let single = Single::new(lock);
        let coins = coins(&[single.script_pubkey()]);
        let transaction = spend(&coins);
        let signature = single.signature(&transaction, &coins, 0, 0x01);
        let mut psbt = stated(&transaction, &coins);
        single.place_in_fields(&mut psbt.inputs[0], &signature);
        let ledger = Ledger::new(&coins);
        assert_accepted(&ledger.verdict(psbt.serialize()), "its own script");
        let other = Single::new(Lock::Wpkh).script_pubkey();
        for (script, code) in [(Some(other), "hint-mismatch"), (None, "cannot-finalize")] {
            let mut lying = psbt.clone();
            match lock {
                Lock::WshPk => lying.inputs[0].witness_script = script,
                _ => lying.inputs[0].redeem_script = script,
            }
            assert_refused(&ledger.verdict(lying.serialize()), code, 0);
        }
    }
}

/// Invalid signatures in the first input of this transaction.
type Forgery = fn(&Single, &Transaction, &[Coin]) -> Vec<Vec<u8>>;

const FORGERIES: [(&str, Forgery); 7] = [
    // The finalizer of miniscript and rust-bitcoin's `verify` both accept garbage in final fields.
    ("garbage", |single, _, _| {
        let is_taproot = single.lock.is_taproot();
        let sizes = if is_taproot {
            &[64, 65, 71][..]
        } else {
            &[71, 1]
        };
        let garbage = |size: &usize| [vec![0x5a; size - 1], vec![0x01]].concat();
        sizes.iter().map(garbage).collect()
    }),
    // One in each half of the signature; the last byte is its type.
    ("a flipped bit", |single, transaction, coins| {
        let signature = single.signature(transaction, coins, 0, 0x01);
        let flip = |byte: usize| {
            let mut flipped = signature.clone();
            flipped[byte] ^= 0x10;
            flipped
        };
        let (first, second) = (signature.len() / 4, signature.len() * 3 / 4);
        vec![flip(first), flip(second)]
    }),
    ("of another input", |single, transaction, coins| {
        vec![single.signature(transaction, coins, 1, 0x01)]
    }),
    ("of another transaction", |single, transaction, coins| {
        let mut other = transaction.clone();
        other.output[0].value -= Amount::ONE_SAT;
        vec![single.signature(&other, coins, 0, 0x01)]
    }),
    ("by another key", |single, transaction, coins| {
        vec![Single::new(single.lock).signature(transaction, coins, 0, 0x01)]
    }),
    // DEFAULT has 64 bytes; the same with its type written out is another message (BIP-0341).
    ("the type zero", |single, transaction, coins| {
        if !single.lock.is_taproot() {
            return Vec::new();
        }
        let default = single.signature(transaction, coins, 0, 0x00);
        vec![[default, vec![0]].concat()]
    }),
    ("its type changed", |single, transaction, coins| {
        let changed = |foreign: u8| {
            let mut signature = single.signature(transaction, coins, 0, foreign);
            *signature.last_mut().expect("a type") = 0x01;
            signature
        };
        FOREIGN.map(changed).into()
    }),
];

#[test]
fn every_forged_signature_is_refused() {
    for single in Single::all() {
        let coins = coins(&[single.script_pubkey(), single.script_pubkey()]);
        let mut transaction = spend(&coins);
        single.sign(&mut transaction, &coins, 1, 0x01);
        for (what, forgery) in FORGERIES {
            for signature in forgery(&single, &transaction, &coins) {
                let mut forged = transaction.clone();
                single.place(&mut forged.input[0], signature);
                println!("{:?}: {what}", single.lock);
                assert_refused(&verdict_of(&forged, &coins), "invalid-signature", 0);
            }
        }
    }
}

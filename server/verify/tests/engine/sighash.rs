//! A6: signatures that leave parts of the transaction open. Public marketplaces are full of them.

use bitcoin::EcdsaSighashType;
use bitcoin::psbt::PsbtSighashType;

use super::*;

/// The type is read from the signature, not from the file's field, whether or not the file is final.
#[test]
fn every_foreign_type_on_every_kind_of_coin_is_refused() {
    let said = [None, Some(PsbtSighashType::from(EcdsaSighashType::All))];
    for single in Single::all() {
        let coins = coins(&[single.script_pubkey()]);
        let ledger = Ledger::new(&coins);
        let mut transaction = spend(&coins);
        for foreign in FOREIGN {
            let signature = single.signature(&transaction, &coins, 0, foreign);
            single.place(&mut transaction.input[0], signature.clone());
            let mut files = vec![finished(&transaction); 2];
            files[1].inputs[0] = Default::default();
            single.place_in_fields(&mut files[1].inputs[0], &signature);
            let mut verdicts = vec![ledger.verdict_of(&transaction)];
            for (is_final, mut file) in [true, false].into_iter().zip(files) {
                for lie in said {
                    file.inputs[0].sighash_type = lie;
                    let verdict = ledger.verdict(file.serialize());
                    if lie.is_some() && !is_final {
                        // BIP-0174: it must not be finalized.
                        assert_refused(&verdict, "sighash-mismatch", 0);
                    } else {
                        verdicts.push(verdict);
                    }
                }
            }
            for verdict in verdicts {
                assert_refused(&verdict, "foreign-sighash", 0);
                let sentence = verdict.expect_err("refused").to_string();
                let kind = ["", "ALL", "NONE", "SINGLE"][usize::from(foreign & 3)];
                let named = format!("of type {kind}");
                assert!(sentence.contains(&named), "{sentence}");
                let others_open = foreign & 0x80 != 0;
                assert_eq!(sentence.contains("|ANYONECANPAY"), others_open);
            }
        }
        // Conversely, a good signature is accepted whatever type the file states.
        single.sign(&mut transaction, &coins, 0, 0x01);
        let mut honest = finished(&transaction);
        honest.inputs[0].sighash_type = Some(EcdsaSighashType::None.into());
        let verdict = ledger.verdict(honest.serialize());
        assert_accepted(&verdict, "a good signature");
    }
}

/// Unnamed types are valid before Taproot: nodes treat most of them as ALL. No wallet makes them. SINGLE for an input without
/// an output of its index signs a constant, so it fits any transaction.
#[test]
fn types_without_a_name_and_the_constant_that_single_signs() {
    for single in Single::all().into_iter().filter(|it| !it.lock.is_taproot()) {
        let coins = coins(&[single.script_pubkey(), single.script_pubkey()]);
        let mut transaction = spend(&coins);
        transaction.output.truncate(1);
        single.sign(&mut transaction, &coins, 0, 0x01);
        for foreign in [0x00, 0x04, 0x21, 0x41, 0x80, 0xc1, 0xff, 0x03, 0x83] {
            single.sign(&mut transaction, &coins, 1, foreign);
            assert_refused(&verdict_of(&transaction, &coins), "foreign-sighash", 1);
        }
    }
}

/// One input suffices to open the whole transaction.
#[test]
fn one_open_signature_type_among_good_ones_is_refused() {
    let singles = Single::all();
    let coins = coins(&singles.map(|single| single.script_pubkey()));
    for foreign in 0..coins.len() {
        let mut transaction = signed_by_each(&singles, spend(&coins), &coins);
        singles[foreign].sign(&mut transaction, &coins, foreign, 0x81);
        let verdict = verdict_of(&transaction, &coins);
        assert_refused(&verdict, "foreign-sighash", foreign);
    }
}

/// A listing for sale: the seller's input and the one output that they want, SINGLE|ANYONECANPAY. The
/// forger adds their own coin.
#[test]
fn a_marketplace_listing_in_another_transaction_is_refused() {
    for lock in [Lock::Wpkh, Lock::TrKey] {
        let (seller, forger) = (Single::new(lock), Single::new(Lock::TrKey));
        let coins = coins(&[seller.script_pubkey(), forger.script_pubkey()]);
        let listing = spend(&coins[..1]);
        let signature = seller.signature(&listing, &coins[..1], 0, 0x83);
        let mut wrapped = spend(&coins);
        wrapped.output[0] = listing.output[0].clone();
        seller.place(&mut wrapped.input[0], signature);
        forger.sign(&mut wrapped, &coins, 1, 0x00);
        assert_refused(&verdict_of(&wrapped, &coins), "foreign-sighash", 0);
    }
}

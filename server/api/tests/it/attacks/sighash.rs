//! A6: signatures that leave parts of the transaction open. Public marketplaces are full of them.

use bitcoin::psbt::PsbtSighashType;
use bitcoin::{Amount, EcdsaSighashType};
use serde_json::json;

use crate::forge::{FOREIGN, Lock, Single, coins, spend};
use crate::support::node::{AddressType, Node, SomePsbt};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of};

#[tokio::test]
async fn every_foreign_type_on_every_kind_of_coin_is_refused() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        for foreign in FOREIGN {
            single.sign(&mut transaction, &coins, 0, foreign);
            let verdict = verdict_of(node, &transaction).await;
            assert_refused(&verdict, "foreign-sighash", 0);
            let sentence = verdict.expect_err("refused").to_string();
            let kind = ["", "ALL", "NONE", "SINGLE"][usize::from(foreign & 3)];
            let named = format!("of the type {kind}");
            assert!(sentence.contains(&named), "{sentence}");
            assert_eq!(
                sentence.contains("|ANYONECANPAY"),
                foreign & 0x80 != 0,
                "{sentence}"
            );
        }
    }
}

/// Types without a name are valid before Taproot: most of them mean ALL to a node. No wallet makes them. SINGLE for an input without
/// an output of its index signs a constant, so it fits any transaction.
#[tokio::test]
async fn types_without_a_name_and_the_constant_that_single_signs() {
    let node = Node::shared().await;
    for single in Single::all().into_iter().filter(|it| !it.lock.is_taproot()) {
        let coins = coins(node, &[single.script_pubkey(), single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        transaction.output.truncate(1);
        single.sign(&mut transaction, &coins, 0, 0x01);
        for foreign in [0x00, 0x04, 0x21, 0x41, 0x80, 0xc1, 0xff, 0x03, 0x83] {
            single.sign(&mut transaction, &coins, 1, foreign);
            assert_refused(&verdict_of(node, &transaction).await, "foreign-sighash", 1);
        }
    }
}

/// One input suffices to open the whole transaction.
#[tokio::test]
async fn one_foreign_type_among_good_ones() {
    let node = Node::shared().await;
    let singles = Single::all();
    let coins = coins(node, &singles.map(|single| single.script_pubkey())).await;
    for foreign in 0..coins.len() {
        let mut transaction = spend(&coins);
        for (input, single) in singles.iter().enumerate() {
            let byte = if input == foreign { 0x81 } else { 0x01 };
            single.sign(&mut transaction, &coins, input, byte);
        }
        assert_refused(
            &verdict_of(node, &transaction).await,
            "foreign-sighash",
            foreign,
        );
    }
}

/// A listing for sale: the seller's input and the one output that it wants, SINGLE|ANYONECANPAY. The
/// forger adds a coin of his own.
#[tokio::test]
async fn a_listing_wrapped_by_its_finder() {
    let node = Node::shared().await;
    for lock in [Lock::Wpkh, Lock::TrKey] {
        let (seller, forger) = (Single::new(lock), Single::new(Lock::TrKey));
        let coins = coins(node, &[seller.script_pubkey(), forger.script_pubkey()]).await;
        let listing = spend(&coins[..1]);
        let signature = seller.signature(&listing, &coins[..1], 0, 0x83);
        let mut wrapped = spend(&coins);
        wrapped.output[0] = listing.output[0].clone();
        seller.place(&mut wrapped.input[0], signature);
        forger.sign(&mut wrapped, &coins, 1, 0x00);
        assert_refused(&verdict_of(node, &wrapped).await, "foreign-sighash", 0);
    }
}

/// The type is read from the signature, not from what the file says about it.
#[tokio::test]
async fn the_files_word_for_the_type_does_not_count() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    for kind in AddressType::ALL {
        let coin = wallet.fund(kind, Amount::ONE_BTC).await;
        let unsigned = wallet.self_transfer(&[coin]).await;
        for finalize in [true, false] {
            for name in ["NONE", "ALL|ANYONECANPAY", "SINGLE|ANYONECANPAY"] {
                let signed = wallet
                    .call(
                        "walletprocesspsbt",
                        json!([unsigned.base64(), true, name, true, finalize]),
                    )
                    .await;
                let text = signed["psbt"].as_str().expect("a PSBT");
                assert_refused(&verdict(node, text).await, "foreign-sighash", 0);
                let mut psbt = bitcoin::Psbt::deserialize(&decode(text)).expect("a PSBT");
                for lie in [None, Some(PsbtSighashType::from(EcdsaSighashType::All))] {
                    psbt.inputs[0].sighash_type = lie;
                    let lying = SomePsbt::from(psbt.clone());
                    assert_refused(&verdict(node, lying.base64()).await, "foreign-sighash", 0);
                }
            }
            // The other way round: a good signature is good whatever the file says about it.
            let mut psbt = wallet.sign(&unsigned, finalize).await.decode();
            psbt.inputs[0].sighash_type = Some(EcdsaSighashType::None.into());
            let honest = SomePsbt::from(psbt);
            assert_accepted(&verdict(node, honest.base64()).await, "a good signature");
        }
    }
}

fn decode(base64: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD
        .decode(base64)
        .expect("base64 from the node")
}

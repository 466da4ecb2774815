//! Files that the node's own wallets sign.

use super::forms::accepted;
use crate::forge::assert_accepted;
use crate::support::prelude::*;
use crate::verdict::verdict;

#[tokio::test]
async fn coins_of_every_kind_in_one_file_are_accepted() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let twice = AddressType::ALL
        .map(|kind| (kind, Amount::ONE_BTC))
        .repeat(2);
    let coins = wallet.fund_all(&twice).await;
    let [finished, mut half] = [
        wallet.proof(&coins, true).await,
        wallet.proof(&coins, false).await,
    ];
    // The signature type ALL, written into the file and requested from the signer.
    let unsigned = wallet.self_transfer(&coins).await;
    let all = json!([unsigned.base64(), true, "ALL", true, false]);
    let all = wallet.call("walletprocesspsbt", all).await;
    let all = SomePsbt::new(&text(&all["psbt"]));
    for (psbt, what) in [(&finished, "final"), (&half, "partial"), (&all, "ALL")] {
        let transaction = accepted(node, psbt, what).await;
        assert_eq!(transaction.input.len(), 8);
    }
    // Some inputs are final, the others have partial signatures.
    let mut mixed = half.decode();
    for input in [1, 4, 7] {
        mixed.inputs[input] = finished.decode().inputs[input].clone();
    }
    half = SomePsbt::from(mixed);
    accepted(node, &half, "half of it final").await;
}

/// The wallet's own way of making transactions: it chooses change, fees, and a lock time at the tip
/// against fee sniping.
#[tokio::test]
async fn a_transaction_that_the_wallet_made_up_is_accepted() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    for kind in AddressType::ALL {
        wallet.fund(kind, Amount::ONE_BTC).await;
    }
    let back = wallet.address(AddressType::Bech32m).await;
    for finalize in [true, false] {
        let options = json!({"add_inputs": true, "change_type": "bech32"});
        let (tip, _) = node.tip().await;
        let parameters = json!([[], [{&back: "2.5"}], tip, options]);
        let psbt = wallet.call("walletcreatefundedpsbt", parameters).await;
        let psbt = SomePsbt::new(psbt["psbt"].as_str().unwrap());
        let signed = wallet.sign(&psbt, finalize).await;
        let verdict = verdict(node, signed.base64()).await;
        assert_accepted(&verdict, "made by the wallet");
        let transaction = verdict.expect("just asserted").transaction;
        assert_eq!(transaction.lock_time.to_consensus_u32(), tip);
        assert!(transaction.is_lock_time_enabled());
    }
}

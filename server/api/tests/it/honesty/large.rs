//! One thousand inputs, or a part of them without `./test all`.

use bitcoin::Amount;

use crate::forge::assert_accepted;
use crate::support::node::{AddressType, Node};
use crate::support::size;
use crate::verdict::{verdict, verdict_of_bytes};

#[tokio::test]
async fn a_thousand_coins_are_accepted() {
    let inputs = size(200, 1_000);
    let node = Node::shared().await;
    for kind in [AddressType::Bech32, AddressType::Bech32m] {
        let wallet = node.wallet().await;
        // Coins of small transactions: a PSBT carries the whole transaction of each.
        let mut coins = Vec::new();
        while coins.len() < inputs {
            let payment = [(kind, Amount::from_sat(20_000)); 50];
            coins.extend(wallet.fund_all(&payment).await);
        }
        for finalize in [true, false] {
            let psbt = wallet.proof(&coins, finalize).await;
            let whole = verdict(node, psbt.base64()).await;
            assert_accepted(&whole, "whole");
            let stripped = psbt_wasm::strip(psbt.binary()).expect("well-formed");
            let stripped = verdict_of_bytes(node, &stripped).await;
            assert_accepted(&stripped, "stripped");
            let (whole, stripped) = (whole.expect("just asserted"), stripped.expect("the same"));
            assert_eq!(stripped.claimed().count(), inputs);
            assert_eq!(stripped.transaction, whole.transaction);
        }
    }
}

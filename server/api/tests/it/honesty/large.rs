//! One thousand inputs, or a part of them without `./test all`.

use std::time::Instant;

use bitcoin::consensus::encode::serialize;
use bitcoin::{Amount, OutPoint, Psbt};

use crate::forge::{Coin, Lock, Single, coins, spend};
use crate::support::node::{AddressType, Node, SomePsbt, Wallet};
use crate::support::size;
use crate::verdict::{assert_accepted, verdict, verdict_of, verdict_of_bytes};

fn inputs() -> usize {
    size(200, 1_000)
}

/// Coins of small transactions: a PSBT carries the whole transaction of each.
async fn thousand(wallet: &Wallet<'_>, kind: AddressType) -> Vec<OutPoint> {
    let mut coins = Vec::new();
    while coins.len() < inputs() {
        let payment = [(kind, Amount::from_sat(20_000)); 50];
        coins.extend(wallet.fund_all(&payment).await);
    }
    coins
}

async fn accepted(kind: AddressType) {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coins = thousand(&wallet, kind).await;
    for finalize in [true, false] {
        let psbt = wallet.proof(&coins, finalize).await;
        let started = Instant::now();
        let whole = verdict(node, psbt.base64()).await;
        println!("{kind:?}, finalised: {finalize}: {:?}", started.elapsed());
        assert_accepted(&whole, "a thousand inputs");
        let stripped = psbt_wasm::strip(psbt.binary()).expect("well-formed");
        let stripped = verdict_of_bytes(node, &stripped).await;
        assert_accepted(&stripped, "a thousand inputs, stripped");
        let verified = stripped.expect("just asserted");
        assert_eq!(verified.claimed().count(), inputs());
        assert_eq!(
            verified.transaction,
            whole.expect("just asserted").transaction
        );
    }
}

#[tokio::test]
async fn a_thousand_p2wpkh_coins_are_accepted() {
    accepted(AddressType::Bech32).await;
}

#[tokio::test]
async fn a_thousand_p2tr_coins_are_accepted() {
    accepted(AddressType::Bech32m).await;
}

/// As a final transaction, and as a file with signatures alone, of one key.
#[tokio::test]
async fn a_thousand_coins_of_one_key_are_accepted() {
    let node = Node::shared().await;
    let single = Single::new(Lock::Wpkh);
    let coins: Vec<Coin> = coins(node, &vec![single.script_pubkey(); inputs()]).await;
    let unsigned = spend(&coins);
    let mut transaction = unsigned.clone();
    for input in 0..inputs() {
        single.sign(&mut transaction, &coins, input, 0x01);
    }
    assert_accepted(&verdict_of(node, &transaction).await, "a transaction");
    let mut psbt = Psbt::from_unsigned_tx(unsigned).expect("unsigned");
    for (fields, input) in psbt.inputs.iter_mut().zip(&transaction.input) {
        let signature = input.witness.nth(0).expect("a signature");
        let signature = bitcoin::ecdsa::Signature::from_slice(signature).expect("a signature");
        fields.partial_sigs.insert(single.key.public(), signature);
    }
    let verified = verdict(node, SomePsbt::from(psbt).base64()).await;
    assert_accepted(&verified, "signatures alone");
    let verified = verified.expect("just asserted");
    assert_eq!(serialize(&verified.transaction), serialize(&transaction));
}

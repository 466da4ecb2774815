//! A3: what the fields of a file say about coins is compared with the chain, never believed.

use bitcoin::{Amount, Psbt, TxOut};

use crate::forge::{Lock, Single, p2wsh};
use crate::support::node::{AddressType, Node, SomePsbt};
use crate::verdict::{assert_accepted, assert_refused, verdict};

/// The fields for the previous outputs.
#[tokio::test]
async fn a_file_that_lies_about_a_coin_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    for kind in AddressType::ALL {
        let coin = wallet.fund(kind, Amount::ONE_BTC).await;
        for finalize in [true, false] {
            let psbt = wallet.proof(&[coin], finalize).await.decode();
            let output = verdict(node, SomePsbt::from(psbt.clone()).base64())
                .await
                .expect("it is honest")
                .coins
                .remove(0)
                .output;
            let lie = |stated: TxOut| {
                let mut lying = psbt.clone();
                lying.inputs[0].witness_utxo = Some(stated);
                lying.inputs[0].non_witness_utxo = None;
                SomePsbt::from(lying)
            };
            let more = TxOut {
                value: output.value * 2,
                ..output.clone()
            };
            let other = TxOut {
                script_pubkey: Single::new(Lock::TrKey).script_pubkey(),
                ..output.clone()
            };
            for lying in [lie(more), lie(other)] {
                assert_refused(&verdict(node, lying.base64()).await, "hint-mismatch", 0);
            }
            let honest = lie(output);
            assert_accepted(&verdict(node, honest.base64()).await, "the truth");
        }
    }
}

/// The field for the previous transaction holds another one, or one without such an output.
#[tokio::test]
async fn a_wrong_previous_transaction_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let [coin, other] = wallet
        .fund_all(&[(AddressType::Legacy, Amount::ONE_BTC); 2])
        .await[..]
    else {
        panic!("two coins");
    };
    let elsewhere = wallet.fund(AddressType::Legacy, Amount::ONE_BTC).await;
    let psbt = wallet.proof(&[coin], true).await.decode();
    let previous = psbt.inputs[0]
        .non_witness_utxo
        .clone()
        .expect("of a legacy coin");
    let wrong = wallet.proof(&[elsewhere], true).await.decode().inputs[0]
        .non_witness_utxo
        .clone();

    let mut lying = psbt.clone();
    lying.inputs[0].non_witness_utxo = wrong;
    let lying = SomePsbt::from(lying);
    assert_refused(
        &verdict(node, lying.base64()).await,
        "previous-transaction-mismatch",
        0,
    );

    // The right transaction with one amount changed has another txid.
    let mut lying = psbt.clone();
    let mut richer = previous.clone();
    richer.output[0].value += Amount::ONE_BTC;
    lying.inputs[0].non_witness_utxo = Some(richer);
    let lying = SomePsbt::from(lying);
    assert_refused(
        &verdict(node, lying.base64()).await,
        "previous-transaction-mismatch",
        0,
    );

    let mut lying = psbt.clone();
    lying.unsigned_tx.input[0].previous_output.vout = 77;
    let lying = SomePsbt::from(lying);
    assert_refused(
        &verdict(node, lying.base64()).await,
        "previous-output-missing",
        0,
    );

    let mut lying = psbt;
    lying.inputs[0].witness_utxo = Some(previous.output[other.vout as usize].clone());
    lying.inputs[0]
        .witness_utxo
        .as_mut()
        .expect("just set")
        .value += Amount::ONE_SAT;
    let lying = SomePsbt::from(lying);
    assert_refused(&verdict(node, lying.base64()).await, "utxo-mismatch", 0);
}

/// A script that is not the one behind the coin's hash.
#[tokio::test]
async fn another_script_than_the_coins_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let nested = wallet.fund(AddressType::P2shSegwit, Amount::ONE_BTC).await;
    let psbt = wallet.proof(&[nested], false).await.decode();
    let other = Single::new(Lock::Wpkh).script_pubkey();
    let lie = |change: &dyn Fn(&mut Psbt)| {
        let mut lying = psbt.clone();
        change(&mut lying);
        SomePsbt::from(lying)
    };
    let lying = lie(&|psbt| psbt.inputs[0].redeem_script = Some(other.clone()));
    assert_refused(&verdict(node, lying.base64()).await, "hint-mismatch", 0);
    let missing = lie(&|psbt| psbt.inputs[0].redeem_script = None);
    assert_refused(&verdict(node, missing.base64()).await, "cannot-finalise", 0);

    let multisig = node.multisig().await;
    let coin = multisig.fund(Amount::ONE_BTC).await;
    let mut psbt = multisig.proof(&[coin], false).await.decode();
    let script = psbt.inputs[0].witness_script.take();
    assert_eq!(
        script.as_deref().map(p2wsh),
        psbt.inputs[0]
            .witness_utxo
            .as_ref()
            .map(|output| output.script_pubkey.clone())
    );
    let missing = SomePsbt::from(psbt.clone());
    assert_refused(&verdict(node, missing.base64()).await, "cannot-finalise", 0);
    psbt.inputs[0].witness_script = Some(other);
    let lying = SomePsbt::from(psbt);
    assert_refused(&verdict(node, lying.base64()).await, "hint-mismatch", 0);
}

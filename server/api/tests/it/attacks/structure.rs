//! A2 and A4: files that are two things at once, and transactions that are none.

use bitcoin::consensus::encode::serialize;
use bitcoin::{Amount, OutPoint, Transaction};

use crate::forge::{Lock, Single, coins, spend};
use crate::honesty::v2::as_v2;
use crate::support::node::{AddressType, Node};
use crate::verdict::{assert_accepted, assert_refused, verdict_of, verdict_of_bytes};

/// One pair of a PSBT map: key and value of less than 253 bytes each.
fn pair(key: &[u8], value: &[u8]) -> Vec<u8> {
    let length = |bytes: &[u8]| u8::try_from(bytes.len()).expect("short");
    [&[length(key)], key, &[length(value)], value].concat()
}

/// A field of one version in a file of the other: whoever reads it could take it for either.
#[tokio::test]
async fn both_versions_in_one_file_are_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let psbt = wallet.proof(&[coin], true).await;
    let v0 = psbt.binary();
    let v2 = as_v2(&v0);
    assert_accepted(&verdict_of_bytes(node, &v0).await, "version 0");
    assert_accepted(&verdict_of_bytes(node, &v2).await, "version 2");

    let unsigned = serialize(&psbt.decode().unsigned_tx);
    let insert = |file: &[u8], pair: &[u8]| [&file[..5], pair, &file[5..]].concat();
    let version = |number: u32| pair(&[0xfb], &number.to_le_bytes());
    for (what, file) in [
        ("a version 0 that says 2", insert(&v0, &version(2))),
        ("a version 1", insert(&v0, &version(1))),
        ("a version 3", insert(&v0, &version(3))),
        ("a version 2 that also says 0", insert(&v2, &version(0))),
        (
            "a version 0 with an input count",
            insert(&v0, &pair(&[0x04], &[1])),
        ),
        (
            "a version 0 with a lock time",
            insert(&v0, &pair(&[0x03], &[0; 4])),
        ),
        (
            "a version 2 with a transaction",
            insert(&v2, &pair(&[0x00], &unsigned)),
        ),
        (
            "a transaction twice",
            insert(&v0, &pair(&[0x00], &unsigned)),
        ),
        ("data after the end", [&v0[..], &[0]].concat()),
        ("a file after the end", [&v0[..], &v0[..]].concat()),
    ] {
        let verdict = verdict_of_bytes(node, &file).await;
        assert!(verdict.is_err(), "{what}");
        assert_refused(&verdict, "could-not-parse", None);
    }
}

/// A wallet's signed transaction, changed before anything of it is checked.
async fn changed(node: &Node, change: impl Fn(&mut Transaction)) -> Transaction {
    let single = Single::new(Lock::Wpkh);
    let coins = coins(node, &[single.script_pubkey(), single.script_pubkey()]).await;
    let mut transaction = spend(&coins);
    change(&mut transaction);
    for input in 0..2.min(transaction.input.len()) {
        single.sign(&mut transaction, &coins, input, 0x01);
    }
    transaction
}

#[tokio::test]
async fn one_coin_twice_is_refused() {
    let node = Node::shared().await;
    let twice = changed(node, |transaction| {
        transaction.input[1].previous_output = transaction.input[0].previous_output;
    })
    .await;
    assert_refused(&verdict_of(node, &twice).await, "duplicate-input", 1);
    let mut far_apart = changed(node, |_| {}).await;
    far_apart.input.push(far_apart.input[0].clone());
    assert_refused(&verdict_of(node, &far_apart).await, "duplicate-input", 2);
}

#[tokio::test]
async fn a_file_without_coins_is_refused() {
    let node = Node::shared().await;
    let null = changed(node, |transaction| {
        transaction.input[1].previous_output = OutPoint::null();
    })
    .await;
    assert_refused(&verdict_of(node, &null).await, "null-outpoint", 1);
    let mut none = changed(node, |_| {}).await;
    none.input.clear();
    assert!(verdict_of(node, &none).await.is_err());
}

#[tokio::test]
async fn a_transaction_that_pays_nothing_is_refused() {
    let node = Node::shared().await;
    let nothing = changed(node, |transaction| transaction.output.clear()).await;
    assert_refused(&verdict_of(node, &nothing).await, "no-outputs", None);
}

#[tokio::test]
async fn more_is_paid_than_there_is() {
    let node = Node::shared().await;
    let more = changed(node, |transaction| {
        transaction.output[0].value = Amount::from_sat(110_001);
    })
    .await;
    assert_refused(&verdict_of(node, &more).await, "outputs-above-inputs", None);
    // A fee of nothing is still a payment.
    let all = changed(node, |transaction| {
        transaction.output[0].value = Amount::from_sat(109_999);
    })
    .await;
    assert_accepted(&verdict_of(node, &all).await, "no fee");
}

#[tokio::test]
async fn amounts_beyond_all_money_are_refused() {
    let node = Node::shared().await;
    let whole = Amount::MAX_MONEY;
    for (first, second) in [
        (whole + Amount::ONE_SAT, Amount::ZERO),
        (whole, whole),
        (Amount::from_sat(u64::MAX), Amount::from_sat(2)),
        (Amount::from_sat(1 << 63), Amount::from_sat(1 << 63)),
    ] {
        let impossible = changed(node, |transaction| {
            transaction.output[0].value = first;
            transaction.output[1].value = second;
        })
        .await;
        assert_refused(
            &verdict_of(node, &impossible).await,
            "invalid-transaction",
            None,
        );
    }
}

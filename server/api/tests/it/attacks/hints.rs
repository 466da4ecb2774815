//! A3: what the client says about coins is compared with the chain, never believed.

use bitcoin::hashes::Hash;
use bitcoin::{Amount, OutPoint, ScriptBuf, Txid};
use verify::UtxoHint;

use crate::forge::{Lock, Single, VALUE, coins, spend};
use crate::support::node::{AddressType, Node};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of, verdict_with};

/// A signed spend of two coins, and what is true about them.
async fn honest(node: &Node) -> (String, Vec<UtxoHint>) {
    let wallet = node.wallet().await;
    let kinds = [AddressType::Legacy, AddressType::Bech32m].map(|kind| (kind, Amount::ONE_BTC));
    let coins = wallet.fund_all(&kinds).await;
    let psbt = wallet.proof(&coins, true).await;
    let verified = verdict(node, psbt.base64()).await.expect("it is honest");
    let hints = verified.claimed().map(|(outpoint, coin)| UtxoHint {
        outpoint,
        value_sats: coin.output.value.to_sat(),
        script_pubkey: coin.output.script_pubkey.clone(),
    });
    (psbt.base64().to_owned(), hints.collect())
}

#[tokio::test]
async fn a_client_that_lies_about_a_coin_is_refused() {
    let node = Node::shared().await;
    let (file, hints) = honest(node).await;
    assert_accepted(&verdict_with(node, &file, hints.clone()).await, "the truth");
    assert_accepted(
        &verdict_with(node, &file, hints[..1].to_vec()).await,
        "half of it",
    );
    let other = Single::new(Lock::Wpkh).script_pubkey();
    for input in 0..2 {
        let lie = |change: &dyn Fn(&mut UtxoHint)| {
            let mut hints = hints.clone();
            change(&mut hints[input]);
            hints
        };
        for lying in [
            lie(&|hint| hint.value_sats += 1),
            lie(&|hint| hint.value_sats = 21_000_000 * 100_000_000),
            lie(&|hint| hint.value_sats = 0),
            lie(&|hint| hint.script_pubkey = ScriptBuf::new()),
            lie(&|hint| hint.script_pubkey = other.clone()),
        ] {
            assert_refused(
                &verdict_with(node, &file, lying).await,
                "hint-mismatch",
                input,
            );
        }
        let unstated = lie(&|hint| {
            hint.value_sats = 0;
            hint.script_pubkey = ScriptBuf::new();
        });
        assert_accepted(&verdict_with(node, &file, unstated).await, "not stated");
    }
}

#[tokio::test]
async fn the_client_names_other_coins() {
    let node = Node::shared().await;
    let (file, hints) = honest(node).await;
    let more = UtxoHint {
        outpoint: OutPoint::new(Txid::hash(b"a rich man's coin"), 0),
        value_sats: 5_000_000_000,
        script_pubkey: ScriptBuf::new(),
    };
    let added = [hints.clone(), vec![more.clone()]].concat();
    assert_refused(
        &verdict_with(node, &file, added).await,
        "unknown-hint",
        None,
    );
    let mut other_output = hints.clone();
    other_output[0].outpoint.vout += 7;
    assert_refused(
        &verdict_with(node, &file, other_output).await,
        "unknown-hint",
        None,
    );
    // The second says something else than the first, which was true.
    let mut contradicting = [hints.clone(), hints].concat();
    contradicting[2].value_sats += 1;
    assert_refused(
        &verdict_with(node, &file, contradicting).await,
        "unknown-hint",
        None,
    );
}

#[tokio::test]
async fn an_output_past_the_end() {
    let node = Node::shared().await;
    let single = Single::new(Lock::Wpkh);
    let mut coins = coins(node, &[single.script_pubkey()]).await;
    for vout in [1, 2, u32::MAX] {
        coins[0].outpoint.vout = vout;
        let mut transaction = spend(&coins);
        single.sign(&mut transaction, &coins, 0, 0x01);
        assert_refused(&verdict_of(node, &transaction).await, "coin-missing", 0);
    }
}

/// The signature is good for the amount that the file states; SegWit signs the amount, so that a
/// signer who was lied to has signed nothing.
#[tokio::test]
async fn a_signature_over_another_amount() {
    let node = Node::shared().await;
    for single in Single::all() {
        if single.lock.is_legacy() {
            continue;
        }
        let real = coins(node, &[single.script_pubkey()]).await;
        let mut stated = real.clone();
        stated[0].output.value = VALUE * 1_000;
        let mut transaction = spend(&real);
        single.sign(&mut transaction, &stated, 0, 0x01);
        assert_refused(
            &verdict_of(node, &transaction).await,
            "invalid-signature",
            0,
        );
    }
}

//! Coins whose time locks are over.

use bitcoin::{Amount, NetworkKind, PrivateKey};
use serde_json::json;

use super::forms::accepted;
use crate::forge::Key;
use crate::support::node::{Node, SomePsbt, Terms};
use crate::verdict::{assert_refused, verdict};

fn private_key() -> String {
    PrivateKey::new(Key::random().0.secret_key(), NetworkKind::Test).to_wif()
}

/// `template` with `{a}` for a private key and `{x}` for the public key of somebody else.
fn with_keys(template: &str) -> String {
    template
        .replace("{a}", &private_key())
        .replace("{x}", &Key::random().public().to_string())
}

/// Accepted with these terms, finalised and only signed.
async fn mature(node: &Node, template: &str, blocks: usize, terms: Terms) {
    let wallet = node.descriptor_wallet(&with_keys(template)).await;
    let coin = wallet.fund(Amount::ONE_BTC).await;
    node.mine(blocks).await;
    for finalize in [true, false] {
        let psbt = wallet.proof(coin, Amount::ONE_BTC, terms, finalize).await;
        accepted(node, &psbt, &format!("{template}, finalised: {finalize}")).await;
    }
}

#[tokio::test]
async fn a_coin_is_accepted_after_some_blocks() {
    let node = Node::shared().await;
    let terms = Terms {
        sequence: Some(3),
        lock_time: 0,
    };
    for template in [
        "wsh(and_v(v:pk({a}),older(3)))",
        "sh(wsh(and_v(v:pk({a}),older(3))))",
        "wsh(and_v(v:pkh({a}),older(3)))",
        "wsh(or_d(pk({x}),and_v(v:pk({a}),older(3))))",
        "wsh(or_d(pk({x}),and_v(v:pkh({a}),older(2))))",
        "wsh(andor(pk({x}),older(5),and_v(v:pk({a}),older(3))))",
        "tr(50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0,and_v(v:pk({a}),older(3)))",
    ] {
        mature(node, template, 2, terms).await;
    }
}

/// Until the lock is over the same spend is refused for it, and for nothing else.
#[tokio::test]
async fn a_coin_is_refused_before_those_blocks() {
    let node = Node::start().await;
    let wallet = node
        .descriptor_wallet(&with_keys("wsh(and_v(v:pk({a}),older(3)))"))
        .await;
    let coin = wallet.fund(Amount::ONE_BTC).await;
    let terms = Terms {
        sequence: Some(3),
        lock_time: 0,
    };
    let psbt = wallet.proof(coin, Amount::ONE_BTC, terms, true).await;
    for _ in 0..2 {
        assert_refused(&verdict(&node, psbt.base64()).await, "relative-lock", 0);
        node.mine(1).await;
    }
    accepted(&node, &psbt, "mature").await;
}

#[tokio::test]
async fn a_coin_is_accepted_after_its_height() {
    let node = Node::shared().await;
    let (tip, _) = node.tip().await;
    let terms = Terms {
        sequence: Some(0xffff_fffe),
        lock_time: tip,
    };
    for template in [
        "wsh(and_v(v:pk({a}),after(100)))",
        "sh(wsh(and_v(v:pk({a}),after(100))))",
    ] {
        mature(node, template, 0, terms).await;
    }
}

#[tokio::test]
async fn a_coin_is_accepted_after_its_date() {
    let node = Node::shared().await;
    let terms = Terms {
        sequence: Some(0xffff_fffd),
        // 2020-09-13, long before any block of this chain.
        lock_time: 1_600_000_000,
    };
    mature(node, "wsh(and_v(v:pk({a}),after(1500000000)))", 0, terms).await;
}

/// Counted in units of 512 seconds from when the coin was confirmed (BIP-0068).
#[tokio::test]
async fn a_coin_is_accepted_after_some_time() {
    let node = Node::start().await;
    let two_units = (1 << 22) | 2;
    let wallet = node
        .descriptor_wallet(&with_keys(&format!(
            "wsh(and_v(v:pk({{a}}),older({two_units})))"
        )))
        .await;
    let coin = wallet.fund(Amount::ONE_BTC).await;
    let terms = Terms {
        sequence: Some(two_units),
        lock_time: 0,
    };
    let psbts: [SomePsbt; 2] = [
        wallet.proof(coin, Amount::ONE_BTC, terms, true).await,
        wallet.proof(coin, Amount::ONE_BTC, terms, false).await,
    ];
    for psbt in &psbts {
        assert_refused(&verdict(&node, psbt.base64()).await, "relative-lock", 0);
    }
    let now = node.call("getblockchaininfo", json!([])).await["time"]
        .as_u64()
        .expect("a time");
    node.call("setmocktime", json!([now + 3_000])).await;
    node.mine(11).await;
    for psbt in &psbts {
        accepted(&node, psbt, "mature").await;
    }
}

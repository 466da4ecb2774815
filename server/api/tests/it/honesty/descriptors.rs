//! Files that the node signs for custom descriptors: scripts of every kind.

use bitcoin::{NetworkKind, PrivateKey};
use futures_util::stream;

use super::forms::accepted;
use crate::forge::Key;
use crate::support::prelude::*;

const NOBODY: &str = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";

/// Replaces A, B, C by private keys and X, Y, Z by public ones; u and U are uncompressed keys.
fn with_keys(template: &str) -> String {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let words = template.split_inclusive(|it| !is_word(it));
    let replaced = words.map(|part| {
        let word = part.trim_end_matches(|it| !is_word(it));
        key_for(word) + &part[word.len()..]
    });
    replaced.collect()
}

fn key_for(word: &str) -> String {
    let key = Key::random();
    match word {
        "A" | "B" | "C" => PrivateKey::new(key.0.secret_key(), NetworkKind::Test).to_wif(),
        "U" => PrivateKey::new_uncompressed(key.0.secret_key(), NetworkKind::Test).to_wif(),
        "X" | "Y" | "Z" => key.public().to_string(),
        "x" | "y" | "z" => key.x_only().to_string(),
        "NOBODY" => NOBODY.to_owned(),
        word => word.to_owned(),
    }
}

const TEMPLATES: &str = include_str!("descriptors.txt");

/// A coin for this descriptor, some blocks deep, is accepted on these terms, both finalized and with partial signatures.
pub(super) async fn signs(node: &Node, template: &str, terms: Terms, blocks: usize) {
    let wallet = node.descriptor_wallet(&with_keys(template)).await;
    let coin = wallet.fund(Amount::ONE_BTC).await;
    node.mine(blocks).await;
    for finalize in [true, false] {
        let psbt = wallet.proof(coin, Amount::ONE_BTC, terms, finalize).await;
        accepted(node, &psbt, &format!("{template}, finalized: {finalize}")).await;
    }
}

#[tokio::test]
async fn what_the_node_signs_for_any_descriptor_is_accepted() {
    let node = Node::shared().await;
    let signs = |template| signs(node, template, Terms::default(), 0);
    let signing = stream::iter(TEMPLATES.lines()).map(signs);
    signing.buffer_unordered(6).collect::<Vec<()>>().await;
}

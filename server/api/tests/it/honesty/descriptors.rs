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

const TEMPLATES: [&str; 38] = [
    "pkh(A)",
    "pkh(U)",
    "wpkh(A)",
    "sh(wpkh(A))",
    "wsh(pk(A))",
    "wsh(pkh(A))",
    "sh(pk(A))",
    "sh(pkh(A))",
    "sh(multi(2,A,B,X))",
    "sh(sortedmulti(2,X,A,B))",
    "sh(multi(2,U,X,U))",
    "sh(multi(8,A,B,C,A,B,C,A,B,X,X,X,X,X,X,X))",
    "wsh(multi(2,A,X,B))",
    "wsh(multi(10,A,A,A,A,A,A,A,A,A,A,X,X,X,X,X,X,X,X,X,X))",
    "wsh(multi(3,A,B,C))",
    "wsh(multi(1,X,Y,A))",
    "sh(wsh(sortedmulti(2,A,X,B)))",
    "tr(A)",
    "tr(A,{pk(x),multi_a(1,y,z)})",
    "tr(NOBODY,pk(A))",
    "tr(x,{pk(y),{{pk(z),pk(A)},pk(x)}})",
    "tr(NOBODY,multi_a(2,A,B,x))",
    "tr(x,sortedmulti_a(2,A,y,B))",
    "tr(NOBODY,multi_a(3,A,B,C,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x))",
    "rawtr(A)",
    "wsh(or_d(pk(A),and_v(v:pk(X),older(1000))))",
    "wsh(or_d(pk(A),and_v(v:pkh(X),older(1000))))",
    "wsh(and_v(v:pk(A),pk(B)))",
    "wsh(thresh(2,pk(A),s:pk(B),s:pk(X)))",
    "wsh(thresh(2,pkh(A),a:pkh(B),a:pkh(X)))",
    "wsh(or_i(pk(X),pk(A)))",
    "wsh(or_i(pkh(X),pkh(A)))",
    "wsh(or_b(pk(X),s:pk(A)))",
    "sh(wsh(and_v(v:pk(A),pk(B))))",
    "tr(NOBODY,and_v(v:pk(A),pk(B)))",
    "tr(NOBODY,and_v(v:pkh(A),pk(B)))",
    "tr(NOBODY,thresh(2,pkh(A),a:pkh(B),a:pkh(x)))",
    "wsh(or_i(and_v(v:thresh(1,pkh(X),a:pkh(Y)),older(52560)),and_v(v:pk(A),pk(B))))",
];

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
    let signing = stream::iter(TEMPLATES).map(signs);
    signing.buffer_unordered(6).collect::<Vec<()>>().await;
}

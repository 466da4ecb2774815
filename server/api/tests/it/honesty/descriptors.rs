//! What the node signs for descriptors of one's own: scripts of every kind.

use bitcoin::{Amount, NetworkKind, PrivateKey};

use super::forms::accepted;
use crate::forge::{self, Key};
use crate::support::node::{Node, Terms};

const NOBODY: &str = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";

/// Replaces A, B, C by private keys and X, Y, Z by public ones; u and U stand for uncompressed keys.
fn with_keys(template: &str) -> String {
    let mut descriptor = String::new();
    let mut word = String::new();
    for character in template.chars().chain(['\n']) {
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        descriptor.push_str(&key_for(&word));
        word.clear();
        descriptor.push(character);
    }
    descriptor.trim_end().to_owned()
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

/// Funds, signs and uploads, finalised and only signed.
async fn signs(template: &str) {
    let node = Node::shared().await;
    let wallet = node.descriptor_wallet(&with_keys(template)).await;
    let coin = wallet.fund(Amount::ONE_BTC).await;
    for finalize in [true, false] {
        let psbt = wallet
            .proof(coin, Amount::ONE_BTC, Terms::default(), finalize)
            .await;
        accepted(node, &psbt, &format!("{template}, finalised: {finalize}")).await;
    }
}

macro_rules! descriptors {
    ($($name:ident: $template:literal,)*) => {$(
        #[tokio::test]
        async fn $name() {
            signs($template).await;
        }
    )*};
}

descriptors!(
    p2pkh: "pkh(A)",
    p2pkh_with_an_uncompressed_key: "pkh(U)",
    p2wpkh: "wpkh(A)",
    p2sh_p2wpkh: "sh(wpkh(A))",
    p2wsh_of_one_key: "wsh(pk(A))",
    p2wsh_of_a_key_hash: "wsh(pkh(A))",
    p2sh_of_one_key: "sh(pk(A))",
    p2sh_of_a_key_hash: "sh(pkh(A))",
    p2sh_multisig: "sh(multi(2,A,B,X))",
    p2sh_multisig_sorted: "sh(sortedmulti(2,X,A,B))",
    p2sh_multisig_of_uncompressed_keys: "sh(multi(2,U,X,U))",
    p2sh_multisig_as_large_as_can_be: "sh(multi(8,A,B,C,A,B,C,A,B,X,X,X,X,X,X,X))",
    p2wsh_multisig: "wsh(multi(2,A,X,B))",
    p2wsh_multisig_as_large_as_can_be: "wsh(multi(10,A,A,A,A,A,A,A,A,A,A,X,X,X,X,X,X,X,X,X,X))",
    p2wsh_multisig_of_all: "wsh(multi(3,A,B,C))",
    p2wsh_multisig_of_any: "wsh(multi(1,X,Y,A))",
    p2sh_p2wsh_multisig: "sh(wsh(sortedmulti(2,A,X,B)))",
    p2tr_by_key: "tr(A)",
    p2tr_by_key_with_leaves: "tr(A,{pk(x),multi_a(1,y,z)})",
    p2tr_by_leaf: "tr(NOBODY,pk(A))",
    p2tr_by_one_leaf_of_many: "tr(x,{pk(y),{{pk(z),pk(A)},pk(x)}})",
    p2tr_by_multisig: "tr(NOBODY,multi_a(2,A,B,x))",
    p2tr_by_sorted_multisig: "tr(x,sortedmulti_a(2,A,y,B))",
    p2tr_by_large_multisig: "tr(NOBODY,multi_a(3,A,B,C,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x))",
    rawtr: "rawtr(A)",
    miniscript_or: "wsh(or_d(pk(A),and_v(v:pk(X),older(1000))))",
    miniscript_or_by_hash: "wsh(or_d(pk(A),and_v(v:pkh(X),older(1000))))",
    miniscript_and: "wsh(and_v(v:pk(A),pk(B)))",
    miniscript_threshold: "wsh(thresh(2,pk(A),s:pk(B),s:pk(X)))",
    miniscript_threshold_of_hashes: "wsh(thresh(2,pkh(A),a:pkh(B),a:pkh(X)))",
    miniscript_either: "wsh(or_i(pk(X),pk(A)))",
    miniscript_either_by_hash: "wsh(or_i(pkh(X),pkh(A)))",
    miniscript_both_ways: "wsh(or_b(pk(X),s:pk(A)))",
    miniscript_in_p2sh_p2wsh: "sh(wsh(and_v(v:pk(A),pk(B))))",
    miniscript_leaf: "tr(NOBODY,and_v(v:pk(A),pk(B)))",
    miniscript_leaf_by_hash: "tr(NOBODY,and_v(v:pkh(A),pk(B)))",
    miniscript_leaf_threshold_of_hashes: "tr(NOBODY,thresh(2,pkh(A),a:pkh(B),a:pkh(x)))",
    recovery_after_a_year: "wsh(or_i(and_v(v:thresh(1,pkh(X),a:pkh(Y)),older(52560)),and_v(v:pk(A),pk(B))))",
);

/// A key whose hash alone is in the script, and which does not sign.
#[test]
fn every_template_has_keys() {
    let descriptor = with_keys("wsh(multi(1,A,X))");
    assert!(
        !descriptor.contains('X') || descriptor.len() > 100,
        "{descriptor}"
    );
    assert_ne!(forge::Key::random().public(), Key::random().public());
}

/// Outputs that have no address: bare keys and bare multisig.
#[tokio::test]
async fn outputs_without_an_address_are_accepted() {
    use bitcoin::opcodes::all::{OP_CHECKMULTISIG, OP_PUSHNUM_2};
    use bitcoin::script::Builder;

    use crate::forge::{Lock, Sighash, Single, coin, der, push_all, spend};
    use crate::verdict::{assert_accepted, verdict_of};

    let node = Node::shared().await;
    let single = Single::new(Lock::Pk);
    let coins = [coin(node, single.script_pubkey()).await];
    let mut transaction = spend(&coins);
    single.sign(&mut transaction, &coins, 0, 0x01);
    assert_accepted(&verdict_of(node, &transaction).await, "p2pk");

    let keys = [Key::random(), Key::random()];
    let script = Builder::new()
        .push_opcode(OP_PUSHNUM_2)
        .push_key(&keys[0].public())
        .push_key(&keys[1].public())
        .push_opcode(OP_PUSHNUM_2)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script();
    let coins = [coin(node, script.clone()).await];
    let mut transaction = spend(&coins);
    let sighash = Sighash {
        transaction: &transaction,
        coins: &coins,
        input: 0,
        byte: 0x01,
    };
    let signatures = keys.map(|key| der(sighash.legacy(&script), &key, 0x01));
    let elements = [&[vec![]], signatures.as_slice()].concat();
    transaction.input[0].script_sig = push_all(&elements).into_script();
    assert_accepted(&verdict_of(node, &transaction).await, "bare multisig");
}

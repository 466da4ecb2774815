//! A9: scripts that take the signature of any key, so that the spender chooses it; and scripts of
//! which nobody here can say whose signature they take.

use bitcoin::Transaction;
use bitcoin::hashes::{Hash, hash160};
use bitcoin::opcodes::OP_0;
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_DROP, OP_DUP, OP_HASH160, OP_PUSHNUM_1,
    OP_SWAP,
};
use bitcoin::script::Builder;

use super::beside::{refused, script};
use crate::forge::{
    Coin, Key, Leaf, Sighash, der, in_p2sh, in_p2wsh, p2sh, p2wsh, push_all, schnorr,
};
use crate::support::node::Node;

/// The script names no key, so the spender brings a key of his own and signs well with it. The
/// engine and the oracle have nothing to object.
#[tokio::test]
async fn a_key_that_the_spender_chooses_is_refused() {
    let node = Node::shared().await;
    let thief = Key::random();
    let key = thief.public().to_bytes();
    let any_key = script(&[OP_CHECKSIG]);
    let dropped = Builder::new()
        .push_slice([0x11; 20])
        .push_opcode(OP_DROP)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    let swapped = script(&[OP_SWAP, OP_CHECKSIG]);
    let hashed = script(&[OP_DUP, OP_HASH160, OP_DROP, OP_CHECKSIG]);
    for script in [any_key, dropped, swapped.clone(), hashed] {
        let elements = |signature: Vec<u8>| {
            let mut elements = [signature, key.clone()];
            if script == swapped {
                elements.reverse();
            }
            elements
        };
        let legacy = |transaction: &Transaction, coins: &[Coin]| {
            elements(der(
                sighash(transaction, coins).legacy(&script),
                &thief,
                0x01,
            ))
        };
        refused(
            node,
            script.clone(),
            "key-not-committed",
            |transaction, coins| {
                let elements = legacy(transaction, coins);
                transaction.input[1].script_sig = push_all(&elements).into_script();
            },
        )
        .await;
        refused(
            node,
            p2sh(&script),
            "key-not-committed",
            |transaction, coins| {
                let elements = legacy(transaction, coins);
                in_p2sh(&mut transaction.input[1], &elements, &script);
            },
        )
        .await;
        refused(
            node,
            p2wsh(&script),
            "key-not-committed",
            |transaction, coins| {
                let message = sighash(transaction, coins).segwit(&script);
                let elements = elements(der(message, &thief, 0x01));
                in_p2wsh(&mut transaction.input[1], &elements, &script);
            },
        )
        .await;
    }
}

fn sighash<'a>(transaction: &'a Transaction, coins: &'a [Coin]) -> Sighash<'a> {
    Sighash {
        transaction,
        coins,
        input: 1,
        byte: 0x01,
    }
}

#[tokio::test]
async fn a_key_of_a_leaf_that_the_spender_chooses_is_refused() {
    let node = Node::shared().await;
    let thief = Key::random();
    let leaves = [
        script(&[OP_CHECKSIG]),
        script(&[OP_0, OP_SWAP, OP_CHECKSIGADD]),
    ];
    for leaf in leaves.map(Leaf::new) {
        refused(
            node,
            leaf.script_pubkey(),
            "key-not-committed",
            |transaction, coins| {
                let message = sighash(transaction, coins).taproot(Some(&leaf.script));
                let signature = schnorr(message, &thief.0, 0x01);
                let key = thief.x_only().serialize().to_vec();
                leaf.place(&mut transaction.input[1], &[signature, key]);
            },
        )
        .await;
    }
}

#[tokio::test]
async fn keys_of_a_multisig_that_the_spender_chooses_are_refused() {
    let node = Node::shared().await;
    let thief = Key::random();
    let any_keys = script(&[OP_CHECKMULTISIG]);
    refused(
        node,
        p2wsh(&any_keys),
        "key-not-committed",
        |transaction, coins| {
            let signature = der(sighash(transaction, coins).segwit(&any_keys), &thief, 0x01);
            let key = thief.public().to_bytes();
            let elements = [vec![], signature, vec![1], key, vec![1]];
            in_p2wsh(&mut transaction.input[1], &elements, &any_keys);
        },
    )
    .await;
}

/// The hash of a key is there, and the script does not check it.
#[tokio::test]
async fn a_script_that_cannot_be_read_is_inconclusive() {
    let node = Node::shared().await;
    let thief = Key::random();
    let key = thief.public();
    let unread = Builder::new()
        .push_opcode(OP_PUSHNUM_1)
        .push_opcode(OP_DROP)
        .push_key(&key)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    refused(
        node,
        p2wsh(&unread),
        "inconclusive",
        |transaction, coins| {
            let signature = der(sighash(transaction, coins).segwit(&unread), &thief, 0x01);
            in_p2wsh(&mut transaction.input[1], &[signature], &unread);
        },
    )
    .await;
    let unread = Builder::new()
        .push_slice(hash160::Hash::hash(&key.to_bytes()).to_byte_array())
        .push_opcode(OP_DROP)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    refused(
        node,
        p2wsh(&unread),
        "inconclusive",
        |transaction, coins| {
            let signature = der(sighash(transaction, coins).segwit(&unread), &thief, 0x01);
            in_p2wsh(
                &mut transaction.input[1],
                &[signature, key.to_bytes()],
                &unread,
            );
        },
    )
    .await;
}

//! A8: coins that anybody can spend, so that spending them proves nothing about anybody.

use bitcoin::hashes::{Hash, sha256};
use bitcoin::opcodes::OP_TRUE;
use bitcoin::opcodes::all::{OP_CHECKSIG, OP_EQUAL, OP_EQUALVERIFY, OP_NOT, OP_SHA256, OP_SIZE};
use bitcoin::script::Builder;
use bitcoin::{ScriptBuf, Witness};

use super::beside::{JUNK, refused, script};
use crate::forge::{
    Key, Leaf, Lock, Single, coin, in_p2sh, in_p2wsh, p2sh, p2wsh, push_all, spend,
};
use crate::support::node::Node;
use crate::verdict::{assert_refused, verdict_of};

#[tokio::test]
async fn a_script_that_is_always_true() {
    let node = Node::shared().await;
    let truth = script(&[OP_TRUE]);
    refused(node, truth.clone(), "not-committed", |transaction, _| {
        transaction.input[1].script_sig = push_all(&[vec![]]).into_script();
    })
    .await;
    refused(node, p2sh(&truth), "not-committed", |transaction, _| {
        in_p2sh(&mut transaction.input[1], &[], &truth);
    })
    .await;
    refused(node, p2wsh(&truth), "not-committed", |transaction, _| {
        in_p2wsh(&mut transaction.input[1], &[], &truth);
    })
    .await;
    let nested = p2wsh(&truth);
    refused(node, p2sh(&nested), "not-committed", |transaction, _| {
        in_p2sh(&mut transaction.input[1], &[], &nested);
        in_p2wsh(&mut transaction.input[1], &[], &truth);
    })
    .await;
    let leaf = Leaf::new(truth.clone());
    refused(
        node,
        leaf.script_pubkey(),
        "not-committed",
        |transaction, _| {
            leaf.place(&mut transaction.input[1], &[]);
        },
    )
    .await;
}

/// The spender brings a true value, or nothing has to be true.
#[tokio::test]
async fn an_empty_script_is_refused() {
    let node = Node::shared().await;
    refused(node, ScriptBuf::new(), "not-committed", |transaction, _| {
        transaction.input[1].script_sig = push_all(&[vec![1]]).into_script();
    })
    .await;
    refused(
        node,
        p2wsh(&ScriptBuf::new()),
        "not-committed",
        |transaction, _| {
            in_p2wsh(&mut transaction.input[1], &[vec![1]], &ScriptBuf::new());
        },
    )
    .await;
}

/// Pay-to-anchor (version 1, two bytes) takes any witness.
#[tokio::test]
async fn pay_to_anchor_is_refused() {
    let node = Node::shared().await;
    let anchor = ScriptBuf::from_bytes(vec![0x51, 0x02, 0x4e, 0x73]);
    refused(node, anchor.clone(), "not-committed", |transaction, _| {
        transaction.input[1].witness = Witness::from_slice(&[JUNK]);
    })
    .await;
    refused(node, anchor, "not-signed", |_, _| {}).await;
}

/// Witness versions, and lengths of version 1, that have no meaning yet (BIP-0141, BIP-0341).
#[tokio::test]
async fn unknown_witness_programs_are_refused() {
    let node = Node::shared().await;
    let program = |version: u8, length: u8| {
        let mut bytes = vec![version, length];
        bytes.resize(usize::from(length) + 2, 0x02);
        ScriptBuf::from_bytes(bytes)
    };
    for unknown in [
        program(0x51, 20),
        program(0x51, 33),
        program(0x52, 32),
        program(0x60, 40),
    ] {
        refused(node, unknown, "not-committed", |transaction, _| {
            transaction.input[1].witness = Witness::from_slice(&[JUNK]);
        })
        .await;
    }
    // Taproot within P2SH is no Taproot (BIP-0341).
    let nested = Single::new(Lock::TrKey).script_pubkey();
    refused(node, p2sh(&nested), "not-committed", |transaction, _| {
        in_p2sh(&mut transaction.input[1], &[], &nested);
        transaction.input[1].witness = Witness::from_slice(&[[7; 64]]);
    })
    .await;
}

#[tokio::test]
async fn hash_puzzles_are_refused() {
    let node = Node::shared().await;
    let secret = [0x42; 32];
    let sha = sha256::Hash::hash(&secret).to_byte_array();
    let plain = Builder::new()
        .push_opcode(OP_SHA256)
        .push_slice(sha)
        .push_opcode(OP_EQUAL)
        .into_script();
    // The same as miniscript writes it, so that the interpreter can read it.
    let sized = Builder::new()
        .push_opcode(OP_SIZE)
        .push_int(32)
        .push_opcode(OP_EQUALVERIFY)
        .push_opcode(OP_SHA256)
        .push_slice(sha)
        .push_opcode(OP_EQUAL)
        .into_script();
    for puzzle in [plain, sized] {
        let answer = [secret.to_vec()];
        refused(node, puzzle.clone(), "not-committed", |transaction, _| {
            transaction.input[1].script_sig = push_all(&answer).into_script();
        })
        .await;
        refused(node, p2sh(&puzzle), "not-committed", |transaction, _| {
            in_p2sh(&mut transaction.input[1], &answer, &puzzle);
        })
        .await;
        refused(node, p2wsh(&puzzle), "not-committed", |transaction, _| {
            in_p2wsh(&mut transaction.input[1], &answer, &puzzle);
        })
        .await;
        let leaf = Leaf::new(puzzle);
        refused(
            node,
            leaf.script_pubkey(),
            "not-committed",
            |transaction, _| {
                leaf.place(&mut transaction.input[1], &answer);
            },
        )
        .await;
    }
}

/// A script that wants a signature to be wrong is content with every transaction.
#[tokio::test]
async fn a_signature_that_must_not_be_valid() {
    let node = Node::shared().await;
    let key = Key::random().public();
    let negated = Builder::new()
        .push_key(&key)
        .push_opcode(OP_CHECKSIG)
        .push_opcode(OP_NOT)
        .into_script();
    for wrong in [vec![], vec![0x30, 6, 2, 1, 1, 2, 1, 1, 0x01]] {
        refused(node, p2wsh(&negated), "not-committed", |transaction, _| {
            in_p2wsh(
                &mut transaction.input[1],
                std::slice::from_ref(&wrong),
                &negated,
            );
        })
        .await;
    }
}

/// A single such input, without anything else in the file.
#[tokio::test]
async fn alone_in_a_file() {
    let node = Node::shared().await;
    let truth = script(&[OP_TRUE]);
    let coins = [coin(node, p2wsh(&truth)).await];
    let mut transaction = spend(&coins);
    in_p2wsh(&mut transaction.input[0], &[], &truth);
    assert_refused(&verdict_of(node, &transaction).await, "not-committed", 0);
}

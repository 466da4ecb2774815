//! A1: files that are hostile to whoever reads them.

use bitcoin::consensus::encode::serialize_hex;
use bitcoin::hashes::Hash;
use bitcoin::opcodes::all::{OP_CHECKMULTISIG, OP_CHECKSIG, OP_ENDIF, OP_IF, OP_PUSHNUM_1};
use bitcoin::opcodes::{OP_0, OP_TRUE};
use bitcoin::script::Builder;
use bitcoin::{OutPoint, ScriptBuf, Txid, Witness};
use server::verify::read;

use crate::forge::{
    Key, Lock, Single, coins, in_p2sh, in_p2wsh, input, p2sh, p2wsh, push_all, spend,
};
use crate::support::node::{AddressType, Node};
use crate::verdict::{assert_refused, verdict, verdict_of, verdict_of_bytes};

#[tokio::test]
async fn more_inputs_than_one_file_may_have() {
    let node = Node::shared().await;
    let mut transaction = spend(&[]);
    transaction.output.push(
        spend(&coins(node, &[ScriptBuf::new()]).await)
            .output
            .remove(0),
    );
    let nowhere = Txid::hash(b"nowhere");
    for vout in 0..2_001 {
        let mut input = input(OutPoint::new(nowhere, vout));
        input.witness = Witness::from_slice(&[[1]]);
        transaction.input.push(input);
    }
    assert_refused(
        &verdict_of(node, &transaction).await,
        "too-many-inputs",
        None,
    );
    transaction.input.truncate(2_000);
    assert_refused(&verdict_of(node, &transaction).await, "coin-missing", 0);
}

#[tokio::test]
async fn a_transaction_that_no_node_would_relay_is_refused() {
    let node = Node::shared().await;
    let single = Single::new(Lock::Wpkh);
    let coins = coins(node, &[single.script_pubkey()]).await;
    let mut transaction = spend(&coins);
    single.sign(&mut transaction, &coins, 0, 0x01);
    let mut heavy = transaction.clone();
    heavy.output[0].script_pubkey = ScriptBuf::from_bytes(vec![0x6a; 100_000]);
    assert_refused(&verdict_of(node, &heavy).await, "too-heavy", None);
    // Without asking the chain.
    let refusal = read(&serialize_hex(&heavy), Vec::new()).expect_err("too heavy");
    assert_eq!(
        (refusal.code(), refusal.status().as_u16()),
        ("too-heavy", 413)
    );
    let mut heavy = transaction.clone();
    heavy.input[0].witness.push(vec![0; 400_000]);
    assert_refused(&verdict_of(node, &heavy).await, "too-heavy", None);
    // A PSBT becomes too heavy only once it is final.
    let mut bare = transaction.clone();
    bare.input[0].witness = Witness::new();
    let mut psbt = bitcoin::Psbt::from_unsigned_tx(bare).expect("unsigned");
    psbt.inputs[0].final_script_witness = Some(heavy.input[0].witness.clone());
    let verdict = verdict_of_bytes(node, &psbt.serialize()).await;
    assert_refused(&verdict, "too-heavy", None);
}

/// Signature checks that are never run count too: nobody can know before running the script.
fn with_checks(number: usize) -> ScriptBuf {
    let mut script = Builder::new().push_opcode(OP_0).push_opcode(OP_IF);
    for _ in 0..number {
        script = script.push_opcode(OP_CHECKSIG);
    }
    script
        .push_opcode(OP_ENDIF)
        .push_opcode(OP_TRUE)
        .into_script()
}

/// Before SegWit each check hashes the whole transaction again.
#[tokio::test]
async fn scripts_with_thousands_of_signature_checks() {
    let node = Node::shared().await;
    let bare = coins(node, &[with_checks(2_501)]).await;
    let mut transaction = spend(&bare);
    transaction.input[0].script_sig = push_all(&[vec![]]).into_script();
    assert_refused(&verdict_of(node, &transaction).await, "too-complex", None);

    let mut multisig = Builder::new().push_opcode(OP_PUSHNUM_1);
    for _ in 0..15 {
        multisig = multisig.push_key(&Key::random().public());
    }
    // Without a number of keys that can be read, it counts as the most there can be, 20 (BIP-0016).
    let script = multisig.push_opcode(OP_CHECKMULTISIG).into_script();
    let many = coins(node, &vec![p2sh(&script); 150]).await;
    let mut transaction = spend(&many);
    for input in &mut transaction.input {
        in_p2sh(input, &[vec![]], &script);
    }
    assert_refused(&verdict_of(node, &transaction).await, "too-complex", None);
}

#[tokio::test]
async fn witnesses_with_thousands_of_signature_checks() {
    let node = Node::shared().await;
    let script = with_checks(8_001);
    let coins = coins(node, &vec![p2wsh(&script); 2]).await;
    let mut transaction = spend(&coins);
    for input in &mut transaction.input {
        in_p2wsh(input, &[], &script);
    }
    assert_refused(&verdict_of(node, &transaction).await, "too-complex", None);
}

/// The reader gives up before it has read what is too long to be read.
#[tokio::test]
async fn a_file_beyond_every_measure_is_refused() {
    let text = "cHNidP8BAFICAAAAA".repeat(2_000_000);
    let refusal = read(&text, Vec::new()).expect_err("too large");
    assert_eq!(
        (refusal.code(), refusal.status().as_u16()),
        ("file-too-large", 413)
    );
}

#[tokio::test]
async fn files_that_are_none() {
    let node = Node::shared().await;
    for (file, code) in [
        (&b""[..], "file-too-short"),
        (b"psbt", "file-too-short"),
        (b"hello, world", "invalid-magic"),
        (&[0; 1_000], "invalid-magic"),
        (b"psbt\xff", "could-not-parse"),
        (b"psbt\xff\x00", "could-not-parse"),
        (
            &[b"psbt\xff".as_slice(), &[0xff; 100]].concat(),
            "could-not-parse",
        ),
    ] {
        assert_refused(&verdict_of_bytes(node, file).await, code, None);
    }
}

/// However a good file is cut short or damaged, there is an answer, and it is not yes.
#[tokio::test]
async fn a_damaged_file_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let kinds = AddressType::ALL.map(|kind| (kind, bitcoin::Amount::ONE_BTC));
    let coins = wallet.fund_all(&kinds).await;
    let good = wallet.proof(&coins, true).await.binary();
    for length in (0..good.len()).step_by(7) {
        let verdict = verdict_of_bytes(node, &good[..length]).await;
        assert!(verdict.is_err(), "cut at {length}");
    }
    // Every fourth byte: what a bit can be flipped in without harm is only what nobody needs.
    for position in (0..good.len()).step_by(4) {
        let mut damaged = good.clone();
        damaged[position] ^= 0x04;
        if let Ok(verified) = verdict_of_bytes(node, &damaged).await {
            let transaction = crate::support::node::SomePsbt::from(
                bitcoin::Psbt::deserialize(&good).expect("good"),
            )
            .transaction();
            assert_eq!(verified.transaction, transaction, "at {position}");
        }
    }
    assert!(verdict(node, "").await.is_err());
}

//! A1: files that are hostile to whoever reads them.

use api::http::functions::submit_proof::status_of;
use bitcoin::consensus::encode::serialize_hex;
use bitcoin::hashes::Hash;
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_DUP, OP_ENDIF, OP_EQUALVERIFY, OP_HASH160,
    OP_IF, OP_NUMEQUAL, OP_PUSHNUM_1,
};
use bitcoin::opcodes::{OP_0, OP_TRUE};
use bitcoin::script::Builder;
use bitcoin::taproot::{ControlBlock, LeafVersion, TapLeafHash};
use bitcoin::{OutPoint, Psbt, ScriptBuf, Txid, Witness, XOnlyPublicKey};
use verify::read;

use crate::forge::{
    Key, Leaf, Lock, Sighash, Single, coins, in_p2sh, in_p2wsh, input, p2sh, p2wsh, push_all,
    schnorr, spend,
};
use crate::support::node::{AddressType, Node, SomePsbt};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of, verdict_of_bytes};

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
        (refusal.code(), status_of(&refusal).as_u16()),
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
        (refusal.code(), status_of(&refusal).as_u16()),
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

/// A leaf in which one of these keys is enough (BIP-0387).
fn one_of(keys: &[XOnlyPublicKey]) -> ScriptBuf {
    let mut script = Builder::new();
    for (index, key) in keys.iter().enumerate() {
        script = script.push_x_only_key(key).push_opcode(match index {
            0 => OP_CHECKSIG,
            _ => OP_CHECKSIGADD,
        });
    }
    script.push_int(1).push_opcode(OP_NUMEQUAL).into_script()
}

/// Input 1 of a PSBT, after one that is well signed, spends a coin with this leaf by a signature of `key`.
async fn leaf_beside_a_good_input(node: &Node, leaf: &Leaf, key: &Key) -> Psbt {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(node, &[owner.script_pubkey(), leaf.script_pubkey()]).await;
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    let first = transaction.input[0].witness.clone();
    transaction.input[0].witness = Witness::new();
    let sighash = Sighash {
        transaction: &transaction,
        coins: &coins,
        input: 1,
        byte: 0,
    };
    let signature = schnorr(sighash.taproot(Some(&leaf.script)), &key.0, 0);
    let signature = bitcoin::taproot::Signature::from_slice(&signature).expect("a signature");
    let mut psbt = Psbt::from_unsigned_tx(transaction).expect("unsigned");
    psbt.inputs[0].final_script_witness = Some(first);
    let hash = TapLeafHash::from_script(&leaf.script, LeafVersion::TapScript);
    psbt.inputs[1].tap_script_sigs = [((key.x_only(), hash), signature)].into();
    let control_block = ControlBlock::decode(&leaf.control_block()).expect("its own");
    let leaf = (leaf.script.clone(), LeafVersion::TapScript);
    psbt.inputs[1].tap_scripts = [(control_block, leaf)].into();
    psbt
}

/// C8: reading it took seconds.
#[tokio::test]
async fn a_leaf_of_forty_thousand_keys_is_not_read() {
    let node = Node::shared().await;
    let key = Key::random();
    let leaf = Leaf::new(one_of(&vec![key.x_only(); 40_000]));
    let psbt = leaf_beside_a_good_input(node, &leaf, &key).await;
    let verdict = verdict_of_bytes(node, &psbt.serialize()).await;
    assert_refused(&verdict, "script-too-complex", 1);
    // In a final transaction there is room for ten thousand.
    let leaf = Leaf::new(one_of(&vec![key.x_only(); 10_000]));
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(node, &[owner.script_pubkey(), leaf.script_pubkey()]).await;
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    leaf.place(&mut transaction.input[1], &[vec![]]);
    let verdict = verdict_of(node, &transaction).await;
    assert_refused(&verdict, "script-too-complex", 1);
}

/// As many keys as a `multi_a` can have are an honest script.
#[tokio::test]
async fn a_leaf_of_as_many_keys_as_there_can_be_is_accepted() {
    let node = Node::shared().await;
    let key = Key::random();
    let mut keys: Vec<_> = (0..998).map(|_| Key::random().x_only()).collect();
    keys.push(key.x_only());
    let leaf = Leaf::new(one_of(&keys));
    let psbt = leaf_beside_a_good_input(node, &leaf, &key).await;
    let verdict = verdict_of_bytes(node, &psbt.serialize()).await;
    assert_accepted(&verdict, "999 keys");
}

/// C8: every hash of a key in a script is compared with the hash of every key that has signed.
#[tokio::test]
async fn hundreds_of_signatures_for_hundreds_of_hashes_are_not_tried() {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    let mut script = Builder::new();
    for number in 0_u16..400 {
        let hash = bitcoin::hashes::hash160::Hash::hash(&number.to_be_bytes());
        script = script
            .push_opcode(OP_DUP)
            .push_opcode(OP_HASH160)
            .push_slice(hash.to_byte_array())
            .push_opcode(OP_EQUALVERIFY);
    }
    let script = script.into_script();
    let coins = coins(node, &[owner.script_pubkey(), p2wsh(&script)]).await;
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    let first = transaction.input[0].witness.clone();
    let signature = bitcoin::ecdsa::Signature::from_slice(first.nth(0).expect("a signature"));
    let signature = signature.expect("a signature");
    transaction.input[0].witness = Witness::new();
    let mut psbt = Psbt::from_unsigned_tx(transaction).expect("unsigned");
    psbt.inputs[0].final_script_witness = Some(first);
    psbt.inputs[1].witness_script = Some(script);
    let signers = (0..400).map(|_| (Key::random().public(), signature));
    psbt.inputs[1].partial_sigs = signers.collect();
    let verdict = verdict_of_bytes(node, &psbt.serialize()).await;
    assert_refused(&verdict, "script-too-complex", 1);
}

/// Signatures that nobody needs weigh nothing in the transaction, and are kept while the coins are looked up.
#[tokio::test]
async fn more_fields_than_any_wallet_writes() {
    let owner = Single::new(Lock::Wpkh);
    let coin = crate::forge::Coin {
        outpoint: OutPoint::new(Txid::hash(b"nowhere"), 0),
        output: bitcoin::TxOut {
            value: bitcoin::Amount::ONE_BTC,
            script_pubkey: owner.script_pubkey(),
        },
    };
    let coins = [coin];
    let mut psbt = Psbt::from_unsigned_tx(spend(&coins)).expect("unsigned");
    let signature = owner.signature(&psbt.unsigned_tx, &coins, 0, 0x01);
    let signature = bitcoin::ecdsa::Signature::from_slice(&signature).expect("a signature");
    psbt.inputs[0].partial_sigs = [(owner.key.public(), signature)].into();
    psbt.inputs[0].sha256_preimages = (0_u32..20_000)
        .map(|number| number.to_be_bytes().to_vec())
        .map(|preimage| (bitcoin::hashes::sha256::Hash::hash(&preimage), preimage))
        .collect();
    let refusal = read(SomePsbt::from(psbt).base64(), Vec::new()).expect_err("too many");
    assert_eq!(refusal.code(), "too-complex");
}

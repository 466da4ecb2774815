//! A7: of several signatures one leaves everything open and was taken from somewhere else. And A5:
//! fewer signatures than the script wants.

use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_NUMEQUAL, OP_PUSHNUM_2,
};
use bitcoin::script::Builder;
use bitcoin::sighash::EcdsaSighashType;
use bitcoin::{Amount, Psbt, ScriptBuf, Transaction, ecdsa};

use crate::forge::{
    Coin, FOREIGN, Key, Leaf, Sighash, coin, der, in_p2sh, in_p2wsh, p2sh, p2wsh, schnorr, spend,
};
use crate::support::node::{Node, SomePsbt};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of};

/// The types of two signatures of which at least one is foreign.
fn leaked() -> impl Iterator<Item = [u8; 2]> {
    FOREIGN
        .into_iter()
        .flat_map(|byte| [[byte, 0x01], [0x01, byte], [byte, byte]])
}

fn two_of_two(keys: &[Key; 2]) -> ScriptBuf {
    Builder::new()
        .push_opcode(OP_PUSHNUM_2)
        .push_key(&keys[0].public())
        .push_key(&keys[1].public())
        .push_opcode(OP_PUSHNUM_2)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script()
}

fn signing<'a>(transaction: &'a Transaction, coins: &'a [Coin], byte: u8) -> Sighash<'a> {
    Sighash {
        transaction,
        coins,
        input: 0,
        byte,
    }
}

#[tokio::test]
async fn a_leaked_signature_in_two_of_two_in_p2wsh_is_refused() {
    let node = Node::shared().await;
    let keys = [Key::random(), Key::random()];
    let script = two_of_two(&keys);
    let coins = [coin(node, p2wsh(&script)).await];
    let mut transaction = spend(&coins);
    let mut sign = |types: [u8; 2]| {
        let [first, second] = [0, 1].map(|index| {
            let message = signing(&transaction, &coins, types[index]).segwit(&script);
            der(message, &keys[index], types[index])
        });
        in_p2wsh(&mut transaction.input[0], &[vec![], first, second], &script);
        transaction.clone()
    };
    assert_accepted(&verdict_of(node, &sign([1, 1])).await, "both ALL");
    for types in leaked() {
        assert_refused(&verdict_of(node, &sign(types)).await, "foreign-sighash", 0);
    }
}

#[tokio::test]
async fn a_leaked_signature_in_two_of_two_in_p2sh_is_refused() {
    let node = Node::shared().await;
    let keys = [Key::random(), Key::random()];
    let script = two_of_two(&keys);
    let coins = [coin(node, p2sh(&script)).await];
    let mut transaction = spend(&coins);
    let mut sign = |types: [u8; 2]| {
        let [first, second] = [0, 1].map(|index| {
            let message = signing(&transaction, &coins, types[index]).legacy(&script);
            der(message, &keys[index], types[index])
        });
        in_p2sh(&mut transaction.input[0], &[vec![], first, second], &script);
        transaction.clone()
    };
    assert_accepted(&verdict_of(node, &sign([1, 1])).await, "both ALL");
    for types in leaked() {
        assert_refused(&verdict_of(node, &sign(types)).await, "foreign-sighash", 0);
    }
}

#[tokio::test]
async fn a_leaked_signature_in_two_of_two_in_a_leaf_is_refused() {
    let node = Node::shared().await;
    let keys = [Key::random(), Key::random()];
    let leaf = Builder::new()
        .push_x_only_key(&keys[0].x_only())
        .push_opcode(OP_CHECKSIG)
        .push_x_only_key(&keys[1].x_only())
        .push_opcode(OP_CHECKSIGADD)
        .push_opcode(OP_PUSHNUM_2)
        .push_opcode(OP_NUMEQUAL)
        .into_script();
    let leaf = Leaf::new(leaf);
    let coins = [coin(node, leaf.script_pubkey()).await];
    let mut transaction = spend(&coins);
    let mut sign = |types: [u8; 2]| {
        let [first, second] = [0, 1].map(|index| {
            let message = signing(&transaction, &coins, types[index]).taproot(Some(&leaf.script));
            schnorr(message, &keys[index].0, types[index])
        });
        leaf.place(&mut transaction.input[0], &[second, first]);
        transaction.clone()
    };
    for good in [[0, 0], [0, 1], [1, 1]] {
        assert_accepted(&verdict_of(node, &sign(good)).await, "ALL and DEFAULT");
    }
    for types in leaked() {
        assert_refused(&verdict_of(node, &sign(types)).await, "foreign-sighash", 0);
    }
}

/// The same as a file that is only signed: what is refused is the final input, not a field.
#[tokio::test]
async fn two_of_two_before_it_is_finalised() {
    let node = Node::shared().await;
    let keys = [Key::random(), Key::random()];
    let script = two_of_two(&keys);
    let coins = [coin(node, p2wsh(&script)).await];
    let transaction = spend(&coins);
    let file = |types: [u8; 2]| {
        let mut psbt = Psbt::from_unsigned_tx(transaction.clone()).expect("unsigned");
        psbt.inputs[0].witness_script = Some(script.clone());
        for (key, byte) in keys.iter().zip(types) {
            let message = signing(&transaction, &coins, byte).segwit(&script);
            let signature = ecdsa::Signature {
                signature: crate::forge::with_secp(|secp| {
                    secp.sign_ecdsa(&message, &key.0.secret_key())
                }),
                sighash_type: EcdsaSighashType::from_consensus(u32::from(byte)),
            };
            psbt.inputs[0].partial_sigs.insert(key.public(), signature);
        }
        psbt
    };
    let good = SomePsbt::from(file([1, 1]));
    assert_accepted(&verdict(node, good.base64()).await, "both ALL");
    for types in leaked() {
        let leaked = SomePsbt::from(file(types));
        assert_refused(&verdict(node, leaked.base64()).await, "foreign-sighash", 0);
    }
    let mut one = file([1, 1]);
    one.inputs[0].partial_sigs.pop_first();
    let one = SomePsbt::from(one);
    assert_refused(&verdict(node, one.base64()).await, "incomplete", 0);
}

/// One signer of two, as the node's wallets leave it.
#[tokio::test]
async fn one_signature_of_two() {
    let node = Node::shared().await;
    let multisig = node.multisig().await;
    let coin = multisig.fund(Amount::ONE_BTC).await;
    let psbt = multisig.self_transfer(&[coin]).await;
    for signer in 0..3 {
        let signed = multisig.sign(&psbt, &[signer], false).await;
        assert_refused(&verdict(node, signed.base64()).await, "incomplete", 0);
    }
}

/// One signature where two belong, put in place as if it were enough.
#[tokio::test]
async fn one_signature_that_calls_itself_final() {
    let node = Node::shared().await;
    let keys = [Key::random(), Key::random()];
    let script = two_of_two(&keys);
    let coins = [coin(node, p2wsh(&script)).await];
    let mut transaction = spend(&coins);
    let message = signing(&transaction, &coins, 0x01).segwit(&script);
    let signature = der(message, &keys[0], 0x01);
    for elements in [
        vec![vec![], signature.clone()],
        vec![vec![], signature.clone(), signature.clone()],
        vec![vec![], vec![], signature.clone()],
        vec![vec![], signature, vec![]],
    ] {
        in_p2wsh(&mut transaction.input[0], &elements, &script);
        assert_refused(
            &verdict_of(node, &transaction).await,
            "invalid-signature",
            0,
        );
    }
}

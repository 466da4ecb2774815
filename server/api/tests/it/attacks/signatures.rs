//! A5 and A10: inputs without a signature, or with one that is not valid.

use bitcoin::{ScriptBuf, Witness};

use crate::forge::{Lock, Single, coins, spend};
use crate::support::node::{AddressType, Node};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of};

/// What the forger starts from is in order: without this, every refusal below could have any reason.
#[tokio::test]
async fn the_workshop_makes_good_signatures_too() {
    let node = Node::shared().await;
    let singles = Single::all();
    let coins = coins(node, &singles.map(|single| single.script_pubkey())).await;
    for (index, (single, coin)) in singles.iter().zip(&coins).enumerate() {
        let coin = std::slice::from_ref(coin);
        let mut transaction = spend(coin);
        single.sign(&mut transaction, coin, 0, 0x01);
        assert_accepted(
            &verdict_of(node, &transaction).await,
            &format!("{:?}", Lock::ALL[index]),
        );
        if single.lock.is_taproot() {
            single.sign(&mut transaction, coin, 0, 0x00);
            assert_accepted(&verdict_of(node, &transaction).await, "DEFAULT");
        }
    }
    let mut all = spend(&coins);
    for (input, single) in singles.iter().enumerate() {
        single.sign(&mut all, &coins, input, 0x01);
    }
    assert_accepted(&verdict_of(node, &all).await, "all in one");
}

#[tokio::test]
async fn an_input_without_a_signature_among_signed_ones() {
    let node = Node::shared().await;
    let singles = Single::all();
    let coins = coins(node, &singles.map(|single| single.script_pubkey())).await;
    for unsigned in 0..coins.len() {
        let mut transaction = spend(&coins);
        for (input, single) in singles
            .iter()
            .enumerate()
            .filter(|(input, _)| *input != unsigned)
        {
            single.sign(&mut transaction, &coins, input, 0x01);
        }
        assert_refused(
            &verdict_of(node, &transaction).await,
            "not-signed",
            unsigned,
        );
    }
}

#[tokio::test]
async fn an_unsigned_input_in_a_psbt_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let other = node.wallet().await;
    let own = wallet
        .fund(AddressType::Bech32, bitcoin::Amount::ONE_BTC)
        .await;
    let theirs = other
        .fund(AddressType::Bech32m, bitcoin::Amount::ONE_BTC)
        .await;
    for finalize in [true, false] {
        let psbt = wallet.proof(&[own, theirs], finalize).await;
        assert_refused(&verdict(node, psbt.base64()).await, "not-signed", 1);
        // An empty witness is none, whatever the file calls it.
        let mut psbt = psbt.decode();
        psbt.inputs[1].final_script_witness = Some(Witness::new());
        psbt.inputs[1].final_script_sig = Some(ScriptBuf::new());
        let psbt = crate::support::node::SomePsbt::from(psbt);
        assert_refused(&verdict(node, psbt.base64()).await, "not-signed", 1);
    }
}

/// miniscript's finaliser and rust-bitcoin's `verify` both let such witnesses pass.
#[tokio::test]
async fn a_garbage_witness_that_calls_itself_final_is_refused() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        let sizes = if single.lock.is_taproot() {
            vec![64, 65, 71]
        } else {
            vec![71, 1]
        };
        for size in sizes {
            let mut garbage = vec![0x5a; size];
            garbage[size - 1] = 0x01;
            single.place(&mut transaction.input[0], garbage);
            assert_refused(
                &verdict_of(node, &transaction).await,
                "invalid-signature",
                0,
            );
        }
    }
}

#[tokio::test]
async fn a_flipped_bit_is_refused() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        let signature = single.signature(&transaction, &coins, 0, 0x01);
        // One bit in each half of the signature; the last byte is its type and has tests of its own.
        for byte in [signature.len() / 4, signature.len() * 3 / 4] {
            let mut flipped = signature.clone();
            flipped[byte] ^= 0x10;
            single.place(&mut transaction.input[0], flipped);
            assert_refused(
                &verdict_of(node, &transaction).await,
                "invalid-signature",
                0,
            );
        }
    }
}

#[tokio::test]
async fn signatures_of_two_inputs_in_each_others_place_are_refused() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey(), single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        let [first, second] = [0, 1].map(|input| single.signature(&transaction, &coins, input, 1));
        single.place(&mut transaction.input[0], second);
        single.place(&mut transaction.input[1], first);
        assert_refused(
            &verdict_of(node, &transaction).await,
            "invalid-signature",
            0,
        );
    }
}

/// The owner once signed something else.
#[tokio::test]
async fn a_signature_of_another_transaction() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey()]).await;
        let original = spend(&coins);
        let signature = single.signature(&original, &coins, 0, 0x01);
        let mut forged = original.clone();
        forged.output[0].value -= bitcoin::Amount::ONE_SAT;
        single.place(&mut forged.input[0], signature);
        assert_refused(&verdict_of(node, &forged).await, "invalid-signature", 0);
    }
}

#[tokio::test]
async fn a_signature_by_another_key() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        let thief = Single::new(single.lock);
        let signature = thief.signature(&transaction, &coins, 0, 0x01);
        single.place(&mut transaction.input[0], signature);
        assert_refused(
            &verdict_of(node, &transaction).await,
            "invalid-signature",
            0,
        );
    }
}

/// A10: DEFAULT has 64 bytes; the same with its type written out is another message (BIP-0341).
#[tokio::test]
async fn a_taproot_signature_with_the_type_zero() {
    let node = Node::shared().await;
    for lock in [Lock::TrKey, Lock::TrLeaf] {
        let single = Single::new(lock);
        let coins = coins(node, &[single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        let mut signature = single.signature(&transaction, &coins, 0, 0x00);
        signature.push(0x00);
        single.place(&mut transaction.input[0], signature);
        assert_refused(
            &verdict_of(node, &transaction).await,
            "invalid-signature",
            0,
        );
    }
}

/// The type of a signature is part of what it signs.
#[tokio::test]
async fn a_signature_with_its_type_changed() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        for foreign in crate::forge::FOREIGN {
            let mut signature = single.signature(&transaction, &coins, 0, foreign);
            *signature.last_mut().expect("a type") = 0x01;
            single.place(&mut transaction.input[0], signature);
            assert_refused(
                &verdict_of(node, &transaction).await,
                "invalid-signature",
                0,
            );
        }
    }
}

//! A5 and A10: inputs without a signature, or with one that is not valid.

use bitcoin::{Amount, ScriptBuf, Transaction, Witness};

use crate::forge::{Coin, FOREIGN, Single, coins, spend};
use crate::support::node::{AddressType, Node, SomePsbt};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of};

/// What the forger starts from is in order: without this, every refusal below could have any reason.
#[tokio::test]
async fn the_workshop_makes_good_signatures_too() {
    let node = Node::shared().await;
    let singles = Single::all();
    let coins = coins(node, &singles.map(|single| single.script_pubkey())).await;
    for (single, coin) in singles.iter().zip(&coins) {
        let coin = std::slice::from_ref(coin);
        let mut transaction = spend(coin);
        for byte in if single.lock.is_taproot() { 0..2 } else { 1..2 } {
            single.sign(&mut transaction, coin, 0, byte);
            let what = format!("{:?} {byte}", single.lock);
            assert_accepted(&verdict_of(node, &transaction).await, &what);
        }
    }
    let mut all = spend(&coins);
    for (input, single) in singles.iter().enumerate() {
        single.sign(&mut all, &coins, input, 0x01);
    }
    assert_accepted(&verdict_of(node, &all).await, "all in one");
    for unsigned in 0..coins.len() {
        let mut transaction = all.clone();
        transaction.input[unsigned].script_sig = ScriptBuf::new();
        transaction.input[unsigned].witness = Witness::new();
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
    let (wallet, other) = (node.wallet().await, node.wallet().await);
    let own = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let theirs = other.fund(AddressType::Bech32m, Amount::ONE_BTC).await;
    for finalize in [true, false] {
        let psbt = wallet.proof(&[own, theirs], finalize).await;
        assert_refused(&verdict(node, psbt.base64()).await, "not-signed", 1);
        // An empty witness is none, whatever the file calls it.
        let mut psbt = psbt.decode();
        psbt.inputs[1].final_script_witness = Some(Witness::new());
        psbt.inputs[1].final_script_sig = Some(ScriptBuf::new());
        let psbt = SomePsbt::from(psbt);
        assert_refused(&verdict(node, psbt.base64()).await, "not-signed", 1);
    }
}

/// Signatures that are not valid in the first input of this transaction.
type Forgery = fn(&Single, &Transaction, &[Coin]) -> Vec<Vec<u8>>;

const FORGERIES: [(&str, Forgery); 7] = [
    // The finalizer of miniscript and rust-bitcoin's `verify` both accept garbage that calls itself final.
    ("garbage", |single, _, _| {
        let sizes: &[usize] = if single.lock.is_taproot() {
            &[64, 65, 71]
        } else {
            &[71, 1]
        };
        let garbage = |size: &usize| [vec![0x5a; size - 1], vec![0x01]].concat();
        sizes.iter().map(garbage).collect()
    }),
    // One in each half of the signature; the last byte is its type.
    ("a flipped bit", |single, transaction, coins| {
        let signature = single.signature(transaction, coins, 0, 0x01);
        let flip = |byte: usize| {
            let mut flipped = signature.clone();
            flipped[byte] ^= 0x10;
            flipped
        };
        [signature.len() / 4, signature.len() * 3 / 4]
            .map(flip)
            .into()
    }),
    ("of another input", |single, transaction, coins| {
        vec![single.signature(transaction, coins, 1, 0x01)]
    }),
    ("of another transaction", |single, transaction, coins| {
        let mut other = transaction.clone();
        other.output[0].value -= Amount::ONE_SAT;
        vec![single.signature(&other, coins, 0, 0x01)]
    }),
    ("by another key", |single, transaction, coins| {
        vec![Single::new(single.lock).signature(transaction, coins, 0, 0x01)]
    }),
    // DEFAULT has 64 bytes; the same with its type written out is another message (BIP-0341).
    ("the type zero", |single, transaction, coins| {
        let default = || single.signature(transaction, coins, 0, 0x00);
        let taproot = single.lock.is_taproot();
        taproot
            .then(|| [default(), vec![0]].concat())
            .into_iter()
            .collect()
    }),
    ("its type changed", |single, transaction, coins| {
        let changed = |foreign: u8| {
            let mut signature = single.signature(transaction, coins, 0, foreign);
            *signature.last_mut().expect("a type") = 0x01;
            signature
        };
        FOREIGN.map(changed).into()
    }),
];

#[tokio::test]
async fn every_forged_signature_is_refused() {
    let node = Node::shared().await;
    for single in Single::all() {
        let coins = coins(node, &[single.script_pubkey(), single.script_pubkey()]).await;
        let mut transaction = spend(&coins);
        single.sign(&mut transaction, &coins, 1, 0x01);
        for (what, forgery) in FORGERIES {
            for signature in forgery(&single, &transaction, &coins) {
                let mut forged = transaction.clone();
                single.place(&mut forged.input[0], signature);
                println!("{:?}: {what}", single.lock);
                assert_refused(&verdict_of(node, &forged).await, "invalid-signature", 0);
            }
        }
    }
}

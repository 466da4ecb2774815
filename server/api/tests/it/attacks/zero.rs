//! A11: a claimed coin whose value on the chain is 0 is no holding.

use bitcoin::{Amount, ScriptBuf, Transaction, TxOut};
use verify::{UtxoHint, read};

use crate::forge::{Coin, Lock, MESSAGE, Single, coins_of, message, outputs, spend, still};
use crate::support::node::Node;
use crate::verdict::{
    assert_accepted, assert_refused, verdict_of, verdict_of_candidate, verdict_with,
};

/// Coins of one key with these values, in sats.
pub(crate) async fn worth(node: &Node, owner: &Single, values: &[u64]) -> Vec<Coin> {
    let output = |value: &u64| TxOut {
        value: Amount::from_sat(*value),
        script_pubkey: owner.script_pubkey(),
    };
    coins_of(node, values.iter().map(output).collect()).await
}

/// A signed transaction that pays this much.
pub(crate) fn paying(owner: &Single, coins: &[Coin], sats: u64) -> Transaction {
    let mut transaction = spend(coins);
    transaction.output = vec![TxOut {
        value: Amount::from_sat(sats),
        script_pubkey: owner.script_pubkey(),
    }];
    sign(owner, transaction, coins)
}

fn sign(owner: &Single, mut transaction: Transaction, coins: &[Coin]) -> Transaction {
    for input in 0..coins.len() {
        owner.sign(&mut transaction, coins, input, 0x01);
    }
    transaction
}

#[tokio::test]
async fn a_coin_of_0_sats_is_refused_by_its_input_whatever_else_is_in_the_file() {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    for (values, input) in [
        (&[0, 5_000][..], 0),
        (&[5_000, 0], 1),
        (&[0], 0),
        (&[0, 0], 0),
        (&[5_000, 7_000, 0, 0], 2),
    ] {
        let coins = worth(node, &owner, values).await;
        let sum: u64 = values.iter().sum();
        let transaction = paying(&owner, &coins, sum.saturating_sub(500));
        assert_refused(
            &verdict_of(node, &transaction).await,
            "coin-zero-value",
            input,
        );
        // A bound file, which pays no fee.
        let bound = sign(&owner, still(&coins), &coins);
        assert_refused(&verdict_of(node, &bound).await, "coin-zero-value", input);
    }
    let coins = worth(node, &owner, &[1, 5_000]).await;
    let transaction = paying(&owner, &coins, 4_000);
    assert_accepted(&verdict_of(node, &transaction).await, "a coin of 1 sat");
}

#[tokio::test]
async fn no_hint_gives_such_a_coin_a_value_and_the_hint_0_says_nothing() {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    let coins = worth(node, &owner, &[5_000, 0]).await;
    let file = bitcoin::consensus::encode::serialize(&paying(&owner, &coins, 4_000));
    let file = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, file);
    let hint = |value_sats, script_pubkey: ScriptBuf| UtxoHint {
        outpoint: coins[1].outpoint,
        value_sats,
        script_pubkey,
    };
    for hint in [
        hint(0, ScriptBuf::new()),
        hint(0, owner.script_pubkey()),
        hint(5_000, owner.script_pubkey()),
    ] {
        let verdict = verdict_with(node, &file, vec![hint]).await;
        assert_refused(&verdict, "coin-zero-value", 1);
    }
    let worth = worth(node, &owner, &[5_000]).await;
    let file = bitcoin::consensus::encode::serialize(&paying(&owner, &worth, 4_000));
    let file = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, file);
    let unstated = UtxoHint {
        outpoint: worth[0].outpoint,
        value_sats: 0,
        script_pubkey: ScriptBuf::new(),
    };
    assert_accepted(
        &verdict_with(node, &file, vec![unstated]).await,
        "not stated",
    );
}

/// Input 0 of a message spends nothing of any chain, and has no value either.
#[tokio::test]
async fn a_message_claims_its_coins_alone() {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    for (values, refused) in [
        (&[5_000][..], None),
        (&[5_000, 0], Some(2)),
        (&[0], Some(1)),
    ] {
        let claimed = worth(node, &owner, values).await;
        let (to_sign, coins) = message(owner.script_pubkey(), &claimed);
        let signed = sign(&owner, to_sign.clone(), &coins);
        let mut psbt = bitcoin::Psbt::from_unsigned_tx(to_sign).expect("unsigned");
        for ((fields, input), output) in
            (psbt.inputs.iter_mut().zip(&signed.input)).zip(outputs(&coins))
        {
            fields.final_script_witness = Some(input.witness.clone());
            fields.witness_utxo = Some(output);
        }
        let file =
            base64::Engine::encode(&base64::engine::general_purpose::STANDARD, psbt.serialize());
        let candidate = read(&file, Vec::new()).expect("a file");
        assert!(candidate.kind.message().is_some_and(|it| it.signs(MESSAGE)));
        let verdict = verdict_of_candidate(node, candidate).await;
        match refused {
            None => assert_accepted(&verdict, "input 0 claims nothing"),
            Some(input) => assert_refused(&verdict, "coin-zero-value", input),
        }
    }
}

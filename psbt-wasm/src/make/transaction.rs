//! The transaction that is signed.

use alloc::{vec, vec::Vec};

use bitcoin::absolute::LockTime;
use bitcoin::consensus::{deserialize, serialize};
use bitcoin::transaction::Version;
use bitcoin::{OutPoint, Sequence, Transaction, TxIn, TxOut};

use super::coins::Coins;
use super::message::Message;
use crate::binding::only_output;
use crate::read::transaction::TxOut as Output;
use crate::statement::script;

/// The unsigned transaction: a still one that says the statement, or that of the message.
pub(super) fn unsigned(
    coins: &Coins<'_>,
    message: Option<&Message>,
    lock_time: u32,
    statement: &str,
) -> Vec<u8> {
    let input = |outpoint: &[u8], sequence| TxIn {
        // The bytes are as long as an outpoint, so this does not fail.
        previous_output: deserialize::<OutPoint>(outpoint).unwrap_or_default(),
        sequence,
        ..TxIn::default()
    };
    let first = message.map(|message| input(&message.outpoint, Sequence(message.sequence)));
    let others = coins.coins.iter().map(|coin| {
        let lock = coin.relative_lock.map(Sequence);
        input(
            coin.outpoint,
            lock.unwrap_or(Sequence::ENABLE_RBF_NO_LOCKTIME),
        )
    });
    let pays = |value: u64, script: &[u8]| TxOut::from(Output { value, script });
    let output = if message.is_some() {
        vec![only_output()]
    } else {
        let back = |to: &super::coins::Script| pays(to.sats, coins.coins[to.first].spent.script);
        // Its length has been checked.
        let says = pays(0, &script(statement).unwrap_or_default());
        coins.outputs().map(back).chain([says]).collect()
    };
    serialize(&Transaction {
        // Relative locks count from this version on (BIP-0068).
        version: Version::TWO,
        lock_time: LockTime::from_consensus(lock_time),
        input: first.into_iter().chain(others).collect(),
        output,
    })
}

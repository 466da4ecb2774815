//! The transaction that is signed.

use alloc::vec::Vec;

use super::coins::Coins;
use super::message::Message;
use crate::read::transaction::TxOut;
use crate::read::version2::push_count;
use crate::statement::script;
use crate::write::output;

/// Relative locks count from this version on (BIP-0068).
const VERSION: u32 = 2;

/// No relative lock, and below the number that turns the lock time off.
const SEQUENCE: u32 = 0xffff_fffd;

/// BIP-0322: the only output of a message.
const BARE_OP_RETURN: &[u8] = &[0x6a];

/// The unsigned transaction: a still one that says the statement, or that of the message.
pub(super) fn unsigned(
    coins: &Coins<'_>,
    message: Option<&Message>,
    lock_time: u32,
    statement: &str,
) -> Vec<u8> {
    let mut bytes = Vec::from(VERSION.to_le_bytes());
    push_count(
        &mut bytes,
        coins.coins.len() + usize::from(message.is_some()),
    );
    if let Some(message) = message {
        push_input(&mut bytes, &message.outpoint, message.sequence);
    }
    for coin in &coins.coins {
        let sequence = coin.relative_lock.unwrap_or(SEQUENCE);
        push_input(&mut bytes, coin.outpoint, sequence);
    }
    if message.is_some() {
        push_count(&mut bytes, 1);
        push_output(&mut bytes, 0, BARE_OP_RETURN);
    } else {
        let outputs = coins.outputs().count() + 1;
        push_count(&mut bytes, outputs);
        for back in coins.outputs() {
            push_output(&mut bytes, back.sats, coins.coins[back.first].spent.script);
        }
        // Its length has been checked.
        push_output(&mut bytes, 0, &script(statement).unwrap_or_default());
    }
    bytes.extend(lock_time.to_le_bytes());
    bytes
}

fn push_input(bytes: &mut Vec<u8>, outpoint: &[u8; 36], sequence: u32) {
    bytes.extend(outpoint);
    // No script signature.
    bytes.push(0);
    bytes.extend(sequence.to_le_bytes());
}

fn push_output(bytes: &mut Vec<u8>, value: u64, script: &[u8]) {
    bytes.extend(output(TxOut { value, script }));
}

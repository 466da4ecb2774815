//! The two carriers of a statement: what they must be like (the rules that the server has for a submission).

use alloc::{vec, vec::Vec};

use super::finished::Spend;
use super::{Carrier, ProofFault, PublishedCoin, PublishedProof};
use crate::hash::sha256d;
use crate::read::duplicates::{firsts, start};
use crate::read::transaction::{Tx, TxOut};
use crate::statement::{LOCK_TIME, script};
use crate::to_spend::to_spend;

/// Longest script that can be run, in bytes (Core's `MAX_SCRIPT_SIZE`).
const MAX_SCRIPT_BYTES: usize = 10_000;

const FINAL_SEQUENCE: u32 = 0xffff_ffff;

/// BIP-0322: the only output says nothing.
const BARE_OP_RETURN: &[u8] = &[0x6a];

/// What the coins are worth together.
pub(super) fn check(
    proof: &PublishedProof<'_>,
    transaction: &Tx<'_>,
    spends: &[Spend<'_>],
) -> Result<u64, ProofFault> {
    let coins = &proof.coins[..];
    let (mut others, mut locked) = (false, false);
    for Spend { txin, coin, .. } in spends {
        others |= txin.outpoint != coin.outpoint;
        locked |= txin.sequence != FINAL_SEQUENCE;
    }
    if others {
        return Err(ProofFault::OtherCoins);
    }
    let outputs: Vec<TxOut<'_>> = transaction.outputs().collect();
    let claimed = match (proof.carrier, coins) {
        (Carrier::Message, [first, claimed @ ..]) => {
            message(
                proof.statement,
                transaction.version,
                &outputs,
                first,
                claimed,
            )?;
            claimed
        }
        _ => {
            still(proof.statement, &outputs, coins)?;
            if transaction.lock_time != LOCK_TIME {
                return Err(ProofFault::LockTime);
            }
            if !locked {
                return Err(ProofFault::Sequences);
            }
            coins
        }
    };
    let mut sum = 0_u64;
    for coin in claimed {
        sum = sum.checked_add(coin.value).ok_or(ProofFault::Sums)?;
    }
    Ok(sum)
}

/// A proof of funds (BIP-0322, "Verification Process") over this statement.
fn message(
    statement: &str,
    version: i32,
    outputs: &[TxOut<'_>],
    first: &PublishedCoin<'_>,
    claimed: &[PublishedCoin<'_>],
) -> Result<(), ProofFault> {
    let only = TxOut {
        value: 0,
        script: BARE_OP_RETURN,
    };
    let has_form = matches!(version, 0 | 2) && outputs == [only] && !claimed.is_empty();
    if !has_form {
        return Err(ProofFault::MessageForm);
    }
    let own = sha256d(&[&to_spend(statement.as_bytes(), first.script)]);
    let mut outpoint = [0; 36];
    outpoint[..32].copy_from_slice(&own);
    let runs = first.script.len() <= MAX_SCRIPT_BYTES;
    if *first.outpoint != outpoint || first.value != 0 || !runs {
        return Err(ProofFault::OtherMessage);
    }
    Ok(())
}

/// A still transaction that carries this statement.
fn still(
    statement: &str,
    outputs: &[TxOut<'_>],
    coins: &[PublishedCoin<'_>],
) -> Result<(), ProofFault> {
    let expected = script(statement).ok_or(ProofFault::NoStatement)?;
    let mut scripts = Vec::new();
    for coin in coins {
        scripts.push(coin.script);
    }
    for output in outputs {
        scripts.push(output.script);
    }
    let firsts = firsts(&scripts, start);
    let mut firsts = firsts.iter();
    // What each script has not got back yet, at the first that has it. The sum of all coins is checked elsewhere.
    let mut left = vec![0_u64; scripts.len()];
    for (coin, first) in coins.iter().zip(&mut firsts) {
        left[*first] = left[*first].wrapping_add(coin.value);
    }
    let (mut valueless, mut carries, mut is_more) = (0, false, false);
    for (output, first) in outputs.iter().zip(firsts) {
        if output.value == 0 {
            valueless += 1;
            carries |= output.script == expected;
        } else if *first >= coins.len() {
            return Err(ProofFault::Elsewhere);
        } else {
            let (rest, overflows) = left[*first].overflowing_sub(output.value);
            left[*first] = rest;
            is_more |= overflows;
        }
    }
    if !carries {
        return Err(ProofFault::NoStatement);
    }
    if valueless > 1 {
        return Err(ProofFault::Valueless);
    }
    if is_more || left.iter().any(|left| *left != 0) {
        return Err(ProofFault::Sums);
    }
    Ok(())
}

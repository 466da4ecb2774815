//! The coins of a file, and the scripts that they pay to.

use alloc::vec::Vec;

use super::{MakeError, MakeOptions};
use crate::amount::{MAX_MONEY, add};
use crate::read::cursor::Cursor;
use crate::read::duplicates::{firsts, start};
use crate::read::fields::input as field;
use crate::read::input::{Input, is_kept_previous};
use crate::read::maps::Psbt;
use crate::read::transaction::{Tx, TxOut};
use crate::{Error, ScriptType};

/// A coin that the proof is over.
#[derive(Debug)]
pub(super) struct Coin<'a> {
    /// The input of the file that spends it.
    pub(super) at: usize,
    pub(super) input: &'a Input<'a>,
    /// Its previous transaction, which an earlier input of a message may have.
    pub(super) previous: Option<&'a [u8]>,
    pub(super) outpoint: &'a [u8; 36],
    /// The input's relative lock, if it has one (BIP-0068).
    pub(super) relative_lock: Option<u32>,
    pub(super) spent: TxOut<'a>,
    pub(super) kind: ScriptType,
    /// The number of its script, in the order in which they appear.
    script: usize,
}

/// A script, and what its coins are worth together.
#[derive(Debug)]
pub(super) struct Script {
    /// The first of its coins.
    pub(super) first: usize,
    pub(super) sats: u64,
}

#[derive(Debug)]
pub(super) struct Coins<'a> {
    pub(super) coins: Vec<Coin<'a>>,
    pub(super) scripts: Vec<Script>,
    /// Inputs that are commitments of BIP-0127, which spend no coin.
    pub(super) commitments: Vec<usize>,
}

impl<'a> Coins<'a> {
    /// All coins of a file.
    pub(super) fn read(psbt: &'a Psbt<'a>, tx: &Tx<'a>) -> Result<Self, Error> {
        let is_message = psbt.message().is_some();
        // BIP-0068: from version 2 on, compared as an unsigned number.
        let has_relative_locks = !matches!(tx.version, 0 | 1);
        let mut coins = Vec::with_capacity(psbt.inputs.len());
        let mut commitments = Vec::new();
        let mut total = 0;
        for (at, (input, txin)) in psbt.inputs.iter().zip(tx.inputs()).enumerate() {
            let spent = psbt.spent_output(input, txin.vout());
            let spent = spent.map(|(output, _)| output);
            let has_no_value = spent.is_none_or(|spent| spent.value == 0);
            let previous = input.previous.and_then(|at| psbt.previous.get(at));
            // The file is a message already: its first input spends no coin.
            if previous.is_some_and(is_kept_previous) || is_message && at == 0 && has_no_value {
                continue;
            }
            if at == 0 && psbt.inputs.len() > 1 && is_commitment(input, spent) {
                commitments.push(at);
                continue;
            }
            let spent = spent.ok_or(MakeError::UnknownUtxo { input: at })?;
            if spent.value > MAX_MONEY {
                return Err(Error::AmountOutOfRange { input: Some(at) });
            }
            total = add(total, spent.value)?;
            let coin = Coin {
                at,
                input,
                previous: previous.map(Tx::bytes),
                outpoint: txin.outpoint,
                relative_lock: (has_relative_locks && txin.sequence & RELATIVE_LOCK_DISABLED == 0)
                    .then_some(txin.sequence),
                spent,
                kind: input.script_type(spent.script),
                script: coins.len(),
            };
            if coin.is_segwit() == Some(false) && input.previous.is_none() {
                return Err(MakeError::NoPreviousTransaction { input: at }.into());
            }
            coins.push(coin);
        }
        if coins.is_empty() {
            return Err(MakeError::NoCoins.into());
        }
        let mut coins = Self {
            coins,
            scripts: Vec::new(),
            commitments,
        };
        coins.number_scripts();
        coins.collect_scripts();
        Ok(coins)
    }

    /// Keeps only the coins of one part of the file. Returns the number of parts.
    pub(super) fn select(&mut self, options: &MakeOptions<'_>) -> Result<usize, MakeError> {
        let most = options.split.unwrap_or(usize::MAX);
        let parts = self.scripts.len().div_ceil(most);
        if options.part >= parts {
            return Err(MakeError::NoSuchPart);
        }
        if parts > 1 {
            let from = options.part * most;
            self.coins
                .retain(|coin| (from..from + most).contains(&coin.script));
            for coin in &mut self.coins {
                coin.script -= from;
            }
            self.collect_scripts();
        }
        Ok(parts)
    }

    /// What the coins are worth together.
    pub(super) fn sats(&self) -> u64 {
        self.scripts.iter().map(|script| script.sats).sum()
    }

    /// The scripts that a still transaction pays back to. It has only one output without value, that of the statement.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Script> {
        self.scripts.iter().filter(|script| script.sats > 0)
    }

    fn number_scripts(&mut self) {
        let all = self.coins.iter().map(|coin| coin.spent.script);
        let firsts = firsts(&all.collect::<Vec<_>>(), start);
        let mut scripts = 0;
        for (at, first) in firsts.into_iter().enumerate() {
            if first == at {
                self.coins[at].script = scripts;
                scripts += 1;
            } else {
                self.coins[at].script = self.coins[first].script;
            }
        }
    }

    /// The numbers of the coins' scripts begin with 0, and each new one is the next.
    fn collect_scripts(&mut self) {
        self.scripts.clear();
        for (at, coin) in self.coins.iter().enumerate() {
            if coin.script == self.scripts.len() {
                self.scripts.push(Script { first: at, sats: 0 });
            }
            // The sum of all has been checked.
            self.scripts[coin.script].sats += coin.spent.value;
        }
    }
}

/// Whether the first input is the commitment of a proof of reserves of BIP-0127: it says so, or, as the tool of that BIP writes it,
/// spends an output without value that needs no signature.
fn is_commitment(input: &Input<'_>, spent: Option<TxOut<'_>>) -> bool {
    const OP_TRUE: u8 = 0x51;
    let spends_nothing = TxOut {
        value: 0,
        script: &[OP_TRUE],
    };
    let says_so = Cursor::new(input.map).find(field::POR_COMMITMENT);
    says_so.is_some() || spent == Some(spends_nothing)
}

/// BIP-0068: a sequence with this bit has no meaning as a lock.
const RELATIVE_LOCK_DISABLED: u32 = 1 << 31;

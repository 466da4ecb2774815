//! SHA-256 (FIPS 180-4) of four messages side by side, by the vector instructions of WebAssembly, which every current browser has.

use alloc::{vec, vec::Vec};
use core::arch::wasm32::{
    u8x16_shuffle, u32x4, u32x4_add as add, u32x4_extract_lane, u32x4_shl, u32x4_shr,
    u32x4_shuffle, u32x4_splat as splat, u64x2, v128 as Vector, v128_and as and, v128_or as or,
    v128_xor as xor,
};

/// Bytes that go through the rounds together.
const BLOCK: usize = 64;

/// FIPS 180-4, 5.3.3.
const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// FIPS 180-4, 4.2.2.
#[rustfmt::skip]
static K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

const LANES: usize = 4;

/// A SHA-256 state: eight words.
type State = [u32; 8];

/// SHA-256 of `count` messages. A message is the concatenation of its pieces.
pub(super) fn hashes<'a>(count: usize, message: &dyn Fn(usize) -> [&'a [u8]; 3]) -> Vec<[u8; 32]> {
    let mut hashes = vec![[0; 32]; count];
    let mut waiting = 0..count;
    let mut states = [[0; LANES]; 8];
    let mut lanes: [Lane; LANES] = Default::default();
    loop {
        let mut running = false;
        for (at, lane) in lanes.iter_mut().enumerate() {
            if lane.is_done() {
                if let Some(hash) = lane.message.and_then(|message| hashes.get_mut(message)) {
                    *hash = digest(&states, at);
                }
                lane.message = waiting.next();
                if let Some(next) = lane.message {
                    lane.start(message(next));
                    put(&mut states, at, &INITIAL);
                }
            }
            running |= lane.message.is_some();
        }
        if !running {
            return hashes;
        }
        compress(&mut states, lanes.each_mut().map(Lane::next_block));
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
    for (four, words) in bytes.chunks_exact_mut(4).zip(states) {
        four.copy_from_slice(&words[lane].to_be_bytes());
    }
    bytes
}

/// A message on its way through the rounds, block by block.
#[derive(Default)]
struct Lane {
    /// Its position; none in a lane that has run out of messages.
    message: Option<usize>,
    /// The message with its padding. A copy, because a tenth of the time of hashing is less than the code for pieces.
    padded: Vec<u8>,
    /// How many of its blocks are done.
    blocks: usize,
}

impl Lane {
    fn start(&mut self, pieces: [&[u8]; 3]) {
        self.blocks = 0;
        self.padded.clear();
        for piece in pieces {
            self.padded.extend_from_slice(piece);
        }
        // FIPS 180-4, 5.1.1: a bit, zeros, and the length in bits at the end of a block.
        let bits = self.padded.len() as u64 * 8;
        self.padded.push(0x80);
        let end = (self.padded.len() + 8).next_multiple_of(BLOCK);
        self.padded.resize(end - 8, 0);
        self.padded.extend_from_slice(&bits.to_be_bytes());
    }

    fn is_done(&self) -> bool {
        self.blocks * BLOCK == self.padded.len()
    }

    #[inline]
    fn next_block(&mut self) -> &[u8; BLOCK] {
        const IDLE: &[u8; BLOCK] = &[0; BLOCK];
        let rest = self.padded.get(self.blocks * BLOCK..);
        match rest.and_then(|rest| rest.first_chunk()) {
            Some(block) => {
                self.blocks += 1;
                block
            }
            None => IDLE,
        }
    }
}

/// Takes one block of each message through all rounds.
#[target_feature(enable = "simd128")]
fn compress(states: &mut [[u32; LANES]; 8], blocks: [&[u8; BLOCK]; LANES]) {
    let mut w = [splat(0); 16];
    for (quarter, words) in w.chunks_exact_mut(4).enumerate() {
        words.copy_from_slice(&four_words(blocks, quarter));
    }
    let mut before = [splat(0); 8];
    for (vector, words) in before.iter_mut().zip(&*states) {
        *vector = load(*words);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = before;
    for start in (0..64).step_by(16) {
        for at in 0..16 {
            if start > 0 {
                w[at] = add(
                    add(w[at], small::<7, 18, 3>(w[(at + 1) & 15])),
                    add(w[(at + 9) & 15], small::<17, 19, 10>(w[(at + 14) & 15])),
                );
            }
            let first = add(
                add(add(h, big::<6, 11, 25>(e)), choose(e, f, g)),
                add(splat(K[start + at]), w[at]),
            );
            let second = add(big::<2, 13, 22>(a), majority(a, b, c));
            (h, g, f, e) = (g, f, e, add(d, first));
            (d, c, b, a) = (c, b, a, add(first, second));
        }
    }
    let after = [a, b, c, d, e, f, g, h];
    for at in 0..8 {
        states[at] = store(add(before[at], after[at]));
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn choose(e: Vector, f: Vector, g: Vector) -> Vector {
    xor(g, and(e, xor(f, g)))
}

#[inline]
#[target_feature(enable = "simd128")]
fn majority(a: Vector, b: Vector, c: Vector) -> Vector {
    or(and(a, b), and(c, or(a, b)))
}

/// Four big endian words of each block, from the word `4 * quarter` on. Rows are loaded whole and transposed, which
/// makes the function a tenth quicker than loading word by word.
#[inline]
#[target_feature(enable = "simd128")]
fn four_words(blocks: [&[u8; BLOCK]; LANES], quarter: usize) -> [Vector; 4] {
    let [a, b, c, d] = blocks.map(|block| load_big_endian(block, quarter));
    let (ab, cd) = (shuffle::<0, 4, 1, 5>(a, b), shuffle::<0, 4, 1, 5>(c, d));
    let (ab_end, cd_end) = (shuffle::<2, 6, 3, 7>(a, b), shuffle::<2, 6, 3, 7>(c, d));
    [
        shuffle::<0, 1, 4, 5>(ab, cd),
        shuffle::<2, 3, 6, 7>(ab, cd),
        shuffle::<0, 1, 4, 5>(ab_end, cd_end),
        shuffle::<2, 3, 6, 7>(ab_end, cd_end),
    ]
}

#[inline]
#[target_feature(enable = "simd128")]
fn rotated<const N: u32>(vector: Vector) -> Vector {
    or(u32x4_shr(vector, N), u32x4_shl(vector, 32 - N))
}

#[inline]
#[target_feature(enable = "simd128")]
fn load([a, b, c, d]: [u32; 4]) -> Vector {
    u32x4(a, b, c, d)
}

/// Four big endian words: a quarter of a block.
#[inline]
#[target_feature(enable = "simd128")]
fn load_big_endian(block: &[u8; BLOCK], quarter: usize) -> Vector {
    let half = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&block[8 * at..8 * at + 8]);
        u64::from_le_bytes(bytes)
    };
    let row = u64x2(half(2 * quarter), half(2 * quarter + 1));
    u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(row, row)
}

#[inline]
#[target_feature(enable = "simd128")]
fn store(vector: Vector) -> [u32; 4] {
    [
        u32x4_extract_lane::<0>(vector),
        u32x4_extract_lane::<1>(vector),
        u32x4_extract_lane::<2>(vector),
        u32x4_extract_lane::<3>(vector),
    ]
}

/// Four of the eight words of two vectors.
#[inline]
#[target_feature(enable = "simd128")]
fn shuffle<const A: usize, const B: usize, const C: usize, const D: usize>(
    one: Vector,
    other: Vector,
) -> Vector {
    u32x4_shuffle::<A, B, C, D>(one, other)
}

/// Σ0 and Σ1 (FIPS 180-4, 4.1.2).
#[inline]
#[target_feature(enable = "simd128")]
fn big<const A: u32, const B: u32, const C: u32>(x: Vector) -> Vector {
    xor(rotated::<A>(x), xor(rotated::<B>(x), rotated::<C>(x)))
}

/// σ0 and σ1.
#[inline]
#[target_feature(enable = "simd128")]
fn small<const A: u32, const B: u32, const C: u32>(x: Vector) -> Vector {
    xor(rotated::<A>(x), xor(rotated::<B>(x), u32x4_shr(x, C)))
}

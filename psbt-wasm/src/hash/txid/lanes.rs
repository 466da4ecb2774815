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

/// SHA-256 of `count` messages, each of which is what its pieces make together.
pub(super) fn hashes<'a>(count: usize, message: &dyn Fn(usize) -> [&'a [u8]; 3]) -> Vec<[u8; 32]> {
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

/// Takes one block of each message through all rounds.
#[target_feature(enable = "simd128")]
fn compress(states: &mut [[u32; LANES]; 8], blocks: [&[u8; BLOCK]; LANES]) {
    let mut w = [splat(0); 16];
    for (quarter, words) in w.as_chunks_mut().0.iter_mut().enumerate() {
        *words = four_words(blocks, quarter);
    }
    let before = [
        load(states[0]),
        load(states[1]),
        load(states[2]),
        load(states[3]),
        load(states[4]),
        load(states[5]),
        load(states[6]),
        load(states[7]),
    ];
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = before;
    for start in (0..64).step_by(16) {
        for at in 0..16 {
            if start > 0 {
                w[at] = add(
                    add(w[at], small_0(w[(at + 1) & 15])),
                    add(w[(at + 9) & 15], small_1(w[(at + 14) & 15])),
                );
            }
            let first = add(
                add(add(h, big_1(e)), choose(e, f, g)),
                add(splat(K[start + at]), w[at]),
            );
            let second = add(big_0(a), majority(a, b, c));
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

#[inline]
#[target_feature(enable = "simd128")]
fn big_0(x: Vector) -> Vector {
    xor(
        rotate_right::<2>(x),
        xor(rotate_right::<13>(x), rotate_right::<22>(x)),
    )
}

#[inline]
#[target_feature(enable = "simd128")]
fn big_1(x: Vector) -> Vector {
    xor(
        rotate_right::<6>(x),
        xor(rotate_right::<11>(x), rotate_right::<25>(x)),
    )
}

/// Four big endian words of each block, from the word `4 * quarter` on. Rows are loaded whole and transposed, which
/// makes the function a tenth quicker than loading word by word.
#[inline]
#[target_feature(enable = "simd128")]
fn four_words(blocks: [&[u8; BLOCK]; LANES], quarter: usize) -> [Vector; 4] {
    let [a, b, c, d] = blocks.map(|block| load_big_endian(&block.as_chunks().0[quarter]));
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
fn shift_right<const N: u32>(vector: Vector) -> Vector {
    u32x4_shr(vector, N)
}

#[inline]
#[target_feature(enable = "simd128")]
fn rotate_right<const N: u32>(vector: Vector) -> Vector {
    or(u32x4_shr(vector, N), u32x4_shl(vector, 32 - N))
}

#[inline]
#[target_feature(enable = "simd128")]
fn load([a, b, c, d]: [u32; 4]) -> Vector {
    u32x4(a, b, c, d)
}

/// Four big endian words.
#[inline]
#[target_feature(enable = "simd128")]
fn load_big_endian(bytes: &[u8; 16]) -> Vector {
    let (halves, _) = bytes.as_chunks();
    let row = u64x2(u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1]));
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

/// FIPS 180-4, 4.1.2.
#[inline]
#[target_feature(enable = "simd128")]
fn small_0(x: Vector) -> Vector {
    xor(
        rotate_right::<7>(x),
        xor(rotate_right::<18>(x), shift_right::<3>(x)),
    )
}

/// FIPS 180-4, 4.1.2.
#[inline]
#[target_feature(enable = "simd128")]
fn small_1(x: Vector) -> Vector {
    xor(
        rotate_right::<17>(x),
        xor(rotate_right::<19>(x), shift_right::<10>(x)),
    )
}

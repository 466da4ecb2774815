//! SHA-256.

use super::vector::{Vector, add, load, load_big_endian, shuffle, small_0, small_1, splat, store};

/// Bytes that go through the rounds together.
pub(crate) const BLOCK: usize = 64;

/// FIPS 180-4, 5.3.3.
pub(crate) const INITIAL: [u32; 8] = [
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
pub(crate) static K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The hash of what the pieces make together.
#[inline(never)]
pub(crate) fn sha256(pieces: &[&[u8]]) -> [u8; 32] {
    let mut state = INITIAL;
    let mut block = [0; BLOCK];
    let (mut filled, mut length) = (0, 0_u64);
    for mut piece in pieces.iter().copied() {
        length += piece.len() as u64;
        while !piece.is_empty() {
            // Whole blocks are hashed where they are.
            if filled == 0
                && let Some((whole, rest)) = piece.split_first_chunk()
            {
                compress(&mut state, whole);
                piece = rest;
                continue;
            }
            let (start, rest) = piece.split_at(piece.len().min(BLOCK - filled));
            block[filled..][..start.len()].copy_from_slice(start);
            filled += start.len();
            piece = rest;
            if filled == BLOCK {
                compress(&mut state, &block);
                filled = 0;
            }
        }
    }
    // FIPS 180-4, 5.1.1: a bit, zeros, and the length in bits.
    block[filled] = 0x80;
    block[filled + 1..].fill(0);
    if filled >= BLOCK - 8 {
        compress(&mut state, &block);
        block = [0; BLOCK];
    }
    block[BLOCK - 8..].copy_from_slice(&(8 * length).to_be_bytes());
    compress(&mut state, &block);
    let mut hash = [0; 32];
    for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    hash
}

/// FIPS 180-4, 6.2.2. Vectors make the words, four at a time; the rounds come one after the other.
#[inline(never)]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let (rows, _) = block.as_chunks();
    let mut words: [Vector; 4] = [
        load_big_endian(&rows[0]),
        load_big_endian(&rows[1]),
        load_big_endian(&rows[2]),
        load_big_endian(&rows[3]),
    ];
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    let mut b_xor_c = b ^ c;
    // A macro, because a loop would not be written out: the flags of `xtask` keep the compiler from that.
    macro_rules! round {
        ($sum:expr) => {
            // Rotations of rotations need fewer copies of the word. 6, 11 and 25 in all, then 2, 13 and 22.
            let big_1 = ((e.rotate_right(14) ^ e).rotate_right(5) ^ e).rotate_right(6);
            let big_0 = ((a.rotate_right(9) ^ a).rotate_right(11) ^ a).rotate_right(2);
            let first = h
                .wrapping_add($sum)
                .wrapping_add(g ^ e & (f ^ g))
                .wrapping_add(big_1);
            // The majority of a, b and c.
            let a_xor_b = a ^ b;
            let majority = b ^ a_xor_b & b_xor_c;
            b_xor_c = a_xor_b;
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(majority).wrapping_add(big_0));
        };
    }
    for constants in K.as_chunks().0 {
        let sums = store(add(words[0], load(*constants)));
        round!(sums[0]);
        round!(sums[1]);
        round!(sums[2]);
        round!(sums[3]);
        words = [words[1], words[2], words[3], next_words(words)];
    }
    for (word, after) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(after);
    }
}

/// The four words that follow sixteen.
#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn next_words([first, second, third, fourth]: [Vector; 4]) -> Vector {
    let zero = splat(0);
    let fifteen_before = shuffle::<1, 2, 3, 4>(first, second);
    let seven_before = shuffle::<1, 2, 3, 4>(third, fourth);
    let words = add(add(first, small_0(fifteen_before)), seven_before);
    // The last two need the first two.
    let words = add(words, small_1(shuffle::<2, 3, 4, 4>(fourth, zero)));
    add(words, small_1(shuffle::<4, 4, 0, 1>(words, zero)))
}

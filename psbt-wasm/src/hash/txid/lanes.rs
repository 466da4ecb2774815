//! The compression function of SHA-256 (FIPS 180-4, 6.2.2) on four states at once.

use super::LANES;
use crate::hash::vector::{
    Vector, add, and, load, load_big_endian, or, rotate_right, shuffle, small_0, small_1, splat,
    store, xor,
};
use crate::hash::{BLOCK, K};

/// Takes one block of each message through all rounds.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub(crate) fn compress(states: &mut [[u32; LANES]; 8], blocks: [&[u8; BLOCK]; LANES]) {
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
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn choose(e: Vector, f: Vector, g: Vector) -> Vector {
    xor(g, and(e, xor(f, g)))
}

#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn majority(a: Vector, b: Vector, c: Vector) -> Vector {
    or(and(a, b), and(c, or(a, b)))
}

#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn big_0(x: Vector) -> Vector {
    xor(
        rotate_right::<2>(x),
        xor(rotate_right::<13>(x), rotate_right::<22>(x)),
    )
}

#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn big_1(x: Vector) -> Vector {
    xor(
        rotate_right::<6>(x),
        xor(rotate_right::<11>(x), rotate_right::<25>(x)),
    )
}

/// Four big endian words of each block, from the word `4 * quarter` on. Rows are loaded whole and transposed, which
/// makes the function a tenth quicker than loading word by word.
#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
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

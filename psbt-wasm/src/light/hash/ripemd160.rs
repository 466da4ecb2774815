//! RIPEMD-160. Only nested segwit and rare fields need it, so it is written for size.

/// Which word of the block each step takes.
#[rustfmt::skip]
const WORDS: [[u8; 80]; 2] = [
    [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8,
        3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12,
        1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2,
        4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
    ],
    [
        5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12,
        6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2,
        15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13,
        8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14,
        12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
    ],
];

/// How far each step rotates.
#[rustfmt::skip]
const SHIFTS: [[u8; 80]; 2] = [
    [
        11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8,
        7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12,
        11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5,
        11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12,
        9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
    ],
    [
        8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6,
        9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11,
        9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5,
        15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8,
        8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
    ],
];

/// What is added in each round of 16 steps.
const ADDED: [[u32; 5]; 2] = [
    [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e],
    [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0],
];

/// The hash of some bytes.
pub(in crate::light) fn ripemd160(bytes: &[u8]) -> [u8; 20] {
    // A bit, zeros, and the length in bits.
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((bytes.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((8 * bytes.len() as u64).to_le_bytes());
    let mut state = [
        0x6745_2301,
        0xefcd_ab89,
        0x98ba_dcfe,
        0x1032_5476,
        0xc3d2_e1f0,
    ];
    for block in padded.as_chunks::<64>().0 {
        compress(&mut state, block);
    }
    let mut hash = [0; 20];
    for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    hash
}

fn compress(state: &mut [u32; 5], block: &[u8; 64]) {
    let words = block.as_chunks().0;
    let [left, right] = [0, 1].map(|line| {
        let [mut a, mut b, mut c, mut d, mut e] = *state;
        for step in 0..80 {
            let round = step / 16;
            // The right line takes the functions in reverse.
            let mixed = match if line == 0 { round } else { 4 - round } {
                0 => b ^ c ^ d,
                1 => b & c | !b & d,
                2 => (b | !c) ^ d,
                3 => b & d | c & !d,
                _ => b ^ (c | !d),
            };
            let rotated = a
                .wrapping_add(mixed)
                .wrapping_add(u32::from_le_bytes(words[usize::from(WORDS[line][step])]))
                .wrapping_add(ADDED[line][round])
                .rotate_left(SHIFTS[line][step].into())
                .wrapping_add(e);
            (a, e, d, c, b) = (e, d, c.rotate_left(10), b, rotated);
        }
        [a, b, c, d, e]
    });
    *state = core::array::from_fn(|at| {
        state[(at + 1) % 5]
            .wrapping_add(left[(at + 2) % 5])
            .wrapping_add(right[(at + 3) % 5])
    });
}

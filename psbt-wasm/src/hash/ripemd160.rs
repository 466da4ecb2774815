//! RIPEMD-160. Only nested segwit and rare fields need it, so it is written for size.

/// The order of the words in a round, from that in the round before.
const NEXT: [u8; 16] = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8];

/// How far each round rotates with each word.
#[rustfmt::skip]
const SHIFTS: [[u8; 16]; 5] = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
];

/// What is added in each round of 16 steps.
const ADDED: [[u32; 5]; 2] = [
    [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e],
    [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0],
];

/// The hash of some bytes.
pub(crate) fn ripemd160(bytes: &[u8]) -> [u8; 20] {
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
            let mut word = step % 16;
            if line == 1 {
                word = (9 * word + 5) % 16;
            }
            for _ in 0..round {
                word = usize::from(NEXT[word]);
            }
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
                .wrapping_add(u32::from_le_bytes(words[word]))
                .wrapping_add(ADDED[line][round])
                .rotate_left(SHIFTS[round][word].into())
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

//! SHA-256.

/// Bytes that go through the rounds together.
pub(in crate::light) const BLOCK: usize = 64;

/// FIPS 180-4, 5.3.3.
pub(in crate::light) const INITIAL: [u32; 8] = [
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
pub(in crate::light) static K: [u32; 64] = [
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
pub(in crate::light) fn sha256(pieces: &[&[u8]]) -> [u8; 32] {
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

/// FIPS 180-4, 6.2.2.
#[inline(never)]
fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    // The last 16 words are made and not needed.
    let mut w = [0_u32; 80];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    let mut s = *state;
    for (start, k) in K.as_chunks::<8>().0.iter().enumerate() {
        let Some(w) = w[8 * start..].first_chunk_mut::<24>() else {
            return;
        };
        // After eight rounds each word of the state is in its place again.
        round::<0>(&mut s, w, k);
        round::<1>(&mut s, w, k);
        round::<2>(&mut s, w, k);
        round::<3>(&mut s, w, k);
        round::<4>(&mut s, w, k);
        round::<5>(&mut s, w, k);
        round::<6>(&mut s, w, k);
        round::<7>(&mut s, w, k);
    }
    for (word, after) in state.iter_mut().zip(s) {
        *word = word.wrapping_add(after);
    }
}

#[inline(always)]
fn round<const AT: usize>(s: &mut [u32; 8], w: &mut [u32; 24], k: &[u32; 8]) {
    let (two, fifteen) = (w[AT + 14], w[AT + 1]);
    let small_0 = fifteen.rotate_right(7) ^ fifteen.rotate_right(18) ^ fifteen >> 3;
    let small_1 = two.rotate_right(17) ^ two.rotate_right(19) ^ two >> 10;
    w[AT + 16] = small_1
        .wrapping_add(w[AT + 9])
        .wrapping_add(small_0)
        .wrapping_add(w[AT]);
    // The state turns instead of moving: a is where h was a round ago.
    let [a, b, c, e, f, g] = [0, 1, 2, 4, 5, 6].map(|at: usize| s[at.wrapping_sub(AT) & 7]);
    let big_1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
    let big_0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
    let first = s[7_usize.wrapping_sub(AT) & 7]
        .wrapping_add(big_1)
        .wrapping_add(g ^ e & (f ^ g))
        .wrapping_add(k[AT])
        .wrapping_add(w[AT]);
    let d = &mut s[3_usize.wrapping_sub(AT) & 7];
    *d = d.wrapping_add(first);
    s[7_usize.wrapping_sub(AT) & 7] = first.wrapping_add(big_0).wrapping_add(a & b | c & (a | b));
}

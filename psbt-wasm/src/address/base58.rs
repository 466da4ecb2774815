//! Base58 with a checksum, for the 21 bytes of an address.
//!
//! Our own, because the crate `base58ck` takes numbers of any length: with this one the module that browsers load first is
//! 2.4 kB smaller (Brotli).

use alloc::vec::Vec;

use crate::hash::sha256d;

/// Appends the text of a version and a hash.
pub(super) fn base58check(version: u8, hash: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    /// As many digits at once as fit into 32 bits.
    const AT_ONCE: u64 = 58_u64.pow(5);

    let mut bytes = [0; 28];
    bytes[3] = version;
    bytes[4..24].copy_from_slice(hash);
    let checksum = sha256d(&[&bytes[3..24]]);
    bytes[24..].copy_from_slice(&checksum[..4]);
    let zeros = bytes[3..].iter().take_while(|byte| **byte == 0).count();

    let mut limbs = [0_u32; 7];
    for (limb, four) in limbs.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *limb = u32::from_be_bytes(*four);
    }
    // 35 digits are more than 25 bytes need.
    let mut text = [b'1'; 35];
    for five in text.as_chunks_mut::<5>().0.iter_mut().rev() {
        let mut remainder = 0_u64;
        for limb in &mut limbs {
            let dividend = remainder << 32 | u64::from(*limb);
            *limb = low(dividend / AT_ONCE);
            remainder = dividend % AT_ONCE;
        }
        let mut digits = low(remainder);
        for digit in five.iter_mut().rev() {
            *digit = DIGITS[digits as usize % 58];
            digits /= 58;
        }
    }
    let first = text.iter().take_while(|digit| **digit == b'1').count();
    out.extend(core::iter::repeat_n(b'1', zeros));
    out.extend(&text[first..]);
}

/// The lower half.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the upper half is zero: quotients and remainders of the division by AT_ONCE"
)]
fn low(number: u64) -> u32 {
    number as u32
}

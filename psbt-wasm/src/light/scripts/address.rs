//! Scripts as people write them: base58check and bech32 (BIP-0173, BIP-0350).

use alloc::vec::Vec;

use super::kind;
use crate::ScriptType;
use crate::light::Network;
use crate::light::hash::sha256d;

/// Appends the address of a script; none when it has none.
pub(crate) fn address(script: &[u8], network: Network, out: &mut Vec<u8>) {
    match kind(script) {
        ScriptType::P2pkh => base58check(network.p2pkh_version(), &script[3..23], out),
        ScriptType::P2sh => base58check(network.p2sh_version(), &script[2..22], out),
        _ => {
            if let Some((version, program)) = witness_program(script) {
                bech32(network, version, program, out);
            }
        }
    }
}

/// How long an address can be at most, 0 for no address.
pub(crate) fn address_length(script: &[u8]) -> usize {
    match script.len() {
        23 | 25 => 35,
        length @ 4..=42 => 14 + length * 8 / 5,
        _ => 0,
    }
}

/// BIP-0141, "Witness program"; version 0 has only two lengths.
fn witness_program(script: &[u8]) -> Option<(u8, &[u8])> {
    let [version, length, program @ ..] = script else {
        return None;
    };
    if usize::from(*length) != program.len() || !(2..=40).contains(length) {
        return None;
    }
    match (version, length) {
        (0, 20 | 32) => Some((0, program)),
        (0x51..=0x60, _) => Some((version - 0x50, program)),
        _ => None,
    }
}

fn base58check(version: u8, hash: &[u8], out: &mut Vec<u8>) {
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

fn bech32(network: Network, version: u8, program: &[u8], out: &mut Vec<u8>) {
    const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let letter = |digit: u32| LETTERS[digit as usize & 31];

    let mut checksum = beginning(network, out);
    // Letter by letter: copying bytes of a length that is not known before is a slow call in browsers.
    let mut bytes = program.iter();
    let (mut pending, mut bits) = (u32::from(version), 5);
    for _ in 0..1 + (8 * program.len()).div_ceil(5) {
        if bits < 5 {
            // Zero bits fill up the last digit.
            let byte = bytes.next().copied().unwrap_or_default();
            pending = pending << 8 | u32::from(byte);
            bits += 8;
        }
        bits -= 5;
        let digit = pending >> bits & 31;
        checksum = checksum.after(digit);
        out.push(letter(digit));
    }
    // BIP-0350: version 0 keeps the constant of BIP-0173.
    let residue = checksum.0 ^ if version == 0 { 1 } else { 0x2bc8_30a3 };
    out.extend_from_slice(&[25, 20, 15, 10, 5, 0].map(|place| letter(residue >> place)));
}

/// Appends how an address of the network begins. Returns the checksum of that.
fn beginning(network: Network, out: &mut Vec<u8>) -> Checksum {
    match network {
        Network::Mainnet => {
            out.extend_from_slice(b"bc1");
            const { Checksum::of_prefix(b"bc") }
        }
        Network::Testnet | Network::Signet => {
            out.extend_from_slice(b"tb1");
            const { Checksum::of_prefix(b"tb") }
        }
        Network::Regtest => {
            out.extend_from_slice(b"bcrt1");
            const { Checksum::of_prefix(b"bcrt") }
        }
    }
}

/// The checksum of BIP-0173 over digits of 5 bits, after the six zeros that it is computed with.
#[derive(Clone, Copy)]
struct Checksum(u32);

impl Checksum {
    const GENERATOR: [u32; 5] = [
        0x3b6a_57b2,
        0x2650_8e6d,
        0x1ea1_19fa,
        0x3d42_33dd,
        0x2a14_62b3,
    ];

    const fn of_prefix(prefix: &[u8]) -> Self {
        // The six zeros have moved the 1 that BIP-0173 starts with out at the top.
        let mut checksum = Self(Self::GENERATOR[0]);
        let mut at = 0;
        while at <= 2 * prefix.len() {
            checksum = checksum.after(match at {
                at if at < prefix.len() => prefix[at] as u32 >> 5,
                at if at == prefix.len() => 0,
                at => prefix[at - prefix.len() - 1] as u32 & 31,
            });
            at += 1;
        }
        checksum
    }

    #[inline]
    const fn after(self, digit: u32) -> Self {
        let top = self.0 >> 25 ^ digit;
        let mut next = self.0 << 5 & 0x3fff_ffff;
        let mut bit = 0;
        while bit < Self::GENERATOR.len() {
            // No branches, because which way they go cannot be foreseen.
            next ^= Self::GENERATOR[bit] & (top >> bit & 1).wrapping_neg();
            bit += 1;
        }
        Self(next)
    }
}

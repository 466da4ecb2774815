//! Scripts as people write them: base58check and bech32 (BIP-0173, BIP-0350).

use bitcoin_hashes::{Hash, sha256d};

use super::kind;
use crate::ScriptType;
use crate::light::Network;

/// Appends the address of a script; none when it has none.
pub(crate) fn address(script: &[u8], network: Network, out: &mut Vec<u8>) {
    match kind(script) {
        ScriptType::P2pkh => base58check(network.p2pkh_version(), &script[3..23], out),
        ScriptType::P2sh => base58check(network.p2sh_version(), &script[2..22], out),
        _ => {
            if let Some((version, program)) = witness_program(script) {
                bech32(network.prefix(), version, program, out);
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
    let checksum = sha256d::Hash::hash(&bytes[3..24]);
    bytes[24..].copy_from_slice(&checksum.as_byte_array()[..4]);
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
    out.extend(std::iter::repeat_n(b'1', zeros));
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

fn bech32(prefix: &str, version: u8, program: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let mut checksum = Checksum(1);
    let prefix = prefix.as_bytes();
    prefix.iter().for_each(|byte| checksum.add(byte >> 5));
    checksum.add(0);
    prefix.iter().for_each(|byte| checksum.add(byte & 31));

    out.extend(prefix);
    out.push(b'1');
    let mut put = |digit: u8| {
        checksum.add(digit);
        out.push(DIGITS[usize::from(digit & 31)]);
    };
    put(version);
    let (mut pending, mut bits) = (0_u16, 0);
    for byte in program {
        pending = pending << 8 | u16::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            put((pending >> bits).to_le_bytes()[0] & 31);
        }
    }
    if bits > 0 {
        put((pending << (5 - bits)).to_le_bytes()[0] & 31);
    }
    (0..6).for_each(|_| checksum.add(0));
    // BIP-0350: version 0 keeps the constant of BIP-0173.
    let residue = checksum.0 ^ if version == 0 { 1 } else { 0x2bc8_30a3 };
    for place in (0..6).rev() {
        out.push(DIGITS[(residue >> (5 * place)) as usize & 31]);
    }
}

/// The checksum of BIP-0173 over digits of 5 bits.
struct Checksum(u32);

impl Checksum {
    fn add(&mut self, digit: u8) {
        const GENERATOR: [u32; 5] = [
            0x3b6a_57b2,
            0x2650_8e6d,
            0x1ea1_19fa,
            0x3d42_33dd,
            0x2a14_62b3,
        ];
        let top = self.0 >> 25;
        self.0 = (self.0 & 0x1ff_ffff) << 5 ^ u32::from(digit);
        for (bit, generator) in GENERATOR.iter().enumerate() {
            if top >> bit & 1 == 1 {
                self.0 ^= generator;
            }
        }
    }
}

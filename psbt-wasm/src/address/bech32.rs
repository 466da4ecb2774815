//! Addresses of witness programs (BIP-0173, BIP-0350).
//!
//! Our own, because with the crate `bech32` a file of many inputs takes a fifth longer to read: a tenth of a microsecond for each
//! address is a good part of what an input takes.

use alloc::vec::Vec;

use super::Network;

/// Appends the address of a witness program.
pub(super) fn bech32(network: Network, version: u8, program: &[u8], out: &mut Vec<u8>) {
    let beginning = beginning(network, out);
    encode(beginning, version, program, version == 0, out);
}

/// Appends the address of a silent payment with these keys, of version 0 (BIP-0352).
pub(crate) fn silent_address(keys: &[u8; 66], network: Network, out: &mut Vec<u8>) {
    let beginning = if network == Network::Mainnet {
        out.extend_from_slice(b"sp1");
        const { Checksum::of_prefix(b"sp") }
    } else {
        out.extend_from_slice(b"tsp1");
        const { Checksum::of_prefix(b"tsp") }
    };
    encode(beginning, 0, keys, false, out);
}

/// `is_first` is whether the constant is that of BIP-0173, and not that of BIP-0350.
fn encode(beginning: Checksum, version: u8, program: &[u8], is_first: bool, out: &mut Vec<u8>) {
    const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let letter = |digit: u32| LETTERS[digit as usize & 31];

    let mut checksum = beginning.after(version.into());
    out.push(letter(version.into()));
    let mut rest = program;
    // Five bytes are eight digits.
    while let Some((group, after)) = rest.split_first_chunk::<5>() {
        let [a, b, c, d, e] = group.map(u32::from);
        for bits in [a << 12 | b << 4 | c >> 4, c << 16 | d << 8 | e] {
            let digits = [15, 10, 5, 0].map(|place| bits >> place & 31);
            checksum = checksum.after_two(digits[0], digits[1]);
            checksum = checksum.after_two(digits[2], digits[3]);
            out.extend_from_slice(&digits.map(letter));
        }
        rest = after;
    }
    // Zero bits fill up the last digit.
    let byte = |at: usize| rest.get(at).map_or(0, |byte| u32::from(*byte));
    for bit in (0..8 * rest.len()).step_by(5) {
        let bits = byte(bit / 8) << 8 | byte(bit / 8 + 1);
        let digit = bits >> (11 - bit % 8) & 31;
        checksum = checksum.after(digit);
        out.push(letter(digit));
    }
    let residue = checksum.0 ^ if is_first { 1 } else { 0x2bc8_30a3 };
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

    /// What the digit adds that leaves at the top: the generators of its bits.
    const TABLE: [u32; 32] = {
        let mut table = [0; 32];
        let mut at = 1;
        while at < 32 {
            // Without its lowest bit, and that bit's.
            table[at] = table[at & (at - 1)] ^ Self::GENERATOR[at.trailing_zeros() as usize];
            at += 1;
        }
        table
    };

    /// What it adds once it has moved on by a digit.
    const TABLE_OF_FIRST: [u32; 32] = {
        let mut table = [0; 32];
        let mut at = 0;
        while at < 32 {
            table[at] = Self(Self::TABLE[at]).after(0).0;
            at += 1;
        }
        table
    };

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

    /// Without branches, because which way they go cannot be foreseen.
    #[inline]
    const fn after(self, digit: u32) -> Self {
        let top = self.0 >> 25 ^ digit;
        Self(self.0 << 5 & 0x3fff_ffff ^ Self::TABLE[top as usize & 31])
    }

    /// The same for two digits: their tables are looked up side by side, and not one after the other.
    #[inline]
    const fn after_two(self, first: u32, second: u32) -> Self {
        let (top, next) = (self.0 >> 25 ^ first, self.0 >> 20 ^ second);
        let added = Self::TABLE_OF_FIRST[top as usize & 31] ^ Self::TABLE[next as usize & 31];
        Self(self.0 << 10 & 0x3fff_ffff ^ added)
    }
}

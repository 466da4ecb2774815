//! Scripts as people write them.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use bech32::{Fe32, Hrp, segwit};

use crate::ScriptType;
use crate::script::kind;

/// The network whose addresses a report shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Network {
    /// The network whose coins are worth something.
    Mainnet,
    /// The public test network; its successor writes addresses the same way.
    Testnet,
    /// Test networks whose blocks are signed.
    Signet,
    /// A network of one's own.
    Regtest,
}

impl Network {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Mainnet, Self::Testnet, Self::Signet, Self::Regtest];

    /// The name that the JavaScript API uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
            Self::Signet => "signet",
            Self::Regtest => "regtest",
        }
    }

    fn p2pkh_version(self) -> u8 {
        if self == Self::Mainnet { 0 } else { 111 }
    }

    fn p2sh_version(self) -> u8 {
        if self == Self::Mainnet { 5 } else { 196 }
    }

    fn hrp(self) -> Hrp {
        match self {
            Self::Mainnet => bech32::hrp::BC,
            Self::Testnet | Self::Signet => bech32::hrp::TB,
            Self::Regtest => bech32::hrp::BCRT,
        }
    }
}

/// Appends the address of a script; none when it has none.
pub(crate) fn address(script: &[u8], network: Network, out: &mut Vec<u8>) {
    match kind(script) {
        ScriptType::P2pkh => base58check(network.p2pkh_version(), &script[3..23], out),
        ScriptType::P2sh => base58check(network.p2sh_version(), &script[2..22], out),
        _ => {
            if let Some((version, program)) = witness_program(script) {
                // What a vector takes is never refused.
                let _ = segwit::encode_lower_to_fmt_unchecked(
                    &mut Ascii(out),
                    network.hrp(),
                    version,
                    program,
                );
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
fn witness_program(script: &[u8]) -> Option<(Fe32, &[u8])> {
    let [version, length, program @ ..] = script else {
        return None;
    };
    if usize::from(*length) != program.len() || !(2..=40).contains(length) {
        return None;
    }
    match (version, length) {
        (0, 20 | 32) => Some((Fe32::Q, program)),
        (0x51..=0x60, _) => Some((Fe32::try_from(version - 0x50).ok()?, program)),
        _ => None,
    }
}

/// Base58 with a checksum.
fn base58check(version: u8, hash: &[u8], out: &mut Vec<u8>) {
    let mut bytes = Vec::with_capacity(1 + hash.len());
    bytes.push(version);
    bytes.extend_from_slice(hash);
    out.extend_from_slice(base58ck::encode_check(&bytes).as_bytes());
}

/// Text that is appended to bytes.
struct Ascii<'a>(&'a mut Vec<u8>);

impl Write for Ascii<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.0.push(character.try_into().unwrap_or(b'?'));
        Ok(())
    }
}

//! Addresses: scripts as people write them.

mod bech32;

use alloc::vec::Vec;

use crate::ScriptType;
use crate::hash::sha256d;
use crate::script::kind;
use bech32::bech32;

pub(crate) use bech32::silent_address;

/// The network whose addresses a report shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Network {
    /// The main network, whose coins have value.
    Mainnet,
    /// The public test networks testnet3 and testnet4, whose addresses look the same.
    Testnet,
    /// The test networks whose blocks are signed.
    Signet,
    /// A private test network.
    Regtest,
}

crate::facts::names!(Network: name);

impl Network {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Mainnet, Self::Testnet, Self::Signet, Self::Regtest];
}

/// Appends the address of a script; none when it has none.
pub(crate) fn address(script: &[u8], network: Network, out: &mut Vec<u8>) {
    let is_mainnet = network == Network::Mainnet;
    match kind(script) {
        ScriptType::P2pkh => base58check(if is_mainnet { 0 } else { 111 }, &script[3..23], out),
        ScriptType::P2sh => base58check(if is_mainnet { 5 } else { 196 }, &script[2..22], out),
        _ => {
            if let Some((version, program)) = witness_program(script) {
                bech32(network, version, program, out);
            }
        }
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

/// Base58 with a checksum.
#[inline(never)]
fn base58check(version: u8, hash: &[u8], out: &mut Vec<u8>) {
    let mut bytes = Vec::with_capacity(25);
    bytes.push(version);
    bytes.extend_from_slice(hash);
    let checksum = sha256d(&[&bytes]);
    bytes.extend_from_slice(&checksum[..4]);
    out.extend_from_slice(base58ck::encode(&bytes).as_bytes());
}

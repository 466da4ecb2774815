//! The name that a network of Bitcoin has on the wire, which is the one that the wasm package knows it by.

/// The network whose name and addresses are meant.
#[must_use]
pub fn named(network: bitcoin::Network) -> psbt_wasm::Network {
    use psbt_wasm::Network::{Mainnet, Regtest, Signet, Testnet};
    match network {
        bitcoin::Network::Bitcoin => Mainnet,
        bitcoin::Network::Signet => Signet,
        bitcoin::Network::Regtest => Regtest,
        // Both test networks write addresses alike (BIP-0094).
        _ => Testnet,
    }
}

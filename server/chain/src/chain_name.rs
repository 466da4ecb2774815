//! Converts a network of the `bitcoin` crate to one of the wasm package, whose name is the one in JSON.

/// The wasm package's network.
#[must_use]
pub fn named(network: bitcoin::Network) -> psbt_wasm::Network {
    use psbt_wasm::Network::{Mainnet, Regtest, Signet, Testnet};
    match network {
        bitcoin::Network::Bitcoin => Mainnet,
        bitcoin::Network::Signet => Signet,
        bitcoin::Network::Regtest => Regtest,
        // Both test networks have the same addresses (BIP-0094).
        _ => Testnet,
    }
}

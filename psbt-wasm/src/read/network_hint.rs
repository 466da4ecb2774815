//! Which network the keys of a file are for. Nothing else in a file can tell: scripts are the same on every network.

use super::duplicates::number;
use crate::Network;

/// BIP-0032, "Serialization format": the versions of `xpub` and `tpub`.
pub(crate) const XPUB: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];
pub(crate) const TPUB: [u8; 4] = [0x04, 0x35, 0x87, 0xcf];

/// What the derivation paths and the extended public keys of a file say.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NetworkHint {
    mainnet: bool,
    test: bool,
}

impl NetworkHint {
    /// Notes a fingerprint and the path after it.
    #[inline]
    pub(super) fn note_origin(&mut self, origin: &[u8]) {
        const HARDENED: u64 = 1 << 31;
        let steps = number(origin.get(4..).unwrap_or_default());
        // BIP-0044: the step after the purpose is the coin type, 0' for mainnet and 1' for every test network. The purposes of
        // BIP-0044, BIP-0048, BIP-0049, BIP-0084, BIP-0086 and BIP-0087 have it; in other paths the step means something else.
        let (purpose, coin) = (steps & 0xffff_ffff ^ HARDENED, steps >> 32 ^ HARDENED);
        if matches!(purpose, 44 | 48 | 49 | 84 | 86 | 87) {
            self.mainnet |= coin == 0;
            self.test |= coin == 1;
        }
    }

    /// Notes the version of an extended public key.
    pub(super) fn note_extended_key(&mut self, key: &[u8]) {
        self.mainnet |= key.starts_with(&XPUB);
        self.test |= key.starts_with(&TPUB);
    }

    /// None when nothing says it, or when one key is for mainnet and another for a test network.
    pub(crate) fn network(self) -> Option<Network> {
        let network = [Network::Mainnet, Network::Testnet][usize::from(self.test)];
        (self.mainnet != self.test).then_some(network)
    }
}

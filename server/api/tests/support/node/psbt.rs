//! A PSBT between wallets.

use base64::Engine as _;

use super::*;

/// A PSBT from a node, in the encodings that users upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SomePsbt(String);

impl SomePsbt {
    pub(crate) fn new(base64: &str) -> Self {
        Self(base64.to_owned())
    }

    /// Base64 text.
    pub(crate) fn base64(&self) -> &str {
        &self.0
    }

    /// The bytes of a `.psbt` file.
    pub(crate) fn binary(&self) -> Vec<u8> {
        STANDARD.decode(&self.0).expect("base64 from the node")
    }

    /// Its fields.
    pub(crate) fn decode(&self) -> Psbt {
        Psbt::deserialize(&self.binary()).expect("a PSBT from the node")
    }

    /// The final transaction; the PSBT must be final.
    pub(crate) fn transaction(&self) -> Transaction {
        self.decode().extract_tx_unchecked_fee_rate()
    }
}

impl From<Psbt> for SomePsbt {
    /// Replaces the PSBT, for tests that change fields.
    fn from(psbt: Psbt) -> Self {
        Self(STANDARD.encode(psbt.serialize()))
    }
}

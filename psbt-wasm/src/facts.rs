//! The facts in reports, with their stable names.

/// Where a PSBT states what an input spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum UtxoSource {
    /// `PSBT_IN_WITNESS_UTXO`: the output alone.
    WitnessUtxo,
    /// `PSBT_IN_NON_WITNESS_UTXO`: the whole previous transaction, which its txid authenticates.
    PreviousTransaction,
}

/// Whether an input has signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Signatures {
    /// No signature.
    None,
    /// At least one, and the input is not finalized.
    Partial,
    /// It has a final script signature or witness.
    Final,
}

/// Counts of the fields that reveal more about a wallet than a verifier needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrivateFields {
    /// Extended public keys: each reveals every address of an account.
    pub extended_public_keys: usize,
    /// Key origins: fingerprints and derivation paths, of inputs and outputs.
    pub derivation_paths: usize,
    /// Vendors' own fields.
    pub proprietary: usize,
    /// Fields of types that BIP-0174 does not define, except BIP-0322's message.
    pub unknown: usize,
    /// Whole previous transactions, except the virtual one of BIP-0322.
    pub previous_transactions: usize,
}

/// How a file encodes its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Encoding {
    /// The bytes themselves.
    Binary,
    /// RFC 4648 base64 text.
    Base64,
    /// Hexadecimal text.
    Hex,
}

/// Gives enums a method that returns their stable kebab-case names.
macro_rules! names {
    ($($name:ident: $method:ident),+) => {$(
        impl $name {
            /// The stable kebab-case name.
            #[must_use]
            pub fn $method(self) -> &'static str {
                self.into()
            }
        }
    )+};
}
pub(crate) use names;

names!(UtxoSource: name, Signatures: name, Encoding: name);

/// The largest file that is read, in bytes (32 MiB).
pub const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;

/// BIP-0174: `psbt` and the separator 0xff.
pub(crate) const MAGIC: &[u8; 5] = b"psbt\xff";

//! The kinds of output scripts that people have names for.

#[cfg(feature = "bitcoin")]
mod parsed;

/// The kind of an output script, nested segwit told apart where the redeem script shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptType {
    /// Pay to public key.
    P2pk,
    /// Pay to public key hash.
    P2pkh,
    /// Pay to script hash (BIP-0016).
    P2sh,
    /// Pay to witness public key hash (BIP-0141).
    P2wpkh,
    /// Pay to witness script hash (BIP-0141).
    P2wsh,
    /// Pay to witness public key hash, nested in pay to script hash.
    P2shP2wpkh,
    /// Pay to witness script hash, nested in pay to script hash.
    P2shP2wsh,
    /// Pay to taproot (BIP-0341).
    P2tr,
    /// Bare multisig.
    P2ms,
    /// Data that nobody can spend.
    OpReturn,
    /// Pay to anchor: anyone can spend it.
    P2a,
    /// Anything else.
    Unknown,
}

impl ScriptType {
    /// The name that the JavaScript API uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::P2pk => "p2pk",
            Self::P2pkh => "p2pkh",
            Self::P2sh => "p2sh",
            Self::P2wpkh => "p2wpkh",
            Self::P2wsh => "p2wsh",
            Self::P2shP2wpkh => "p2sh-p2wpkh",
            Self::P2shP2wsh => "p2sh-p2wsh",
            Self::P2tr => "p2tr",
            Self::P2ms => "p2ms",
            Self::OpReturn => "op-return",
            Self::P2a => "p2a",
            Self::Unknown => "unknown",
        }
    }
}

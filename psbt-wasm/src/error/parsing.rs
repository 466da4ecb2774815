//! The errors of the `bitcoin` crate, in the words of this one.

use bitcoin::psbt;

use super::Malformed;

impl From<psbt::Error> for Malformed {
    /// The crate's own sentences repeat keys and preimages of the file, so they are not passed on.
    fn from(error: psbt::Error) -> Self {
        use bitcoin::consensus::encode;
        use psbt::Error as E;
        match error {
            E::ConsensusEncoding(encode::Error::Io(_)) | E::Io(_) => Self::Truncated,
            E::ConsensusEncoding(encode::Error::NonMinimalVarInt) => Self::InvalidField("length"),
            E::ConsensusEncoding(_) | E::PartialDataConsumption => {
                Self::InvalidField("field length")
            }
            E::DuplicateKey(_) => Self::DuplicateField,
            E::MustHaveUnsignedTx => Self::MissingField("unsigned transaction"),
            E::UnsignedTxHasScriptSigs | E::UnsignedTxHasScriptWitnesses => Self::SignedTransaction,
            E::InvalidKey(_) | E::InvalidProprietaryKey => Self::InvalidField("field key"),
            E::InvalidPublicKey(_) | E::InvalidSecp256k1PublicKey(_) | E::InvalidXOnlyPublicKey => {
                Self::InvalidField("public key")
            }
            E::InvalidEcdsaSignature(_) | E::InvalidTaprootSignature(_) => {
                Self::InvalidField("signature")
            }
            E::NonStandardSighashType(_) => Self::InvalidField("signature hash type"),
            E::InvalidPreimageHashPair { .. } | E::InvalidHash(_) => {
                Self::InvalidField("hash or preimage")
            }
            E::InvalidControlBlock | E::InvalidLeafVersion | E::Taproot(_) | E::TapTree(_) => {
                Self::InvalidField("taproot field")
            }
            E::XPubKey(_) => Self::InvalidField("extended public key"),
            _ => Self::InvalidField("field"),
        }
    }
}

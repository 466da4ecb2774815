//! The fields of a PSBT: the one place that knows their numbers, and what is done with each.

use super::cursor::Pair;
use crate::error::Map;
use Check::*;
use Making::*;

/// A field, as a BIP defines it and as this package treats it.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) number: u8,
    /// The name that the BIP gives it.
    pub(crate) name: &'static str,
    pub(crate) check: Check,
    pub(crate) stripping: Stripping,
    pub(crate) making: Making,
    pub(crate) private: Private,
    pub(crate) versions: Versions,
}

/// What the key and the value of a field must be. Unless it says something else, the key is the number alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// Key and value may be anything.
    Anything,
    /// The value may be anything.
    Bytes,
    /// A value of this many bytes.
    Exactly(u8),
    /// A compact size.
    Count,
    /// A transaction without signatures.
    UnsignedTransaction,
    Transaction,
    Output,
    Witness,
    SighashType,
    /// A lock time as a time.
    LockTime,
    /// A lock time as a block height.
    LockHeight,
    /// In the key a public key, in the value a signature made with it.
    PartialSignature,
    /// In the key a public key, in the value where it is from.
    Derivation,
    /// In the key an extended public key, in the value where it is from.
    ExtendedKey,
    /// In the key the hash, in the value what it is the hash of.
    Ripemd160,
    Sha256,
    Hash160,
    Hash256,
    TapKeySignature,
    /// In the key an x-only key and the hash of a leaf, in the value a signature.
    TapScriptSignature,
    /// In the key a control block, in the value a leaf and its version.
    TapLeafScript,
    /// In the key an x-only key, in the value leaves that it is in, and where it is from.
    TapDerivation,
    XOnlyKey,
    TapTree,
    /// In the key a vendor's prefix and subtype.
    Proprietary,
}

impl Check {
    /// Whether there is something in the key after the number.
    pub(crate) fn has_key_data(self) -> bool {
        matches!(
            self,
            Anything
                | PartialSignature
                | Derivation
                | ExtendedKey
                | Ripemd160
                | Sha256
                | Hash160
                | Hash256
                | TapScriptSignature
                | TapLeafScript
                | TapDerivation
                | Proprietary
        )
    }
}

/// What becomes of a field in the minimal file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stripping {
    Kept,
    /// Kept if it is the virtual transaction of BIP-0322, which is on no chain.
    KeptIfVirtual,
    /// The key is kept, without where it is from, if a script has the hash of it.
    KeptIfHashed,
    Dropped,
}

/// What becomes of a field in a proof that is made of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Making {
    Stays,
    /// Stays, and says the same about the output that pays back to the input's script: there it has this number.
    StaysWithOutput(u8),
    /// Rewritten as the kind of the script demands.
    Rewritten,
    Goes,
}

/// As what a field counts that tells more about a wallet than a verifier needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Private {
    /// The field has nothing private.
    No,
    ExtendedKey,
    /// Unless it says nothing about where the key is from.
    Origin,
    Proprietary,
    Unknown,
    /// Unless it is the virtual one of BIP-0322.
    PreviousTransaction,
}

/// The versions of PSBT that have the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Versions {
    Both,
    /// Only version 0 (BIP-0174).
    Zero,
    /// Only version 2 (BIP-0370): a part of the transaction.
    Two,
}

impl Versions {
    /// BIP-0370: which fields must not be in which version.
    #[inline]
    pub(crate) fn excludes(self, is_v2: bool) -> bool {
        match self {
            Self::Both => false,
            Self::Zero => is_v2,
            Self::Two => !is_v2,
        }
    }
}

/// The fields of one kind of map, by their numbers.
#[derive(Debug)]
pub(crate) struct Fields {
    rows: &'static [Field],
    /// The place of each number in `rows`; past their end where there is none.
    places: [u8; 256],
}

impl Fields {
    const fn new(rows: &'static [Field]) -> Self {
        let mut places = [u8::MAX; 256];
        let mut place: u8 = 0;
        while (place as usize) < rows.len() {
            places[rows[place as usize].number as usize] = place;
            place += 1;
        }
        Self { rows, places }
    }

    /// The field of a pair; [`UNKNOWN`] if no BIP has given it a number.
    #[inline]
    pub(crate) fn lookup(&self, pair: &Pair<'_>) -> &'static Field {
        self.numbered(pair.field())
    }

    #[inline]
    pub(crate) fn numbered(&self, number: u8) -> &'static Field {
        let place = self.places[usize::from(number)];
        self.rows.get(usize::from(place)).unwrap_or(&UNKNOWN)
    }
}

impl Map {
    /// The fields that it can have.
    #[inline]
    pub(crate) fn fields(self) -> &'static Fields {
        match self {
            Self::Global => &global::FIELDS,
            Self::Input(_) => &input::FIELDS,
            Self::Output(_) => &output::FIELDS,
        }
    }
}

/// Any other field.
pub(crate) static UNKNOWN: Field = Field {
    number: u8::MAX,
    name: "unknown field",
    check: Check::Anything,
    stripping: Stripping::Dropped,
    making: Goes,
    private: Private::Unknown,
    versions: Versions::Both,
};

macro_rules! fields {
    ($map:ident, $prefix:literal; $(
        $number:literal $name:ident: $check:expr, $stripping:ident, $making:expr, $private:ident, $versions:ident;
    )+) => {
        #[allow(dead_code, reason = "the table names them all")]
        pub(crate) mod $map {
            use super::*;

            $(pub(crate) const $name: u8 = $number;)+

            pub(crate) static FIELDS: Fields = Fields::new(&[$(Field {
                number: $number,
                name: concat!($prefix, stringify!($name)),
                check: $check,
                stripping: Stripping::$stripping,
                making: $making,
                private: Private::$private,
                versions: Versions::$versions,
            }),+]);
        }
    };
}

// What MuSig2 (BIP-0373), silent payments (BIP-0375, BIP-0376), BIP-0353 and SLIP-0019 have added is not looked into: to
// the `bitcoin` crate those fields are unknown.

fields! { global, "PSBT_GLOBAL_";
    0x00 UNSIGNED_TX: UnsignedTransaction, Kept, Goes, No, Zero;
    0x01 XPUB: ExtendedKey, Dropped, Stays, ExtendedKey, Both;
    0x02 TX_VERSION: Exactly(4), Dropped, Goes, No, Two;
    0x03 FALLBACK_LOCKTIME: Exactly(4), Dropped, Goes, No, Two;
    0x04 INPUT_COUNT: Count, Dropped, Goes, No, Two;
    0x05 OUTPUT_COUNT: Count, Dropped, Goes, No, Two;
    0x06 TX_MODIFIABLE: Exactly(1), Dropped, Goes, No, Two;
    0x07 SP_ECDH_SHARE: Anything, Dropped, Goes, Unknown, Both;
    0x08 SP_DLEQ: Anything, Dropped, Goes, Unknown, Both;
    // BIP-0322.
    0x09 GENERIC_SIGNED_MESSAGE: Anything, Kept, Goes, No, Both;
    0xfb VERSION: Exactly(4), Dropped, Goes, No, Both;
    0xfc PROPRIETARY: Proprietary, Dropped, Goes, Proprietary, Both;
}

fields! { input, "PSBT_IN_";
    0x00 NON_WITNESS_UTXO: Transaction, KeptIfVirtual, Rewritten, PreviousTransaction, Both;
    0x01 WITNESS_UTXO: Output, Kept, Rewritten, No, Both;
    0x02 PARTIAL_SIG: PartialSignature, Kept, Goes, No, Both;
    0x03 SIGHASH_TYPE: SighashType, Kept, Goes, No, Both;
    0x04 REDEEM_SCRIPT: Bytes, Kept, StaysWithOutput(output::REDEEM_SCRIPT), No, Both;
    0x05 WITNESS_SCRIPT: Bytes, Kept, StaysWithOutput(output::WITNESS_SCRIPT), No, Both;
    0x06 BIP32_DERIVATION: Derivation, KeptIfHashed, StaysWithOutput(output::BIP32_DERIVATION), Origin, Both;
    0x07 FINAL_SCRIPTSIG: Bytes, Kept, Goes, No, Both;
    0x08 FINAL_SCRIPTWITNESS: Witness, Kept, Goes, No, Both;
    // BIP-0127.
    0x09 POR_COMMITMENT: Anything, Kept, Goes, No, Both;
    0x0a RIPEMD160: Ripemd160, Kept, Stays, No, Both;
    0x0b SHA256: Sha256, Kept, Stays, No, Both;
    0x0c HASH160: Hash160, Kept, Stays, No, Both;
    0x0d HASH256: Hash256, Kept, Stays, No, Both;
    0x0e PREVIOUS_TXID: Exactly(32), Dropped, Goes, No, Two;
    0x0f OUTPUT_INDEX: Exactly(4), Dropped, Goes, No, Two;
    0x10 SEQUENCE: Exactly(4), Dropped, Goes, No, Two;
    0x11 REQUIRED_TIME_LOCKTIME: LockTime, Dropped, Goes, No, Two;
    0x12 REQUIRED_HEIGHT_LOCKTIME: LockHeight, Dropped, Goes, No, Two;
    0x13 TAP_KEY_SIG: TapKeySignature, Kept, Goes, No, Both;
    0x14 TAP_SCRIPT_SIG: TapScriptSignature, Kept, Goes, No, Both;
    0x15 TAP_LEAF_SCRIPT: TapLeafScript, Kept, Stays, No, Both;
    0x16 TAP_BIP32_DERIVATION: TapDerivation, KeptIfHashed, StaysWithOutput(output::TAP_BIP32_DERIVATION), Origin, Both;
    0x17 TAP_INTERNAL_KEY: XOnlyKey, Kept, StaysWithOutput(output::TAP_INTERNAL_KEY), No, Both;
    0x18 TAP_MERKLE_ROOT: Exactly(32), Kept, Stays, No, Both;
    0x19 OWNERSHIP_PROOF: Anything, Dropped, Goes, Unknown, Both;
    0x1a MUSIG2_PARTICIPANT_PUBKEYS: Anything, Dropped, Stays, Unknown, Both;
    0x1b MUSIG2_PUB_NONCE: Anything, Dropped, Goes, Unknown, Both;
    0x1c MUSIG2_PARTIAL_SIG: Anything, Dropped, Goes, Unknown, Both;
    0x1d SP_ECDH_SHARE: Anything, Dropped, Goes, Unknown, Both;
    0x1e SP_DLEQ: Anything, Dropped, Goes, Unknown, Both;
    0x1f SP_SPEND_BIP32_DERIVATION: Anything, Dropped, Stays, Unknown, Both;
    0x20 SP_TWEAK: Anything, Dropped, Stays, Unknown, Both;
    0xfc PROPRIETARY: Proprietary, Dropped, Goes, Proprietary, Both;
}

fields! { output, "PSBT_OUT_";
    0x00 REDEEM_SCRIPT: Bytes, Dropped, Goes, No, Both;
    0x01 WITNESS_SCRIPT: Bytes, Dropped, Goes, No, Both;
    0x02 BIP32_DERIVATION: Derivation, Dropped, Goes, Origin, Both;
    0x03 AMOUNT: Exactly(8), Dropped, Goes, No, Two;
    0x04 SCRIPT: Bytes, Dropped, Goes, No, Two;
    0x05 TAP_INTERNAL_KEY: XOnlyKey, Dropped, Goes, No, Both;
    0x06 TAP_TREE: TapTree, Dropped, Goes, No, Both;
    0x07 TAP_BIP32_DERIVATION: TapDerivation, Dropped, Goes, Origin, Both;
    0x08 MUSIG2_PARTICIPANT_PUBKEYS: Anything, Dropped, Goes, Unknown, Both;
    0x09 SP_V0_INFO: Anything, Dropped, Goes, Unknown, Both;
    0x0a SP_V0_LABEL: Anything, Dropped, Goes, Unknown, Both;
    0x35 DNSSEC_PROOF: Anything, Dropped, Goes, Unknown, Both;
    0xfc PROPRIETARY: Proprietary, Dropped, Goes, Proprietary, Both;
}

#[cfg(test)]
mod tests;

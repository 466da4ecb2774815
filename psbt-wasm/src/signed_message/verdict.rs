//! The verdict on a signed message.

/// The verdict on a signed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageCheck {
    /// The verdict.
    pub status: MessageStatus,
    /// Why it is neither [`MessageStatus::Valid`] nor [`MessageStatus::ValidWithLocks`].
    pub reason: Option<MessageReason>,
    /// The format of the signature; none when it has none of these.
    pub format: Option<MessageFormat>,
    /// Whether the header byte of a BIP-137 signature names another kind of address, as Electrum writes it.
    pub loose: bool,
    /// The lock time of the signed transaction: the *T* of "valid at time T and age S" (BIP-322).
    pub lock_time: u32,
    /// The sequence number of its first input: the *S*.
    pub sequence: u32,
    /// The total value of the coins of a valid proof of funds; 0 for other messages.
    pub amount_sats: u64,
    /// The line endings that were signed, when they are not those of the given message.
    pub line_endings: Option<LineEndings>,
    /// The text that was signed instead of the given one, for [`MessageReason::OtherText`].
    pub other_text: Option<OtherText>,
}

/// The verdict on a signed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum MessageStatus {
    /// Keys of the address have signed the message.
    Valid,
    /// The same, valid at the lock time and age in the signature.
    ValidWithLocks,
    /// They have not signed it, or the signature breaks a rule.
    Invalid,
    /// This function cannot tell.
    Inconclusive,
}

/// The format of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum MessageFormat {
    /// BIP-322: a witness.
    Simple,
    /// BIP-322: a transaction.
    Full,
    /// BIP-322: a transaction that also signs for coins.
    ProofOfFunds,
    /// BIP-137 and its predecessors: a signature from which the key is recovered.
    #[strum(serialize = "bip137")]
    Bip137,
}

/// How lines of a message end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum LineEndings {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    Crlf,
}

/// What was signed instead of a message that looks like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumMessage)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum OtherText {
    /// In Unicode's normal form C.
    #[strum(message = "The signature is for this text with composed letters (Unicode NFC).")]
    Nfc,
    /// In Unicode's normal form D.
    #[strum(message = "The signature is for this text with decomposed letters (Unicode NFD).")]
    Nfd,
    /// Without the line break at its end.
    #[strum(message = "The signature is for this text without the line break at its end.")]
    WithoutLineBreak,
    /// With a line break at its end.
    #[strum(message = "The signature is for this text with a line break at its end.")]
    WithLineBreak,
    /// Without the byte order mark at its start.
    #[strum(message = "The signature is for this text without the byte order mark at its start.")]
    WithoutMark,
    /// With a byte order mark at its start.
    #[strum(message = "The signature is for this text with a byte order mark at its start.")]
    WithMark,
}

crate::facts::names!(OtherText: name);

/// Why a signed message is not valid, or why that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumMessage)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum MessageReason {
    /// The address cannot be read.
    #[strum(message = "This is not a Bitcoin address.")]
    Address,
    /// The signature is not base64, or not of a known format.
    #[strum(
        message = "This is not a signature: it must be Base64, as wallets write it (BIP-322 or BIP-137)."
    )]
    Encoding,
    /// The signed transaction does not have the form of BIP-322.
    #[strum(message = "The signature does not have the form that BIP-322 requires.")]
    Form,
    /// The signed transaction is for another message or another address.
    #[strum(message = "The signature is for another message or another address.")]
    OtherMessage,
    /// It is for a text that looks the same, or nearly so, and has other bytes.
    #[strum(message = "The signature is for another text that looks the same.")]
    OtherText,
    /// A signature fits neither the message nor the address.
    #[strum(message = "The signature does not match this message and this address.")]
    WrongSignature,
    /// No key of the address has signed, or too few.
    #[strum(message = "Not enough keys of this address have signed.")]
    NoSignature,
    /// Enough keys have signed, and the signer has not finalized the file.
    #[strum(
        message = "The keys have signed, but the proof is not finalized, as BIP-322 requires. Finalize it in the wallet, and export it again."
    )]
    NotFinalized,
    /// A signature does not commit to everything: it is neither ALL nor DEFAULT.
    #[strum(message = "The signature does not commit to everything (ALL or DEFAULT).")]
    Sighash,
    /// A signature is not strict DER with a low S, or a push is not minimal.
    #[strum(message = "The signature is not encoded strictly: low S, strict DER, minimal pushes.")]
    NotStrict,
    /// A script has OP_CODESEPARATOR.
    #[strum(message = "The script uses OP_CODESEPARATOR, which BIP-322 forbids.")]
    CodeSeparator,
    /// The script has a lock that the signature does not meet (BIP-65, BIP-112).
    #[strum(
        message = "The script of this address has a lock that the lock time or the sequence of the signature does not meet."
    )]
    LockNotMet,
    /// The script is of an unknown kind.
    #[strum(message = "The script of this address is unusual and cannot be checked here.")]
    UnknownScript,
    /// The transaction's version is neither 0 nor 2, or there is an annex.
    #[strum(message = "The signature uses a version that has no meaning yet.")]
    UnknownVersion,
    /// The coins of a proof of funds were not looked up.
    #[strum(message = "The signature also claims coins, which were not looked up.")]
    CoinsNotLookedUp,
    /// BIP-137 has no meaning for Taproot addresses.
    #[strum(
        message = "BIP-137 signatures have no meaning for Taproot addresses. Sign with BIP-322."
    )]
    Bip137Taproot,
}

crate::facts::names!(MessageReason: code);

impl MessageReason {
    /// A sentence for the reader.
    #[must_use]
    pub fn message(self) -> &'static str {
        strum::EnumMessage::get_message(&self).unwrap_or_default()
    }

    pub(super) fn status(self) -> MessageStatus {
        match self {
            Self::UnknownScript
            | Self::UnknownVersion
            | Self::CoinsNotLookedUp
            | Self::Bip137Taproot => MessageStatus::Inconclusive,
            _ => MessageStatus::Invalid,
        }
    }
}

impl MessageCheck {
    /// The reason as a sentence for the reader.
    #[must_use]
    pub fn message(&self) -> Option<&'static str> {
        let of_text = self
            .other_text
            .and_then(|text| strum::EnumMessage::get_message(&text));
        of_text.or_else(|| self.reason.map(MessageReason::message))
    }

    pub(super) fn refused(format: Option<MessageFormat>, reason: MessageReason) -> Self {
        Self {
            status: reason.status(),
            reason: Some(reason),
            format,
            ..Self::valid(MessageFormat::Simple)
        }
    }

    pub(super) fn valid(format: MessageFormat) -> Self {
        Self {
            status: MessageStatus::Valid,
            reason: None,
            format: Some(format),
            loose: false,
            lock_time: 0,
            sequence: 0,
            amount_sats: 0,
            line_endings: None,
            other_text: None,
        }
    }
}

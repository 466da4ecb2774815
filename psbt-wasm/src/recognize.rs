//! What a text is, if it is not a PSBT: a secret that must not be sent anywhere, or another thing that wallets show.

use alloc::{string::String, vec::Vec};

/// BIP-0039's English list, with spaces between the words: `build.rs` writes it. As a table it would be twice as large.
const WORDS: &str = include_str!(concat!(env!("OUT_DIR"), "/words.txt"));

/// What a text is, if it is not a file that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumMessage)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Recognized {
    /// Twelve words in a row, of which at least eleven are of BIP-0039's English list, whole or by their first four letters.
    #[strum(
        message = "This is a seed phrase. Anyone who sees it can take your coins: clear it, and never enter it on a website."
    )]
    SeedPhrase,
    /// BIP-0032 or SLIP-0132: `xprv`, `zprv` and so on.
    #[strum(
        message = "This is an extended private key. Anyone who sees it can take your coins: clear it, and never enter it on a website."
    )]
    ExtendedPrivateKey,
    /// A private key in wallet import format, or encrypted as in BIP-0038, or a share of a seed (BIP-0093).
    #[strum(
        message = "This is a private key. Anyone who sees it can take your coins: clear it, and never enter it on a website."
    )]
    PrivateKey,
    /// A part of an animated QR code.
    #[strum(
        message = "This is a part of an animated QR code (UR). In your wallet, export the PSBT as a file or as base64 text."
    )]
    Ur,
    /// A part of another kind of animated QR code.
    #[strum(
        message = "This is a part of an animated QR code (BBQr). In your wallet, export the PSBT as a file or as base64 text."
    )]
    Bbqr,
    /// A page instead of the file on it.
    #[strum(message = "This is a web page. Download the file that it shows, and choose that.")]
    Html,
    /// Liquid's variant of PSBTs.
    #[strum(
        message = "This is a PSET of the Liquid network. Only Bitcoin transactions can be read: export a PSBT."
    )]
    Pset,
    /// An output descriptor (BIP-0380).
    #[strum(
        message = "This is a wallet descriptor, which describes addresses and signs nothing. In your wallet, export a PSBT over the coins."
    )]
    Descriptor,
    /// BIP-0032 or SLIP-0132: `xpub`, `zpub` and so on.
    #[strum(
        message = "This is an extended public key, which shows addresses and signs nothing. In your wallet, export a PSBT over the coins."
    )]
    ExtendedPublicKey,
    /// An address of mainnet.
    #[strum(
        message = "This is an address, which proves nothing. In the wallet that it belongs to, export a PSBT over its coins."
    )]
    Address,
    /// An address of a test network.
    #[strum(
        message = "This is an address of a test network. In the wallet that it belongs to, export a PSBT over its coins."
    )]
    TestAddress,
}

crate::facts::names!(Recognized: code);

impl Recognized {
    /// A sentence on what it is and what to do instead.
    pub fn message(self) -> &'static str {
        strum::EnumMessage::get_message(&self).unwrap_or_default()
    }

    /// Whether it is a secret: anyone who sees it can take coins.
    pub fn is_secret(self) -> bool {
        matches!(
            self,
            Self::SeedPhrase | Self::ExtendedPrivateKey | Self::PrivateKey
        )
    }
}

/// Characters that are looked at: no phrase, key or address is further from the start of anything that a person pastes.
const MAX_BYTES: usize = 1 << 20;

/// Recognizes a secret anywhere in a text, or else what the whole text is. Secrets are recognized by their form, also with a typing
/// mistake.
///
/// ```
/// use psbt_wasm::{Recognized, recognize};
///
/// let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow";
/// assert_eq!(recognize(phrase.as_bytes()), Some(Recognized::SeedPhrase));
/// assert_eq!(recognize(b"Proof of 2.5 BTC, November 2026"), None);
/// ```
#[must_use]
pub fn recognize(bytes: &[u8]) -> Option<Recognized> {
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    if bytes.starts_with(b"pset\xff") {
        return Some(Recognized::Pset);
    }
    let text = text_of(bytes);
    secret(&text).or_else(|| kind(text.trim_ascii()))
}

/// UTF-8, or UTF-16 with a byte order mark, without what cannot be seen.
fn text_of(bytes: &[u8]) -> String {
    let decoded = match bytes {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let is_seen = |c: &char| {
        !matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\0'
        )
    };
    decoded.chars().filter(is_seen).collect()
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let pairs = bytes.chunks_exact(2);
    let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

fn secret(text: &str) -> Option<Recognized> {
    let tokens = text.split(|c: char| !c.is_ascii_alphanumeric());
    let key = tokens.filter_map(private_key).next();
    key.or_else(|| is_phrase(text).then_some(Recognized::SeedPhrase))
}

/// By the form alone: a key with a typing mistake is as secret.
fn private_key(token: &str) -> Option<Recognized> {
    let is_plain = match (token.len(), token.as_bytes().first()?) {
        (51, b'5' | b'9') | (52, b'K' | b'L' | b'c') => is_base58(token),
        // BIP-0038.
        (58, b'6') => token.starts_with("6P") && is_base58(token),
        // BIP-0093, in one case: other long texts begin with these letters as well.
        (48..=127, b'm') => token.starts_with("ms1") && token == token.to_ascii_lowercase(),
        (48..=127, b'M') => token.starts_with("MS1") && token == token.to_ascii_uppercase(),
        _ => false,
    };
    if is_extended(token, "prv") {
        Some(Recognized::ExtendedPrivateKey)
    } else {
        is_plain.then_some(Recognized::PrivateKey)
    }
}

/// Whether a word has the form of an extended key of any version (SLIP-0132), `prv` or `pub`.
fn is_extended(word: &str, kind: &str) -> bool {
    word.len() >= 100 && word.get(1..4) == Some(kind) && "xyztuvwYZUVW".contains(&word[..1])
}

fn is_base58(token: &str) -> bool {
    !token.contains(['0', 'O', 'I', 'l'])
        && token.contains(|c: char| c.is_ascii_lowercase())
        && token.contains(|c: char| c.is_ascii_uppercase())
}

/// The length of the shortest phrase, and how many of its words must be of the list.
const PHRASE: usize = 12;
const LISTED: u32 = 11;

/// Whether so many words follow each other, with nothing but numbers and signs between them.
fn is_phrase(text: &str) -> bool {
    let listed: Vec<&str> = WORDS.split(' ').collect();
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    // The last words, the newest in the lowest bit: whether each is of the list.
    let mut last = 0_u16;
    words.filter(|word| !word.is_empty()).any(|word| {
        last = (last << 1 | u16::from(is_listed(&listed, word))) & ((1 << PHRASE) - 1);
        last.count_ones() >= LISTED
    })
}

fn is_listed(listed: &[&str], word: &str) -> bool {
    // The longest has eight letters.
    if !(3..=8).contains(&word.len()) {
        return false;
    }
    let word = word.to_ascii_lowercase();
    let next = listed.partition_point(|listed| **listed < *word);
    let Some(next) = listed.get(next) else {
        return false;
    };
    // "The first four letters are enough to unambiguously identify the word".
    *next == word || word.len() == 4 && next.starts_with(&word)
}

/// What a text is as a whole.
fn kind(text: &str) -> Option<Recognized> {
    let lower = text.get(..64).unwrap_or(text).to_ascii_lowercase();
    let starts = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
    let is_word = !text.contains(|c: char| c.is_ascii_whitespace());
    if starts(&["ur:"]) {
        Some(Recognized::Ur)
    } else if is_word && text.starts_with("B$") {
        Some(Recognized::Bbqr)
    } else if starts(&["<!", "<html", "<head", "<body", "<?xml"]) {
        Some(Recognized::Html)
    } else if text.starts_with("cHNldP") || starts(&["70736574ff"]) {
        Some(Recognized::Pset)
    } else if starts(&[
        "wpkh(", "wsh(", "sh(", "pkh(", "tr(", "rawtr(", "pk(", "multi(", "addr(", "raw(", "combo(",
    ]) {
        Some(Recognized::Descriptor)
    } else if is_word && is_extended(text, "pub") || starts(&["["]) && text.contains("pub") {
        Some(Recognized::ExtendedPublicKey)
    } else {
        is_word.then(|| address(text, &lower)).flatten()
    }
}

fn address(text: &str, lower: &str) -> Option<Recognized> {
    let starts = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
    let has_length = (26..=35).contains(&text.len()) && is_base58(text);
    match text.as_bytes().first()? {
        b'1' | b'3' if has_length => Some(Recognized::Address),
        b'm' | b'n' | b'2' if has_length => Some(Recognized::TestAddress),
        _ if !(14..=120).contains(&text.len()) => None,
        _ if starts(&["bc1", "sp1", "bitcoin:"]) => Some(Recognized::Address),
        _ if starts(&["tb1", "bcrt1", "tsp1"]) => Some(Recognized::TestAddress),
        _ => None,
    }
}

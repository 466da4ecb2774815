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
    /// Hexadecimal text after `0x`.
    #[strum(message = "There is 0x before this text. Remove the 0x, and use the rest.")]
    HexPrefix,
    /// A file within its own address (RFC 2397).
    #[strum(
        message = "This is a data: address with a file in it. Use only the text after its comma."
    )]
    DataUrl,
    /// A PSBT between lines such as `-----BEGIN PSBT-----`.
    #[strum(
        message = "There are lines of dashes around this PSBT (PEM). Remove these two lines, and use the rest."
    )]
    Pem,
    /// A PSBT in a mail: each line after `>`, or in the encoding quoted-printable.
    #[strum(
        message = "This is a PSBT that a mail program changed. Ask for it as an attachment, or remove what the program added to each line."
    )]
    QuotedMail,
    /// A PSBT or transaction as Electrum shows it in a QR code, in base 43.
    #[strum(
        message = "This is the text of a QR code of Electrum. In Electrum, export the transaction as a file or as text instead."
    )]
    ElectrumQr,
    /// The base64 text of a PSBT, written as hexadecimal digits.
    #[strum(
        message = "This is the base64 text of a PSBT, written in hexadecimal once more. Convert it from hexadecimal to text, and use that text."
    )]
    HexOfBase64,
    /// JSON with several PSBTs, or with none.
    #[strum(
        message = "This is JSON, and it is unclear which PSBT in it is meant. Use only the PSBT itself."
    )]
    Json,
    /// A PSBT within another text.
    #[strum(
        message = "There is a PSBT within this text. Use only the PSBT, which begins with cHNidP or 70736274ff."
    )]
    PsbtInText,
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

/// Whether this many words follow each other, with nothing but numbers and signs between them.
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
        let address = is_word.then(|| address(text, &lower)).flatten();
        address.or_else(|| around_psbt(text, &lower))
    }
}

/// What is around a PSBT that the reader cannot take out of it.
fn around_psbt(text: &str, lower: &str) -> Option<Recognized> {
    if crate::decode(text.as_bytes()).is_ok() {
        return None;
    }
    // The reader ignores quotation marks.
    let start = lower.trim_start_matches(['"', '\'', '`', '\u{201c}', '\u{201e}', ' ']);
    let hex = start.strip_prefix("0x").unwrap_or_default();
    // A PSBT, or a transaction of version 1 or 2.
    let is_hex = ["70736274ff", "01000000", "02000000"]
        .iter()
        .any(|magic| hex.starts_with(magic));
    if is_hex {
        Some(Recognized::HexPrefix)
    } else if start.starts_with("data:") {
        Some(Recognized::DataUrl)
    } else if start.starts_with("63484e696450") {
        Some(Recognized::HexOfBase64)
    } else if is_base43(text) {
        Some(Recognized::ElectrumQr)
    } else if matches!(
        start.as_bytes(),
        [b'{', ..] | [b'[', b'{' | b'"' | b' ' | b'\n' | b'\r', ..]
    ) {
        Some(Recognized::Json)
    } else {
        let at = find_psbt(text)?;
        if text.contains("-----BEGIN") {
            Some(Recognized::Pem)
        } else if is_mail(text) {
            Some(Recognized::QuotedMail)
        } else {
            // At the start of a text, it is a damaged one.
            (at > 0).then_some(Recognized::PsbtInText)
        }
    }
}

/// Where in a text a PSBT begins, and not only what looks like its start.
fn find_psbt(text: &str) -> Option<usize> {
    let is_long = |at: usize, is_digit: fn(&u8) -> bool| {
        let digits = text.as_bytes()[at..].iter();
        digits.take(40).filter(|digit| is_digit(digit)).count() == 40
    };
    let is_base64 = |digit: &u8| digit.is_ascii_alphanumeric() || b"+/-_".contains(digit);
    let lower = text.to_ascii_lowercase();
    let mut base64 = text.match_indices("cHNidP").map(|(at, _)| at);
    let mut hex = lower.match_indices("70736274ff").map(|(at, _)| at);
    (base64.find(|at| is_long(*at, is_base64)))
        .or_else(|| hex.find(|at| is_long(*at, u8::is_ascii_hexdigit)))
}

/// A quoted line begins with `>`. Quoted-printable ends lines with `=`, and writes `=` as `=3D`.
fn is_mail(text: &str) -> bool {
    let mut lines = text.lines();
    let is_quoted = |line: &str| line.trim_start().starts_with('>');
    // Padding ends only the last line.
    let is_cut = |line: &str| line.len() > 60 && line.trim_end().ends_with('=');
    let count = text.lines().count();
    lines.any(is_quoted)
        || text.contains("=3D")
        || text.lines().take(count.saturating_sub(1)).any(is_cut)
}

/// Electrum's alphabet, in which an ordinary text in capitals is not: it has a sign, and no space.
fn is_base43(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || "$*+-./:".contains(c);
    text.len() > 60
        && text.chars().all(is_digit)
        && text.contains(['$', '*', '+'])
        && text.contains(|c: char| c.is_ascii_digit())
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

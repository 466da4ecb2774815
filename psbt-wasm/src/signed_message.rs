//! Signed messages (BIP-322 and BIP-137), always checked against the script of the address that is given.
//!
//! Scripts are judged by their templates, as in [`check_signatures`](crate::check_signatures): others are inconclusive. No message is
//! valid unless a key that the address commits to has signed.
//!
//! ```
//! use psbt_wasm::{MessageStatus, verify_message};
//!
//! let address = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";
//! let signature = "smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=";
//! assert_eq!(verify_message(address, b"", signature).status, MessageStatus::Valid);
//! assert_eq!(verify_message(address, b"other", signature).status, MessageStatus::Invalid);
//! ```

mod bip137;
mod strict;
mod verdict;

use alloc::{string::String, vec, vec::Vec};

use bitcoin::address::NetworkUnchecked;
use bitcoin::consensus::deserialize;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::transaction::Version;
use bitcoin::{
    Address, Amount, OutPoint, Script, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Witness,
    absolute::LockTime,
};

use crate::binding::{MessageFault, message_fault, only_output, spends_message, to_spend};
use crate::extract::finalized;
use crate::hash::{hash160, sha256};
use crate::proof::finished;
use crate::read::{decode, from_base64};
use crate::signatures::{Checks, Fields, InputSignatures, Reason, SignatureStatus};
use crate::{Keys, ScriptType, script};

/// The most signature checks of one message: half as many as of a file, because a message is not checked in portions.
const MAX_CHECKS: u32 = 20_000;
/// The longest message of which similar texts are tried, and the most checks of each: a simple signature needs few.
const MAX_OTHER_TEXT_BYTES: usize = 1 << 20;
const MAX_OTHER_TEXT_CHECKS: u32 = 500;

pub use verdict::{
    LineEndings, MessageCheck, MessageFormat, MessageReason, MessageStatus, OtherText,
};

/// Checks that keys of an address have signed a message. The address decides which formats are possible: BIP-137 and full signatures
/// for P2PKH, all formats for P2SH and P2WPKH, BIP-322 for others.
///
/// A message is exact bytes. If the signature does not match, the other line endings are tried, and the answer says so. Texts that look
/// the same are tried as well; then the signature is invalid, and [`MessageCheck::other_text`] is the text that was signed.
///
/// White space within the signature does not count: mails and PDFs break long lines.
#[must_use]
pub fn verify_message(address: &str, message: &[u8], signature: &str) -> MessageCheck {
    verify_message_with(address, message, signature, &MessageOptions::default())
}

/// Options of [`verify_message_with`].
#[derive(Debug, Clone, Copy, Default)]
pub struct MessageOptions<'a> {
    /// The message in Unicode's normal forms C and D, for callers who can make them: tried if the signature does not match.
    pub forms: Option<[&'a [u8]; 2]>,
    /// The coins of a proof of funds, as the chain has them. Without all of them the proof is inconclusive.
    pub coins: &'a [(OutPoint, TxOut)],
}

/// The same as [`verify_message`], with options.
#[must_use]
pub fn verify_message_with(
    address: &str,
    message: &[u8],
    signature: &str,
    options: &MessageOptions<'_>,
) -> MessageCheck {
    let Ok(address) = address.trim_ascii().parse::<Address<NetworkUnchecked>>() else {
        return MessageCheck::refused(None, MessageReason::Address);
    };
    let script = address.assume_checked().script_pubkey();
    let signature: String = signature.chars().filter(|c| !is_space(*c)).collect();
    let signed_by = Claim {
        script: &script,
        signature: &signature,
        coins: options.coins,
    };
    let check = verify_lines(&signed_by, message, MAX_CHECKS);
    let is_other = matches!(
        check.reason,
        Some(MessageReason::WrongSignature | MessageReason::OtherMessage)
    );
    if !is_other || message.len() > MAX_OTHER_TEXT_BYTES {
        return check;
    }
    for (text, other) in other_texts(message, options.forms) {
        let again = verify_lines(&signed_by, &other, MAX_OTHER_TEXT_CHECKS);
        // Not where it is unknown only because fewer checks are allowed.
        let is_signed = matches!(
            (again.status, again.reason),
            (MessageStatus::Valid | MessageStatus::ValidWithLocks, _)
                | (
                    _,
                    Some(MessageReason::CoinsNotLookedUp | MessageReason::UnknownVersion)
                )
        );
        if is_signed {
            return MessageCheck {
                other_text: Some(text),
                line_endings: again.line_endings,
                ..MessageCheck::refused(again.format, MessageReason::OtherText)
            };
        }
    }
    check
}

/// Also what cannot be seen.
fn is_space(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
        )
}

/// Texts that look like this one, or nearly so.
fn other_texts(message: &[u8], forms: Option<[&[u8]; 2]>) -> Vec<(OtherText, Vec<u8>)> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut others = Vec::new();
    for (text, form) in [OtherText::Nfc, OtherText::Nfd]
        .into_iter()
        .zip(forms.into_iter().flatten())
    {
        others.push((text, form.to_vec()));
    }
    if let Some(line) = message.strip_suffix(b"\n") {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        others.push((OtherText::WithoutLineBreak, line.to_vec()));
    } else {
        others.push((OtherText::WithLineBreak, [message, b"\n"].concat()));
        others.push((OtherText::WithLineBreak, [message, b"\r\n"].concat()));
    }
    others.push(match message.strip_prefix(MARK) {
        Some(text) => (OtherText::WithoutMark, text.to_vec()),
        None => (OtherText::WithMark, [MARK, message].concat()),
    });
    others.retain(|(_, other)| other != message);
    others
}

/// A signature, and the script that is said to have signed.
struct Claim<'a> {
    script: &'a Script,
    signature: &'a str,
    coins: &'a [(OutPoint, TxOut)],
}

/// Also with the other line endings.
fn verify_lines(claim: &Claim<'_>, message: &[u8], max_checks: u32) -> MessageCheck {
    let check = verify(claim, message, max_checks);
    if check.status != MessageStatus::Invalid {
        return check;
    }
    let Some((endings, message)) = with_other_line_endings(message) else {
        return check;
    };
    match verify(claim, &message, max_checks) {
        again if again.status == MessageStatus::Invalid => check,
        again => MessageCheck {
            line_endings: Some(endings),
            ..again
        },
    }
}

/// None for a message of one line. There may be millions of lines.
fn with_other_line_endings(message: &[u8]) -> Option<(LineEndings, Vec<u8>)> {
    let first_end = message.iter().position(|byte| *byte == b'\n')?;
    let is_crlf = message[..first_end].ends_with(b"\r");
    let mut other = Vec::with_capacity(message.len() + message.len() / 8);
    for (at, byte) in message.iter().enumerate() {
        let is_before_lf = message.get(at + 1) == Some(&b'\n');
        match byte {
            b'\r' if is_before_lf => {}
            b'\n' if !is_crlf => other.extend_from_slice(b"\r\n"),
            _ => other.push(*byte),
        }
    }
    let endings = if is_crlf {
        LineEndings::Lf
    } else {
        LineEndings::Crlf
    };
    Some((endings, other))
}

fn verify(claim: &Claim<'_>, message: &[u8], max_checks: u32) -> MessageCheck {
    use MessageFormat::{Bip137, Full, ProofOfFunds, Simple};
    let (script, signature) = (claim.script, claim.signature);
    let encoding = MessageCheck::refused(None, MessageReason::Encoding);
    let simple = |witness: Witness| match simple_to_sign(script, message, witness) {
        Some(to_sign) => check(Simple, claim, message, to_sign, None, max_checks),
        None => MessageCheck::refused(Some(Simple), MessageReason::Form),
    };
    // The prefixes of BIP-322, version 2: without one, it is what earlier versions and BIP-137 have.
    if let Some(text) = signature.strip_prefix("smp") {
        let witness = from_base64(text.as_bytes()).and_then(|bytes| deserialize(&bytes).ok());
        return witness.map_or(encoding, simple);
    }
    let is_prefixed = signature.starts_with("ful") || signature.starts_with("pof");
    let bytes = from_base64(signature.as_bytes()).filter(|_| !is_prefixed);
    if let Some(bytes) = bytes {
        if let Some(found) = bip137::verify(script, message, &bytes) {
            return match found {
                Ok(loose) => MessageCheck {
                    loose,
                    ..MessageCheck::valid(Bip137)
                },
                Err(reason) => MessageCheck::refused(Some(Bip137), reason),
            };
        }
        if let Ok(witness) = deserialize(&bytes) {
            return simple(witness);
        }
    }
    let Some(signed) = full_to_sign(signature) else {
        return encoding;
    };
    let format = if signed.to_sign.input.len() > 1 {
        ProofOfFunds
    } else {
        Full
    };
    let found = check(
        format,
        claim,
        message,
        signed.to_sign,
        signed.spent,
        max_checks,
    );
    if signed.is_final || found.status == MessageStatus::Invalid {
        return found;
    }
    MessageCheck::refused(Some(format), MessageReason::NotFinalized)
}

/// The transaction that a simple signature stands for; none for a script without a witness.
fn simple_to_sign(script: &Script, message: &[u8], witness: Witness) -> Option<Transaction> {
    let redeem_script = match script::kind(script.as_bytes()) {
        ScriptType::P2wpkh | ScriptType::P2wsh | ScriptType::P2tr | ScriptType::Unknown => None,
        ScriptType::P2sh => Some(nested(script, &witness)?),
        _ => return None,
    };
    let script_sig = redeem_script.map_or(ScriptBuf::new(), |redeem| {
        Builder::new().push_slice(redeem).into_script()
    });
    Some(Transaction {
        version: Version(0),
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            previous_output: OutPoint::new(to_spend(message, script).compute_txid(), 0),
            script_sig,
            sequence: Sequence::ZERO,
            witness,
        }],
        output: vec![only_output()],
    })
}

/// The witness program nested in a P2SH script, rebuilt from what its witness reveals.
fn nested(script: &Script, witness: &Witness) -> Option<PushBytesBuf> {
    let last = witness.last()?;
    let of_key = [&[0, 20], &hash160(last)[..]].concat();
    let of_script = [&[0, 32], &sha256(&[last])[..]].concat();
    let mut programs = [of_key, of_script].into_iter();
    let program = programs.find(|program| script.as_bytes()[2..22] == hash160(program));
    program?.try_into().ok()
}

/// A full signature.
struct Signed {
    to_sign: Transaction,
    /// What its inputs spend, as far as a PSBT says so; [`TxOut::NULL`] where it does not.
    spent: Option<Vec<TxOut>>,
    /// Whether the signer has finalized it.
    is_final: bool,
}

fn full_to_sign(signature: &str) -> Option<Signed> {
    let binary = decode(signature.as_bytes()).ok()?;
    let file = binary.read(Keys::Form).ok()?;
    let mut to_sign: Transaction = deserialize(file.transaction_bytes()).ok()?;
    if file.psbt_version().is_none() {
        return Some(Signed {
            to_sign,
            spent: None,
            is_final: true,
        });
    }
    let (mut spent, mut is_final) = (Vec::new(), true);
    for (input, (output, _, map)) in to_sign.input.iter_mut().zip(file.inputs().ok()?) {
        let fields = Fields::read(map);
        is_final &= fields.is_final() || !fields.has_signature();
        input.script_sig = ScriptBuf::from(fields.final_script_sig.to_vec());
        input.witness = Witness::from_slice(&fields.final_witness);
        spent.push(output.map_or(TxOut::NULL, TxOut::from));
    }
    // Signed, and not finalized: checked as if it were, to say only that if nothing else is wrong.
    if let Some(finalized) = finalized(&file).ok().filter(|_| !is_final) {
        to_sign = deserialize(&finalized).ok()?;
    } else {
        is_final = true;
    }
    Some(Signed {
        to_sign,
        spent: Some(spent),
        is_final,
    })
}

/// BIP-322, "Verification Process".
fn check(
    format: MessageFormat,
    claim: &Claim<'_>,
    message: &[u8],
    to_sign: Transaction,
    spent: Option<Vec<TxOut>>,
    max_checks: u32,
) -> MessageCheck {
    let challenge = claim.script;
    let refused = |reason| MessageCheck::refused(Some(format), reason);
    let fault = message_fault(&to_sign);
    if !matches!(
        fault,
        None | Some(MessageFault::Version | MessageFault::NoCoins)
    ) {
        return refused(MessageReason::Form);
    }
    // Witness versions above 1, and programs of version 1 that are not Taproot (pay to anchor).
    let kind = script::kind(challenge.as_bytes());
    let is_unknown = matches!(kind, ScriptType::Unknown | ScriptType::P2a);
    if challenge.is_witness_program() && is_unknown {
        return refused(MessageReason::UnknownVersion);
    }
    let first = &to_sign.input[0];
    if !spends_message(first.previous_output, message, challenge) {
        return refused(MessageReason::OtherMessage);
    }
    let (lock_time, sequence) = (to_sign.lock_time.to_consensus_u32(), first.sequence.0);
    let mut spent = spent.unwrap_or_else(|| vec![TxOut::NULL; to_sign.input.len()]);
    spent[0] = TxOut {
        value: Amount::ZERO,
        script_pubkey: challenge.into(),
    };
    // Values come from the chain or, for a coin that was not looked up, from the file; such a coin proves nothing certain.
    let mut amount_sats = Some(0);
    for (input, spent) in to_sign.input.iter().zip(&mut spent).skip(1) {
        let mut coins = claim.coins.iter();
        match coins.find(|(outpoint, _)| *outpoint == input.previous_output) {
            Some((_, coin)) => {
                amount_sats = amount_sats.and_then(|sum: u64| sum.checked_add(coin.value.to_sat()));
                *spent = coin.clone();
            }
            None => amount_sats = None,
        }
    }
    if let Some(reason) = first_fault(to_sign, &spent, max_checks) {
        return refused(reason);
    }
    if fault == Some(MessageFault::Version) {
        return refused(MessageReason::UnknownVersion);
    }
    let Some(amount_sats) = amount_sats else {
        return refused(MessageReason::CoinsNotLookedUp);
    };
    MessageCheck {
        status: if (lock_time, sequence) == (0, 0) {
            MessageStatus::Valid
        } else {
            MessageStatus::ValidWithLocks
        },
        lock_time,
        sequence,
        amount_sats,
        ..MessageCheck::valid(format)
    }
}

/// The first thing that is wrong with the inputs of a signed transaction; what is invalid comes before what is not known.
fn first_fault(to_sign: Transaction, spent: &[TxOut], max_checks: u32) -> Option<MessageReason> {
    let is_known = |coin: &&TxOut| **coin != TxOut::NULL;
    let inputs = || to_sign.input.iter().zip(spent);
    let known = inputs().filter(|(_, coin)| is_known(coin));
    let rules = known.map(|(input, coin)| strict::broken_rule(input, coin));
    let forms = inputs().map(|(input, coin)| !is_known(&coin) || finished::has_form(input, coin));
    let (mut faults, forms): (Vec<_>, Vec<_>) = (rules.flatten().collect(), forms.collect());
    let Some(verdicts) = signatures(to_sign, spent, &forms, max_checks) else {
        return Some(MessageReason::Form);
    };
    for (verdict, coin) in verdicts.iter().zip(spent) {
        let unknown = (!is_known(&coin)).then_some(MessageReason::CoinsNotLookedUp);
        faults.extend(unknown.or_else(|| signature_fault(verdict, coin)));
    }
    let mut invalid = faults.iter();
    let invalid = invalid.find(|reason| reason.status() == MessageStatus::Invalid);
    invalid.or(faults.first()).copied()
}

fn signatures(
    to_sign: Transaction,
    spent: &[TxOut],
    forms: &[bool],
    max_checks: u32,
) -> Option<Vec<InputSignatures>> {
    let psbt = decode(finished::psbt(to_sign, spent)).ok()?;
    let mut checks = Checks::new(psbt, max_checks).ok()?;
    while checks.go_on() {}
    Some(finished::strict(checks.into_report(), forms).inputs)
}

fn signature_fault(input: &InputSignatures, coin: &TxOut) -> Option<MessageReason> {
    let is_taproot = coin.script_pubkey.is_p2tr();
    let commits = |sighash: u8| sighash == 1 || is_taproot && sighash == 0;
    let right = input.signatures.iter();
    let right = right.filter(|signature| signature.valid != Some(false));
    let mut sighashes = right.map(|signature| signature.sighash);
    match input.status {
        _ if sighashes.any(|sighash| !commits(sighash)) => Some(MessageReason::Sighash),
        SignatureStatus::Valid if input.signatures.is_empty() => Some(MessageReason::NoSignature),
        SignatureStatus::Valid => None,
        SignatureStatus::Missing | SignatureStatus::Incomplete => Some(MessageReason::NoSignature),
        SignatureStatus::Invalid if input.reason == Some(Reason::WrongForm) => {
            Some(MessageReason::Form)
        }
        SignatureStatus::Invalid if input.reason == Some(Reason::LockNotMet) => {
            Some(MessageReason::LockNotMet)
        }
        SignatureStatus::Invalid => Some(MessageReason::WrongSignature),
        // A Taproot signature commits to all coins.
        SignatureStatus::Inconclusive if input.reason == Some(Reason::UnknownUtxo) => {
            Some(MessageReason::CoinsNotLookedUp)
        }
        SignatureStatus::Inconclusive => Some(MessageReason::UnknownScript),
    }
}

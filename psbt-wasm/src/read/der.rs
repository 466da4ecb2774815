//! Signatures: whether the bytes have the right form.

use crate::Fault;

const SIGNATURE: Fault = Fault::Invalid("signature");
const SIGHASH: Fault = Fault::Invalid("signature hash type");

/// An ECDSA signature as it is pushed: strict DER, then one of the six usual signature hash types.
pub(crate) fn check_ecdsa(signature: &[u8]) -> Result<(), Fault> {
    let (sighash, der) = signature.split_last().ok_or(SIGNATURE)?;
    if !matches!(sighash, 1..=3 | 0x81..=0x83) {
        return Err(SIGHASH);
    }
    is_der(der).ok_or(SIGNATURE)
}

/// A Schnorr signature of 64 bytes, or with its signature hash type (BIP-0341).
pub(crate) fn check_schnorr(signature: &[u8]) -> Result<(), Fault> {
    match signature.len() {
        64 => Ok(()),
        65 if matches!(signature[64], 0..=3 | 0x81..=0x83) => Ok(()),
        65 => Err(SIGHASH),
        _ => Err(SIGNATURE),
    }
}

/// A sequence of two integers and nothing else, as libsecp256k1 takes it. Integers that are out of range are
/// taken too: they make a signature invalid, not malformed.
pub(crate) fn is_der(der: &[u8]) -> Option<()> {
    let (&0x30, mut rest) = der.split_first()? else {
        return None;
    };
    let length = der_length(&mut rest)?;
    if length != rest.len() {
        return None;
    }
    let rest = after_integer(after_integer(rest)?)?;
    rest.is_empty().then_some(())
}

fn after_integer(der: &[u8]) -> Option<&[u8]> {
    let (&0x02, mut rest) = der.split_first()? else {
        return None;
    };
    let length = der_length(&mut rest)?;
    let (integer, rest) = rest.split_at_checked(length)?;
    match integer {
        [] | [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => None,
        _ => Some(rest),
    }
}

/// X.690, 8.1.3: a definite length in its shortest form.
fn der_length(rest: &mut &[u8]) -> Option<usize> {
    let (&first, after) = rest.split_first()?;
    *rest = after;
    if first < 0x80 {
        return Some(first.into());
    }
    if matches!(first, 0x80 | 0xff) {
        return None;
    }
    let (digits, after) = rest.split_at_checked(usize::from(first & 0x7f))?;
    *rest = after;
    if digits.first() == Some(&0) || digits.len() > 4 {
        return None;
    }
    let digits = digits.iter().map(|digit| usize::from(*digit));
    let length = digits.fold(0, |length, digit| length << 8 | digit);
    (length >= 0x80 && length <= rest.len()).then_some(length)
}

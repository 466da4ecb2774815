//! Public keys and signatures: whether the bytes have the right form, and whether a key is a point.

mod curve;

use crate::Malformed;

/// How strictly public keys are looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keys {
    /// Length, prefix, and a coordinate below the field's prime. Half of all numbers of this form are no points.
    #[default]
    Form,
    /// The point must be on the curve, which is exactly what libsecp256k1 demands of a key.
    Curve,
}

/// The prime of secp256k1's field, big endian.
const PRIME: [u8; 32] = {
    let mut prime = [0xff; 32];
    prime[27] = 0xfe;
    prime[30] = 0xfc;
    prime[31] = 0x2f;
    prime
};

const INVALID: Malformed = Malformed::InvalidField("public key");

impl Keys {
    /// A key of 33 or 65 bytes (SEC 1).
    pub(super) fn check(self, key: &[u8]) -> Result<(), Malformed> {
        match key {
            [2 | 3, x @ ..] if x.len() == 32 => self.check_x(x),
            [4, point @ ..] if point.len() == 64 => self.check_point(point),
            [6 | 7, point @ ..] if point.len() == 64 && (point[63] ^ key[0]) & 1 == 0 => {
                self.check_point(point)
            }
            _ => Err(INVALID),
        }
    }

    /// The same without the hybrid form that nobody uses (prefixes 6 and 7).
    pub(super) fn check_signer(self, key: &[u8]) -> Result<(), Malformed> {
        match key {
            [6 | 7, ..] => Err(INVALID),
            _ => self.check(key),
        }
    }

    /// A key of 32 bytes (BIP-0340).
    pub(super) fn check_x(self, x: &[u8]) -> Result<(), Malformed> {
        let x: &[u8; 32] = x.try_into().map_err(|_| INVALID)?;
        let valid = *x < PRIME && (self == Self::Form || curve::has_point(x));
        valid.then_some(()).ok_or(INVALID)
    }

    fn check_point(self, point: &[u8]) -> Result<(), Malformed> {
        let (x, y) = point.split_at(32);
        let (x, y) = (to_array(x)?, to_array(y)?);
        let valid = *x < PRIME && *y < PRIME && (self == Self::Form || curve::is_point(x, y));
        valid.then_some(()).ok_or(INVALID)
    }
}

fn to_array(bytes: &[u8]) -> Result<&[u8; 32], Malformed> {
    bytes.try_into().map_err(|_| INVALID)
}

/// Two spellings of one point are one key: the compressed form of a key of 65 bytes.
pub(super) fn compressed(key: &[u8]) -> [u8; 33] {
    let mut short = [0; 33];
    for (to, from) in short.iter_mut().zip(key) {
        *to = *from;
    }
    if let [4 | 6 | 7, .., last] = key {
        short[0] = 2 | (last & 1);
    }
    short
}

const SIGNATURE: Malformed = Malformed::InvalidField("signature");
const SIGHASH: Malformed = Malformed::InvalidField("signature hash type");

/// An ECDSA signature as it is pushed: strict DER, then one of the six usual signature hash types.
pub(super) fn check_ecdsa(signature: &[u8]) -> Result<(), Malformed> {
    let (sighash, der) = signature.split_last().ok_or(SIGNATURE)?;
    if !matches!(sighash, 1..=3 | 0x81..=0x83) {
        return Err(SIGHASH);
    }
    is_der(der).ok_or(SIGNATURE)
}

/// A Schnorr signature of 64 bytes, or with its signature hash type (BIP-0341).
pub(super) fn check_schnorr(signature: &[u8]) -> Result<(), Malformed> {
    match signature.len() {
        64 => Ok(()),
        65 if matches!(signature[64], 0..=3 | 0x81..=0x83) => Ok(()),
        65 => Err(SIGHASH),
        _ => Err(SIGNATURE),
    }
}

/// A sequence of two integers and nothing else, as libsecp256k1 takes it. Integers that are out of range are
/// taken too: they make a signature invalid, not malformed.
fn is_der(der: &[u8]) -> Option<()> {
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
    let length = digits
        .iter()
        .fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
    (length >= 0x80 && length <= rest.len()).then_some(length)
}

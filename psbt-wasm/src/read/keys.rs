//! Public keys: whether the bytes have the right form, and whether they are a point.

mod curve;

use crate::Fault;

/// How strictly public keys are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keys {
    /// Length, prefix, and a coordinate below the field's prime. Half of the keys of this form are not on the curve.
    #[default]
    Form,
    /// The point must also be on the curve: exactly what libsecp256k1 requires of a key.
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

const INVALID: Fault = Fault::Invalid("public key");

/// Whether x, and y if it is known, are those of a point.
type IsPoint = fn(x: &[u8; 32], y: Option<&[u8; 32]>) -> bool;

/// How keys are checked. A function, so that a module that does not ask for points does not contain what finds them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyCheck {
    is_point: Option<IsPoint>,
}

impl Keys {
    #[inline(always)]
    pub(crate) fn check(self) -> KeyCheck {
        KeyCheck {
            is_point: match self {
                Self::Curve => Some(curve::is_point),
                Self::Form => None,
            },
        }
    }
}

impl KeyCheck {
    /// A key of 33 or 65 bytes (SEC 1).
    pub(crate) fn check(self, key: &[u8]) -> Result<(), Fault> {
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
    pub(crate) fn check_signer(self, key: &[u8]) -> Result<(), Fault> {
        match key {
            [6 | 7, ..] => Err(INVALID),
            _ => self.check(key),
        }
    }

    /// A key of 32 bytes (BIP-0340).
    pub(crate) fn check_x(self, x: &[u8]) -> Result<(), Fault> {
        let x: &[u8; 32] = x.try_into().map_err(|_| INVALID)?;
        self.check_coordinates(x, None)
    }

    fn check_point(self, point: &[u8]) -> Result<(), Fault> {
        let (x, y) = point.split_at(32);
        self.check_coordinates(to_array(x)?, Some(to_array(y)?))
    }

    fn check_coordinates(self, x: &[u8; 32], y: Option<&[u8; 32]>) -> Result<(), Fault> {
        let in_field = *x < PRIME && y.is_none_or(|y| *y < PRIME);
        let valid = in_field && self.is_point.is_none_or(|is_point| is_point(x, y));
        valid.then_some(()).ok_or(INVALID)
    }
}

fn to_array(bytes: &[u8]) -> Result<&[u8; 32], Fault> {
    bytes.try_into().map_err(|_| INVALID)
}

/// Two spellings of one point are one key: the compressed form of a key of 65 bytes.
pub(crate) fn compressed(key: &[u8]) -> [u8; 33] {
    let mut short = [0; 33];
    for (to, from) in short.iter_mut().zip(key) {
        *to = *from;
    }
    if let [4 | 6 | 7, .., last] = key {
        short[0] = 2 | (last & 1);
    }
    short
}

//! The arithmetic of silent payments: proofs of shares (BIP-0374), and the scripts of outputs (BIP-0352).

use alloc::vec::Vec;

use bitcoin::secp256k1::constants::GENERATOR_X;
use bitcoin::secp256k1::{PublicKey, Scalar};

use crate::hash::{hash160, sha256};
use crate::signatures::verifier;

/// BIP-0340: a hash for one purpose only.
fn tagged(tag: &str, pieces: &[&[u8]]) -> [u8; 32] {
    let tag = sha256(&[tag.as_bytes()]);
    let all: Vec<&[u8]> = [&tag[..], &tag]
        .into_iter()
        .chain(pieces.iter().copied())
        .collect();
    sha256(&all)
}

fn number(bytes: &[u8]) -> Option<Scalar> {
    Scalar::from_be_bytes(*bytes.first_chunk()?).ok()
}

fn times(point: &PublicKey, number: &Scalar) -> Option<PublicKey> {
    point.mul_tweak(&verifier(), number).ok()
}

pub(super) fn point(bytes: &[u8]) -> Option<PublicKey> {
    PublicKey::from_slice(bytes).ok()
}

/// The sum of keys; none if there is no key, or they cancel each other.
pub(super) fn sum(keys: &[PublicKey]) -> Option<PublicKey> {
    PublicKey::combine_keys(&keys.iter().collect::<Vec<_>>()).ok()
}

/// Whether `proof` shows that `share` is the scan key times the private key of `key` (BIP-0374, "VerifyProof").
pub(super) fn is_proof(
    proof: &[u8],
    key: &PublicKey,
    scan_key: &PublicKey,
    share: &PublicKey,
) -> bool {
    let verify = || {
        let (e, s) = proof.split_at_checked(32)?;
        let (challenge, response) = (number(e)?, number(s)?);
        let generator = point(&[&[2], &GENERATOR_X[..]].concat())?;
        let difference = |point: &PublicKey, other: &PublicKey| {
            let other = times(other, &challenge)?.negate(&verifier());
            times(point, &response)?.combine(&other).ok()
        };
        let (one, two) = (difference(&generator, key)?, difference(scan_key, share)?);
        let points = [*key, *scan_key, *share, generator, one, two].map(|point| point.serialize());
        let pieces: Vec<&[u8]> = points.iter().map(|point| &point[..]).collect();
        (proof.len() == 64 && tagged("BIP0374/challenge", &pieces) == e).then_some(())
    };
    verify().is_some()
}

/// The key that a script has the hash of, among these; else the only one, as BIP-0375 takes it.
pub(super) fn key_of(script: &[u8], keys: &[&[u8]]) -> Option<PublicKey> {
    let hash = match script {
        [0x00, 20, hash @ ..] | [0x76, 0xa9, 20, hash @ .., 0x88, 0xac] => hash,
        _ => &[],
    };
    let only = || keys.first().filter(|_| keys.len() == 1);
    point(keys.iter().find(|key| hash160(key) == hash).or_else(only)?)
}

/// The key of a taproot output: the even one of its two (BIP-0341).
pub(super) fn even_key(script: &[u8]) -> Option<PublicKey> {
    point(&[&[2], script.get(2..)?].concat())
}

/// What all outputs of one scan key are computed with (BIP-0352, "Creating outputs").
pub(super) struct Shared(PublicKey);

impl Shared {
    /// `keys` is the sum of the inputs' keys, `share` that of the shares, `outpoint` the lowest of the transaction.
    pub(super) fn new(keys: &PublicKey, share: &PublicKey, outpoint: &[u8]) -> Option<Self> {
        let keys = keys.serialize();
        let hash = tagged("BIP0352/Inputs", &[outpoint, &keys]);
        times(share, &number(&hash)?).map(Self)
    }

    /// The script of the output with the number `k` for this spend key.
    pub(super) fn script(&self, spend_key: &PublicKey, k: u32) -> Option<[u8; 34]> {
        let (shared, k) = (self.0.serialize(), k.to_be_bytes());
        let tweak = number(&tagged("BIP0352/SharedSecret", &[&shared, &k]))?;
        let key = spend_key.add_exp_tweak(&verifier(), &tweak).ok()?;
        let mut script = [0x51; 34];
        script[1] = 0x20;
        script[2..].copy_from_slice(&key.serialize()[1..]);
        Some(script)
    }
}

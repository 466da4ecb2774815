//! The digests that signatures of any type sign.

use bitcoin::hashes::{Hash, sha256d};
use bitcoin::key::Keypair;
use bitcoin::secp256k1::Message;
use bitcoin::sighash::{Prevouts, SighashCache};
use bitcoin::taproot::{LeafVersion, TapLeafHash};
use bitcoin::{EcdsaSighashType, Script, TapSighashType, Transaction};

use super::{Coin, Key, outputs, with_secp};

/// An input to sign with a type byte, even one that no library would write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sighash<'a> {
    transaction: &'a Transaction,
    coins: &'a [Coin],
    input: usize,
    pub(crate) byte: u8,
}

impl<'a> Sighash<'a> {
    pub(crate) fn new(
        transaction: &'a Transaction,
        coins: &'a [Coin],
        input: usize,
        byte: u8,
    ) -> Self {
        Self {
            transaction,
            coins,
            input,
            byte,
        }
    }

    /// Before SegWit.
    pub(crate) fn legacy(&self, script: &Script) -> Message {
        let cache = SighashCache::new(self.transaction);
        let digest = cache.legacy_signature_hash(self.input, script, u32::from(self.byte));
        Message::from_digest(digest.expect("the input is there").to_byte_array())
    }

    /// SegWit version 0 (BIP-0143).
    pub(crate) fn segwit(&self, script_code: &Script) -> Message {
        let kind = EcdsaSighashType::from_consensus(self.byte.into());
        let (input, value) = (self.input, self.coins[self.input].output.value);
        let mut preimage = Vec::new();
        SighashCache::new(self.transaction)
            .segwit_v0_encode_signing_data_to(&mut preimage, input, script_code, value, kind)
            .expect("the input is there");
        // The library writes the nearest type that has a name.
        preimage.truncate(preimage.len() - 4);
        preimage.extend(u32::from(self.byte).to_le_bytes());
        Message::from_digest(sha256d::Hash::hash(&preimage).to_byte_array())
    }

    /// Taproot by key, or by a leaf of the usual version (BIP-0341).
    pub(crate) fn taproot(&self, leaf: Option<&Script>) -> Message {
        let kind = TapSighashType::from_consensus_u8(self.byte).expect("a type of BIP-0341");
        let leaf = leaf.map(|leaf| TapLeafHash::from_script(leaf, LeafVersion::TapScript));
        let outputs = outputs(self.coins);
        let (leaf, all) = (leaf.map(|leaf| (leaf, u32::MAX)), Prevouts::All(&outputs));
        let mut cache = SighashCache::new(self.transaction);
        let digest = cache.taproot_signature_hash(self.input, &all, None, leaf, kind);
        Message::from_digest(digest.expect("the input is there").to_byte_array())
    }
}

/// An ECDSA signature in the encoding of scripts.
pub(crate) fn der(message: Message, key: &Key, byte: u8) -> Vec<u8> {
    let signature = with_secp(|secp| secp.sign_ecdsa(&message, &key.0.secret_key()));
    [signature.serialize_der().as_ref(), &[byte]].concat()
}

/// A Schnorr signature in the encoding of scripts: the type DEFAULT (0) is omitted.
pub(crate) fn schnorr(message: Message, key: &Keypair, byte: u8) -> Vec<u8> {
    let signature = with_secp(|secp| secp.sign_schnorr_no_aux_rand(&message, key));
    let mut bytes = signature.serialize().to_vec();
    if byte != 0 {
        bytes.push(byte);
    }
    bytes
}

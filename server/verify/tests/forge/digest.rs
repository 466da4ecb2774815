//! The digests that signatures of any type sign.

use bitcoin::consensus::Encodable;
use bitcoin::hashes::{Hash, sha256d};
use bitcoin::key::Keypair;
use bitcoin::secp256k1::Message;
use bitcoin::sighash::{Prevouts, SighashCache};
use bitcoin::taproot::{LeafVersion, TapLeafHash};
use bitcoin::{Script, TapSighashType, Transaction};

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
        let digest = SighashCache::new(self.transaction)
            .legacy_signature_hash(self.input, script, u32::from(self.byte))
            .expect("the input is there");
        Message::from_digest(digest.to_byte_array())
    }

    /// SegWit version 0 (BIP-0143).
    pub(crate) fn segwit(&self, script_code: &Script) -> Message {
        let transaction = self.transaction;
        let (others, kind) = (self.byte & 0x80 == 0, self.byte & 0x1f);
        let all_outputs = kind != 0x02 && kind != 0x03;
        let own = &transaction.input[self.input];
        let mut preimage = Vec::new();
        write(&mut preimage, &transaction.version);
        let outpoints = transaction.input.iter().map(|input| input.previous_output);
        write(&mut preimage, &hash_if(others, outpoints));
        let sequences = transaction.input.iter().map(|input| input.sequence);
        write(&mut preimage, &hash_if(others && all_outputs, sequences));
        write(&mut preimage, &own.previous_output);
        write(&mut preimage, &script_code.to_owned());
        write(&mut preimage, &self.coins[self.input].output.value);
        write(&mut preimage, &own.sequence);
        let hash_outputs = match transaction.output.get(self.input) {
            Some(output) if kind == 0x03 => hash_if(true, std::iter::once(output)),
            _ => hash_if(all_outputs, transaction.output.iter()),
        };
        write(&mut preimage, &hash_outputs);
        write(&mut preimage, &transaction.lock_time);
        write(&mut preimage, &u32::from(self.byte));
        Message::from_digest(sha256d::Hash::hash(&preimage).to_byte_array())
    }

    /// Taproot by key, or by a leaf of the usual version (BIP-0341).
    pub(crate) fn taproot(&self, leaf: Option<&Script>) -> Message {
        let kind = TapSighashType::from_consensus_u8(self.byte).expect("a type of BIP-0341");
        let leaf = leaf.map(|leaf| TapLeafHash::from_script(leaf, LeafVersion::TapScript));
        let outputs = outputs(self.coins);
        let digest = SighashCache::new(self.transaction)
            .taproot_signature_hash(
                self.input,
                &Prevouts::All(&outputs),
                None,
                leaf.map(|leaf| (leaf, u32::MAX)),
                kind,
            )
            .expect("the input is there");
        Message::from_digest(digest.to_byte_array())
    }
}

fn write(preimage: &mut Vec<u8>, value: &impl Encodable) {
    value
        .consensus_encode(preimage)
        .expect("a vector takes every write");
}

fn hash_if(committed: bool, values: impl Iterator<Item = impl Encodable>) -> sha256d::Hash {
    if !committed {
        return sha256d::Hash::all_zeros();
    }
    let mut bytes = Vec::new();
    for value in values {
        write(&mut bytes, &value);
    }
    sha256d::Hash::hash(&bytes)
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

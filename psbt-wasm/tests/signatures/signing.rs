//! Signs the inputs of the scene.

use bitcoin::hashes::Hash;
use bitcoin::key::TapTweak;
use bitcoin::secp256k1::Message;
use bitcoin::sighash::{EcdsaSighashType, Prevouts, SighashCache, TapSighashType};
use bitcoin::taproot::{LeafVersion, TapLeafHash};
use bitcoin::{Psbt, Script, TxOut, ecdsa, taproot};

use crate::scene::*;

pub(crate) fn ecdsa_signature(
    psbt: &Psbt,
    index: usize,
    signer: usize,
    sighash: EcdsaSighashType,
) -> ecdsa::Signature {
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    let spent = psbt.inputs[index].witness_utxo.clone().expect("stated");
    let (value, script) = (spent.value, &spent.script_pubkey);
    let p2wsh = match index {
        P2PKH => return ecdsa_signature_of_script(psbt, index, script, signer, sighash),
        LEGACY_MULTISIG => {
            return ecdsa_signature_of_script(psbt, index, &multisig(), signer, sighash);
        }
        MULTISIG => Some(multisig()),
        UNUSUAL => Some(unusual()),
        _ => None,
    };
    let digest = match p2wsh {
        Some(script) => cache.p2wsh_signature_hash(index, &script, value, sighash),
        None => {
            let script = psbt.inputs[index].redeem_script.as_ref().unwrap_or(script);
            let hash = cache.p2wpkh_signature_hash(index, script, value, sighash);
            Ok(hash.expect("in range"))
        }
    };
    let digest = digest.expect("in range").to_byte_array();
    signed_digest(digest, signer, sighash)
}

/// For a script older than segregated witness.
pub(crate) fn ecdsa_signature_of_script(
    psbt: &Psbt,
    index: usize,
    script: &Script,
    signer: usize,
    sighash: EcdsaSighashType,
) -> ecdsa::Signature {
    let digest = SighashCache::new(&psbt.unsigned_tx)
        .legacy_signature_hash(index, script, sighash.to_u32())
        .expect("in range");
    signed_digest(digest.to_byte_array(), signer, sighash)
}

pub(crate) fn signed_digest(
    digest: [u8; 32],
    signer: usize,
    sighash: EcdsaSighashType,
) -> ecdsa::Signature {
    let message = Message::from_digest(digest);
    ecdsa::Signature {
        signature: secp().sign_ecdsa(&message, &pair(signer).secret_key()),
        sighash_type: sighash,
    }
}

pub(crate) fn schnorr_signature(
    psbt: &Psbt,
    index: usize,
    signer: usize,
    sighash: TapSighashType,
) -> taproot::Signature {
    let leaf = match index {
        LEAF => Some(single_leaf()),
        LEAF_MULTISIG => Some(multisig_leaf()),
        _ => None,
    };
    schnorr_signature_of_leaf(psbt, index, leaf.as_deref(), signer, sighash)
}

/// For the key path if there is no leaf.
pub(crate) fn schnorr_signature_of_leaf(
    psbt: &Psbt,
    index: usize,
    leaf: Option<&Script>,
    signer: usize,
    sighash: TapSighashType,
) -> taproot::Signature {
    let spent = psbt.inputs.iter().map(|input| input.witness_utxo.clone());
    let spent: Option<Vec<TxOut>> = spent.collect();
    let spent = spent.expect("stated");
    let hash = leaf.map(|leaf| TapLeafHash::from_script(leaf, LeafVersion::TapScript));
    let leaf_hash = hash.map(|hash| (hash, u32::MAX));
    let hash = SighashCache::new(&psbt.unsigned_tx)
        .taproot_signature_hash(index, &Prevouts::All(&spent), None, leaf_hash, sighash)
        .expect("in range");
    let key = match leaf {
        Some(_) => pair(signer),
        None => pair(signer).tap_tweak(&secp(), None).to_keypair(),
    };
    let message = Message::from_digest(hash.to_byte_array());
    taproot::Signature {
        signature: secp().sign_schnorr_no_aux_rand(&message, &key),
        sighash_type: sighash,
    }
}

pub(crate) fn sign_leaf(psbt: &mut Psbt, index: usize, signer: usize) {
    let signature = schnorr_signature(psbt, index, signer, TapSighashType::Default);
    let script = if index == LEAF {
        single_leaf()
    } else {
        multisig_leaf()
    };
    let leaf = TapLeafHash::from_script(&script, LeafVersion::TapScript);
    let key = pair(signer).x_only_public_key().0;
    psbt.inputs[index]
        .tap_script_sigs
        .insert((key, leaf), signature);
}

pub(crate) fn sign(psbt: &mut Psbt, index: usize, signer: usize) {
    let signature = ecdsa_signature(psbt, index, signer, EcdsaSighashType::All);
    psbt.inputs[index]
        .partial_sigs
        .insert(public(signer), signature);
}

/// Every input signed by as many as it needs, nothing finalized.
pub(crate) fn signed() -> Psbt {
    let mut psbt = unsigned();
    for index in [P2PKH, P2WPKH, NESTED, UNUSUAL] {
        sign(&mut psbt, index, index);
    }
    for index in [MULTISIG, LEGACY_MULTISIG] {
        sign(&mut psbt, index, 10);
        sign(&mut psbt, index, 12);
    }
    let signature = schnorr_signature(&psbt, KEY_PATH, KEY_PATH, TapSighashType::Default);
    psbt.inputs[KEY_PATH].tap_key_sig = Some(signature);
    sign_leaf(&mut psbt, LEAF, LEAF);
    sign_leaf(&mut psbt, LEAF_MULTISIG, 11);
    sign_leaf(&mut psbt, LEAF_MULTISIG, 12);
    psbt
}

//! Signs inputs with any key and any type of signature, whether or not the coin commits to the key.

use super::*;

/// The signature of a key for an input, of the type `sighash`, in the encoding of scripts.
pub(crate) fn signature(psbt: &Psbt, index: usize, signer: &TestKey, sighash: u8) -> Vec<u8> {
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    let input = &psbt.inputs[index];
    let spent: Vec<TxOut> = spent(psbt).into_iter().map(|(_, coin)| coin).collect();
    let (value, script_pubkey) = (spent[index].value, &spent[index].script_pubkey);
    if script_pubkey.is_p2tr() {
        let kind = TapSighashType::from_consensus_u8(sighash).expect("a type of BIP-0341");
        let leaf = leaf_hash(input).map(|hash| (hash, u32::MAX));
        let all = Prevouts::All(&spent);
        let hash = cache.taproot_signature_hash(index, &all, None, leaf, kind);
        let message = Message::from_digest(hash.expect("in range").to_byte_array());
        let tweaked = || signer.0.tap_tweak(&secp(), None).to_keypair();
        let key = leaf.map_or_else(tweaked, |_| signer.0);
        let signature = taproot::Signature {
            signature: secp().sign_schnorr_no_aux_rand(&message, &key),
            sighash_type: kind,
        };
        return signature.to_vec();
    }
    let (witness, redeem) = (input.witness_script.as_ref(), input.redeem_script.as_ref());
    let script = witness.or(redeem).unwrap_or(script_pubkey);
    let kind = EcdsaSighashType::from_consensus(sighash.into());
    let digest = if script.is_p2wpkh() {
        let hash = cache.p2wpkh_signature_hash(index, script, value, kind);
        hash.expect("in range").to_byte_array()
    } else if witness.is_some() {
        let hash = cache.p2wsh_signature_hash(index, script, value, kind);
        hash.expect("in range").to_byte_array()
    } else {
        let hash = cache.legacy_signature_hash(index, script, sighash.into());
        hash.expect("in range").to_byte_array()
    };
    let message = Message::from_digest(digest);
    let signature = secp().sign_ecdsa(&message, &signer.0.secret_key());
    [&signature.serialize_der()[..], &[sighash]].concat()
}

/// The only leaf that an input shows.
fn leaf_hash(input: &Input) -> Option<TapLeafHash> {
    let (script, version) = input.tap_scripts.values().next()?;
    Some(TapLeafHash::from_script(script, *version))
}

/// Adds the signature of a key to the fields of an input.
pub(crate) fn sign(psbt: &mut Psbt, index: usize, signer: &TestKey, sighash: u8) {
    let signature = signature(psbt, index, signer, sighash);
    place(&mut psbt.inputs[index], signer, &signature);
}

/// Adds any signature to the fields of an input.
pub(crate) fn place(input: &mut Input, signer: &TestKey, signature: &[u8]) {
    let spent = input.witness_utxo.as_ref().expect("stated");
    if let Some(leaf) = leaf_hash(input) {
        let signature = taproot::Signature::from_slice(signature).expect("a signature");
        let signer = (signer.x_only(), leaf);
        input.tap_script_sigs.insert(signer, signature);
    } else if spent.script_pubkey.is_p2tr() {
        input.tap_key_sig = taproot::Signature::from_slice(signature).ok();
    } else {
        let signature = ecdsa::Signature::from_slice(signature).expect("a signature");
        input.partial_sigs.insert(signer.public(), signature);
    }
}

/// Spends with the signatures in the fields.
pub(crate) fn finish(input: &mut Input) {
    let spent = input.witness_utxo.clone().expect("stated");
    let (script_sig, witness) = finalize(input, &spent.script_pubkey);
    *input = Input {
        non_witness_utxo: input.non_witness_utxo.take(),
        witness_utxo: Some(spent),
        final_script_sig: Some(script_sig).filter(|script| !script.is_empty()),
        final_script_witness: Some(witness).filter(|witness| !witness.is_empty()),
        ..Input::default()
    };
}

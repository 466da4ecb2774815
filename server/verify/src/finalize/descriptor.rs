//! Derives the descriptor of an input from the coin's script and the scripts in the file.

use std::collections::BTreeMap;

use bitcoin::hashes::hash160;
use bitcoin::psbt::Input;
use bitcoin::{PublicKey, Script, ScriptBuf};
use miniscript::{BareCtx, Descriptor, Legacy, Miniscript, Segwitv0};

use super::super::Refusal;

/// Why there is no descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// The signature of the key whose hash the script is.
    Signature,
    /// The script whose hash is in the coin's script, or a readable script.
    Script,
    /// The file has a script, but not the one whose hash is in the coin's script (rule A3).
    OtherScript,
}

impl Missing {
    pub(super) fn refusal(self, input: usize) -> Refusal {
        match self {
            Self::Signature => Refusal::Incomplete { input },
            Self::Script => Refusal::CannotFinalize { input },
            Self::OtherScript => Refusal::HintMismatch { input },
        }
    }
}

/// The descriptor (BIP-0380) of a coin with the script `script`, which is no Taproot output.
pub(super) fn new(fields: &Input, script: &Script) -> Result<Descriptor<PublicKey>, Missing> {
    if script.is_p2sh() {
        let redeem_script = script_with_hash(&fields.redeem_script, script, Script::to_p2sh)?;
        return in_p2sh(fields, redeem_script);
    }
    if script.is_p2wsh() {
        let witness_script = script_with_hash(&fields.witness_script, script, Script::to_p2wsh)?;
        return readable(Descriptor::new_wsh(segwit(fields, witness_script)?));
    }
    if script.is_p2pk() {
        // BIP-0381: the script is a push of the key and OP_CHECKSIG.
        let key = script
            .as_bytes()
            .get(1..script.len() - 1)
            .unwrap_or_default();
        return readable(PublicKey::from_slice(key)).map(Descriptor::new_pk);
    }
    if script.is_p2pkh() {
        let key = signer(fields, |key| {
            ScriptBuf::new_p2pkh(&key.pubkey_hash()) == *script
        })?;
        return readable(Descriptor::new_pkh(key));
    }
    if script.is_p2wpkh() {
        let key = signer(fields, |key| is_p2wpkh_of(script, key))?;
        return readable(Descriptor::new_wpkh(key));
    }
    let script = readable(Miniscript::<_, BareCtx>::decode_consensus(script))?;
    readable(Descriptor::new_bare(
        script.substitute_raw_pkh(&keys(fields)),
    ))
}

fn in_p2sh(fields: &Input, redeem_script: &Script) -> Result<Descriptor<PublicKey>, Missing> {
    if redeem_script.is_p2wsh() {
        let witness_script =
            script_with_hash(&fields.witness_script, redeem_script, Script::to_p2wsh)?;
        return readable(Descriptor::new_sh_wsh(segwit(fields, witness_script)?));
    }
    if redeem_script.is_p2wpkh() {
        let key = signer(fields, |key| is_p2wpkh_of(redeem_script, key))?;
        return readable(Descriptor::new_sh_wpkh(key));
    }
    let script = readable(Miniscript::<_, Legacy>::decode_consensus(redeem_script))?;
    readable(Descriptor::new_sh(script.substitute_raw_pkh(&keys(fields))))
}

fn segwit(fields: &Input, script: &Script) -> Result<Miniscript<PublicKey, Segwitv0>, Missing> {
    let script = readable(Miniscript::decode_consensus(script))?;
    Ok(script.substitute_raw_pkh(&keys(fields)))
}

/// The script in the file, if it has the right hash.
fn script_with_hash<'a>(
    stated: &'a Option<ScriptBuf>,
    hash: &Script,
    to_hash: fn(&Script) -> ScriptBuf,
) -> Result<&'a Script, Missing> {
    let script = stated.as_deref().ok_or(Missing::Script)?;
    if to_hash(script) == *hash {
        Ok(script)
    } else {
        Err(Missing::OtherScript)
    }
}

/// The key of the script, if it has signed.
fn signer(fields: &Input, is_own: impl Fn(&PublicKey) -> bool) -> Result<PublicKey, Missing> {
    let mut keys = fields.partial_sigs.keys();
    keys.find(|key| is_own(key))
        .copied()
        .ok_or(Missing::Signature)
}

fn is_p2wpkh_of(script: &Script, key: &PublicKey) -> bool {
    key.wpubkey_hash()
        .is_ok_and(|hash| ScriptBuf::new_p2wpkh(&hash) == *script)
}

/// Keys by their hashes, for scripts that contain only the hash. Includes keys that have not signed.
fn keys(fields: &Input) -> BTreeMap<hash160::Hash, PublicKey> {
    let derived = fields.bip32_derivation.keys().copied().map(PublicKey::new);
    let signers = fields.partial_sigs.keys().copied();
    derived
        .chain(signers)
        .map(|key| (key.pubkey_hash().to_raw_hash(), key))
        .collect()
}

fn readable<T, E>(result: Result<T, E>) -> Result<T, Missing> {
    result.map_err(|_| Missing::Script)
}

//! Derives the descriptor of an input from the coin's script and the scripts in the file.

use std::collections::BTreeMap;

use bitcoin::hashes::hash160;
use bitcoin::psbt::Input;
use bitcoin::{PublicKey, Script, ScriptBuf};
use miniscript::{BareCtx, Descriptor, Legacy, Miniscript, Segwitv0};

use super::super::Refusal;

/// An input of the file: its index and its fields.
#[derive(Clone, Copy)]
pub(super) struct Unfinished<'a> {
    pub(super) input: usize,
    pub(super) fields: &'a Input,
}

impl<'a> Unfinished<'a> {
    /// The descriptor (BIP-0380) of a coin with the script `script`, which is no Taproot output.
    pub(super) fn descriptor(self, script: &Script) -> Result<Descriptor<PublicKey>, Refusal> {
        let fields = self.fields;
        if script.is_p2sh() {
            let redeem_script = self.with_hash(&fields.redeem_script, script, Script::to_p2sh)?;
            return self.in_p2sh(redeem_script);
        }
        if script.is_p2wsh() {
            let witness_script =
                self.with_hash(&fields.witness_script, script, Script::to_p2wsh)?;
            return self.readable(Descriptor::new_wsh(self.segwit(witness_script)?));
        }
        if script.is_p2pk() {
            let key = script.p2pk_public_key().ok_or(());
            return self.readable(key).map(Descriptor::new_pk);
        }
        if script.is_p2pkh() {
            let key = self.signer(|key| ScriptBuf::new_p2pkh(&key.pubkey_hash()) == *script)?;
            return self.readable(Descriptor::new_pkh(key));
        }
        if script.is_p2wpkh() {
            let key = self.signer(|key| is_p2wpkh_of(script, key))?;
            return self.readable(Descriptor::new_wpkh(key));
        }
        let script = self.readable(Miniscript::<_, BareCtx>::decode_consensus(script))?;
        self.readable(Descriptor::new_bare(
            script.substitute_raw_pkh(&self.keys()),
        ))
    }

    fn in_p2sh(self, redeem_script: &Script) -> Result<Descriptor<PublicKey>, Refusal> {
        if redeem_script.is_p2wsh() {
            let stated = &self.fields.witness_script;
            let witness_script = self.with_hash(stated, redeem_script, Script::to_p2wsh)?;
            return self.readable(Descriptor::new_sh_wsh(self.segwit(witness_script)?));
        }
        if redeem_script.is_p2wpkh() {
            let key = self.signer(|key| is_p2wpkh_of(redeem_script, key))?;
            return self.readable(Descriptor::new_sh_wpkh(key));
        }
        let script = self.readable(Miniscript::<_, Legacy>::decode_consensus(redeem_script))?;
        self.readable(Descriptor::new_sh(script.substitute_raw_pkh(&self.keys())))
    }

    fn segwit(self, script: &Script) -> Result<Miniscript<PublicKey, Segwitv0>, Refusal> {
        let script = self.readable(Miniscript::decode_consensus(script))?;
        Ok(script.substitute_raw_pkh(&self.keys()))
    }

    /// The script in the file, which must have the hash in the coin's script (rule A3).
    fn with_hash(
        self,
        stated: &'a Option<ScriptBuf>,
        hash: &Script,
        to_hash: fn(&Script) -> ScriptBuf,
    ) -> Result<&'a Script, Refusal> {
        let input = self.input;
        let script = stated.as_deref();
        let script = script.ok_or(Refusal::CannotFinalize { input })?;
        match to_hash(script) == *hash {
            true => Ok(script),
            false => Err(Refusal::HintMismatch { input }),
        }
    }

    /// The key of the script, if it has signed.
    fn signer(self, is_own: impl Fn(&PublicKey) -> bool) -> Result<PublicKey, Refusal> {
        let mut keys = self.fields.partial_sigs.keys();
        let key = keys.find(|key| is_own(key)).copied();
        key.ok_or(Refusal::Incomplete { input: self.input })
    }

    /// Keys by their hashes, for scripts that contain only the hash. Includes keys that have not signed.
    fn keys(self) -> BTreeMap<hash160::Hash, PublicKey> {
        let derived = self.fields.bip32_derivation.keys();
        let derived = derived.copied().map(PublicKey::new);
        let signers = self.fields.partial_sigs.keys().copied();
        derived
            .chain(signers)
            .map(|key| (key.pubkey_hash().to_raw_hash(), key))
            .collect()
    }

    fn readable<T, E>(self, result: Result<T, E>) -> Result<T, Refusal> {
        let input = self.input;
        result.map_err(|_| Refusal::CannotFinalize { input })
    }
}

fn is_p2wpkh_of(script: &Script, key: &PublicKey) -> bool {
    key.wpubkey_hash()
        .is_ok_and(|hash| ScriptBuf::new_p2wpkh(&hash) == *script)
}

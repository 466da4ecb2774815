//! The minimal file that verification needs.

use bitcoin::Psbt;
use bitcoin::consensus::encode;
use bitcoin::psbt::raw::Key;
use bitcoin::psbt::{Input, Output};

use crate::{Content, ProofFile};

/// `PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE` and `PSBT_IN_POR_COMMITMENT`: the message that BIP-0322 and BIP-0127
/// sign, which the `bitcoin` crate does not know.
const SIGNED_MESSAGE: u8 = 0x09;

/// Whether an unknown field of the global map or of an input survives [`ProofFile::strip`].
pub(crate) fn is_kept_unknown(key: &Key) -> bool {
    key.type_value == SIGNED_MESSAGE
}

impl ProofFile {
    /// The file as binary, without what tells more about the wallet than verification needs: extended public
    /// keys, derivation paths, proprietary and unknown fields, previous transactions, and all that a
    /// PSBT says about its outputs.
    ///
    /// What finalising needs stays: signatures, scripts, preimages, taproot fields, the witness UTXO, and the
    /// message of BIP-0322. An input that had only its previous transaction is left without value and
    /// script: whoever verifies takes them from the chain. A PSBT is written as version 0, a final
    /// transaction as it is.
    pub fn strip(&self) -> Vec<u8> {
        match &self.content {
            Content::Psbt(psbt) => strip(psbt).serialize(),
            Content::Transaction(transaction) => encode::serialize(transaction),
        }
    }
}

/// Fields are named one by one, so that a field that a later version of the crate learns is not sent
/// before somebody has decided that it should be.
fn strip(psbt: &Psbt) -> Psbt {
    Psbt {
        unsigned_tx: psbt.unsigned_tx.clone(),
        version: 0,
        xpub: Default::default(),
        proprietary: Default::default(),
        unknown: psbt
            .unknown
            .clone()
            .into_iter()
            .filter(|(key, _)| is_kept_unknown(key))
            .collect(),
        inputs: psbt.inputs.iter().map(strip_input).collect(),
        outputs: psbt.outputs.iter().map(|_| Output::default()).collect(),
    }
}

fn strip_input(input: &Input) -> Input {
    let input = input.clone();
    Input {
        witness_utxo: input.witness_utxo,
        partial_sigs: input.partial_sigs,
        sighash_type: input.sighash_type,
        redeem_script: input.redeem_script,
        witness_script: input.witness_script,
        final_script_sig: input.final_script_sig,
        final_script_witness: input.final_script_witness,
        ripemd160_preimages: input.ripemd160_preimages,
        sha256_preimages: input.sha256_preimages,
        hash160_preimages: input.hash160_preimages,
        hash256_preimages: input.hash256_preimages,
        tap_key_sig: input.tap_key_sig,
        tap_script_sigs: input.tap_script_sigs,
        tap_scripts: input.tap_scripts,
        tap_internal_key: input.tap_internal_key,
        tap_merkle_root: input.tap_merkle_root,
        unknown: input
            .unknown
            .into_iter()
            .filter(|(key, _)| is_kept_unknown(key))
            .collect(),
        non_witness_utxo: None,
        bip32_derivation: Default::default(),
        tap_key_origins: Default::default(),
        proprietary: Default::default(),
    }
}

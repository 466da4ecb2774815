//! The minimal file that verification needs.
//!
//! The tables list what is kept, not what is dropped: a field of a future standard stays private until a table allows it.

use bitcoin::absolute::LockTime;
use bitcoin::consensus::encode::serialize;
use bitcoin::hashes::{Hash, hash160};
use bitcoin::psbt::Input;
use bitcoin::transaction::Version;
use bitcoin::{Amount, Transaction};

use super::format::ProofFile;
use super::maps::{Field, write};
use super::reader::Parsed;
use super::report::{is_final, sum};
use super::version2::{GLOBAL, INPUT, OUTPUT};

/// `PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE` and `PSBT_IN_POR_COMMITMENT`: the message that BIP-0322 and BIP-0127
/// sign, which the `bitcoin` crate does not know. Both have no key data.
pub(super) const SIGNED_MESSAGE: u8 = 0x09;

impl ProofFile {
    /// The file as binary, without what tells more about the wallet than verification needs: extended public
    /// keys, derivation paths, proprietary and unknown fields, previous transactions, and all that a
    /// PSBT says about its outputs.
    ///
    /// What finalizing needs stays: signatures, scripts, preimages, taproot fields, the witness UTXO, the
    /// message and the virtual transaction of BIP-0322, and, of keys that a script says only the hashes of,
    /// the keys, without where they come from. An input that had only its previous transaction is left
    /// without value and script: a verifier takes them from the chain. A PSBT is written as
    /// the version that it had, a final transaction as it is.
    pub(crate) fn strip(&self) -> Vec<u8> {
        let Some(parsed) = &self.psbt else {
            return serialize(&self.transaction);
        };
        if parsed.version == 2 {
            return self.strip_version_2(parsed);
        }
        write(&self.stripped(parsed))
    }

    /// The same with the transaction spread over the maps, as the file had it: the version and the fields of BIP-0370, without what may be modified.
    /// Where inputs are missing, the silent payment addresses of outputs (BIP-0375) stay, which alone excuse that.
    fn strip_version_2(&self, parsed: &Parsed) -> Vec<u8> {
        let last = 1 + parsed.psbt.inputs.len();
        let lacks_inputs = lacks_inputs(parsed);
        let is_address = |(key, value): &Field| *key == [0x09] && value.len() == 66;
        let mut maps = Vec::new();
        for (at, stripped) in self.stripped(parsed).into_iter().enumerate() {
            let mut map = Vec::new();
            for field in &parsed.original[at] {
                let number = field.0[0];
                let is_kept = match at {
                    0 => number != 0x06 && GLOBAL.contains(&number) || number == 0xfb,
                    _ if at < last => INPUT.contains(&number),
                    _ => OUTPUT.contains(&number) || lacks_inputs && is_address(field),
                };
                let kept = stripped.iter().find(|(key, _)| *key == field.0);
                map.extend(if is_kept { Some(field) } else { kept }.cloned());
            }
            maps.push(map);
        }
        write(&maps)
    }

    fn stripped(&self, parsed: &Parsed) -> Vec<Vec<Field>> {
        let mut maps = parsed.maps.clone();
        // The unsigned transaction and the signed message (BIP-0174).
        maps[0].retain(|(key, _)| matches!(key[..], [0x00 | SIGNED_MESSAGE]));
        for (map, input) in maps[1..].iter_mut().zip(&parsed.psbt.inputs) {
            map.retain_mut(|(key, value)| match (key[0], value) {
                // The previous transaction.
                (0x00, _) => input.non_witness_utxo.as_ref().is_some_and(is_virtual),
                (number @ (0x06 | 0x16), value) => {
                    *value = vec![0; if number == 0x06 { 4 } else { 5 }];
                    is_hashed(&key[1..], input)
                }
                (SIGNED_MESSAGE, _) => key.len() == 1,
                // BIP-0174: witness UTXO, partial signatures, their types, the scripts of redeeming and of the witness; the final ones; preimages.
                // BIP-0371: signatures by key and leaf, leaves, internal key, merkle root.
                (number, _) => matches!(number, 1..=5 | 7..=13 | 0x13..=0x15 | 0x17 | 0x18),
            });
        }
        // Every output has a map, and nothing in it.
        maps[1 + parsed.psbt.inputs.len()..].fill(Vec::new());
        maps
    }
}

/// Whether more goes out than what comes in by the values that a stripped file still states, when it states all of them.
fn lacks_inputs(parsed: &Parsed) -> bool {
    let value = |input: &Input| match (&input.witness_utxo, &input.non_witness_utxo) {
        (Some(output), _) => Some(output.value),
        (None, Some(previous)) if is_virtual(previous) => Some(Amount::ZERO),
        _ => None,
    };
    let spent: Option<Vec<Amount>> = parsed.psbt.inputs.iter().map(value).collect();
    let outputs = parsed.psbt.unsigned_tx.output.iter();
    let paid = sum(outputs.map(|output| output.value));
    matches!((spent.map(sum), paid), (Some(Ok(spent)), Ok(paid)) if spent < paid)
}

/// Whether an unfinished input has a script that pushes the hash of the key.
///
/// Where such a key is one of several and its owner has not signed, the finalizer must show the key itself
/// (`OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY` is run in any case). The only place where a PSBT has it is the field
/// about its origin (BIP-0174 and BIP-0371). So the key stays, and its origin goes: no fingerprint, no path, no leaves.
fn is_hashed(key: &[u8], input: &Input) -> bool {
    let hash = hash160::Hash::hash(key).to_byte_array();
    let leaves = input.tap_scripts.values().map(|(leaf, _)| leaf);
    let scripts = input.redeem_script.iter().chain(&input.witness_script);
    let pushes_hash = scripts.chain(leaves).any(|script| {
        let mut pushes = script.instructions().map_while(Result::ok);
        pushes.any(|push| push.push_bytes().is_some_and(|it| it.as_bytes() == hash))
    });
    pushes_hash && !is_final(input)
}

/// Whether a previous transaction survives [`ProofFile::strip`]: only BIP-0322's `to_spend`, which is made for
/// the signature. It is on no chain, so nobody else could say which script its output has.
pub(super) fn is_virtual(transaction: &Transaction) -> bool {
    transaction.version == Version(0)
        && transaction.lock_time == LockTime::ZERO
        && matches!(&transaction.input[..], [input] if input.previous_output.is_null())
        && matches!(&transaction.output[..], [output] if output.value == Amount::ZERO)
}

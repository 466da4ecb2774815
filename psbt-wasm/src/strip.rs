//! The minimal file that verification needs.
//!
//! The table lists what is kept, not what is dropped: a field of a future standard stays private until the table allows it.

use alloc::{borrow::Cow, vec::Vec};

use crate::amount::add;
use crate::hash::hash160;
use crate::read::File;
use crate::read::cursor::{Cursor, Pair};
use crate::read::fields::{Check, Field, Stripping, input as field, output};
use crate::read::input::{Input, is_kept_previous};
use crate::read::maps::Psbt;
use crate::read::version2::push_bytes;
use crate::script::{Instruction, instructions};
use crate::write::write;
use crate::{Error, Keys, Map, Signatures, UtxoSource, decode};

/// Reads a file and [strips](File::strip) it.
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read).
pub fn strip<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Vec<u8>, Error> {
    let binary = decode(bytes)?;
    Ok(binary.read(Keys::Form)?.strip().into_owned())
}

impl File<'_> {
    /// The file as binary, without what reveals more about the wallet than verification needs: extended public
    /// keys, derivation paths, proprietary and unknown fields, previous transactions, and all fields of outputs.
    ///
    /// What finalizing needs stays: signatures, scripts, preimages, taproot fields, the witness UTXO, the
    /// message and the virtual transaction of BIP-0322. Keys stay without their origins if a script has only
    /// their hashes. An input that had only its previous transaction loses value and script: a verifier takes
    /// them from the chain. The version stays, and a final transaction is unchanged. Where inputs are missing that pay for silent
    /// payments (BIP-0375), their addresses stay: without them the file would be impossible.
    pub fn strip(&self) -> Cow<'_, [u8]> {
        let Some(psbt) = &self.psbt else {
            return self.bytes.into();
        };
        let mut hashed = HashedKeys::default();
        let needs_silent = self.needs_silent_payments();
        let stripped = write(psbt, &mut |map, field, pair, file| {
            let is_address = pair.key == [output::SP_V0_INFO] && pair.value.len() == 66;
            if needs_silent && is_address && matches!(map, Map::Output(_)) {
                file.extend(pair.raw);
            }
            let input = match map {
                Map::Input(index) => psbt.inputs.get(index).map(|input| (index, input)),
                _ => None,
            };
            keep(psbt, input, &mut hashed, field, pair, file);
        });
        stripped.into()
    }
}

impl File<'_> {
    /// Whether the outputs are above what stripping leaves of the inputs, which only a file with silent payments may have while inputs
    /// are missing.
    fn needs_silent_payments(&self) -> bool {
        let Some(psbt) = self.psbt.as_ref().filter(|psbt| !psbt.silent.is_empty()) else {
            return false;
        };
        let Ok(tx) = self.transaction() else {
            return false;
        };
        let mut spent = Some(0);
        for (input, txin) in psbt.inputs.iter().zip(tx.inputs()) {
            spent = match (spent, psbt.spent_output(input, txin.vout())) {
                (Some(sum), Some((output, source)))
                    if source == UtxoSource::WitnessUtxo || keeps_previous(psbt, input) =>
                {
                    add(sum, output.value).ok()
                }
                _ => None,
            };
        }
        let paid = tx.outputs().map(|output| output.value).try_fold(0, add);
        matches!((spent, paid), (Some(spent), Ok(paid)) if spent < paid)
    }
}

fn keep(
    psbt: &Psbt<'_>,
    input: Option<(usize, &Input<'_>)>,
    hashed: &mut HashedKeys,
    field: &Field,
    pair: &Pair<'_>,
    minimal: &mut Vec<u8>,
) {
    match (field.stripping, input) {
        // BIP-0322 and BIP-0127 define their fields without key data; with key data they are other fields.
        (Stripping::Kept, _) if field.check == Check::Anything && pair.key.len() > 1 => {}
        (Stripping::Kept, _) => minimal.extend(pair.raw),
        (Stripping::KeptIfVirtual, Some((_, input))) if keeps_previous(psbt, input) => {
            minimal.extend(pair.raw);
        }
        (Stripping::KeptIfHashed, Some((index, input)))
            if hashed.for_input(index, input).contains(pair.key_data()) =>
        {
            push_bytes(minimal, pair.key);
            push_bytes(minimal, no_origin(field));
        }
        _ => {}
    }
}

fn keeps_previous(psbt: &Psbt<'_>, input: &Input<'_>) -> bool {
    let previous = input.previous.and_then(|at| psbt.previous.get(at));
    previous.is_some_and(is_kept_previous)
}

/// No leaves, no fingerprint and no path.
fn no_origin(field: &Field) -> &'static [u8] {
    match field.check {
        Check::TapDerivation => &[0; 5],
        _ => &[0; 4],
    }
}

const HASH_BYTES: usize = 20;

/// Most key hashes of an input that are looked at: a script that is not a leaf has room for fewer than 500.
const MOST_HASHES: usize = 1_024;

/// The hashes that the scripts of an unfinished input push. Any of them may be the hash of a key.
///
/// Where such a key is one of several and its owner has not signed, the finalizer must show the key itself
/// (`OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY` is run in any case), and a PSBT has it only in the field about its origin. So
/// the key stays, and its origin goes.
#[derive(Default)]
struct HashedKeys {
    input: Option<usize>,
    /// The hashes, one after the other.
    hashes: Vec<u8>,
}

impl HashedKeys {
    /// Those of this input; found once, however many keys it names.
    fn for_input(&mut self, index: usize, input: &Input<'_>) -> &Self {
        if self.input != Some(index) {
            self.input = Some(index);
            self.hashes.clear();
            if input.signatures() != Signatures::Final {
                self.find(input);
            }
        }
        self
    }

    fn find(&mut self, input: &Input<'_>) {
        let mut cursor = Cursor::new(input.map);
        while let Ok(Some(pair)) = cursor.next_pair() {
            let script = match (pair.field(), pair.value) {
                (field::REDEEM_SCRIPT | field::WITNESS_SCRIPT, script) => script,
                // A leaf, and its version.
                (field::TAP_LEAF_SCRIPT, [leaf @ .., _]) => leaf,
                _ => continue,
            };
            for instruction in instructions(script) {
                if self.hashes.len() >= MOST_HASHES * HASH_BYTES {
                    return;
                }
                let pushed = instruction.and_then(Instruction::pushed);
                if let Some(hash) = pushed.filter(|hash| hash.len() == HASH_BYTES) {
                    self.hashes.extend(hash);
                }
            }
        }
    }

    fn contains(&self, key: &[u8]) -> bool {
        if self.hashes.is_empty() {
            return false;
        }
        let mut hashes = self.hashes.chunks_exact(HASH_BYTES);
        let own = hash160(key);
        hashes.any(|hash| hash == own)
    }
}

//! Files that pay silent payment addresses (BIP-0375): their structure, the proofs of shares, and the scripts of outputs.

mod arithmetic;

use alloc::vec::Vec;

use bitcoin::secp256k1::PublicKey;

use crate::error::Map;
use crate::read::cursor::Cursor;
use crate::read::fields::{Check, global, input, output};
use crate::read::input::SIGHASH_ALL;
use crate::read::maps::Psbt;
use crate::read::transaction::Tx;
use crate::script::kind_spent;
use crate::write::each_field;
use crate::{Fault, Malformed, ScriptType};
use arithmetic::{Shared, even_key, is_proof, key_of, point, sum};

/// The internal key that nobody has (BIP-0341, "NUMS point"): with it an input has no key of its own (BIP-0352).
const NOBODY: [u8; 32] = [
    0x50, 0x92, 0x9b, 0x74, 0xc1, 0xa0, 0x49, 0x54, 0xb7, 0x8b, 0x4b, 0x60, 0x35, 0xe9, 0x7a, 0x5e,
    0x07, 0x8a, 0x5a, 0x0f, 0x28, 0xec, 0x96, 0xd5, 0x47, 0xbf, 0xee, 0x9a, 0xce, 0x80, 0x3a, 0xc0,
];

/// How many keys, proofs and scripts are computed with. Each takes as long as a few signatures at most.
const MAX_COMPUTED: usize = 4_000;
/// More problems are not listed.
const MAX_BROKEN: usize = 1_000;

/// What one map says.
#[derive(Default)]
struct Said<'a> {
    /// Scan keys with their shares, and with the proofs of these.
    shares: Vec<(&'a [u8], &'a [u8])>,
    proofs: Vec<(&'a [u8], &'a [u8])>,
    has_derivation: bool,
    signs_less_than_all: bool,
    info: Option<&'a [u8]>,
    has_label: bool,
    script: Option<&'a [u8]>,
    is_modifiable: bool,
}

impl<'a> Said<'a> {
    fn share(&self, scan_key: &[u8]) -> Option<&'a [u8]> {
        let mut shares = self.shares.iter();
        shares
            .find(|(key, _)| *key == scan_key)
            .map(|(_, share)| *share)
    }
}

/// The inputs that have a key, with their places.
type Eligible<'s, 'a> = [(usize, &'s Said<'a>)];

fn broken_rule(map: Map, field: &'static str, fault: Fault) -> Malformed {
    Malformed {
        map: Some(map),
        field: Some(field),
        fault,
    }
}

/// The rules that a file of version 2 breaks.
pub(super) fn broken_rules(psbt: &Psbt<'_>, tx: &Tx<'_>) -> Vec<Malformed> {
    let mut cursor = Cursor::new(psbt.maps);
    let mut next = |map| said(&mut cursor, map);
    let of_all = next(Map::Global);
    let of_inputs: Vec<_> = (0..psbt.inputs.len())
        .map(Map::Input)
        .map(&mut next)
        .collect();
    let outputs: Vec<_> = (0..psbt.output_count)
        .map(Map::Output)
        .map(&mut next)
        .collect();
    let mut broken = Vec::new();
    let mut add = |map, field, fault| broken.push(broken_rule(map, field, fault));
    for (at, output) in outputs.iter().enumerate() {
        if output.has_label && output.info.is_none() {
            add(Map::Output(at), "PSBT_OUT_SP_V0_INFO", Fault::Missing);
        }
    }
    if lacks_proof(&of_all) {
        add(Map::Global, "PSBT_GLOBAL_SP_DLEQ", Fault::Missing);
    }
    for (at, input) in of_inputs.iter().enumerate() {
        if lacks_proof(input) {
            add(Map::Input(at), "PSBT_IN_SP_DLEQ", Fault::Missing);
        }
    }
    let paid = outputs.iter().enumerate();
    let paid = paid.filter_map(|(at, output)| Some((output.info?, at)));
    let mut paid: Vec<Paid<'_>> = paid.filter(|(info, _)| info.len() == 66).collect();
    paid.sort_unstable();
    let has_proofs = |said: &Said<'_>| !said.proofs.is_empty();
    if paid.is_empty() && !has_proofs(&of_all) && !of_inputs.iter().any(has_proofs) {
        return broken;
    }
    let kinds = kinds(psbt, tx);
    let eligible = of_inputs.iter().enumerate().zip(&kinds);
    let eligible = eligible.filter(|(_, kind)| kind.has_key());
    let eligible: Vec<_> = eligible.map(|(input, _)| input).collect();
    let few = eligible.len() <= MAX_COMPUTED;
    let keys = few.then(|| keys(psbt, tx, &kinds)).flatten();
    let mut left = MAX_COMPUTED;
    if let Some(keys) = &keys {
        broken.extend(false_proofs(&of_all, &eligible, keys, &mut left));
    }
    if paid.is_empty() {
        return broken;
    }
    for (at, (input, kind)) in of_inputs.iter().zip(&kinds).enumerate() {
        let mut add = |field, fault| broken.push(broken_rule(Map::Input(at), field, fault));
        if matches!(kind, Kind::Future) {
            let fault = Fault::Invalid("script: silent payments need witness versions 0 and 1");
            add("PSBT_IN_WITNESS_UTXO", fault);
        }
        if input.signs_less_than_all {
            let fault = Fault::Invalid("type: with silent payments it must be ALL");
            add("PSBT_IN_SIGHASH_TYPE", fault);
        }
        // A verifier of the proof needs the key, which only taproot has in its script. Nobody verifies that of an input without one.
        let needs_key = !input.proofs.is_empty() && matches!(kind, Kind::Key);
        if needs_key && !input.has_derivation {
            add("PSBT_IN_BIP32_DERIVATION", Fault::Missing);
        }
    }
    let is_computed = |(_, at): &Paid<'_>| outputs.get(*at).is_some_and(|to| to.script.is_some());
    let groups = paid.chunk_by(|(one, _), (other, _)| one[..33] == other[..33]);
    let computed: Vec<_> = groups
        .filter(|group| group.iter().any(is_computed))
        .collect();
    if computed.is_empty() {
        return broken;
    }
    if of_all.is_modifiable {
        let fault = Fault::Invalid("value: scripts of silent payments are computed");
        broken.push(broken_rule(Map::Global, "PSBT_GLOBAL_TX_MODIFIABLE", fault));
    }
    if eligible.is_empty() {
        let fault = Fault::Invalid("value: no input has a key for silent payments");
        broken.push(broken_rule(Map::Global, "PSBT_GLOBAL_INPUT_COUNT", fault));
    }
    let outpoint = tx.inputs().map(|input| input.outpoint).min();
    let inputs = keys.and_then(|keys| sum(&keys)).zip(outpoint);
    for group in computed {
        let Some((scan_key, _)) = group.first().map(|(info, _)| info.split_at(33)) else {
            continue;
        };
        let of_group = of_all.share(scan_key);
        let of_each = if of_group.is_some() {
            &[]
        } else {
            &eligible[..]
        };
        let lacking = of_each
            .iter()
            .filter(|(_, input)| input.share(scan_key).is_none());
        broken.extend(
            lacking.map(|(at, _)| {
                broken_rule(Map::Input(*at), "PSBT_IN_SP_ECDH_SHARE", Fault::Missing)
            }),
        );
        if broken.len() > MAX_BROKEN {
            return broken;
        }
        let share = of_group.and_then(point).or_else(|| {
            left = left.checked_sub(eligible.len())?;
            let shares = eligible
                .iter()
                .map(|(_, input)| point(input.share(scan_key)?));
            sum(&shares.collect::<Option<Vec<_>>>()?)
        });
        let shared = inputs.zip(share);
        let shared =
            shared.and_then(|((key, outpoint), share)| Shared::new(&key, &share, outpoint));
        if let Some(shared) = shared {
            broken.extend(wrong_scripts(&outputs, group, &shared, &mut left));
        }
    }
    broken
}

fn lacks_proof(said: &Said<'_>) -> bool {
    let has_proof = |scan_key: &[u8]| said.proofs.iter().any(|(key, _)| *key == scan_key);
    !said.shares.iter().all(|(scan_key, _)| has_proof(scan_key))
}

/// The keys of the inputs that have one, in their order; none if the file does not state one of these.
fn keys(psbt: &Psbt<'_>, tx: &Tx<'_>, kinds: &[Kind]) -> Option<Vec<PublicKey>> {
    let inputs = psbt.inputs.iter().zip(tx.inputs()).zip(kinds);
    let eligible = inputs.filter(|(_, kind)| kind.has_key());
    let keys = eligible.map(|((input, txin), kind)| {
        let (spent, _) = psbt.spent_output(input, txin.vout())?;
        if matches!(kind, Kind::Taproot) {
            return even_key(spent.script);
        }
        let mut map = Cursor::new(input.map);
        let mut keys = Vec::new();
        each_field(&mut map, Map::Input(0), &mut |field, pair| {
            if field.check == Check::Derivation {
                keys.push(pair.key_data());
            }
        });
        key_of(input.redeem_script.unwrap_or(spent.script), &keys)
    });
    keys.collect()
}

/// Proofs that are false, of all inputs together and of those that have a key.
fn false_proofs(
    of_all: &Said<'_>,
    eligible: &Eligible<'_, '_>,
    keys: &[PublicKey],
    left: &mut usize,
) -> Vec<Malformed> {
    let mut is_false = |said: &Said<'_>, key: &PublicKey| {
        said.proofs.iter().any(|(scan_key, proof)| {
            let points = point(scan_key).zip(said.share(scan_key).and_then(point));
            let (Some((scan_key, share)), Some(less)) = (points, left.checked_sub(1)) else {
                return false;
            };
            *left = less;
            !is_proof(proof, key, &scan_key, &share)
        })
    };
    let mut found = Vec::new();
    let mut add = |map, field| found.push(broken_rule(map, field, Fault::Invalid("proof")));
    if sum(keys).is_some_and(|key| is_false(of_all, &key)) {
        add(Map::Global, "PSBT_GLOBAL_SP_DLEQ");
    }
    for ((at, input), key) in eligible.iter().zip(keys) {
        if is_false(input, key) {
            add(Map::Input(*at), "PSBT_IN_SP_DLEQ");
        }
    }
    found
}

/// The scan key and the spend key of an output, and its place.
type Paid<'a> = (&'a [u8], usize);

/// Outputs of one scan key whose scripts are not those that they must have. They are numbered by their spend keys, then by their places;
/// labels change the keys that an output shows, so with labels any number will do.
fn wrong_scripts(
    outputs: &[Said<'_>],
    group: &[Paid<'_>],
    shared: &Shared,
    left: &mut usize,
) -> Vec<Malformed> {
    let said = |at: usize| outputs.get(at);
    let has_label = group
        .iter()
        .any(|(_, at)| said(*at).is_some_and(|to| to.has_label));
    let mut found = Vec::new();
    for (place, (info, at)) in group.iter().enumerate() {
        let Some(stated) = said(*at).and_then(|output| output.script) else {
            continue;
        };
        let mut numbers = if has_label {
            0..group.len()
        } else {
            place..place + 1
        };
        let Some(less) = left.checked_sub(numbers.len()) else {
            break;
        };
        *left = less;
        let Some(spend_key) = point(&info[33..]) else {
            continue;
        };
        let is_right = |k: usize| {
            let script = u32::try_from(k)
                .ok()
                .and_then(|k| shared.script(&spend_key, k));
            script.is_some_and(|script| script[..] == *stated)
        };
        if !numbers.any(is_right) {
            let fault = Fault::Invalid("script: it is not that of its silent payment address");
            found.push(broken_rule(Map::Output(*at), "PSBT_OUT_SCRIPT", fault));
        }
    }
    found
}

fn said<'a>(cursor: &mut Cursor<'a>, map: Map) -> Said<'a> {
    let mut said = Said::default();
    each_field(cursor, map, &mut |field, pair| {
        let key = pair.key_data();
        match (map, field.number) {
            (Map::Global, global::SP_ECDH_SHARE) | (Map::Input(_), input::SP_ECDH_SHARE) => {
                said.shares.push((key, pair.value));
            }
            (Map::Global, global::SP_DLEQ) | (Map::Input(_), input::SP_DLEQ) => {
                said.proofs.push((key, pair.value));
            }
            (Map::Global, global::TX_MODIFIABLE) => said.is_modifiable = pair.value != [0],
            (Map::Output(_), output::SP_V0_INFO) => said.info = Some(pair.value),
            (Map::Output(_), output::SP_V0_LABEL) => said.has_label = true,
            (Map::Output(_), output::SCRIPT) => said.script = Some(pair.value),
            (Map::Input(_), _) => {
                let sighash = match field.check {
                    Check::SighashType => pair.u32().ok(),
                    Check::PartialSignature => pair.value.last().map(|byte| u32::from(*byte)),
                    Check::TapKeySignature | Check::TapScriptSignature => {
                        pair.value.get(64).map(|byte| u32::from(*byte))
                    }
                    _ => None,
                };
                said.signs_less_than_all |= sighash.is_some_and(|sighash| sighash > SIGHASH_ALL);
                said.has_derivation |= field.check == Check::Derivation;
            }
            _ => {}
        }
    });
    said
}

/// Whether an input has a key that silent payments are computed with (BIP-0352, "Inputs For Shared Secret Derivation").
enum Kind {
    Key,
    Taproot,
    None,
    /// A witness version without a meaning yet, which such a transaction must not spend.
    Future,
}

impl Kind {
    fn has_key(&self) -> bool {
        matches!(self, Self::Key | Self::Taproot)
    }
}

fn kinds(psbt: &Psbt<'_>, tx: &Tx<'_>) -> Vec<Kind> {
    let inputs = psbt.inputs.iter().zip(tx.inputs());
    let kinds = inputs.map(|(input, txin)| {
        let Some((spent, _)) = psbt.spent_output(input, txin.vout()) else {
            return Kind::None;
        };
        let internal = Cursor::new(input.map).find(input::TAP_INTERNAL_KEY);
        let script = spent.script;
        match kind_spent(script, input.redeem_script, input.final_script_sig) {
            ScriptType::P2pkh | ScriptType::P2wpkh | ScriptType::P2shP2wpkh => Kind::Key,
            ScriptType::P2tr if internal == Some(&NOBODY[..]) => Kind::None,
            ScriptType::P2tr => Kind::Taproot,
            _ if matches!(script, [0x52..=0x60, length @ 2..=40, rest @ ..] if rest.len() == usize::from(*length)) => {
                Kind::Future
            }
            _ => Kind::None,
        }
    });
    kinds.collect()
}

//! The structure of files that pay silent payment addresses (BIP-0375). Proofs are not verified, and scripts are not derived.

use alloc::vec::Vec;

use crate::error::Map;
use crate::read::cursor::Cursor;
use crate::read::fields::{Check, global, input, output};
use crate::read::input::SIGHASH_ALL;
use crate::read::maps::Psbt;
use crate::read::transaction::Tx;
use crate::script::kind_spent;
use crate::write::each_field;
use crate::{Fault, Malformed, ScriptType};

/// The internal key that nobody has (BIP-0341, "NUMS point"): with it an input has no key of its own (BIP-0352).
const NOBODY: [u8; 32] = [
    0x50, 0x92, 0x9b, 0x74, 0xc1, 0xa0, 0x49, 0x54, 0xb7, 0x8b, 0x4b, 0x60, 0x35, 0xe9, 0x7a, 0x5e,
    0x07, 0x8a, 0x5a, 0x0f, 0x28, 0xec, 0x96, 0xd5, 0x47, 0xbf, 0xee, 0x9a, 0xce, 0x80, 0x3a, 0xc0,
];

/// What one map says.
#[derive(Default)]
struct Said<'a> {
    /// Scan keys of shares and of their proofs.
    shares: Vec<&'a [u8]>,
    proofs: Vec<&'a [u8]>,
    has_derivation: bool,
    signs_less_than_all: bool,
    info: Option<&'a [u8]>,
    has_label: bool,
    has_script: bool,
    is_modifiable: bool,
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
    let mut add = |map, field, fault| {
        let field = Some(field);
        let map = Some(map);
        broken.push(Malformed { map, field, fault });
    };
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
    let silent: Vec<_> = outputs
        .iter()
        .filter(|output| output.info.is_some())
        .collect();
    if silent.is_empty() {
        return broken;
    }
    let kinds = kinds(psbt, tx);
    for (at, (input, kind)) in of_inputs.iter().zip(&kinds).enumerate() {
        if matches!(kind, Kind::Future) {
            let fault = Fault::Invalid("script: silent payments need witness versions 0 and 1");
            add(Map::Input(at), "PSBT_IN_WITNESS_UTXO", fault);
        }
        if input.signs_less_than_all {
            let fault = Fault::Invalid("type: with silent payments it must be ALL");
            add(Map::Input(at), "PSBT_IN_SIGHASH_TYPE", fault);
        }
        // A verifier of the proof needs the key, which only taproot has in its script. Nobody verifies that of an input without one.
        let needs_key = !input.proofs.is_empty() && matches!(kind, Kind::Key);
        if needs_key && !input.has_derivation {
            add(Map::Input(at), "PSBT_IN_BIP32_DERIVATION", Fault::Missing);
        }
    }
    let computed = silent.iter().filter(|output| output.has_script);
    let scan_keys = computed.filter_map(|output| output.info?.get(..33));
    let mut scan_keys: Vec<&[u8]> = scan_keys.collect();
    scan_keys.sort_unstable();
    scan_keys.dedup();
    if !scan_keys.is_empty() && of_all.is_modifiable {
        let fault = Fault::Invalid("value: scripts of silent payments are computed");
        add(Map::Global, "PSBT_GLOBAL_TX_MODIFIABLE", fault);
    }
    let has_key = |kind: &Kind| matches!(kind, Kind::Key | Kind::Taproot);
    if !scan_keys.is_empty() && !kinds.iter().any(has_key) {
        let fault = Fault::Invalid("value: no input has a key for silent payments");
        add(Map::Global, "PSBT_GLOBAL_INPUT_COUNT", fault);
    }
    for scan_key in scan_keys {
        if of_all.shares.contains(&scan_key) {
            continue;
        }
        for (at, (input, kind)) in of_inputs.iter().zip(&kinds).enumerate() {
            if has_key(kind) && !input.shares.contains(&scan_key) {
                add(Map::Input(at), "PSBT_IN_SP_ECDH_SHARE", Fault::Missing);
            }
        }
    }
    broken
}

fn lacks_proof(said: &Said<'_>) -> bool {
    let has_proof = |share| said.proofs.contains(share);
    !said.shares.iter().all(has_proof)
}

fn said<'a>(cursor: &mut Cursor<'a>, map: Map) -> Said<'a> {
    let mut said = Said::default();
    each_field(cursor, map, &mut |field, pair| {
        let key = pair.key_data();
        match (map, field.number) {
            (Map::Global, global::SP_ECDH_SHARE) | (Map::Input(_), input::SP_ECDH_SHARE) => {
                said.shares.push(key);
            }
            (Map::Global, global::SP_DLEQ) | (Map::Input(_), input::SP_DLEQ) => {
                said.proofs.push(key);
            }
            (Map::Global, global::TX_MODIFIABLE) => said.is_modifiable = pair.value != [0],
            (Map::Output(_), output::SP_V0_INFO) => said.info = Some(pair.value),
            (Map::Output(_), output::SP_V0_LABEL) => said.has_label = true,
            (Map::Output(_), output::SCRIPT) => said.has_script = true,
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

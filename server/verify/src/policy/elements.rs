//! Splits an input into its script and the elements on the stack.

use std::collections::HashSet;

use bitcoin::hashes::{Hash, hash160};
use bitcoin::key::XOnlyPublicKey;
use bitcoin::script::Instruction;
use bitcoin::taproot::TAPROOT_ANNEX_PREFIX;
use bitcoin::{PublicKey, Script, ScriptBuf, TxIn};

/// The script that an input executes, and the initial stack.
pub(super) struct Elements<'a> {
    /// The executed script, not its hash: the redeem script, witness script or leaf where there is one.
    pub(super) script: &'a Script,
    /// From the bottom of the stack up.
    pub(super) stack: Vec<&'a [u8]>,
    /// Whether signatures are Schnorr signatures (BIP-0340).
    pub(super) taproot: bool,
    /// Whether the coin's script is a key or the hash of one, and nothing else: then that key must have signed
    /// by the rules of BIP-0141 and BIP-0341, which the engine has checked.
    pub(super) is_single_key: bool,
}

impl<'a> Elements<'a> {
    /// The elements of the input `fields`, whose coin has the script `script`.
    pub(super) fn new(fields: &'a TxIn, script: &'a ScriptBuf) -> Self {
        let mut elements = Self {
            script,
            stack: pushes(&fields.script_sig).collect(),
            taproot: false,
            is_single_key: false,
        };
        if elements.script.is_p2sh() {
            elements.step_into();
        }
        // Only here: a witness script or a leaf of the same bytes is just two pushes.
        elements.is_single_key = elements.script.is_p2wpkh();
        if elements.script.is_witness_program() {
            elements.stack = fields.witness.iter().collect();
            // BIP-0341: a version 1 program nested in P2SH is no Taproot output.
            elements.taproot = script.is_p2tr();
        }
        if elements.taproot {
            elements.step_into_leaf();
        } else if elements.script.is_p2wsh() {
            elements.step_into();
        }
        elements
    }

    /// The last element is the script whose hash the current script has.
    fn step_into(&mut self) {
        if let Some(script) = self.stack.pop() {
            self.script = Script::from_bytes(script);
        }
    }

    /// BIP-0341: the annex, if any, is last; before it come the script and the control block of a
    /// script spend. A key spend has only its signature. An annex has no meaning yet, so an input with one is no key spend here.
    fn step_into_leaf(&mut self) {
        self.is_single_key = self.stack.len() == 1;
        let annex = |element: &&[u8]| element.first() == Some(&TAPROOT_ANNEX_PREFIX);
        if self.stack.len() >= 2 && self.stack.last().is_some_and(annex) {
            self.stack.pop();
        }
        if self.stack.len() >= 2 {
            self.stack.pop();
            self.step_into();
        }
    }

    /// All elements that the input carries, scripts included, in no particular order.
    pub(super) fn all(&self, fields: &'a TxIn) -> impl Iterator<Item = &'a [u8]> {
        pushes(&fields.script_sig).chain(fields.witness.iter())
    }

    /// Whether the script contains a public key, or the hash of one that is on the stack. If not, the spender chooses the key (rule A9).
    pub(super) fn name_a_key(&self) -> bool {
        let on_the_stack: HashSet<[u8; 20]> = self
            .stack
            .iter()
            .map(|element| hash160::Hash::hash(element).to_byte_array())
            .collect();
        pushes(self.script).any(|push| {
            let is_key = if self.taproot {
                XOnlyPublicKey::from_slice(push).is_ok()
            } else {
                PublicKey::from_slice(push).is_ok()
            };
            is_key || on_the_stack.contains(push)
        })
    }
}

/// The data that a script pushes, up to the first unreadable instruction.
fn pushes(script: &Script) -> impl Iterator<Item = &[u8]> {
    script
        .instructions()
        .map_while(Result::ok)
        .filter_map(|instruction| match instruction {
            Instruction::PushBytes(bytes) => Some(bytes.as_bytes()),
            Instruction::Op(_) => None,
        })
}

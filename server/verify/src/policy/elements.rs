//! Splits an input into its script and the elements on the stack, and reads the types of the signatures among them.

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

/// The type byte of an element that has the form of an ECDSA signature: DER (BIP-0066) and one byte.
/// No other element has that form by chance, because five of its bytes are fixed.
pub(super) fn ecdsa_type(element: &[u8]) -> Option<u8> {
    let [0x30, length, 0x02, r_length, rest @ ..] = element else {
        return None;
    };
    let [0x02, s_length, s @ .., sighash] = rest.get(usize::from(*r_length)..)? else {
        return None;
    };
    let complete = usize::from(*length) + 3 == element.len() && usize::from(*s_length) == s.len();
    complete.then_some(*sighash)
}

/// The type byte of an element that has the form of a Schnorr signature with one (BIP-0341: 65 bytes);
/// without one (64 bytes) the type is DEFAULT.
pub(super) fn schnorr_type(element: &[u8]) -> Option<u8> {
    match element.len() {
        65 => element.last().copied(),
        _ => None,
    }
}

/// The name that wallets give a type; the byte in hex if it has no name.
pub(super) fn type_name(byte: u8) -> String {
    let kind = match byte & !0x80 {
        0x01 => "ALL",
        0x02 => "NONE",
        0x03 => "SINGLE",
        _ => return format!("0x{byte:02x}"),
    };
    match byte & 0x80 {
        0 => kind.to_owned(),
        _ => format!("{kind}|ANYONECANPAY"),
    }
}

#[cfg(test)]
mod tests {
    use bitcoin::ecdsa::Signature;
    use bitcoin::secp256k1::{Message, Secp256k1, SecretKey};

    use super::*;

    #[test]
    fn every_der_signature_is_seen_with_its_type() {
        let secp = Secp256k1::new();
        let key = SecretKey::from_slice(&[7; 32]).expect("a key");
        for number in 0..=u8::MAX {
            let message = Message::from_digest([number; 32]);
            let mut element = Signature::sighash_all(secp.sign_ecdsa(&message, &key)).to_vec();
            *element.last_mut().expect("a signature has bytes") = number;
            assert_eq!(ecdsa_type(&element), Some(number));
        }
    }

    #[test]
    fn the_shortest_and_the_longest_signature_are_seen() {
        assert_eq!(ecdsa_type(&[0x30, 6, 2, 1, 1, 2, 1, 1, 0x83]), Some(0x83));
        let half = [&[2, 33], [0; 33].as_slice()].concat();
        let longest = [&[0x30, 70], half.as_slice(), &half, &[2]].concat();
        assert_eq!(ecdsa_type(&longest), Some(2));
    }

    #[test]
    fn other_elements_are_none() {
        let elements: [&[u8]; 6] = [
            &[],
            &[1],
            &[0x30],
            &[0x30, 6, 2, 200, 1, 2, 1, 1, 1],
            &[0x30, 9, 2, 1, 1, 2, 1, 1, 1],
            &[0x02; 33],
        ];
        for element in elements {
            assert_eq!(ecdsa_type(element), None, "{element:?}");
        }
        assert_eq!(schnorr_type(&[3; 64]), None);
        assert_eq!(schnorr_type(&[3; 65]), Some(3));
    }

    #[test]
    fn types_have_names() {
        let names = [0x01, 0x02, 0x83, 0x00, 0x81, 0x41].map(type_name);
        assert_eq!(
            names,
            [
                "ALL",
                "NONE",
                "SINGLE|ANYONECANPAY",
                "0x00",
                "ALL|ANYONECANPAY",
                "0x41"
            ]
        );
    }
}

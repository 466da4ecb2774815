//! The script that an input reveals: its keys, what they sign, and a spend by others of them.

use alloc::vec;
use alloc::vec::Vec;

use bitcoin::{ScriptBuf, TxIn, TxOut, Witness};

use super::{FurtherSignature, SpendingConditions};
use crate::ScriptType;
use crate::extract::pushes;
use crate::read::duplicates::{firsts, start};
use crate::script::{instructions, kind_spent, last_push};
use crate::signatures::template::{self, ScriptLocks, Template};
use crate::signatures::{Digest, TAPSCRIPT};

/// No script can have more keys: each takes an element of the stack (Core's `MAX_STACK_SIZE`).
const MAX_KEYS: usize = 999;

/// BIP-0341: the first byte of an annex.
const ANNEX: u8 = 0x50;

/// A script whose keys can be counted.
pub(crate) struct Revealed {
    needed: usize,
    /// In the order of the script.
    keys: Vec<Vec<u8>>,
    /// For each of them which of the different keys it is, counted from 1.
    places: Vec<usize>,
    script: Vec<u8>,
    digest: Digest,
    locks: ScriptLocks,
}

impl Revealed {
    /// None when the input reveals none.
    pub(crate) fn of(input: &TxIn, coin: &TxOut) -> Option<Self> {
        use ScriptType::{P2ms, P2pk, P2pkh, P2sh, P2shP2wpkh, P2shP2wsh, P2tr, P2wpkh, P2wsh};
        let output = coin.script_pubkey.as_bytes();
        let script_sig = input.script_sig.as_bytes();
        let (script, digest) = match kind_spent(output, None, Some(script_sig)) {
            P2pkh => return Self::of_key(last_push(script_sig)?, Digest::Legacy),
            P2wpkh | P2shP2wpkh => return Self::of_key(input.witness.last()?, Digest::Segwit),
            P2pk | P2ms => (output, Digest::Legacy),
            P2sh => (last_push(script_sig)?, Digest::Legacy),
            P2wsh | P2shP2wsh => (input.witness.last()?, Digest::Segwit),
            P2tr => return Self::of_leaf(&input.witness),
            _ => return None,
        };
        Self::new(&template::of_script(script)?, script, digest)
    }

    fn of_key(key: &[u8], digest: Digest) -> Option<Self> {
        let template = Template {
            needed: 1,
            keys: vec![key],
            is_multisig: false,
            locks: ScriptLocks::default(),
        };
        Self::new(&template, &[], digest)
    }

    fn of_leaf(witness: &Witness) -> Option<Self> {
        let (stack, annex) = without_annex(witness);
        let [.., script, control] = stack[..] else {
            return None;
        };
        if control.first()? & 0xfe != TAPSCRIPT {
            return None;
        }
        let digest = Digest::Leaf(annex.map(<[u8]>::to_vec));
        Self::new(&template::of_leaf(script)?, script, digest)
    }

    fn new(template: &Template<'_>, script: &[u8], digest: Digest) -> Option<Self> {
        if template.keys.len() > MAX_KEYS {
            return None;
        }
        let coordinates: Vec<&[u8]> = template.keys.iter().map(|key| coordinate(key)).collect();
        let mut places = Vec::with_capacity(coordinates.len());
        let mut count = 0;
        for (at, first) in firsts(&coordinates, start).into_iter().enumerate() {
            count += usize::from(first == at);
            places.push(if first == at { count } else { places[first] });
        }
        Some(Self {
            needed: template.needed,
            keys: template.keys.iter().map(|key| key.to_vec()).collect(),
            places,
            script: script.to_vec(),
            digest,
            locks: template.locks,
        })
    }

    /// Which of the different keys this one is, counted from 1; none when the script does not name it.
    pub(super) fn place(&self, key: &[u8]) -> Option<usize> {
        let at = self.keys.iter().position(|named| named == key)?;
        Some(self.places[at])
    }

    /// What a signature is over: the script, and which digest of the transaction.
    pub(crate) fn signs(&self) -> (&[u8], &Digest) {
        (&self.script, &self.digest)
    }

    /// Whether a signature commits to the whole transaction, by the type that it states: ALL, or taproot's DEFAULT.
    pub(super) fn commits_to_all(&self, signature: &[u8]) -> bool {
        match self.digest {
            Digest::Leaf(_) => {
                matches!((signature.len(), signature.last()), (64, _) | (65, Some(1)))
            }
            _ => signature.last() == Some(&1),
        }
    }

    pub(super) fn conditions(self, signed: Vec<usize>) -> SpendingConditions {
        let lock = |lock: u32| (lock != 0).then_some(lock);
        SpendingConditions {
            needed: self.needed,
            of: self.places.iter().copied().max().unwrap_or_default(),
            signed,
            lock_time: lock(self.locks.absolute),
            sequence: lock(self.locks.relative),
            hidden: matches!(self.digest, Digest::Leaf(_)),
        }
    }

    /// The input's own signatures with their keys, which sign in this order. None when they cannot be matched.
    pub(crate) fn signatures(
        &self,
        input: &TxIn,
        signers: &[&[u8]],
    ) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let own = self.placed(input, signers)?.into_iter();
        let own = own.map(|(at, signature)| Some((self.keys.get(at)?.clone(), signature)));
        own.collect()
    }

    /// The same, each with the index of its key in the script.
    fn placed(&self, input: &TxIn, signers: &[&[u8]]) -> Option<Vec<(usize, Vec<u8>)>> {
        let mut placed = Vec::new();
        if let Digest::Leaf(_) = self.digest {
            for at in 0..self.keys.len() {
                // The key that is checked first takes what is on top of the stack.
                let signature = input.witness.nth(self.keys.len() - 1 - at)?;
                if !signature.is_empty() {
                    placed.push((at, signature.to_vec()));
                }
            }
            return Some(placed);
        }
        let stack = self.stack(input)?;
        let mut keys = self.keys.iter().enumerate();
        // OP_CHECKMULTISIG takes one element too many, then signatures in the order of the keys.
        for (signer, signature) in signers.iter().zip(stack.get(1..=self.needed)?) {
            let (at, _) = keys.find(|(_, key)| key == signer)?;
            placed.push((at, signature.clone()));
        }
        Some(placed)
    }

    /// What the input leaves on the stack, the script included.
    fn stack(&self, input: &TxIn) -> Option<Vec<Vec<u8>>> {
        match self.digest {
            Digest::Legacy => pushed(input.script_sig.as_bytes()),
            _ => Some(input.witness.to_vec()),
        }
    }

    /// What satisfies the script with a further signature in place of one of the input's own, which are by these keys.
    pub(super) fn spend_with(
        &self,
        input: &TxIn,
        signers: &[&[u8]],
        further: &FurtherSignature,
    ) -> Option<(ScriptBuf, Witness)> {
        let at = self.keys.iter().position(|key| *key == further.key)?;
        let mut placed = self.placed(input, signers)?;
        placed.pop()?;
        let next = placed.partition_point(|(key, _)| *key <= at);
        placed.insert(next, (at, further.signature.clone()));
        let mut stack = self.stack(input)?;
        match self.digest {
            Digest::Leaf(_) => {
                let end = self.keys.len();
                stack.get_mut(..end)?.fill(Vec::new());
                for (at, signature) in placed {
                    *stack.get_mut(end - 1 - at)? = signature;
                }
            }
            _ => {
                let signatures = placed.into_iter().map(|(_, signature)| signature);
                stack.splice(1..=self.needed, signatures);
            }
        }
        Some(match self.digest {
            Digest::Legacy => (pushes(stack)?, input.witness.clone()),
            _ => (input.script_sig.clone(), Witness::from_slice(&stack)),
        })
    }
}

/// What a script signature pushes; none when it does anything else.
fn pushed(script_sig: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut stack = Vec::new();
    for instruction in instructions(script_sig) {
        stack.push(instruction?.pushed()?.to_vec());
    }
    Some(stack)
}

/// The stack of a taproot spend without its annex, and the annex.
fn without_annex(witness: &Witness) -> (Vec<&[u8]>, Option<&[u8]>) {
    let mut stack: Vec<&[u8]> = witness.iter().collect();
    let has_annex = stack.len() > 1
        && stack
            .last()
            .is_some_and(|last| last.first() == Some(&ANNEX));
    let annex = if has_annex { stack.pop() } else { None };
    (stack, annex)
}

/// The x coordinate of a key.
fn coordinate(key: &[u8]) -> &[u8] {
    match key.len() {
        33 | 65 => &key[1..33],
        _ => key,
    }
}

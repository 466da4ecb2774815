//! Generic signed messages in the form "full, proof of funds" (BIP-0322, version 2.0.0).
//!
//! Such a file is a PSBT of the virtual transaction `to_sign`. Its first input spends the output of
//! another virtual transaction, `to_spend`, which commits to a message and to a script that the
//! signer chose; it is no coin of any chain. The other inputs spend the coins whose control is
//! shown. Every signature commits to all inputs, and so to the message.

use bitcoin::psbt::raw::Key;
use bitcoin::script::Instruction;
use bitcoin::taproot::{ControlBlock, TAPROOT_LEAF_TAPSCRIPT};
use bitcoin::{Amount, OutPoint, PublicKey, Script, ScriptBuf, TxOut, Witness};
use psbt_wasm::binding::{message_fault, spends_message};
use psbt_wasm::{Content, ProofFile};

pub use psbt_wasm::binding::{MessageFault as Fault, to_spend};

use super::Refusal;

/// A file of the form of a signed message. Nothing in it is checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedMessage {
    /// The outpoint that the first input spends: output 0 of `to_spend`, if the message is the right one.
    pub outpoint: OutPoint,
    /// The script that the signer chose, as the file states it or as the first input's signature shows it.
    pub challenge: ScriptBuf,
    /// The message that the file states, if it does: only signing needs it.
    pub stated: Option<Vec<u8>>,
}

/// The kind of a file, by its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A transaction whose every input spends a coin.
    Transaction,
    /// A signed message, whose first input spends the virtual `to_spend`.
    Message(SignedMessage),
}

impl Kind {
    /// The message, if it is one.
    pub fn message(&self) -> Option<&SignedMessage> {
        match self {
            Self::Message(signed) => Some(signed),
            Self::Transaction => None,
        }
    }

    /// How many of the first inputs spend no coin of any chain, and so claim nothing: 1 in a signed message, else 0.
    pub fn virtual_inputs(&self) -> usize {
        usize::from(self.message().is_some())
    }
}

/// What a file shows about the output that an input spends.
enum Spent {
    /// Stated, with a value of 0.
    Valueless(ScriptBuf),
    /// Not stated, but the input's signature shows its script.
    Shown(ScriptBuf),
    /// Stated, with a value.
    Coin,
    Unknown,
}

impl SignedMessage {
    /// Whether `message` was signed. The txid of `to_spend` commits to the message and to the script, so this checks both.
    pub fn signs(&self, message: &[u8]) -> bool {
        let agrees = self
            .stated
            .as_deref()
            .is_none_or(|stated| stated == message);
        agrees && spends_message(self.outpoint, message, &self.challenge)
    }

    /// The output of `to_spend`, which the first input spends.
    pub fn output(&self) -> TxOut {
        TxOut {
            value: Amount::ZERO,
            script_pubkey: self.challenge.clone(),
        }
    }
}

/// Tells a signed message from a transaction. A message has the right form, and the output that its first input spends is stated to have no
/// value, or its script is shown by the signature.
///
/// # Errors
/// For a signed message that cannot be a proof of funds: it breaks the form, has no coins, or does not show the script that signed.
/// Treated as a transaction, its first input would spend a coin that does not exist.
pub fn kind(file: &ProofFile) -> Result<Kind, Refusal> {
    let transaction = file.unsigned_transaction();
    let stated = read_message(file);
    let says_so = stated.is_some();
    let fault = message_fault(transaction);
    let Some(first) = transaction.input.first() else {
        return Ok(Kind::Transaction);
    };
    if !says_so && fault == Some(Fault::Outputs) {
        return Ok(Kind::Transaction);
    }
    let is_later = || {
        let mut others = 1..transaction.input.len();
        others.any(|input| matches!(spent(file, input), Spent::Valueless(_)))
    };
    match (fault, spent(file, 0)) {
        (Some(Fault::NoCoins), Spent::Valueless(_)) if says_so => {
            Err(Refusal::MessageForm(Fault::NoCoins))
        }
        (Some(Fault::NoCoins), _) => Err(Refusal::MessageAlone),
        (_, Spent::Coin) if says_so || is_later() => Err(Refusal::MessageForm(Fault::FirstInput)),
        // An ordinary transaction that pays everything as the fee.
        (_, Spent::Coin) => Ok(Kind::Transaction),
        (Some(Fault::OutputIndex), _) if !says_so => Ok(Kind::Transaction),
        (Some(fault), _) => Err(Refusal::MessageForm(fault)),
        (None, Spent::Unknown) => Err(Refusal::MessageWithoutScript),
        (None, Spent::Valueless(challenge) | Spent::Shown(challenge)) => {
            Ok(Kind::Message(SignedMessage {
                outpoint: first.previous_output,
                challenge,
                stated,
            }))
        }
    }
}

/// Whether an input other than the first spends this message.
pub fn is_later(file: &ProofFile, message: &[u8]) -> bool {
    let inputs = file.unsigned_transaction().input.iter().enumerate();
    inputs.skip(1).any(|(at, input)| match spent(file, at) {
        Spent::Valueless(script) | Spent::Shown(script) => {
            spends_message(input.previous_output, message, &script)
        }
        _ => false,
    })
}

fn spent(file: &ProofFile, input: usize) -> Spent {
    let Some(txin) = file.unsigned_transaction().input.get(input) else {
        return Spent::Unknown;
    };
    let shown = match &file.content {
        Content::Psbt(psbt) => {
            let Some(fields) = psbt.inputs.get(input) else {
                return Spent::Unknown;
            };
            let from_transaction = || {
                let vout = usize::try_from(txin.previous_output.vout).ok()?;
                fields.non_witness_utxo.as_ref()?.output.get(vout)
            };
            match fields.witness_utxo.as_ref().or_else(from_transaction) {
                Some(output) if output.value != Amount::ZERO => return Spent::Coin,
                Some(output) => return Spent::Valueless(output.script_pubkey.clone()),
                None => derive_script(
                    fields.final_script_sig.as_deref().unwrap_or(Script::new()),
                    fields.final_script_witness.as_ref(),
                ),
            }
        }
        Content::Transaction(_) => derive_script(&txin.script_sig, Some(&txin.witness)),
        _ => None,
    };
    shown.map_or(Spent::Unknown, Spent::Shown)
}

/// The output script, derived from the input's scriptSig and witness; none where only the output has it (P2PK, bare multisig, and a
/// taproot key). Electrum returns complete transactions, which state nothing else. A wrong guess leads to another
/// `to_spend`, so the file is no message then.
fn derive_script(script_sig: &Script, witness: Option<&Witness>) -> Option<ScriptBuf> {
    let pushes = script_sig
        .instructions()
        .map(|instruction| match instruction {
            Ok(Instruction::PushBytes(bytes)) => Some(bytes.as_bytes()),
            _ => None,
        });
    let pushes: Vec<&[u8]> = pushes.collect::<Option<_>>()?;
    let p2sh = |script| ScriptBuf::new_p2sh(&Script::from_bytes(script).script_hash());
    let witness = witness.filter(|witness| !witness.is_empty());
    match (pushes.last(), witness) {
        // Nested in P2SH, where the scriptSig is only the redeem script, and P2SH itself.
        (Some(redeem), Some(_)) => Some(p2sh(redeem)),
        (Some(last), None) => match PublicKey::from_slice(last) {
            Ok(key) if pushes.len() == 2 => Some(ScriptBuf::new_p2pkh(&key.pubkey_hash())),
            _ => Some(p2sh(last)),
        },
        (None, Some(witness)) => derive_from_witness(witness),
        (None, None) => None,
    }
}

fn derive_from_witness(witness: &Witness) -> Option<ScriptBuf> {
    // A taproot input (a key signature, or the control block of a leaf) does not show its output.
    let last = witness.last().filter(|_| witness.len() > 1)?;
    let is_leaf = last
        .first()
        .is_some_and(|first| first & 0xfe == TAPROOT_LEAF_TAPSCRIPT);
    if is_leaf && ControlBlock::decode(last).is_ok() {
        return None;
    }
    match PublicKey::from_slice(last) {
        Ok(key) if witness.len() == 2 => Some(ScriptBuf::new_p2wpkh(&key.wpubkey_hash().ok()?)),
        _ => Some(ScriptBuf::new_p2wsh(
            &Script::from_bytes(last).wscript_hash(),
        )),
    }
}

/// The key of the field `PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE`.
pub fn message_key() -> Key {
    Key {
        type_value: 0x09,
        key: Vec::new(),
    }
}

fn read_message(file: &ProofFile) -> Option<Vec<u8>> {
    match &file.content {
        Content::Psbt(psbt) => psbt.unknown.get(&message_key()).cloned(),
        _ => None,
    }
}

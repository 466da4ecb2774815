//! Generic signed messages in the form "full, proof of funds" (BIP-0322, version 2.0.0).
//!
//! Such a file is a PSBT of the virtual transaction `to_sign`. Its first input spends the output of
//! another virtual transaction, `to_spend`, which commits to a message and to a script that the
//! signer chose; it is no coin of any chain. The other inputs spend the coins whose control is
//! shown. All signatures commit to all inputs, and so to the message.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::{Hash, HashEngine, sha256};
use bitcoin::opcodes::OP_0;
use bitcoin::opcodes::all::OP_RETURN;
use bitcoin::psbt::raw::Key;
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, Script, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Witness,
};
use psbt_wasm::{Content, ProofFile};

use super::Refusal;

/// Longest script that can be run, in bytes (Core's `MAX_SCRIPT_SIZE`): a longer one signs nothing,
/// and would be hashed once for every message.
const MAX_SCRIPT_BYTES: usize = 10_000;

/// The hash of a message, tagged as in BIP-0340.
#[must_use]
pub fn message_hash(message: &[u8]) -> [u8; 32] {
    let tag = sha256::Hash::hash(b"BIP0322-signed-message").to_byte_array();
    let mut engine = sha256::Hash::engine();
    engine.input(&tag);
    engine.input(&tag);
    engine.input(message);
    sha256::Hash::from_engine(engine).to_byte_array()
}

/// The virtual transaction whose only output, number 0, the first input of `to_sign` spends.
#[must_use]
pub fn to_spend(message: &[u8], challenge: &Script) -> Transaction {
    Transaction {
        version: Version(0),
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            previous_output: OutPoint::null(),
            script_sig: Builder::new()
                .push_opcode(OP_0)
                .push_slice(message_hash(message))
                .into_script(),
            sequence: Sequence::ZERO,
            witness: Witness::new(),
        }],
        output: vec![TxOut {
            value: Amount::ZERO,
            script_pubkey: challenge.into(),
        }],
    }
}

/// A file that presents itself as a signed message. Nothing about it has been believed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedMessage {
    /// What the first input spends: the output 0 of `to_spend`, if the message is the right one.
    pub outpoint: OutPoint,
    /// The script that the signer chose, as the file states it.
    pub challenge: ScriptBuf,
    /// The message that the file carries, when it does: only the signing steps need it.
    pub stated: Option<Vec<u8>>,
    /// The rule of the form that `to_sign` breaks, if any.
    pub fault: Option<Fault>,
}

/// What the form of `to_sign` demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its version is 0 or 2 (the "upgradeable rules").
    Version,
    /// Its first input spends output 0.
    OutputIndex,
    /// Its only output is a bare `OP_RETURN` of value 0.
    Outputs,
    /// A proof of funds has inputs beside the first.
    NoCoins,
}

impl SignedMessage {
    /// Recognises a signed message: the first input is stated to spend an output without value,
    /// and the file either carries a message or has the form of one.
    ///
    /// A coin without value can exist; its file is an ordinary one unless it has that form.
    #[must_use]
    pub fn recognise(file: &ProofFile) -> Option<Self> {
        let Content::Psbt(psbt) = &file.content else {
            return None;
        };
        let outpoint = psbt.unsigned_tx.input.first()?.previous_output;
        let challenge = challenge(psbt)?;
        let stated = stated_message(psbt);
        let fault = fault(&psbt.unsigned_tx);
        (stated.is_some() || fault.is_none()).then_some(Self {
            outpoint,
            challenge,
            stated,
            fault,
        })
    }

    /// The output that the first input spends, when `message` is what was signed.
    ///
    /// The txid of `to_spend` commits to the message and to the script, so this settles both.
    #[must_use]
    pub fn output_for(&self, message: &[u8]) -> Option<TxOut> {
        let outpoint = OutPoint::new(to_spend(message, &self.challenge).compute_txid(), 0);
        let agrees = self
            .stated
            .as_deref()
            .is_none_or(|stated| stated == message);
        (agrees && self.outpoint == outpoint).then(|| self.output())
    }

    /// The output that the first input spends if the script is what the file states.
    #[must_use]
    pub fn output(&self) -> TxOut {
        TxOut {
            value: Amount::ZERO,
            script_pubkey: self.challenge.clone(),
        }
    }
}

/// What a file is that has the form of a signed message and cannot be a proof of funds, because it has no coins or lacks the
/// script that signed. Looked up as an ordinary file, its first input would be a coin that does not exist.
///
/// # Errors
/// When it is such a file.
pub fn more_than_a_message(file: &ProofFile) -> Result<(), Refusal> {
    if SignedMessage::recognise(file).is_some() {
        return Ok(());
    }
    let (stated, has_script) = match &file.content {
        Content::Psbt(psbt) => (stated_message(psbt).is_some(), challenge(psbt).is_some()),
        _ => (false, false),
    };
    match fault(file.unsigned_transaction()) {
        Some(Fault::NoCoins) => Err(Refusal::MessageAlone),
        None if !has_script => Err(Refusal::MessageWithoutScript),
        Some(_) if stated && !has_script => Err(Refusal::MessageWithoutScript),
        _ => Ok(()),
    }
}

/// The script of the first input's previous output, when the file states one and its value is zero.
fn challenge(psbt: &Psbt) -> Option<ScriptBuf> {
    let fields = psbt.inputs.first()?;
    let vout = psbt.unsigned_tx.input.first()?.previous_output.vout;
    let from_transaction = || {
        let previous = fields.non_witness_utxo.as_ref()?;
        previous.output.get(usize::try_from(vout).ok()?)
    };
    let output = fields.witness_utxo.as_ref().or_else(from_transaction)?;
    let runs = output.script_pubkey.len() <= MAX_SCRIPT_BYTES;
    (output.value == Amount::ZERO && runs).then(|| output.script_pubkey.clone())
}

/// `PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE`: the field of the message, without key data.
#[must_use]
pub fn message_key() -> Key {
    Key {
        type_value: 0x09,
        key: Vec::new(),
    }
}

fn stated_message(psbt: &Psbt) -> Option<Vec<u8>> {
    psbt.unknown.get(&message_key()).cloned()
}

/// BIP-0322, "Verification Process", 1.3 and 4.1. Lock time and sequence numbers are free in the
/// full format; whether the coins could be spent now is asked of them like of any other file.
fn fault(to_sign: &Transaction) -> Option<Fault> {
    let op_return = Builder::new().push_opcode(OP_RETURN).into_script();
    let expected = TxOut {
        value: Amount::ZERO,
        script_pubkey: op_return,
    };
    if to_sign.input.first()?.previous_output.vout != 0 {
        Some(Fault::OutputIndex)
    } else if to_sign.output != [expected] {
        Some(Fault::Outputs)
    } else if ![Version(0), Version(2)].contains(&to_sign.version) {
        Some(Fault::Version)
    } else if to_sign.input.len() < 2 {
        Some(Fault::NoCoins)
    } else {
        None
    }
}

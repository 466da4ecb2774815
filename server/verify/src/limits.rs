//! Limits on the work that a file may cause (rules A1 and C8). They are those of nodes that relay transactions, so every transaction that a
//! wallet could send is within them.

use std::collections::HashMap;

use bitcoin::script::Instruction;
use bitcoin::{OutPoint, Script, Transaction, TxOut};
use psbt_wasm::{Content, ProofFile};

use super::Refusal;

/// The heaviest transaction, in weight units (Core's `MAX_STANDARD_TX_WEIGHT`).
pub const MAX_WEIGHT: u64 = 400_000;

/// The highest cost of signature operations (BIP-0141; Core's `MAX_STANDARD_TX_SIGOPS_COST`).
pub const MAX_SIGOPS_COST: usize = 16_000;

/// The most signature operations outside witnesses. Each hashes nearly
/// the whole transaction again, so the work grows with the square of its size (BIP-0054; Core's
/// `MAX_TX_LEGACY_SIGOPS`).
pub const MAX_LEGACY_SIGOPS: usize = 2_500;

/// The longest tapscript, in bytes: one with 999 keys, the most that a `multi_a` can have (BIP-0342 allows
/// 1,000 elements on the stack), has 33,970.
pub const MAX_LEAF_BYTES: usize = 36_000;

/// The longest other script, in bytes: a longer one cannot be executed (Core's `MAX_SCRIPT_SIZE`).
pub const MAX_SCRIPT_BYTES: usize = 10_000;

/// The most bytes of all scripts of a file together. Unused leaves count as well, because they add no weight to the transaction.
pub const MAX_SCRIPTS_BYTES: usize = 1_000_000;

/// The most pairs of a signature and a key hash that it could be for: each is tried.
pub const MAX_CANDIDATES: usize = 100_000;

/// Length of the hash of a key, as scripts push it.
const KEY_HASH_BYTES: usize = 20;

/// The work that the scripts of one file have caused so far.
#[derive(Debug, Default)]
pub struct Work {
    script_bytes: usize,
    candidates: usize,
}

impl Work {
    /// Adds the cost of reading a script of `input`, of at most `most` bytes, and of trying `signatures` for the key hashes in it.
    ///
    /// # Errors
    /// [`Refusal::ScriptTooComplex`] when the script is too long, or all of them together cost too much.
    pub fn add(
        &mut self,
        input: usize,
        script: &Script,
        most: usize,
        signatures: usize,
    ) -> Result<(), Refusal> {
        self.script_bytes += script.len();
        self.candidates += key_hashes(script) * signatures;
        let fits = script.len() <= most
            && self.script_bytes <= MAX_SCRIPTS_BYTES
            && self.candidates <= MAX_CANDIDATES;
        fits.then_some(())
            .ok_or(Refusal::ScriptTooComplex { input })
    }
}

/// How many pushes may be hashes of keys.
fn key_hashes(script: &Script) -> usize {
    let instructions = script.instructions().map_while(Result::ok);
    let is_hash = |instruction: &Instruction<'_>| matches!(instruction, Instruction::PushBytes(bytes) if bytes.len() == KEY_HASH_BYTES);
    instructions.filter(is_hash).count()
}

/// The most signatures, scripts, preimages and keys that the inputs of a PSBT may have in total.
pub const MAX_FIELDS: usize = 20_000;

/// Checks how many fields stay in memory while the coins are looked up (rule C8).
///
/// # Errors
/// When there are too many fields.
pub fn fields(file: &ProofFile) -> Result<(), Refusal> {
    let Content::Psbt(psbt) = &file.content else {
        return Ok(());
    };
    let fields = psbt.inputs.iter().map(|input| {
        input.partial_sigs.len()
            + input.tap_script_sigs.len()
            + input.tap_scripts.len()
            + input.bip32_derivation.len()
            + input.tap_key_origins.len()
            + input.ripemd160_preimages.len()
            + input.sha256_preimages.len()
            + input.hash160_preimages.len()
            + input.hash256_preimages.len()
            + input.unknown.len()
    });
    if psbt.unknown.len() + fields.sum::<usize>() > MAX_FIELDS {
        return Err(Refusal::TooComplex);
    }
    Ok(())
}

/// Checks the weight. Before a file is finalized, the weight of the unsigned transaction is a lower bound.
///
/// # Errors
/// When the transaction is too heavy.
pub fn weight(transaction: &Transaction) -> Result<(), Refusal> {
    let weight = transaction.weight().to_wu();
    if weight > MAX_WEIGHT {
        return Err(Refusal::TooHeavy {
            weight,
            limit: MAX_WEIGHT,
        });
    }
    Ok(())
}

/// Checks the number of signature checks that the scripts can cause.
///
/// # Errors
/// When there are too many.
pub fn signature_checks(
    transaction: &Transaction,
    previous_outputs: &[TxOut],
) -> Result<(), Refusal> {
    let outpoints = transaction.input.iter().map(|input| input.previous_output);
    let spent: HashMap<OutPoint, &TxOut> = outpoints.zip(previous_outputs).collect();
    let cost = transaction.total_sigop_cost(|outpoint| spent.get(outpoint).copied().cloned());
    if cost > MAX_SIGOPS_COST || legacy_sigops(transaction, previous_outputs) > MAX_LEGACY_SIGOPS {
        return Err(Refusal::TooComplex);
    }
    Ok(())
}

/// BIP-0054 counts the signature operations of scriptSig, scriptPubKey and redeem script.
fn legacy_sigops(transaction: &Transaction, previous_outputs: &[TxOut]) -> usize {
    let inputs = transaction.input.iter().zip(previous_outputs);
    inputs
        .map(|(input, coin)| {
            let script = &coin.script_pubkey;
            let redeem_script = input.script_sig.redeem_script();
            let redeem_script = redeem_script.filter(|_| script.is_p2sh());
            input.script_sig.count_sigops()
                + script.count_sigops()
                + redeem_script.map_or(0, bitcoin::Script::count_sigops)
        })
        .sum()
}

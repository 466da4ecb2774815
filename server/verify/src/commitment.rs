//! The second layer, a mutation oracle: an input that stays valid in another transaction has not
//! committed to this one (rules A5 to A8).
//!
//! It knows nothing about scripts, so it also covers unknown kinds of them.

use bitcoin::hashes::Hash;
use bitcoin::{Amount, OutPoint, ScriptBuf, Transaction, TxIn, TxOut, Txid};

use super::Refusal;
use super::consensus::Spend;

/// The altered transactions. Together they differ from the original in everything that a
/// signature can leave open; version, lock time and the original's inputs with their sequence
/// numbers stay, so that time locks keep their meaning.
///
/// | signature type | one more output | every value | one more input |
/// | --- | --- | --- | --- |
/// | ALL, DEFAULT | | | |
/// | NONE | valid | valid | |
/// | SINGLE | valid | | |
/// | SINGLE without an output of its index (before Taproot) | valid, unless that one is added | valid | |
/// | any with ANYONECANPAY | | | valid |
/// | no signature at all | valid | valid | valid |
///
/// So each input is tried with one more input, and with one more output, or, where that output
/// would get the input's own index, with other values. Each trial costs a verification.
pub struct Alterations {
    one_more_input: Spend,
    one_more_output: Spend,
    /// The input whose index the additional output has, if there is one, and the transaction for it.
    other_values: Option<(usize, Spend)>,
}

impl Alterations {
    /// The alterations of `transaction`, which spends `previous_outputs`.
    ///
    /// # Errors
    /// [`Refusal::Uncheckable`] when the engine cannot read one of them.
    pub fn new(transaction: &Transaction, previous_outputs: &[TxOut]) -> Result<Self, Refusal> {
        let (more_inputs, more_previous_outputs) = one_more_input(transaction, previous_outputs);
        let additional = transaction.output.len();
        let other_values = (additional < transaction.input.len())
            .then(|| Spend::new(&other_values(transaction), previous_outputs))
            .transpose()?;
        Ok(Self {
            one_more_input: Spend::new(&more_inputs, &more_previous_outputs)?,
            one_more_output: Spend::new(&one_more_output(transaction), previous_outputs)?,
            other_values: other_values.map(|altered| (additional, altered)),
        })
    }

    /// Checks that `input`, valid in the original, commits to it.
    ///
    /// # Errors
    /// [`Refusal::NotCommitted`] when the input is valid in an altered transaction too.
    pub fn check(&self, input: usize) -> Result<(), Refusal> {
        let other_outputs = match &self.other_values {
            Some((own, other_values)) if *own == input => other_values,
            _ => &self.one_more_output,
        };
        if other_outputs.accepts(input)? || self.one_more_input.accepts(input)? {
            return Err(Refusal::NotCommitted { input });
        }
        Ok(())
    }
}

/// NONE leaves all outputs open, SINGLE all but that of the input's index.
fn one_more_output(transaction: &Transaction) -> Transaction {
    let mut altered = transaction.clone();
    altered.output.push(additional_output());
    altered
}

/// SINGLE for an input without an output of its index leaves all outputs open, as long as there is
/// none (a constant in legacy scripts, a zero hash in BIP-0143).
fn other_values(transaction: &Transaction) -> Transaction {
    let mut altered = transaction.clone();
    for output in &mut altered.output {
        // Script rules do not check amounts, so any other value is fine.
        output.value = Amount::from_sat(output.value.to_sat() ^ 1);
    }
    altered
}

/// ANYONECANPAY leaves all other inputs open. The new one comes last, so that every input and
/// its output keep their index.
fn one_more_input(
    transaction: &Transaction,
    previous_outputs: &[TxOut],
) -> (Transaction, Vec<TxOut>) {
    let mut altered = transaction.clone();
    altered.input.push(TxIn {
        previous_output: OutPoint::new(Txid::hash(b"an input that nobody signed for"), 0),
        ..TxIn::default()
    });
    let previous_outputs = [previous_outputs, &[additional_output()]].concat();
    (altered, previous_outputs)
}

fn additional_output() -> TxOut {
    TxOut {
        value: Amount::ONE_SAT,
        script_pubkey: ScriptBuf::new(),
    }
}

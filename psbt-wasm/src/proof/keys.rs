//! Which keys have signed for a coin, and signatures by more keys than its script needs.
//!
//! Keys are those of the script that the input reveals, which the output commits to. They are counted by their x coordinate: a key and its
//! negation are one.

mod revealed;

use alloc::vec;
use alloc::vec::Vec;

use bitcoin::consensus::deserialize;
use bitcoin::{ScriptBuf, Transaction, TxOut, Witness};

use super::{ProofCheck, finished};
use crate::error::Fault;
use crate::extract::finalized;
use crate::read::decode;
use crate::signatures::{Checks, Fields, leaf_hash};
use crate::{Error, Keys, MakeError};
pub(crate) use revealed::Revealed;

/// A signature that an input does not need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurtherSignature {
    /// The input, counted from 0.
    pub input: usize,
    /// The public key as it is in the script.
    pub key: Vec<u8>,
    /// In the encoding of scripts, with its type at its end.
    pub signature: Vec<u8>,
}

/// What is wrong with a further signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum FurtherFault {
    /// There is no such input.
    NoInput,
    /// The input reveals no script whose keys can be counted.
    NoMultisig,
    /// The script does not name the key.
    OtherKey,
    /// The key has signed already.
    Twice,
    /// It leaves a part of the transaction open.
    Sighash,
    /// It does not fit the key and this input.
    WrongSignature,
}

crate::facts::names!(FurtherFault: code);

/// What a coin's script asks for, as far as the input that spends it reveals it, and who has signed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpendingConditions {
    /// How many keys must sign.
    pub needed: usize,
    /// How many keys there are.
    pub of: usize,
    /// The keys that have signed, by their place in the script, counted from 1.
    pub signed: Vec<usize>,
    /// The absolute lock (BIP-0065), if there is one: a height below 500,000,000, else a Unix time.
    pub lock_time: Option<u32>,
    /// The relative lock (BIP-0112), if there is one, as a sequence.
    pub sequence: Option<u32>,
    /// Whether there may be other ways to spend the coin, which taproot hides.
    pub hidden: bool,
}

/// The further signatures of one proof while they are checked.
pub(super) struct KeyChecks {
    revealed: Vec<Option<Revealed>>,
    further: Vec<FurtherSignature>,
    /// For each input the places of the keys that have signed; empty until its own signatures are checked.
    signed: Vec<Vec<usize>>,
    next: usize,
    fault: Option<FurtherFault>,
    unchecked: bool,
}

/// A portion ends after so many further signatures.
const PORTION: usize = 256;

impl KeyChecks {
    /// `transaction` is final, and spends these outputs.
    pub(super) fn new(
        transaction: &Transaction,
        spent: &[TxOut],
        further: Vec<FurtherSignature>,
    ) -> Self {
        let inputs = transaction.input.iter().zip(spent);
        Self {
            revealed: inputs
                .map(|(input, coin)| Revealed::of(input, coin))
                .collect(),
            further,
            signed: Vec::new(),
            next: 0,
            fault: None,
            unchecked: false,
        }
    }

    /// How many bytes the further signatures have.
    pub(super) fn signature_bytes(&self) -> usize {
        let each = self.further.iter();
        each.map(|one| one.key.len() + one.signature.len()).sum()
    }

    /// Checks a portion, once the inputs are checked; whether any are left.
    pub(super) fn go_on(&mut self, checks: &mut Checks) -> bool {
        if self.signed.is_empty() {
            self.signed = signers(&self.revealed, checks);
        }
        let end = self.further.len().min(self.next + PORTION);
        while self.next < end && self.fault.is_none() {
            let FurtherSignature { input, .. } = self.further[self.next];
            if self.next == 0 || self.further[self.next - 1].input != input {
                checks.begin_further();
            }
            match self.check(self.next, checks) {
                Ok(is_checked) => self.unchecked |= !is_checked,
                Err(fault) => self.fault = Some(fault),
            }
            self.next += 1;
        }
        self.fault.is_none() && self.next < self.further.len()
    }

    /// Checks one; whether that was not too much work.
    fn check(&mut self, at: usize, checks: &mut Checks) -> Result<bool, FurtherFault> {
        let FurtherSignature {
            input,
            key,
            signature,
        } = &self.further[at];
        let signed = self.signed.get_mut(*input).ok_or(FurtherFault::NoInput)?;
        let revealed = self.revealed[*input].as_ref();
        let revealed = revealed.ok_or(FurtherFault::NoMultisig)?;
        let place = revealed.place(key).ok_or(FurtherFault::OtherKey)?;
        if signed.binary_search(&place).is_ok() {
            return Err(FurtherFault::Twice);
        }
        if !revealed.commits_to_all(signature) {
            return Err(FurtherFault::Sighash);
        }
        match checks.is_valid(*input, revealed.signs(), key, signature) {
            Some(true) => insert(signed, place),
            Some(false) => return Err(FurtherFault::WrongSignature),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// What is wrong with them, and whether all were checked.
    pub(super) fn verdict(&self) -> (Option<FurtherFault>, bool) {
        (self.fault, !self.unchecked)
    }

    /// What each input reveals, and who has signed.
    pub(super) fn conditions(self) -> Vec<Option<SpendingConditions>> {
        let mut signed = self.signed;
        signed.resize(self.revealed.len(), Vec::new());
        let inputs = self.revealed.into_iter().zip(signed);
        let conditions = inputs.map(|(revealed, signed)| Some(revealed?.conditions(signed)));
        conditions.collect()
    }
}

/// Adds a place to a list in order, in which each is once.
fn insert(places: &mut Vec<usize>, place: usize) {
    if let Err(at) = places.binary_search(&place) {
        places.insert(at, place);
    }
}

/// For each input the places of the keys whose signatures in it are valid.
fn signers(revealed: &[Option<Revealed>], checks: &Checks) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); revealed.len()];
    let inputs = revealed.iter().zip(checks.inputs()).zip(&mut all);
    for ((revealed, verdict), places) in inputs {
        let Some(revealed) = revealed else { continue };
        let valid = verdict.signatures.iter();
        let valid = valid.filter(|signature| signature.valid == Some(true));
        for key in valid.filter_map(|signature| signature.key.as_deref()) {
            if let Some(place) = revealed.place(key) {
                insert(places, place);
            }
        }
    }
    all
}

/// What the inputs of a file spend.
fn spent_by(file: &[u8]) -> Result<Vec<TxOut>, Error> {
    let binary = decode(file)?;
    let file = binary.read(Keys::Form)?;
    let mut spent = Vec::new();
    for (input, (output, ..)) in file.inputs()?.into_iter().enumerate() {
        spent.push(output.ok_or(MakeError::UnknownUtxo { input })?.into());
    }
    Ok(spent)
}

/// The most checks of [`further_signatures`], which does not stop in between: those of 2,000 inputs of 5 keys.
const MAX_CHECKS: u32 = 10_000;

/// The valid signatures in a signed file by keys that its final transaction does not need. `to_sign` is the file that was signed, which
/// says what it spends.
///
/// # Errors
/// Those of [`extract`](crate::extract), and [`MakeError::UnknownUtxo`].
pub fn further_signatures(to_sign: &[u8], signed: &[u8]) -> Result<Vec<FurtherSignature>, Error> {
    let binary = decode(signed)?;
    let file = binary.read(Keys::Curve)?;
    let transaction = finalized(&file)?;
    let transaction: Transaction =
        deserialize(&transaction).map_err(|_| Fault::Invalid("transaction"))?;
    let spent = spent_by(to_sign)?;
    if file.psbt.is_none() || spent.len() != transaction.input.len() {
        return Ok(Vec::new());
    }
    let mut keys = KeyChecks::new(&transaction, &spent, Vec::new());
    for (input, (_, _, map)) in file.inputs()?.into_iter().enumerate() {
        let Some(revealed) = &keys.revealed[input] else {
            continue;
        };
        let fields = Fields::read(map);
        let leaf = leaf_hash(revealed.signs().0);
        let leaves = fields.tap_script_signatures.iter();
        let leaves = leaves.filter(|(_, own, _)| *own == leaf);
        let leaves = leaves.map(|(key, _, signature)| (*key, *signature));
        for (key, signature) in fields.partial.iter().copied().chain(leaves) {
            keys.further.push(FurtherSignature {
                input,
                key: key.to_vec(),
                signature: signature.to_vec(),
            });
        }
    }
    let mut checks = Checks::new(decode(finished::psbt(transaction, &spent))?, MAX_CHECKS)?;
    while checks.go_on() {}
    checks.warrant(keys.signature_bytes());
    keys.signed = signers(&keys.revealed, &checks);
    let mut right = Vec::new();
    for at in 0..keys.further.len() {
        checks.begin_further();
        let before = keys.signed[keys.further[at].input].len();
        // What the file need not have is left out when it is not right.
        let is_checked = keys.check(at, &mut checks);
        if is_checked == Ok(true) && keys.signed[keys.further[at].input].len() > before {
            right.push(keys.further[at].clone());
        }
    }
    Ok(right)
}

impl ProofCheck {
    /// Script signature and witness that satisfy an input with a further signature in place of one of its own, for a consensus engine. None
    /// when it is not right, so that there are none.
    #[must_use]
    pub fn spend_with(
        &self,
        transaction: &Transaction,
        spent: &[TxOut],
        further: &FurtherSignature,
    ) -> Option<(ScriptBuf, Witness)> {
        let at = further.input;
        let (input, coin) = (transaction.input.get(at)?, spent.get(at)?);
        let own = self.signatures.inputs.get(at)?.signatures.iter();
        let signers: Vec<&[u8]> = own.filter_map(|one| one.key.as_deref()).collect();
        Revealed::of(input, coin)?.spend_with(input, &signers, further)
    }
}

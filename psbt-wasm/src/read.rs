//! Reads a file: [`decode`], then [`Binary::read`]. Nothing is copied that can be pointed at.

pub(crate) mod checks;
pub(crate) mod cursor;
mod decode;
mod der;
pub(crate) mod duplicates;
pub(crate) mod fields;
pub(crate) mod input;
mod keys;
pub(crate) mod maps;
pub(crate) mod network_hint;
pub(crate) mod transaction;
pub(crate) mod version2;

use alloc::vec::Vec;

use crate::hash::txid::txids;
use crate::{Encoding, Error, Malformed, UtxoSource};
use cursor::Cursor;
use duplicates::{first_duplicate, firsts, number};
use input::{Input, is_null};
use keys::KeyCheck;
use maps::Psbt;
use transaction::{Tx, TxOut};

pub(crate) use checks::LOCK_TIME_THRESHOLD;
#[cfg(feature = "tools")]
pub(crate) use decode::from_base64;
pub use decode::{Binary, decode};
#[cfg(feature = "tools")]
pub(crate) use der::is_der;
pub use keys::Keys;
pub use maps::SilentPayment;

/// A file that is well-formed and consistent in itself.
#[derive(Debug, Clone)]
pub struct File<'a> {
    pub(crate) encoding: Encoding,
    /// None for a final transaction.
    pub(crate) psbt: Option<Psbt<'a>>,
    pub(crate) bytes: &'a [u8],
    /// The transaction's txid, where it has come along with those of previous transactions.
    pub(crate) txid: Option<[u8; 32]>,
    /// Whether it was read as one that may be in progress.
    pub(crate) in_progress: bool,
}

impl Binary<'_> {
    /// How the file encodes its bytes.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The file as binary.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// The file breaks a rule of BIP-0174 or BIP-0370, or the fields of an input contradict each other.
    #[inline(always)]
    pub fn read(&self, keys: Keys) -> Result<File<'_>, Error> {
        // Inlined, so that a module that reads in one way alone contains no more.
        let file = self.read_with(keys.check(), false)?;
        file.check_outputs()?;
        Ok(file)
    }

    /// Reads a file for the coins that it spends, so that it needs no outputs.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read), except [`Error::NoOutputs`].
    #[cfg(feature = "tools")]
    pub(crate) fn read_coins(&self, keys: Keys) -> Result<File<'_>, Error> {
        self.read_with(keys.check(), false)
    }

    /// Reads a file that may still be in progress, for its [report](File::report): outputs to silent payment addresses need no script
    /// yet, and with such outputs the amounts need not add up (BIP-0375).
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    #[inline(always)]
    pub fn read_in_progress(&self, keys: Keys) -> Result<File<'_>, Error> {
        let file = self.read_with(keys.check(), true)?;
        file.check_outputs()?;
        Ok(file)
    }

    fn read_with(&self, keys: KeyCheck, in_progress: bool) -> Result<File<'_>, Error> {
        let psbt = || Psbt::read(&self.bytes, keys, in_progress);
        let mut psbt = self.is_psbt.then(psbt).transpose()?;
        if let Some(psbt) = psbt.as_mut().filter(|psbt| !psbt.previous.is_empty()) {
            psbt.share_previous()?;
        }
        let mut file = File {
            encoding: self.encoding,
            psbt,
            bytes: &self.bytes,
            txid: None,
            in_progress,
        };
        file.check_outpoints()?;
        file.txid = file.check_previous()?;
        Ok(file)
    }
}

impl File<'_> {
    /// The transaction that the file is about: a PSBT's global transaction, or the final transaction itself.
    pub(crate) fn transaction(&self) -> Result<Tx<'_>, Malformed> {
        match &self.psbt {
            Some(psbt) => match psbt.transaction {
                Some(transaction) => Ok(transaction),
                None => Ok(Tx::read_unsigned(&psbt.unsigned)?),
            },
            None => Ok(Tx::read(self.bytes)?),
        }
    }

    /// What no valid transaction has, whatever its signatures are.
    #[inline(never)]
    fn check_outpoints(&self) -> Result<(), Error> {
        let tx = self.transaction()?;
        if tx.input_count == 0 {
            return Err(Error::NoInputs);
        }
        let mut outpoints: Vec<&[u8]> = Vec::with_capacity(tx.input_count);
        let mut null = None;
        for (at, input) in tx.inputs().enumerate() {
            if null.is_none() && is_null(input.outpoint) {
                null = Some(at);
            }
            outpoints.push(input.outpoint);
        }
        // A txid is as good as random, and its outputs differ in the last bytes.
        let ends = |outpoint: &[u8]| number(&outpoint[..8]) ^ number(&outpoint[28..]);
        let duplicate = first_duplicate(&outpoints, ends);
        match (null, duplicate) {
            (Some(input), duplicate) if duplicate.is_none_or(|later| input <= later) => {
                Err(Error::NullOutpoint { input })
            }
            (_, Some(input)) => Err(Error::DuplicateInput { input }),
            _ => Ok(()),
        }
    }

    fn check_outputs(&self) -> Result<(), Error> {
        match self.transaction()?.output_count {
            0 => Err(Error::NoOutputs),
            _ => Ok(()),
        }
    }

    /// Compares everything that each input says about what it spends. Returns the transaction's own txid if there
    /// was anything to compare txids with.
    fn check_previous(&self) -> Result<Option<[u8; 32]>, Error> {
        match &self.psbt {
            Some(psbt) if !psbt.previous.is_empty() => self.compare_previous(psbt).map(Some),
            _ => Ok(None),
        }
    }

    #[inline(never)]
    fn compare_previous(&self, psbt: &Psbt<'_>) -> Result<[u8; 32], Error> {
        let tx = self.transaction()?;
        let txids = txids(&tx, &psbt.previous);
        for (index, (input, txin)) in psbt.inputs.iter().zip(tx.inputs()).enumerate() {
            let Some(at) = input.previous else {
                continue;
            };
            // BIP-0174: "the hash of the non-witness UTXO must match the hash specified in the prevout". The
            // txid authenticates the outputs; without this check a file could state any value.
            if txin.outpoint[..32] != txids[at + 1] {
                return Err(Error::PreviousTransactionMismatch { input: index });
            }
            let spent = psbt
                .spent_from_previous(at, txin.vout())
                .ok_or(Error::PreviousOutputMissing { input: index })?;
            if input.witness_utxo.is_some_and(|stated| stated != spent) {
                return Err(Error::UtxoMismatch { input: index });
            }
        }
        Ok(txids[0])
    }

    /// The first input of a transaction that has neither a script signature nor a witness; none for a PSBT.
    #[cfg(feature = "tools")]
    pub(crate) fn unsigned_input(&self) -> Result<Option<usize>, Malformed> {
        if self.psbt.is_some() {
            return Ok(None);
        }
        let mut signed = self.transaction()?.signed_inputs();
        Ok(signed.position(|is_signed| !is_signed))
    }

    /// The PSBT version that the file states, 0 or 2; none for a final transaction.
    pub fn psbt_version(&self) -> Option<u8> {
        self.psbt.as_ref().map(|psbt| psbt.version)
    }

    /// The file as the `bitcoin` crate reads it: binary, a PSBT of version 2 as the equal version 0, without extended keys that
    /// the crate does not know.
    #[cfg(feature = "tools")]
    pub(crate) fn version_0(&self) -> alloc::borrow::Cow<'_, [u8]> {
        match &self.psbt {
            Some(psbt) if psbt.version == 2 || psbt.private.extended_public_keys > 0 => {
                crate::write::version_0(psbt).into()
            }
            _ => self.bytes.into(),
        }
    }
}

impl<'a> Psbt<'a> {
    /// The message that the file is about (BIP-0322).
    pub(crate) fn message(&self) -> Option<&'a [u8]> {
        Cursor::new(self.maps).find(fields::global::GENERIC_SIGNED_MESSAGE)
    }

    /// BIP-0322 lets an input of a signed message leave its previous transaction out if an earlier input has it. Each is compared with
    /// the outpoint later.
    #[inline(never)]
    fn share_previous(&mut self) -> Result<(), Malformed> {
        if self.message().is_none() {
            return Ok(());
        }
        let tx = match self.transaction {
            Some(transaction) => transaction,
            None => Tx::read_unsigned(&self.unsigned)?,
        };
        let txids: Vec<&[u8]> = tx.inputs().map(|input| &input.outpoint[..32]).collect();
        // The newest previous transaction of each txid, at the first input with that txid.
        let mut newest = alloc::vec![None; txids.len()];
        for (at, first) in firsts(&txids, number).into_iter().enumerate() {
            let input = &mut self.inputs[at];
            match input.previous {
                Some(_) => newest[first] = input.previous,
                None if input.witness_utxo.is_none() => input.previous = newest[first],
                None => {}
            }
        }
        Ok(())
    }

    /// The output that an input spends: the witness UTXO, else that of the previous transaction. The two have
    /// been compared.
    pub(crate) fn spent_output(
        &self,
        input: &Input<'a>,
        vout: u32,
    ) -> Option<(TxOut<'a>, UtxoSource)> {
        if let Some(output) = input.witness_utxo {
            return Some((output, UtxoSource::WitnessUtxo));
        }
        let output = self.spent_from_previous(input.previous?, vout)?;
        Some((output, UtxoSource::PreviousTransaction))
    }

    /// An output of the previous transaction at this position.
    fn spent_from_previous(&self, at: usize, vout: u32) -> Option<TxOut<'a>> {
        let vout = usize::try_from(vout).ok()?;
        self.previous.get(at)?.outputs().nth(vout)
    }
}

/// What an input spends, the kind of its script, and the input's map.
#[cfg(feature = "tools")]
type SpentInput<'a> = (Option<TxOut<'a>>, Option<crate::ScriptType>, &'a [u8]);

#[cfg(feature = "tools")]
impl File<'_> {
    /// The transaction that signatures are for.
    pub(crate) fn transaction_bytes(&self) -> &[u8] {
        let psbt = self.psbt.as_ref();
        psbt.map_or(self.bytes, |psbt| &psbt.unsigned)
    }

    /// What signatures need to know of each input. A final transaction states nothing.
    pub(crate) fn inputs(&self) -> Result<Vec<SpentInput<'_>>, Malformed> {
        let tx = self.transaction()?;
        let Some(psbt) = &self.psbt else {
            return Ok(alloc::vec![(None, None, &[]); tx.input_count]);
        };
        let inputs = psbt.inputs.iter().zip(tx.inputs());
        let inputs = inputs.map(|(input, txin)| {
            let spent = psbt.spent_output(input, txin.vout());
            let spent = spent.map(|(output, _)| output);
            let kind = spent.map(|output| input.script_type(output.script));
            (spent, kind, input.map)
        });
        Ok(inputs.collect())
    }
}

/// Whether bytes are a public key: x-only (BIP-0340), compressed or uncompressed (SEC 1).
pub fn is_key(bytes: &[u8], keys: Keys) -> bool {
    match bytes.len() {
        32 => keys.check().check_x(bytes).is_ok(),
        _ => keys.check().check(bytes).is_ok(),
    }
}

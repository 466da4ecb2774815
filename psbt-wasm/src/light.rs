//! A reader for browsers: it copies nothing that it can point at, and needs no elliptic curve.
//!
//! It takes exactly the files that [`read`](crate::read) takes and says the same about them, which a test
//! shows on published vectors and on many thousands of damaged files. The one difference is chosen by the caller:
//! with [`Keys::Form`] a public key must only look like one, which is most of why this reader is quick.
//!
//! ```
//! use psbt_wasm::light::{self, Keys, Network};
//!
//! # fn main() -> Result<(), psbt_wasm::Error> {
//! # let text = include_bytes!("../tests/node/fixtures/mixed.psbt");
//! let binary = light::decode(text.as_slice())?;
//! let file = binary.read(Keys::Form)?;
//! let report = file.report(Network::Mainnet)?;
//! assert_eq!(report.fee_sats, Some(1_010_000));
//! assert!(file.strip().starts_with(b"psbt\xff"));
//! # Ok(())
//! # }
//! ```

mod decode;
mod duplicates;
mod fields;
mod hash;
mod keys;
mod psbt;
mod report;
pub(crate) mod scripts;
mod strip;
mod transaction;
mod txid;

use alloc::{borrow::Cow, vec::Vec};

use crate::{Encoding, Error, Malformed};
use duplicates::first_duplicate;
use psbt::Psbt;
use transaction::Tx;

pub use decode::{Binary, decode};
pub use keys::Keys;
pub use report::{InputReport, Network, OutputReport, Report};

/// A file that has been found well-formed and consistent in itself.
#[derive(Debug, Clone)]
pub struct File<'a> {
    encoding: Encoding,
    content: Content<'a>,
    bytes: &'a [u8],
    /// The transaction's txid, where it has come along with those of previous transactions.
    txid: Option<[u8; 32]>,
}

#[derive(Debug, Clone)]
enum Content<'a> {
    Psbt(Psbt<'a>),
    Transaction,
}

impl Binary<'_> {
    /// How the file held its bytes.
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
    /// Those of [`read`](crate::read).
    pub fn read(&self, keys: Keys) -> Result<File<'_>, Error> {
        let content = if self.is_psbt {
            Content::Psbt(Psbt::read(&self.bytes, keys)?)
        } else {
            Content::Transaction
        };
        let mut file = File {
            encoding: self.encoding,
            content,
            bytes: &self.bytes,
            txid: None,
        };
        file.check_outpoints()?;
        file.txid = file.check_previous()?;
        Ok(file)
    }
}

impl File<'_> {
    /// The transaction that the file is about: a PSBT's global transaction, or the final transaction itself.
    fn transaction(&self) -> Result<Tx<'_>, Malformed> {
        match &self.content {
            Content::Psbt(psbt) => Tx::read_unsigned(&psbt.unsigned),
            Content::Transaction => Tx::read(self.bytes),
        }
    }

    /// What no valid transaction has, whatever its signatures are.
    fn check_outpoints(&self) -> Result<(), Error> {
        let tx = self.transaction()?;
        if tx.input_count == 0 {
            return Err(Error::NoInputs);
        }
        if tx.output_count == 0 {
            return Err(Error::NoOutputs);
        }
        let mut outpoints = Vec::with_capacity(tx.input_count);
        for input in tx.inputs() {
            outpoints.push(input.outpoint);
        }
        let null = outpoints
            .iter()
            .position(|outpoint| psbt::is_null(outpoint));
        // A txid is as good as random, and its outputs differ in the last bytes.
        let first = |at: usize| number(&outpoints[at][..8]) ^ number(&outpoints[at][28..]);
        let duplicate = first_duplicate(outpoints.len(), &first, &|at| outpoints[at]);
        match (null, duplicate) {
            (Some(input), duplicate) if duplicate.is_none_or(|later| input <= later) => {
                Err(Error::NullOutpoint { input })
            }
            (_, Some(input)) => Err(Error::DuplicateInput { input }),
            _ => Ok(()),
        }
    }

    /// Compares everything that each input says about what it spends. Returns the transaction's own txid if there
    /// was anything to compare txids with.
    fn check_previous(&self) -> Result<Option<[u8; 32]>, Error> {
        let Content::Psbt(psbt) = &self.content else {
            return Ok(None);
        };
        if psbt.previous.is_empty() {
            return Ok(None);
        }
        let tx = self.transaction()?;
        let txids = txid::txids(&tx, &psbt.previous);
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
        Ok(Some(txids[0]))
    }

    /// The same file as binary, without what tells more about the wallet than verification needs; byte for
    /// byte what [`ProofFile::strip`](crate::ProofFile::strip) makes of it.
    pub fn strip(&self) -> Cow<'_, [u8]> {
        match &self.content {
            Content::Psbt(psbt) => strip::strip(psbt).into(),
            Content::Transaction => self.bytes.into(),
        }
    }
}

/// What an input spends, the kind of its script, and the input's map.
#[cfg(feature = "signatures")]
type SpentInput<'a> = (
    Option<transaction::TxOut<'a>>,
    Option<crate::ScriptType>,
    &'a [u8],
);

#[cfg(feature = "signatures")]
impl File<'_> {
    /// The transaction that signatures are for.
    pub(crate) fn transaction_bytes(&self) -> &[u8] {
        match &self.content {
            Content::Psbt(psbt) => &psbt.unsigned,
            Content::Transaction => self.bytes,
        }
    }

    /// What signatures need to know of each input. A final transaction states nothing.
    pub(crate) fn inputs(&self) -> Result<Vec<SpentInput<'_>>, Malformed> {
        let tx = self.transaction()?;
        let Content::Psbt(psbt) = &self.content else {
            return Ok(vec![(None, None, &[]); tx.input_count]);
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
        32 => keys.check_x(bytes).is_ok(),
        _ => keys.check(bytes).is_ok(),
    }
}

/// Up to eight bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

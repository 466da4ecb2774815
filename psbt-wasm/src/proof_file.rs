//! The reader of a server: what it accepts, the `bitcoin` crate accepts as well.

use alloc::boxed::Box;

use bitcoin::consensus::encode;
use bitcoin::{Psbt, Transaction};

use crate::error::Fault;
use crate::{Encoding, Error, File, Keys, decode};

/// What the file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// A PSBT; version 2 is converted to the equal version 0.
    Psbt(Box<Psbt>),
    /// A final transaction, as some wallets export it once it is complete.
    Transaction(Transaction),
}

/// A file that [`read`] found well-formed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProofFile {
    /// How the file held its bytes.
    pub encoding: Encoding,
    /// What it holds.
    pub content: Content,
    /// The PSBT version that the file states, 0 or 2; none for a transaction.
    pub psbt_version: Option<u8>,
}

impl ProofFile {
    /// The transaction that the file is about: a PSBT's global transaction, which has no signatures, or the
    /// final transaction itself, which has them.
    pub fn unsigned_transaction(&self) -> &Transaction {
        match &self.content {
            Content::Psbt(psbt) => &psbt.unsigned_tx,
            Content::Transaction(transaction) => transaction,
        }
    }
}

/// Reads a file with every public key on the curve, and then with the `bitcoin` crate. That one is not shown extended public
/// keys with other versions than BIP-0032's, which it does not know and wallets write (SLIP-0132).
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read). What those accept and the `bitcoin` crate refuses is
/// malformed, too; no such file is known.
pub fn read(bytes: &[u8]) -> Result<ProofFile, Error> {
    let binary = decode(bytes)?;
    let file = binary.read(Keys::Curve)?;
    let psbt_version = file.psbt_version();
    Ok(ProofFile {
        encoding: binary.encoding(),
        content: second_opinion(&file).ok_or(Fault::Disputed)?,
        psbt_version,
    })
}

fn second_opinion(file: &File<'_>) -> Option<Content> {
    let bytes = file.version_0();
    if file.psbt_version().is_none() {
        return Some(Content::Transaction(encode::deserialize(&bytes).ok()?));
    }
    let mut rest = &bytes[..];
    let psbt = Psbt::deserialize_from_reader(&mut rest).ok()?;
    rest.is_empty().then(|| Content::Psbt(Box::new(psbt)))
}

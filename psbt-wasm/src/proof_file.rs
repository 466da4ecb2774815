//! The reader for servers: it accepts a file only if the `bitcoin` crate accepts it too.

use alloc::boxed::Box;

use bitcoin::consensus::encode;
use bitcoin::{Psbt, Transaction};

use crate::error::Fault;
use crate::{Encoding, Error, File, Keys, decode};

/// The content of a file.
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
    /// How the file encodes its bytes.
    pub encoding: Encoding,
    /// The transaction or PSBT in it.
    pub content: Content,
    /// The PSBT version that the file states, 0 or 2; none for a transaction.
    pub psbt_version: Option<u8>,
}

impl ProofFile {
    /// The unsigned transaction of a PSBT, or the final transaction itself, which has signatures.
    pub fn unsigned_transaction(&self) -> &Transaction {
        match &self.content {
            Content::Psbt(psbt) => &psbt.unsigned_tx,
            Content::Transaction(transaction) => transaction,
        }
    }
}

/// Reads a file with [`Keys::Curve`], and then with the `bitcoin` crate. That crate does not get extended public keys of SLIP-0132:
/// wallets write them, and it does not know them.
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read), and [`Fault::Disputed`] for a file that they accept and the
/// `bitcoin` crate refuses; no such file is known.
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

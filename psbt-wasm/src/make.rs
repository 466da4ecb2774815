//! Makes the file to sign from any PSBT over the coins: a proof that moves nothing. Then merges the files that several signers give back
//! ([`combine`]).
//!
//! A proof has one of two forms. A *still transaction* pays each script exactly what its coins have, has the
//! [statement](crate::statement) in an output without value, and is locked for about 8,000 years, so no node accepts it. A *message* is a
//! proof of funds of BIP-0322, which no chain accepts. Both keep what the file says about its coins, and drop its signatures, which are
//! for another transaction.

mod coins;
mod combine;
mod error;
mod inputs;
mod locks;
mod message;
mod notes;
mod transaction;

use alloc::{borrow::Cow, vec::Vec};

use crate::error::Map;
use crate::facts::MAGIC;
use crate::read::cursor::Cursor;
use crate::read::fields::{Making, global};
use crate::read::maps::Psbt;
use crate::read::transaction::Tx;
use crate::write::version_2::spread;
use crate::write::{begin, each_field, put};
use crate::{Error, Fault, File, Keys, decode, statement};
use coins::Coins;
use message::Message;

pub use combine::{Combined, CombinedInput, combine};
pub use error::MakeError;
pub use notes::{MakerNote, NoteCode};

/// The form of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Form {
    /// A transaction that moves nothing.
    Transaction,
    /// A proof of funds of BIP-0322.
    Message,
}

crate::facts::names!(Form: name, Derivations: name);

impl Form {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::Transaction, Self::Message];

    /// The fewest and the most bytes of a statement. An output has it in one direct push, because devices show others wrongly. A message
    /// is at most as long as Coldcard accepts.
    fn statement_bytes(self) -> (usize, usize) {
        match self {
            Self::Transaction => (1, statement::MAX_BYTES),
            Self::Message => (2, 330),
        }
    }
}

/// Which outputs of a still transaction name their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Derivations {
    /// Every output names its keys.
    #[default]
    All,
    /// Only the first ten, because Ledger refuses a transaction with more outputs of its own. It shows the others as payments.
    FirstTen,
}

impl Derivations {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::All, Self::FirstTen];
}

/// The most outputs of its own that Ledger accepts.
const FEW_OUTPUTS: usize = 10;

/// Options of [`make_proof`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MakeOptions<'a> {
    /// The line that the signing device shows: printable ASCII without a space at either end, 1 to 75 characters for a still
    /// transaction, 2 to 330 for a message.
    pub statement: &'a str,
    /// The form of the proof.
    pub form: Form,
    /// The lock time of a message; none means the largest absolute lock that can be read from the scripts.
    pub lock_time: Option<u32>,
    /// Which outputs name their keys.
    pub derivations: Derivations,
    /// Whether the file is of version 2 (BIP-0370), which some signers need, and not of version 0.
    pub version_2: bool,
    /// The most scripts in one file; [`MadeProof::parts`] is the number of files.
    pub split: Option<usize>,
    /// Which of these files is made, counted from 0.
    pub part: usize,
}

impl<'a> MakeOptions<'a> {
    /// Options for a single file whose outputs all name their keys.
    pub fn new(statement: &'a str, form: Form) -> Self {
        Self {
            statement,
            form,
            lock_time: None,
            derivations: Derivations::All,
            version_2: false,
            split: None,
            part: 0,
        }
    }

    fn check(&self) -> Result<(), MakeError> {
        let statement = self.statement.as_bytes();
        let (least, most) = self.form.statement_bytes();
        let is_printable = statement.iter().all(|byte| matches!(byte, b' '..=b'~'));
        let has_outer_space = statement.starts_with(b" ") || statement.ends_with(b" ");
        if !(least..=most).contains(&statement.len()) || !is_printable || has_outer_space {
            return Err(MakeError::Statement(self.form));
        }
        if self.lock_time.is_some() && self.form == Form::Transaction {
            return Err(MakeError::LockTimeOfTransaction);
        }
        if self.split == Some(0) {
            return Err(MakeError::EmptyParts);
        }
        Ok(())
    }
}

/// A file to sign.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MadeProof {
    /// The file, a PSBT of version 0 (BIP-0174) or 2 (BIP-0370) as binary.
    pub psbt: Vec<u8>,
    /// Number of coins.
    pub inputs: usize,
    /// Number of different scripts that the coins have.
    pub scripts: usize,
    /// Total value of the coins.
    pub amount_sats: u64,
    /// Number of files that [`MakeOptions::split`] makes.
    pub parts: usize,
    /// What to know before signing, and what to do about it.
    pub notes: Vec<MakerNote>,
}

impl File<'_> {
    /// The PSBT, and not a transaction.
    fn psbt_to_sign(&self) -> Result<&Psbt<'_>, Error> {
        let transaction = match self.unsigned_input()? {
            None => MakeError::FinalTransaction,
            Some(_) => MakeError::UnsignedTransaction,
        };
        self.psbt.as_ref().ok_or(transaction.into())
    }
}

/// Makes the file to sign from a PSBT over the coins: version 0 or 2, signed or not, with or without outputs, in any encoding that
/// [`decode`] accepts.
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read) with [`Keys::Curve`], [`Error::AmountOutOfRange`], and
/// [`Error::Make`].
pub fn make_proof<'a>(
    bytes: impl Into<Cow<'a, [u8]>>,
    options: &MakeOptions<'_>,
) -> Result<MadeProof, Error> {
    options.check()?;
    let binary = decode(bytes)?;
    let file = binary.read_coins(Keys::Curve)?;
    let psbt = file.psbt_to_sign()?;
    let mut coins = Coins::read(psbt, &file.transaction()?)?;
    let parts = coins.select(options)?;
    let (lock_time, notes) = notes::notes(&coins, options);
    let (unsigned, psbt) = write(psbt, &coins, lock_time, options);
    let made = MadeProof {
        psbt,
        inputs: coins.coins.len(),
        scripts: coins.scripts.len(),
        amount_sats: coins.sats(),
        parts,
        notes,
    };
    // Checks that the result can be read: a field that fits into a file once may not fit twice. Its keys are from the file, where
    // they have been checked. In version 2 the lock time is read from several fields: another one could make it an ordinary transaction.
    let again = decode(made.psbt.as_slice())?;
    let again = again.read(Keys::Form)?;
    if again.transaction_bytes() != unsigned {
        return Err(Fault::LockTimeConflict.into());
    }
    Ok(made)
}

/// The unsigned transaction, and the file.
fn write(
    psbt: &Psbt<'_>,
    coins: &Coins<'_>,
    lock_time: u32,
    options: &MakeOptions<'_>,
) -> (Vec<u8>, Vec<u8>) {
    let statement = options.statement.as_bytes();
    let message = (options.form == Form::Message).then(|| Message::new(statement, &coins.coins[0]));
    let unsigned = transaction::unsigned(coins, message.as_ref(), lock_time, options.statement);
    let mut file = begin(&unsigned);
    if message.is_some() {
        put(&mut file, global::GENERIC_SIGNED_MESSAGE, &[], statement);
    }
    let mut maps = Cursor::new(psbt.maps);
    each_field(&mut maps, Map::Global, &mut |field, pair| {
        if field.making == Making::Stays {
            file.extend_from_slice(pair.raw);
        }
    });
    file.push(0);
    if let Some(message) = &message {
        message.write_input(&coins.coins[0], &mut file);
    }
    for coin in &coins.coins {
        coin.write_input(&mut file);
    }
    if message.is_none() {
        for (index, script) in coins.outputs().enumerate() {
            if options.derivations == Derivations::All || index < FEW_OUTPUTS {
                coins.coins[script.first].write_output(&mut file);
            }
            file.push(0);
        }
    }
    // The statement's, or the only one of a message.
    file.push(0);
    if let (true, Ok(transaction)) = (options.version_2, Tx::read_unsigned(&unsigned)) {
        file = spread(&transaction, Cursor::new(&file[MAGIC.len()..]));
    }
    (unsigned, file)
}

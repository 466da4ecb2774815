//! A proof file: the JSON text that a board publishes, or that its holder made for one reader.

use alloc::string::String;
use alloc::vec::Vec;

use super::json::Reader;
use super::{Carrier, FurtherSignature, PublishedCoin, PublishedProof};
use crate::Error;
use crate::amount::MAX_MONEY;
use crate::statement::{CoinNetwork, Person, READER};

/// No transaction is longer than a block (BIP-0141).
const MAX_TRANSACTION_BYTES: usize = 4_000_000;

/// A proof file. Every part has the form that `server/docs/proofs.md` gives; nothing of it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProofDocument {
    /// Network of the coins.
    pub network: CoinNetwork,
    /// What carries the statement.
    pub carrier: Carrier,
    /// The statement, and what its code commits to.
    pub statement: DocumentStatement,
    /// The final transaction.
    pub transaction: Vec<u8>,
    /// What its inputs spend, in their order.
    pub coins: Vec<DocumentCoin>,
    /// Signatures by more keys than the scripts need. Only a proof for one reader may have them.
    pub further: Vec<FurtherSignature>,
    /// What only a board adds; none in a proof for one reader.
    pub board: Option<BoardMembers>,
}

/// The statement of a proof file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentStatement {
    /// The line that was signed.
    pub text: String,
    /// Origin of the board, or [`READER`].
    pub origin: String,
    /// The provider that says who the person is.
    pub provider: String,
    /// The person's permanent id there.
    pub subject: String,
    /// Id of the account on the board.
    pub account: String,
    /// The full name, before it is cut.
    pub name: String,
    /// The nonce.
    pub nonce: [u8; 16],
    /// The stated height of the block.
    pub height: u32,
    /// The header of the block.
    pub header: [u8; 80],
}

/// What an input spends, as a proof file states it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentCoin {
    /// Txid and index as they are in the transaction.
    pub outpoint: [u8; 36],
    /// In sats.
    pub value: u64,
    /// The output script.
    pub script: Vec<u8>,
    /// Whether the board counts it; none for the first input of a message, and in a proof for one reader.
    pub counts: Option<bool>,
}

/// The members that only a board adds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardMembers {
    /// The proof's id.
    pub id: String,
    /// RFC 3339 text, as are the other times.
    pub created_at: String,
    /// When it stops counting.
    pub expires_at: String,
    /// When its owner published it.
    pub published_at: String,
    /// Id of the profile that it counts for.
    pub profile: String,
    /// The name in the profile's row.
    pub username: String,
    /// The profile's provider.
    pub provider: String,
    /// Whether the provider gave that name.
    pub named: bool,
    /// The board's note.
    pub note: String,
}

impl BoardMembers {
    const EMPTY: Self = Self {
        id: String::new(),
        created_at: String::new(),
        expires_at: String::new(),
        published_at: String::new(),
        profile: String::new(),
        username: String::new(),
        provider: String::new(),
        named: false,
        note: String::new(),
    };
}

/// Members of every proof file, then the members that only a board adds, then the member that only a proof for one reader may have.
const MEMBERS: [&str; 12] = [
    "network",
    "binding",
    "statement",
    "transaction",
    "inputs",
    "id",
    "created_at",
    "expires_at",
    "published_at",
    "profile",
    "note",
    "further_signatures",
];
const OF_EVERY_FILE: u32 = 0b1_1111;
const OF_A_BOARD: u32 = 0b111_1111_1111;
const FURTHER: u32 = 0b1000_0000_0000;

const STATEMENT: [&str; 8] = [
    "text",
    "origin",
    "provider",
    "subject",
    "account_id",
    "name",
    "nonce",
    "block",
];
const BLOCK: [&str; 2] = ["height", "header"];
const PROFILE: [&str; 4] = ["id", "username", "provider", "named"];
const INPUT: [&str; 5] = ["txid", "vout", "value_sats", "script_pubkey", "counts"];
const INPUT_OF_A_READER: u32 = 0b1111;
const SIGNATURE: [&str; 3] = ["input", "public_key", "signature"];

/// A bit for each of the first `count` members.
const fn all(count: usize) -> u32 {
    (1 << count) - 1
}

impl ProofDocument {
    /// Reads a proof file. A text that this takes can be read in one way only.
    ///
    /// # Errors
    /// [`Error::MalformedProof`] when a member is missing, unknown, there twice or malformed; [`Error::TransactionTooLarge`].
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let text = core::str::from_utf8(file).map_err(|_| Error::MalformedProof("{}"))?;
        let reader = &mut Reader::new(text);
        let mut network = None;
        let mut carrier = None;
        let mut statement = None;
        let mut transaction = Vec::new();
        let mut inputs = Vec::new();
        let mut further = Vec::new();
        let mut board = BoardMembers::EMPTY;
        let seen = reader.object(&MEMBERS, &mut |reader, member| {
            match member {
                0 => {
                    let found = CoinNetwork::from_name(&reader.text()?);
                    network = Some(found.ok_or(reader.malformed())?);
                }
                1 => {
                    let text = reader.text()?;
                    let all = [Carrier::Message, Carrier::Transaction];
                    let found = all.into_iter().find(|carrier| carrier.as_str() == text);
                    carrier = Some(found.ok_or(reader.malformed())?);
                }
                2 => statement = Some(read_statement(reader)?),
                3 => transaction = reader.hex()?,
                4 => reader.list(&mut |reader| {
                    inputs.push(read_input(reader)?);
                    Ok(())
                })?,
                5 => board.id = read_id(reader)?,
                6 => board.created_at = read_time(reader)?,
                7 => board.expires_at = read_time(reader)?,
                8 => board.published_at = read_time(reader)?,
                9 => read_profile(reader, &mut board)?,
                10 => board.note = reader.text()?,
                _ => {
                    reader.list(&mut |reader| {
                        further.push(read_signature(reader)?);
                        Ok(())
                    })?;
                    // A file without any does not have the member.
                    complete(reader, !further.is_empty())?;
                }
            }
            Ok(())
        })?;
        reader.end()?;
        let (Some(network), Some(carrier), Some(statement)) = (network, carrier, statement) else {
            return Err(reader.malformed());
        };
        if transaction.len() > MAX_TRANSACTION_BYTES {
            return Err(Error::TransactionTooLarge);
        }
        let is_for_reader = statement.origin == READER;
        let is_whole = match is_for_reader {
            true => seen & !FURTHER == OF_EVERY_FILE,
            false => seen == OF_A_BOARD,
        };
        complete(reader, is_whole)?;
        let mut coins = Vec::with_capacity(inputs.len());
        for (index, (coin, counts)) in inputs.into_iter().enumerate() {
            let is_coin = index > 0 || carrier == Carrier::Transaction;
            // Whether a coin counts is a board's to say, and the first input of a message is no coin.
            let is_right = match counts {
                None => is_for_reader,
                Some(counts) => !is_for_reader && counts.is_some() == is_coin,
            };
            if !is_right {
                return Err(Error::MalformedProof("counts"));
            }
            let counts = counts.flatten();
            coins.push(DocumentCoin { counts, ..coin });
        }
        Ok(Self {
            network,
            carrier,
            statement,
            transaction,
            coins,
            further,
            board: (!is_for_reader).then_some(board),
        })
    }

    /// What [`check_proof`](crate::check_proof) checks.
    #[must_use]
    pub fn proof(&self) -> PublishedProof<'_> {
        let statement = &self.statement;
        let coins = self.coins.iter().map(|coin| PublishedCoin {
            outpoint: &coin.outpoint,
            value: coin.value,
            script: &coin.script,
        });
        let profile = self.board.as_ref();
        PublishedProof {
            person: Person {
                network: self.network,
                origin: &statement.origin,
                provider: &statement.provider,
                subject: &statement.subject,
                account: &statement.account,
            },
            profile: profile.map(|board| (&*board.provider, &*board.profile)),
            nonce: statement.nonce,
            name: &statement.name,
            header: &statement.header,
            statement: &statement.text,
            carrier: self.carrier,
            transaction: &self.transaction,
            coins: coins.collect(),
            further: &self.further,
        }
    }
}

fn read_statement(reader: &mut Reader<'_>) -> Result<DocumentStatement, Error> {
    let mut texts = [const { String::new() }; 6];
    let mut nonce = [0; 16];
    let (mut height, mut header) = (0, [0; 80]);
    let seen = reader.object(&STATEMENT, &mut |reader, member| {
        match member {
            6 => nonce = reader.array()?,
            7 => {
                let seen = reader.object(&BLOCK, &mut |reader, member| {
                    match member {
                        0 => height = read_u32(reader)?,
                        _ => header = reader.array()?,
                    }
                    Ok(())
                })?;
                complete(reader, seen == all(BLOCK.len()))?;
            }
            at => {
                let text = reader.text()?;
                texts
                    .get_mut(at)
                    .into_iter()
                    .for_each(|slot| *slot = text.clone());
            }
        }
        Ok(())
    })?;
    complete(reader, seen == all(STATEMENT.len()))?;
    let [text, origin, provider, subject, account, name] = texts;
    Ok(DocumentStatement {
        text,
        origin,
        provider,
        subject,
        account,
        name,
        nonce,
        height,
        header,
    })
}

/// A coin, and its member `counts` if it has one.
fn read_input(reader: &mut Reader<'_>) -> Result<(DocumentCoin, Option<Option<bool>>), Error> {
    let (mut txid, mut vout, mut value, mut script) = ([0; 32], 0, 0, Vec::new());
    let mut counts = None;
    let seen = reader.object(&INPUT, &mut |reader, member| {
        match member {
            0 => txid = reader.array()?,
            1 => vout = read_u32(reader)?,
            2 => value = reader.integer(MAX_MONEY)?,
            3 => script = reader.hex()?,
            _ if reader.is_null() => counts = Some(None),
            _ => counts = Some(Some(reader.boolean()?)),
        }
        Ok(())
    })?;
    complete(reader, seen & INPUT_OF_A_READER == INPUT_OF_A_READER)?;
    txid.reverse();
    let mut outpoint = [0; 36];
    let bytes = txid.into_iter().chain(u32::to_le_bytes(vout));
    outpoint
        .iter_mut()
        .zip(bytes)
        .for_each(|(to, byte)| *to = byte);
    let coin = DocumentCoin {
        outpoint,
        value,
        script,
        counts: None,
    };
    Ok((coin, counts))
}

fn read_signature(reader: &mut Reader<'_>) -> Result<FurtherSignature, Error> {
    let (mut input, mut key, mut signature) = (0, Vec::new(), Vec::new());
    let seen = reader.object(&SIGNATURE, &mut |reader, member| {
        match member {
            0 => input = read_u32(reader)?,
            1 => key = reader.hex()?,
            _ => signature = reader.hex()?,
        }
        Ok(())
    })?;
    complete(reader, seen == all(SIGNATURE.len()))?;
    Ok(FurtherSignature {
        input: usize::try_from(input).unwrap_or(usize::MAX),
        key,
        signature,
    })
}

fn read_profile(reader: &mut Reader<'_>, board: &mut BoardMembers) -> Result<(), Error> {
    let seen = reader.object(&PROFILE, &mut |reader, member| {
        match member {
            0 => board.profile = read_id(reader)?,
            1 => board.username = reader.text()?,
            2 => board.provider = reader.text()?,
            _ => board.named = reader.boolean()?,
        }
        Ok(())
    })?;
    complete(reader, seen == all(PROFILE.len()))
}

fn complete(reader: &Reader<'_>, is_complete: bool) -> Result<(), Error> {
    is_complete.then_some(()).ok_or(reader.malformed())
}

fn read_u32(reader: &mut Reader<'_>) -> Result<u32, Error> {
    let number = reader.integer(u32::MAX.into())?;
    u32::try_from(number).map_err(|_| reader.malformed())
}

/// A UUID in lower case.
fn read_id(reader: &mut Reader<'_>) -> Result<String, Error> {
    let form = b"hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
    read_form(reader, form)
}

/// A time as RFC 3339 text in UTC, in whole seconds.
fn read_time(reader: &mut Reader<'_>) -> Result<String, Error> {
    read_form(reader, b"dddd-dd-ddTdd:dd:ddZ")
}

/// A text in which `h` is a hexadecimal digit and `d` a decimal one.
fn read_form(reader: &mut Reader<'_>, form: &[u8]) -> Result<String, Error> {
    let text = reader.text()?;
    let fits = |(byte, form): (u8, &u8)| match form {
        b'h' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        b'd' => byte.is_ascii_digit(),
        _ => byte == *form,
    };
    let has_form = text.len() == form.len() && text.bytes().zip(form).all(fits);
    has_form.then_some(text).ok_or(reader.malformed())
}

#[cfg(test)]
mod tests;

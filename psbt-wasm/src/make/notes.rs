//! What to know before signing the file that was made, and what to do about it.

use alloc::{format, string::String, vec::Vec};

use super::coins::{Coin, Coins};
use super::locks::{Locks, is_time};
use super::{Derivations, FEW_OUTPUTS, Form, MakeOptions};
use crate::error::Map;
use crate::read::fields::input;
use crate::statement::{LOCK_TIME, SIGNATURE_LENGTHS};
use crate::{ScriptType, Signatures};

/// Something to know before signing the file that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MakerNote {
    /// Its kind.
    pub code: NoteCode,
    /// The input of the given file, counted from 0; none when it is about the whole file.
    pub input: Option<usize>,
    /// A sentence for the person who signs, in ASCII. It counts inputs from 1.
    pub message: String,
}

/// The kinds of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum NoteCode {
    /// An input lacks its previous transaction, which some devices ask for.
    NoPreviousTransaction,
    /// An input does not say which keys sign it.
    NoDerivation,
    /// An input lacks the script that its output has the hash of.
    NoScript,
    /// An input was already final, so less is known about it.
    Finalized,
    /// An input is the commitment of a proof of BIP-0127, and left out.
    Commitment,
    /// A script requires the lock time of the message.
    LockTime,
    /// At least one branch of a script has a lock that the lock time does not satisfy.
    LockNotMet,
    /// There are more outputs than some devices accept.
    ManyScripts,
    /// The statement is as long as a signature.
    SignatureLength,
}

crate::facts::names!(NoteCode: name);

impl NoteCode {
    /// The sentence after "Input 1", for the notes that need no other values.
    fn about_input(self) -> &'static str {
        match self {
            Self::NoPreviousTransaction => {
                " comes without its previous transaction, which Trezor and BitBox ask for. If the signer refuses the file, \
                 export it from the wallet as a file: QR codes leave previous transactions out."
            }
            Self::NoDerivation => {
                " does not say which key signs it, so a device cannot find the key. If the signer finds nothing to sign, \
                 open the file in the wallet that knows the keys, and export it again from there."
            }
            Self::Commitment => {
                " is the commitment of another proof of reserves (BIP-127). It spends no coin, so it is left out."
            }
            Self::NoScript => {
                " lacks the script that its address has the hash of. If the signer refuses the file, open it in the \
                 wallet that knows the script, and export it again from there."
            }
            _ => {
                " was already finalized, which removed the fields about its keys. If the signer finds nothing to sign, \
                 export the unsigned file from the wallet."
            }
        }
    }
}

/// The lock time of the file, and what to know about it and about each coin.
pub(super) fn notes(coins: &Coins<'_>, options: &MakeOptions<'_>) -> (u32, Vec<MakerNote>) {
    let mut notes = Vec::new();
    let locks: Vec<Locks> = coins.coins.iter().map(Locks::new).collect();
    let lock_time = match (options.form, options.lock_time) {
        (Form::Transaction, _) => LOCK_TIME,
        (Form::Message, Some(lock_time)) => lock_time,
        (Form::Message, None) => demanded(coins, &locks, &mut notes),
    };
    for (coin, locks) in coins.coins.iter().zip(locks) {
        note_of_lock(coin, locks.unmet(lock_time), options.form, &mut notes);
        for code in missing(coin).into_iter().flatten() {
            notes.push(MakerNote::about_input(code, coin.at));
        }
    }
    for at in &coins.commitments {
        notes.push(MakerNote::about_input(NoteCode::Commitment, *at));
    }
    let outputs = coins.outputs().count();
    let is_whole = options.derivations == Derivations::All;
    if options.form == Form::Transaction && outputs > FEW_OUTPUTS && is_whole {
        let message = format!(
            "The file pays back to {outputs} scripts, and Ledger accepts at most ten change addresses. Make several files of ten scripts, \
             or one file in which only the first ten outputs name their keys."
        );
        notes.push(MakerNote::new(NoteCode::ManyScripts, None, message));
    }
    let length = options.statement.len();
    if options.form == Form::Transaction && SIGNATURE_LENGTHS.contains(&length) {
        let message = format!(
            "The statement has {length} characters, as a signature has bytes: Sparrow shows it as a signature. Make it shorter or longer."
        );
        notes.push(MakerNote::new(NoteCode::SignatureLength, None, message));
    }
    (lock_time, notes)
}

/// The largest lock that a script requires. A time counts before a height, because a still transaction satisfies heights.
fn demanded(coins: &Coins<'_>, locks: &[Locks], notes: &mut Vec<MakerNote>) -> u32 {
    let largest = |locks: &Locks| locks.height.max(locks.time);
    let mut lock_time = 0;
    let mut by = None;
    for (coin, locks) in coins.coins.iter().zip(locks) {
        if largest(locks) > lock_time {
            lock_time = largest(locks);
            by = Some(coin.at);
        }
    }
    if let Some(at) = by {
        let message = format!(
            "The lock time of the file is {}: the script of input {} requires it, and no script of the file requires more.",
            moment(lock_time),
            at + 1
        );
        notes.push(MakerNote::new(NoteCode::LockTime, by, message));
    }
    lock_time
}

fn note_of_lock(coin: &Coin<'_>, lock: u32, form: Form, notes: &mut Vec<MakerNote>) {
    if lock == 0 {
        return;
    }
    let end = match form {
        Form::Transaction => {
            ", which no transaction of this form satisfies. If you need this lock to sign for the coin, make a message instead."
        }
        Form::Message => {
            ", which the lock time of the file does not satisfy. If you need this lock to sign for the coin, make a separate file for \
             it, with this lock time."
        }
    };
    let message = format!(
        "The script of input {} has a lock until {}{end}",
        coin.at + 1,
        moment(lock)
    );
    notes.push(MakerNote::new(NoteCode::LockNotMet, Some(coin.at), message));
}

fn moment(lock: u32) -> String {
    if is_time(lock) {
        format!("the Unix time {lock}")
    } else {
        format!("block {lock}")
    }
}

/// What the input of a coin lacks.
fn missing(coin: &Coin<'_>) -> [Option<NoteCode>; 3] {
    let (mut has_origin, mut has_witness_script, mut has_redeem_script) = (false, false, false);
    coin.each_kept(&mut |field, _, _| match field.number {
        input::BIP32_DERIVATION | input::TAP_BIP32_DERIVATION => has_origin = true,
        input::WITNESS_SCRIPT => has_witness_script = true,
        input::REDEEM_SCRIPT => has_redeem_script = true,
        _ => {}
    });
    // A taproot signature commits to all values, so no device asks for previous transactions.
    let asks_for_previous = !matches!(
        coin.kind,
        ScriptType::P2tr | ScriptType::P2a | ScriptType::Unknown
    );
    let lacks_script = match coin.kind {
        ScriptType::P2wsh | ScriptType::P2shP2wsh => !has_witness_script,
        ScriptType::P2sh => !has_redeem_script,
        _ => false,
    };
    let is_final = coin.input.signatures() == Signatures::Final;
    let no_origin = if is_final {
        NoteCode::Finalized
    } else {
        NoteCode::NoDerivation
    };
    [
        (asks_for_previous && coin.input.previous.is_none())
            .then_some(NoteCode::NoPreviousTransaction),
        (!has_origin).then_some(no_origin),
        lacks_script.then_some(NoteCode::NoScript),
    ]
}

impl MakerNote {
    fn about_input(code: NoteCode, at: usize) -> Self {
        let message = format!("{}{}", Map::Input(at), code.about_input());
        Self::new(code, Some(at), message)
    }

    fn new(code: NoteCode, input: Option<usize>, message: String) -> Self {
        Self {
            code,
            input,
            message,
        }
    }
}

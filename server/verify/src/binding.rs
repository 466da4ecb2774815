//! Binds a proof to the account that sends it: the file must carry the account's statement, in one of two carriers (decisions, D4).

use bitcoin::Transaction;
use psbt_wasm::binding::{Motion, is_still};
use psbt_wasm::statement::mentions_statement;

use psbt_wasm::Carrier;

use crate::Verified;

/// Why a file is not bound to the account that sends it, and the fix. As a static string it is a stable kebab-case code.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum NotBound {
    /// It carries no statement.
    #[strum(serialize = "not-bound")]
    #[error(
        "This file does not name the account it was signed for: it carries your statement neither as a BIP-322 message nor in an \
         OP_RETURN output. The upload page makes a file over the same coins that does; sign that one, and send it instead."
    )]
    NoStatement,
    /// It carries another statement (rule C4). The exact reason is unknown, because the code of a statement is a hash.
    #[error(
        "This file carries a statement that does not count for your account: it was made for another account or another \
         site, too long ago, under another name, or it is not whole. Make a new file with the statement that the upload page shows \
         now, and sign that one."
    )]
    OtherStatement,
    /// The block named in the statement has left the chain in a reorganization.
    #[strum(serialize = "statement-block-gone")]
    #[error(
        "The block that dates this file is no longer in the chain. Make a new file with the statement that the upload page shows now, and \
         sign that one."
    )]
    BlockGone,
    /// It carries the right statement in a transaction that can be broadcast or moves something (rule C2).
    #[error(
        "This file carries your statement, but {0}. A proof must be a transaction that moves nothing and that no node takes: \
         make it as the upload page says, and sign it again."
    )]
    NotStill(#[from] Motion),
}

/// The carrier of one of these statements of an account in a verified file.
///
/// # Errors
/// When the file carries none of them. Only [`NotBound::NoStatement`] may count as unbound: a file with another statement belongs to another
/// account, and must not be usable as an unbound one.
pub fn carrier(verified: &Verified, lines: &[&str]) -> Result<Carrier, NotBound> {
    let mut lines = lines.iter();
    if let Some(signed) = verified.kind.message() {
        let is_signed = lines.any(|line| signed.signs(line.as_bytes()));
        let carrier = is_signed.then_some(Carrier::Message);
        return carrier.ok_or(NotBound::OtherStatement);
    }
    let transaction = &verified.transaction;
    let Some(line) = lines.find(|line| carries(transaction, line)) else {
        // Into every script, not only OP_RETURN, because those words are in no script by chance.
        return Err(match any_script(transaction, mentions_statement) {
            true => NotBound::OtherStatement,
            false => NotBound::NoStatement,
        });
    };
    let spent = verified.coins.iter().map(|coin| &coin.output);
    is_still(transaction, spent, line)?;
    Ok(Carrier::Transaction)
}

/// Whether a file carries this line, in either carrier.
pub fn says(verified: &Verified, line: &str) -> bool {
    match verified.kind.message() {
        Some(signed) => signed.signs(line.as_bytes()),
        None => carries(&verified.transaction, line),
    }
}

fn carries(transaction: &Transaction, line: &str) -> bool {
    any_script(transaction, |script| {
        let mut windows = script.windows(line.len());
        windows.any(|window| window == line.as_bytes())
    })
}

fn any_script(transaction: &Transaction, is_so: impl Fn(&[u8]) -> bool) -> bool {
    let mut outputs = transaction.output.iter();
    outputs.any(|output| is_so(output.script_pubkey.as_bytes()))
}

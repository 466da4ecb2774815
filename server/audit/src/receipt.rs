//! Checks a receipt, offline.

use std::fs;
use std::path::Path;

use super::args::Args;
use super::failure::Failure;
use super::seen::{self, trusted_keys};
use board_log::check::CheckError;
use board_log::checkpoint::log_origin;
use board_log::cosignature;
use board_log::receipt::Receipt;
use board_log::tiers::amount_words;

/// What the receipt says, when it is good.
///
/// # Errors
/// When it is false, or cannot be checked.
pub(super) fn check(args: &Args, file: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(file).map_err(|source| Failure::file(file, source))?;
    let receipt = Receipt::read(&text)?;
    let origin = receipt.checkpoint.split('\n').next().unwrap_or_default();
    let host = origin.split('/').next().unwrap_or_default();
    if let Some(url) = &args.url
        && log_origin(&url.origin().ascii_serialization()) != format!("{host}/log")
    {
        return Err(CheckError::OtherBoard.into());
    }
    let stored = seen::load(&seen::path(args, host))?;
    let keys = trusted_keys(stored.as_ref(), args.key.as_ref())?;
    if keys.is_empty() {
        return Err(Failure::NoKey(origin.to_owned()));
    }
    let shown = receipt.check(&keys)?;
    let cosigned = cosignature::count(&receipt.checkpoint, &args.witnesses);
    if cosigned < args.cosignatures() {
        return Err(Failure::Witnesses(args.too_few(cosigned)));
    }
    let row = &shown.row;
    let holdings = match row.shown_sats() {
        Some(sats) => format!("{} BTC", amount_words(Some(sats), row.tier.is_some())),
        None => "nothing".to_owned(),
    };
    let good = args.with_witnesses("The receipt is good", cosigned);
    Ok(format!(
        "{good}. At block {} ({}) the board whose log is {} showed {:?} of {} with {holdings}:\n{}",
        shown.height,
        shown.at.escape_debug(),
        shown.origin,
        row.name,
        row.provider.escape_debug(),
        escape(&receipt.extra.row)
    ))
}

/// The text, without characters that control a terminal or hide text from a reader.
fn escape(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        '"' | '\\' | '\'' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    });
    letters.collect()
}

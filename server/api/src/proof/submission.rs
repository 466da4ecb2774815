//! The input and the outcome of a submission.

use super::statement::BlockTime;
use crate::chain_follower::FollowError;
use crate::limits::LimitError;
use crate::limits::queue::Full;
use board_log::units::PROOF_DAYS;
use chain::ChainError;
use chain::clock::DAY;
use store::claims::{NewProof, RecordError, Recorded};
use verify::binding::NotBound;
use verify::{Refusal, UtxoHint};

/// The time for which a proof counts, in seconds.
pub const VALIDITY: i64 = PROOF_DAYS * DAY;

/// The request of a client.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The file in base64.
    pub psbt_base64: String,
    /// What the client states about the coins.
    pub hints: Vec<UtxoHint>,
    pub file_name: String,
    /// Whether to publish the proof, so that anyone can see and check it (proofs, section 4).
    pub publish: bool,
}

/// The outcome of a submission that was not refused.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The store's decision.
    pub recorded: Recorded,
    /// The proof that the store was to record.
    pub proof: NewProof,
    /// When the account's next line begins. From then on the same coins make another transaction.
    pub next_line: BlockTime,
}

/// Why a proof cannot be published. Nothing is recorded then. As a static string it is a stable kebab-case code.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
pub enum NotPublishable {
    /// The file carries no statement.
    #[strum(serialize = "not-bound")]
    #[error(
        "Only a proof that carries your statement can be published: anyone could broadcast this file. The upload page \
         makes a file over the same coins that carries it; sign and publish that one, or send this one without publishing it. Nothing \
         was recorded."
    )]
    Unbound,
    /// Its owner shows a range, and a published proof shows its coins.
    #[strum(serialize = "range-shown")]
    #[error(
        "A published proof shows its coins, and you have chosen that others see only a range of your total. Show the exact total, or send \
         this file without publishing it. Nothing was recorded."
    )]
    Range,
    /// The code of its statement cannot be computed again.
    #[strum(serialize = "other-statement")]
    #[error(
        "The statement in this file can no longer be shown to be yours: it was made under another name or address of the site. To \
         publish a proof of these coins, make a new file on the upload page and sign that one."
    )]
    Statement,
}

/// Why nothing was recorded.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The file breaks a rule.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is not bound to this account.
    #[error(transparent)]
    NotBound(#[from] NotBound),
    /// It is a proof, but cannot be published.
    #[error(transparent)]
    NotPublishable(#[from] NotPublishable),
    /// The account or the address has failed too often.
    #[error(
        "Too many files have been refused in the last hour. Wait {} and try again.",
        in_words(*.retry_after)
    )]
    TooMany {
        /// In how many seconds to try again.
        retry_after: i64,
    },
    /// The account has just been deleted.
    #[error("the account no longer exists")]
    NoAccount,
    /// The chain sources failed.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// Too few chain sources agree about one of the coins (decisions, D12).
    #[error("Input {} spends a coin that too few chain sources can look up right now, for example because its address has a very long history. Nothing was changed. Try again later, or leave this coin out.", .input + 1)]
    UnknownCoin { input: usize },
    /// Too many files are being checked.
    #[error(transparent)]
    Busy(#[from] Full),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<LimitError> for SubmitError {
    fn from(error: LimitError) -> Self {
        match error {
            LimitError::TooMany { retry_after } | LimitError::Busy { retry_after } => {
                Self::TooMany { retry_after }
            }
            LimitError::Database(error) => Self::Database(error),
        }
    }
}

/// How long to wait, for people.
fn in_words(seconds: i64) -> String {
    match (seconds + 59) / 60 {
        1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

impl From<RecordError> for SubmitError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Moved => Self::Chain(ChainError::Moved),
            RecordError::NoAccount => Self::NoAccount,
            RecordError::Range => NotPublishable::Range.into(),
            RecordError::Database(error) => Self::Database(error),
        }
    }
}

impl From<FollowError> for SubmitError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Chain(error) => Self::Chain(error),
            FollowError::Database(error) => Self::Database(error),
        }
    }
}

/// The most characters of a name.
const MAX_CHARACTERS: usize = 120;

/// The base name, without folders and control characters, and shortened. `.txn` is the extension of completed transactions from Electrum and
/// Coldcard (decisions, D13).
///
/// # Errors
/// [`Refusal::Extension`] for anything but `.psbt` and `.txn`.
pub(super) fn base_name(name: &str) -> Result<String, Refusal> {
    let base: String = name
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    let (stem, extension) = base.rsplit_once('.').ok_or(Refusal::Extension)?;
    if !["psbt", "txn"].contains(&extension.to_ascii_lowercase().as_str()) {
        return Err(Refusal::Extension);
    }
    let kept: String = stem.chars().take(MAX_CHARACTERS).collect();
    Ok(format!("{kept}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_base_name_alone() {
        assert_eq!(base_name("/home/me/cold.psbt"), Ok("cold.psbt".to_owned()));
        assert_eq!(base_name("C:\\me\\cold.PSBT"), Ok("cold.PSBT".to_owned()));
        assert_eq!(base_name("a\u{0}b.txn"), Ok("ab.txn".to_owned()));
        assert_eq!(
            base_name(&format!("{}.psbt", "x".repeat(500))),
            Ok(format!("{}.psbt", "x".repeat(MAX_CHARACTERS)))
        );
    }

    #[test]
    fn refuses_other_extensions() {
        for name in [
            "",
            "psbt",
            "proof.pdf",
            "proof.psbt.exe",
            "folder.psbt/proof",
        ] {
            assert_eq!(base_name(name), Err(Refusal::Extension), "{name}");
        }
    }
}

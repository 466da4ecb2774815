//! How much of a total others see: its owner's choice (decisions, D17). What follows from it for the board is derived by the
//! database itself (migration 0021).

use std::str::FromStr;

use serde::Deserialize;

use super::Store;
use super::tx::is_check_violation;
use chain::clock::UnixTime;

/// What others see of a total.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash)]
#[serde(try_from = "String")]
pub enum ShownAs {
    /// All of it.
    #[default]
    Exact,
    /// The holder tier that it is in.
    Range,
}

/// The database has a word that nobody knows.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is no way to show a total")]
pub struct UnknownWord(String);

impl ShownAs {
    /// The word on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Range => "range",
        }
    }

    #[must_use]
    pub fn is_range(self) -> bool {
        self == Self::Range
    }
}

impl FromStr for ShownAs {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "exact" => Ok(Self::Exact),
            "range" => Ok(Self::Range),
            other => Err(UnknownWord(other.to_owned())),
        }
    }
}

impl TryFrom<String> for ShownAs {
    type Error = UnknownWord;

    fn try_from(word: String) -> Result<Self, UnknownWord> {
        word.parse()
    }
}

/// Why a total is not shown as its owner wants.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// A range would not hide what published proofs show.
    #[error(
        "Proofs of yours are published and show their coins, which a range would hide. Withdraw them first, or go on showing the exact total."
    )]
    Published,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Store {
    /// Shows the total of somebody like this from now on. Choosing what is chosen already changes nothing.
    ///
    /// # Errors
    /// [`ShowError::Published`] when a range is chosen while proofs are published.
    pub async fn show_as(
        &self,
        id: &str,
        shown_as: ShownAs,
        now: UnixTime,
    ) -> Result<(), ShowError> {
        let word = shown_as.as_str();
        let show = "update profiles set shown_as = $2, shown_since = $3, updated_at = $3
             where id = $1 and shown_as <> $2";
        // A constraint refuses a range, so that of a choice and a publication at the same moment one fails.
        let shown = self
            .write(|mut tx| async move {
                if shown_as.is_range() {
                    tx.withdraw_line(id, true).await?;
                }
                tx.query(show, &[&id, &word, &now]).run().await?;
                tx.ring();
                tx.end(()).await
            })
            .await;
        if shown.as_ref().is_err_and(is_check_violation) {
            return Err(ShowError::Published);
        }
        shown?;
        if shown_as.is_range()
            && let Err(error) = self.empty_log().await
        {
            tracing::warn!(%error, "what was hidden is still in the database's logs, which are emptied later");
        }
        Ok(())
    }
}

//! How much of a total others see, as its owner chooses (decisions, D17). The database itself derives the columns that the board
//! shows (`migrations/0001_schema.sql`).

use serde::{Deserialize, Serialize};
use sqlx::Type;
use strum::IntoStaticStr;
use utoipa::ToSchema;

use super::Store;
use super::removals::What;
use super::tx::is_check_violation;
use chain::clock::UnixTime;

/// What others see of a total.
#[derive(
    Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, IntoStaticStr, ToSchema, Type,
)]
#[serde(rename_all = "kebab-case")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[schema(as = Shown)]
pub enum ShownAs {
    /// The exact total.
    Exact,
    /// Only its holder tier.
    Range,
}

impl ShownAs {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub fn is_range(self) -> bool {
        self == Self::Range
    }
}

impl Store {
    /// Changes how much of a user's total others see. Choosing the same again changes nothing. False for a range while proofs are
    /// published, which would reveal the amount: nothing is changed.
    pub async fn show_as(&self, id: &str, shown_as: ShownAs, now: UnixTime) -> sqlx::Result<bool> {
        let show = "update profiles set shown_as = $2, shown_since = $3, updated_at = $3
             where id = $1 and shown_as <> $2";
        // A constraint refuses a range while proofs are published, also when both are requested at the same moment.
        let shown = self
            .write(|mut tx| async move {
                if shown_as.is_range() {
                    tx.withdraw_line(id, true).await?;
                }
                if tx
                    .query(show, &[&id, &shown_as, &now])
                    .has_changed()
                    .await?
                {
                    match shown_as {
                        ShownAs::Range => tx.note_removal(What::Hidden, id, now).await?,
                        ShownAs::Exact => tx.undo_removal(What::Hidden, id, now).await?,
                    }
                }
                tx.notify();
                tx.end(()).await
            })
            .await;
        if shown.as_ref().is_err_and(is_check_violation) {
            return Ok(false);
        }
        shown?;
        if shown_as.is_range() {
            self.empty_wal_or_warn().await;
        }
        Ok(true)
    }
}

//! A profile as the wire has it.

use serde::{Deserialize, Serialize};

use super::row::{Row, value};
use crate::board::memory::Row as BoardRow;
use crate::http::error::Error;
use crate::pictures::public_path;
use board_log::units::{btc, iso};
use store::profiles::Profile;
use store::shown_as::{ShowError, ShownAs};

/// A profile on the wire.
#[derive(utoipa::ToSchema)]
#[allow(
    dead_code,
    reason = "describes the wire for the OpenAPI document; rows are written by `wire`"
)]
pub struct ProfileRow {
    /// The user's id.
    id: String,
    /// The name shown.
    username: String,
    /// Where the picture is, on this origin.
    #[schema(required)]
    avatar_url: Option<String>,
    /// RFC 3339. Of a range, for everybody but its owner, when it was chosen.
    updated_at: String,
    /// Null for strangers and while no plan is chosen.
    #[schema(required)]
    tier: Option<Tier>,
    /// Whether anything is proven now.
    verified: bool,
    /// BTC with 8 decimals. Of a range, for everybody but its owner, where the holder tier begins; the lowest begins with one satoshi.
    #[schema(required)]
    bitcoin_holdings: Option<f64>,
    /// Whether others see the exact total or a range.
    shown_as: Shown,
    /// RFC 3339. Of a range, for everybody but its owner, null.
    #[schema(required)]
    last_verified: Option<String>,
    /// Competition rank.
    #[schema(required)]
    rank: Option<i64>,
    /// RFC 3339; null for strangers.
    #[schema(required)]
    last_auto_reverify: Option<String>,
    /// The name of the provider that says who this is.
    provider: String,
    /// How much of the holdings, in sats, stands on published proofs, which anybody can check; null when nothing does.
    #[schema(required)]
    published_sats: Option<i64>,
    /// Whether the name is one that the provider told; one that stands in for it is nobody's there, and never linked.
    named: bool,
}

/// A plan on the wire.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    Free,
    Premium,
}

/// What others see of a total, on the wire.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// All of it.
    Exact,
    /// The holder tier that it is in.
    Range,
}

impl From<ShowError> for Error {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Published => Self::conflict("proofs-published", error.to_string()),
            ShowError::Database(error) => error.into(),
        }
    }
}

impl From<Shown> for ShownAs {
    fn from(shown: Shown) -> Self {
        match shown {
            Shown::Exact => Self::Exact,
            Shown::Range => Self::Range,
        }
    }
}

/// A row as everybody may see it.
#[must_use]
pub fn public_row(row: &BoardRow) -> Row {
    wire(row, None)
}

/// `own` is the viewer's profile: their own row says more.
#[must_use]
pub fn wire(row: &BoardRow, own: Option<&Profile>) -> Row {
    let own = own.filter(|own| own.id == row.id.to_string());
    let holdings = own.map_or(row.holdings_sats, |own| own.holdings_sats);
    let verified = own.map_or(row.last_verified, |own| own.last_verified);
    let updated = own.map_or(row.updated_at, |own| own.updated_at);
    Row::new(vec![
        ("id", value(row.id.to_string())),
        ("username", value(&row.username)),
        ("avatar_url", value(public_path(row.id, row.picture))),
        ("updated_at", value(iso(updated))),
        ("tier", value(own.and_then(|own| own.tier.as_deref()))),
        ("verified", value(holdings.is_some())),
        ("bitcoin_holdings", holdings.map_or_else(|| value(()), btc)),
        ("shown_as", value(row.shown_as.as_str())),
        ("last_verified", value(verified.map(iso))),
        ("rank", value(row.rank)),
        (
            "last_auto_reverify",
            value(own.and_then(|own| own.last_auto_reverify).map(iso)),
        ),
        ("provider", value(&*row.provider)),
        ("published_sats", value(row.published_sats)),
        ("named", value(row.is_named())),
    ])
}

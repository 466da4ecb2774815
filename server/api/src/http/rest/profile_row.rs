//! A profile as a JSON row.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::memory::Row;
use crate::pictures::public_path;
use board_log::units::iso;
use store::profiles::Profile;
use store::shown_as::ShownAs;
use store::values::Btc;

/// A profile: all of these columns, or those that `select` names.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProfileRow {
    /// The user's id.
    id: String,
    /// The name shown.
    username: String,
    /// Where the picture is, on this origin.
    avatar_url: Option<String>,
    /// RFC 3339. Of a range, for everybody but its owner, when it was chosen.
    updated_at: String,
    /// Null for strangers and while no plan is chosen.
    #[schema(value_type = Option<Tier>)]
    tier: Option<String>,
    /// Whether anything is proven now.
    verified: bool,
    /// BTC with 8 decimals. Of a range, for everybody but its owner, where the holder tier begins; the lowest begins with one satoshi.
    bitcoin_holdings: Option<Btc>,
    /// Whether others see the exact total or a range.
    shown_as: ShownAs,
    /// RFC 3339. Of a range, for everybody but its owner, null.
    last_verified: Option<String>,
    /// Competition rank.
    rank: Option<i64>,
    /// RFC 3339; null for strangers.
    last_auto_reverify: Option<String>,
    /// The name of the provider that says who this is.
    provider: String,
    /// The part of the holdings, in sats, backed by published proofs, which anyone can check; null when there are none.
    published_sats: Option<i64>,
    /// Whether the provider gave the name. A made-up name is never linked.
    named: bool,
}

/// A plan.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    Free,
    Premium,
}

impl ProfileRow {
    /// As everybody may see it.
    pub fn public(row: &Row) -> Self {
        Self {
            id: row.id.to_string(),
            username: row.username.clone(),
            avatar_url: public_path(row.id, row.picture),
            updated_at: iso(row.updated_at),
            tier: None,
            verified: row.holdings_sats.is_some(),
            bitcoin_holdings: row.holdings_sats.map(Btc),
            shown_as: row.shown_as,
            last_verified: row.last_verified.map(iso),
            rank: row.rank,
            last_auto_reverify: None,
            provider: row.provider.to_string(),
            published_sats: row.published_sats,
            named: row.is_named(),
        }
    }

    /// As the viewer with this profile sees it: their own row says more.
    pub fn for_viewer(row: &Row, viewer: Option<&Profile>) -> Self {
        let public = Self::public(row);
        let Some(own) = viewer.filter(|viewer| viewer.id == public.id) else {
            return public;
        };
        Self {
            updated_at: iso(own.updated_at),
            tier: own.tier.clone(),
            verified: own.holdings_sats.is_some(),
            bitcoin_holdings: own.holdings_sats.map(Btc),
            last_verified: own.last_verified.map(iso),
            last_auto_reverify: own.last_auto_reverify.map(iso),
            ..public
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::http::rest::grammar::columns;

    /// A range is 1 BTC for everybody, whatever the total is. Each field is named here, so that a new one is looked at before it
    /// reaches a select, a filter, an order or the log.
    #[test]
    fn a_row_has_no_hidden_total() {
        let row = Row {
            id: Uuid::nil(),
            provider: "twitter".into(),
            username: "satoshi".to_owned(),
            picture: None,
            shown_as: ShownAs::Range,
            holdings_sats: Some(100_000_000),
            published_sats: None,
            rank: Some(1),
            last_verified: None,
            updated_at: 0,
        };
        let public = ProfileRow::public(&row);
        let json = serde_json::to_value(&public).expect("JSON");
        assert_eq!(json["bitcoin_holdings"], 1.0);
        let mut names: Vec<_> = json.as_object().expect("a row").keys().cloned().collect();
        let mut columns = columns::<ProfileRow>();
        let mut known = [
            "id",
            "username",
            "avatar_url",
            "updated_at",
            "tier",
            "verified",
            "bitcoin_holdings",
            "shown_as",
            "last_verified",
            "rank",
            "last_auto_reverify",
            "provider",
            "published_sats",
            "named",
        ];
        names.sort();
        columns.sort();
        known.sort_unstable();
        assert_eq!(columns, known);
        assert_eq!(names, columns);
        for own in ["tier", "last_auto_reverify", "last_verified"] {
            assert!(json[own].is_null(), "{own}");
        }
        assert_eq!(format!("{public:?}").matches("100000000").count(), 1);
    }
}

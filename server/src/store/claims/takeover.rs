//! The live claims that stand in the way of a proof, and what becomes of them.

use std::collections::{BTreeSet, HashSet};

use sqlx::FromRow;

use super::NewClaim;

/// A live claim on one of the proof's coins.
#[derive(FromRow)]
pub(super) struct Live {
    pub(super) id: String,
    pub(super) user_id: String,
    txid: String,
    vout: i64,
    pub(super) bound: bool,
}

/// The live claims on these coins.
macro_rules! live_claims {
    ($transaction:ident, $network:expr, $coins:expr) => {{
        let mut query = QueryBuilder::new(
            "select id, user_id, txid, vout, bound from claims where ended_at is null and network = ",
        );
        query.push_bind($network);
        query.push(" and (txid, vout) in (values ");
        let mut rows = query.separated(", ");
        for coin in $coins {
            rows.push("(");
            rows.push_bind_unseparated(&coin.txid);
            rows.push_unseparated(", ");
            rows.push_bind_unseparated(coin.vout);
            rows.push_unseparated(")");
        }
        query.push(")");
        let live: Vec<Live> = query.build_query_as().fetch_all(&mut *$transaction).await?;
        live
    }};
}

/// Ends live claims and answers how many there still were to end.
macro_rules! end_claims {
    ($transaction:ident, $ids:expr, $reason:expr, $now:expr) => {{
        let mut query = QueryBuilder::new("update claims set ended_at = ");
        query
            .push_bind($now)
            .push(", end_reason = ")
            .push_bind($reason);
        query.push(" where ended_at is null and id in (");
        let mut ids = query.separated(", ");
        for id in &$ids {
            ids.push_bind(id);
        }
        query.push(")");
        query
            .build()
            .execute(&mut *$transaction)
            .await?
            .rows_affected()
    }};
}

pub(super) use {end_claims, live_claims};

/// The claims that a proof has ended to make its own.
#[derive(Default)]
pub(super) struct Takeover {
    /// How many were the user's own.
    pub(super) own: usize,
    /// The coins of the user's own claims that were bound, and stay so.
    bound: HashSet<(String, i64)>,
    /// Whose totals have changed, in an order that is the same for everybody.
    pub(super) settle: BTreeSet<String>,
}

impl Takeover {
    pub(super) fn add(&mut self, own: Vec<Live>, others: Vec<Live>) {
        self.own += own.len();
        let bound = own.into_iter().filter(|claim| claim.bound);
        self.bound
            .extend(bound.map(|claim| (claim.txid, claim.vout)));
        self.settle
            .extend(others.into_iter().map(|claim| claim.user_id));
    }

    pub(super) fn was_bound(&self, coin: &NewClaim) -> bool {
        self.bound.contains(&(coin.txid.clone(), coin.vout))
    }
}

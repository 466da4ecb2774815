//! What the chain does to claims: they end, they come back, their coin moves to another block.

/// Changes of claims, by their ids. None applies to a claim that is no longer in the state that it
/// names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimChanges {
    /// Live ones, and ones that wait, whose coin is spent in a block.
    pub spent: Vec<String>,
    /// Live ones whose coin is in no block any more. They wait for it to be in one again.
    pub undone: Vec<String>,
    /// Live ones whose coin is in another block than before: id, and hash of that block.
    pub funded: Vec<(String, String)>,
    /// Ones that wait and whose coin is there again: id, and hash of the block that funded it. They
    /// live again unless their proof has expired or somebody has claimed the coin since.
    pub back: Vec<(String, String)>,
    /// Live ones that stay as they are.
    pub kept: Vec<String>,
}

impl ClaimChanges {
    /// Every claim that was looked up.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let funded = self.funded.iter().chain(&self.back).map(|(id, _)| id);
        let others = self.spent.iter().chain(&self.undone).chain(&self.kept);
        others.chain(funded).map(String::as_str)
    }

    /// The claims that end or come back.
    pub(in crate::store) fn ending(&self) -> Vec<&str> {
        let back = self.back.iter().map(|(id, _)| id);
        let ids = self.spent.iter().chain(&self.undone).chain(back);
        ids.map(String::as_str).collect()
    }
}

/// How many rows one statement names.
pub(in crate::store) const CHUNK: usize = 500;

/// A query that ends with a list of texts.
macro_rules! with_ids {
    ($before:expr, $ids:expr) => {{
        let mut query = QueryBuilder::new($before);
        query.push(" in (");
        let mut list = query.separated(", ");
        for id in $ids {
            list.push_bind(id);
        }
        query.push(")");
        query
    }};
}
pub(in crate::store) use with_ids;

/// Applies changes and whatever follows from them for proofs and totals. The rows of the users come
/// first and in one order, as for everybody who changes claims. Answers how many claims ended or
/// came back.
macro_rules! change_claims {
    ($transaction:ident, $changes:expr, $spent_block:expr, $now:expr) => {{
        let changes: &ClaimChanges = &$changes;
        let mut users = std::collections::BTreeSet::new();
        for chunk in changes.ending().chunks($crate::store::claims::change::CHUNK) {
            let of: Vec<String> = with_ids!("select user_id from claims where id", chunk.iter().copied())
                .build_query_scalar()
                .fetch_all(&mut *$transaction)
                .await?;
            users.extend(of);
        }
        for user in &users {
            sqlx::query("update profiles set updated_at = $2 where id = $1")
                .bind(user)
                .bind($now)
                .execute(&mut *$transaction)
                .await?;
        }
        let mut changed = 0;
        for chunk in changes.spent.chunks($crate::store::claims::change::CHUNK) {
            let mut query = QueryBuilder::new(
                "update claims set end_reason = 'spent', ended_at = coalesce(ended_at, ",
            );
            query.push_bind($now);
            query.push("), spent_block = ");
            query.push_bind($spent_block);
            query.push(" where (ended_at is null or end_reason = 'reorganised') and id in (");
            let mut ids = query.separated(", ");
            for id in chunk {
                ids.push_bind(id);
            }
            query.push(")");
            changed += query.build().execute(&mut *$transaction).await?.rows_affected();
        }
        for chunk in changes.undone.chunks($crate::store::claims::change::CHUNK) {
            let mut query =
                QueryBuilder::new("update claims set end_reason = 'reorganised', ended_at = ");
            query.push_bind($now);
            query.push(" where ended_at is null and id in (");
            let mut ids = query.separated(", ");
            for id in chunk {
                ids.push_bind(id);
            }
            query.push(")");
            changed += query.build().execute(&mut *$transaction).await?.rows_affected();
        }
        for (id, block) in &changes.funded {
            sqlx::query("update claims set funding_block = $2 where id = $1 and ended_at is null")
                .bind(id)
                .bind(block)
                .execute(&mut *$transaction)
                .await?;
        }
        for (id, block) in &changes.back {
            // The ids are UUIDs of version 7: whoever claimed later has the greater one.
            let back = sqlx::query(
                "update claims set ended_at = null, end_reason = null, spent_block = null, funding_block = $2
                 where id = $1 and end_reason = 'reorganised'
                   and exists (select 1 from proofs where proofs.id = claims.proof_id and proofs.expires_at > $3)
                   and not exists (select 1 from claims as later where later.network = claims.network
                     and later.txid = claims.txid and later.vout = claims.vout and later.id > claims.id)",
            )
            .bind(id)
            .bind(block)
            .bind($now)
            .execute(&mut *$transaction)
            .await?
            .rows_affected();
            if back == 1 {
                sqlx::query(
                    "update proofs set ended_at = null
                     where id = (select proof_id from claims where claims.id = $1)",
                )
                .bind(id)
                .execute(&mut *$transaction)
                .await?;
            }
            changed += back;
        }
        for user in &users {
            $crate::store::claims::settle_holdings!($transaction, user, $now);
        }
        changed
    }};
}
pub(in crate::store) use change_claims;

//! What follows from the live claims: the total of a user, and which proofs still count.
//!
//! A total is summed by a statement of its own that begins when the row of the user is locked
//! already. PostgreSQL shows a statement the database as of its beginning: one that had to wait for
//! the row would sum without the claims of the transaction that it waited for.

/// Releases the claims of every proof whose time is over, in the transaction that finds them.
macro_rules! expire_due {
    ($transaction:ident, $now:expr) => {{
        sqlx::query(
            "update profiles set updated_at = $1
             where id in (select user_id from proofs where ended_at is null and expires_at <= $1)",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?;
        sqlx::query(
            "update claims set ended_at = $1, end_reason = 'expired'
             where ended_at is null
               and proof_id in (select id from proofs where ended_at is null and expires_at <= $1)",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?;
        sqlx::query(
            "update profiles set holdings_sats =
               (select cast(sum(value_sats) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null)
             where id in (select user_id from proofs where ended_at is null and expires_at <= $1)",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?;
        sqlx::query(
            "update proofs set ended_at = expires_at where ended_at is null and expires_at <= $1",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?
        .rows_affected()
    }};
}
pub(super) use expire_due;

/// Ends the proofs of a user that have no live claim left: they have nothing more to say. Then sums
/// the live claims into the profile and answers the sum in sats.
macro_rules! settle_holdings {
    ($transaction:ident, $user:expr, $now:expr) => {{
        sqlx::query("update profiles set updated_at = $2 where id = $1")
            .bind($user)
            .bind($now)
            .execute(&mut *$transaction)
            .await?;
        sqlx::query(
            "update proofs set ended_at = $2 where user_id = $1 and ended_at is null
               and not exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null)",
        )
        .bind($user)
        .bind($now)
        .execute(&mut *$transaction)
        .await?;
        let total: Option<i64> = sqlx::query_scalar(
            "update profiles set holdings_sats =
               (select cast(sum(value_sats) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null)
             where id = $1 returning holdings_sats",
        )
        .bind($user)
        .fetch_one(&mut *$transaction)
        .await?;
        total.unwrap_or(0)
    }};
}
// The store is one family; other files of it settle too.
#[allow(unused_imports, reason = "used through `store::claims`")]
pub(in crate::store) use settle_holdings;

//! Settles accounts: the total that follows from the live claims, and which proofs still count and stay published.
//!
//! A statement of its own computes the total, once the row of the account is locked. PostgreSQL shows each statement the database as it
//! was when the statement began: one that had to wait for the row would miss the claims of the transaction that held it.
//!
//! In work for many accounts, an account whose rows the database refuses is set aside (decisions, D20): its claims have ended, the
//! board counts nothing for it, and it is settled again every minute until that succeeds.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use uuid::Uuid;

use crate::Store;
use crate::tx::Tx;
use chain::clock::UnixTime;

/// The proofs that have expired at $1. On mainnet none has while $1 is more than two hours ahead of the chain: the clock may be wrong.
const DUE: &str =
    "select id, user_id from proofs where ended_at is null and expires_at <= $1 and not exists
    (select 1 from chain_cursor where network = 'main' and coalesce(median_time, 0) < $1 - 7200)";

impl Store {
    /// Ends every expired proof and releases its claims. Returns how many ended.
    pub async fn expire_due(&self, now: UnixTime) -> sqlx::Result<u64> {
        let due: Option<(String, String)> = self.query(DUE, &[&now]).optional().await?;
        if due.is_none() {
            return Ok(0);
        }
        self.write(|mut tx| async move {
            let ended = tx.expire_due(now).await?;
            tx.end(ended).await
        })
        .await
    }

    /// When the next proof expires, unix seconds; none when there is no active proof, or none may expire now.
    pub async fn next_expiry(&self, now: UnixTime) -> sqlx::Result<Option<UnixTime>> {
        let next = "select min(expires_at) from proofs where ended_at is null and not exists
            (select 1 from chain_cursor where network = 'main' and coalesce(median_time, 0) < $1 - 7200)";
        self.query(next, &[&now]).value().await
    }

    /// Settles the accounts that were set aside. Those that still fail stay set aside.
    pub async fn settle_set_aside(&self, now: UnixTime) -> sqlx::Result<()> {
        let all = "select user_id from accounts_set_aside order by user_id";
        let users: &Vec<String> = &self.query(all, &[]).column().await?;
        if users.is_empty() {
            return Ok(());
        }
        self.write(|mut tx| async move {
            tx.settle_each(users, now).await?;
            tx.end(()).await
        })
        .await
    }

    /// How many accounts are set aside.
    pub async fn set_aside(&self) -> sqlx::Result<i64> {
        let count = "select count(*) from accounts_set_aside";
        self.query(count, &[]).value().await
    }
}

impl Tx {
    /// See [`Store::expire_due`].
    pub(crate) async fn expire_due(&mut self, now: UnixTime) -> sqlx::Result<u64> {
        let due: Vec<(String, String)> = self.query(DUE, &[&now]).all().await?;
        if due.is_empty() {
            return Ok(0);
        }
        let (proofs, users): (Vec<String>, BTreeSet<String>) = due.into_iter().unzip();
        let users: Vec<String> = users.into_iter().collect();
        self.lock_profiles(&users).await?;
        // Some may have been ended or renewed before their owner's row was locked.
        let sql = "update proofs set ended_at = expires_at
            where ended_at is null and expires_at <= $1 and id in ($list) returning id";
        let proofs: Vec<String> = self.query(sql, &[&now]).list(&proofs).column().await?;
        let sql = "update claims set ended_at = $1, end_reason = 'expired' where ended_at is null and proof_id in ($list)";
        self.query(sql, &[&now]).list(&proofs).run().await?;
        self.settle_each(&users, now).await?;
        Ok(proofs.len() as u64)
    }

    /// Locks the row of a user, so that what is read about them afterwards stays true. Returns whether the user exists.
    pub(crate) async fn touch_profile(&mut self, user: &str, now: UnixTime) -> sqlx::Result<bool> {
        let touch = "update profiles set updated_at = $2 where id = $1";
        self.query(touch, &[&user, &now]).has_changed().await
    }

    /// Locks the rows of accounts, in the order that every transaction uses which changes claims.
    pub(crate) async fn lock_profiles(&mut self, users: &[String]) -> sqlx::Result<()> {
        if !users.is_empty() {
            let lock = "select id from profiles where id in ($list) order by id";
            let lock = self.query(lock, &[]).list(users);
            lock.locking("for no key update").column::<String>().await?;
        }
        Ok(())
    }

    /// Settles one account and returns its total in sats, 0 for an account that has just been deleted.
    pub(crate) async fn settle_holdings(&mut self, user: &str, now: UnixTime) -> sqlx::Result<i64> {
        self.settle(&[user.to_owned()], now).await?;
        let total = "select holdings_sats from profiles where id = $1";
        let total: Option<Option<i64>> = self.query(total, &[&user]).scalar().await?;
        Ok(total.flatten().unwrap_or(0))
    }

    /// Settles accounts together. When the database refuses one of them, settles each by itself and sets the refused ones aside.
    pub(crate) async fn settle_each(
        &mut self,
        users: &[String],
        now: UnixTime,
    ) -> sqlx::Result<()> {
        if users.is_empty() {
            return Ok(());
        }
        let settling = self.for_users(users, |tx, users| tx.settle(users, now).boxed());
        for (user, error) in settling.await? {
            self.set_aside(&user, &error, now).await?;
        }
        Ok(())
    }

    /// Ends the proofs of these accounts that have no live claim left and withdraws them, then writes the sums of the live claims, and of
    /// the live claims of published proofs, into the profiles. A sum over nothing is null, not 0.
    async fn settle(&mut self, users: &[String], now: UnixTime) -> sqlx::Result<()> {
        self.lock_profiles(users).await?;
        for settle in [
            "update proofs set ended_at = $1 where ended_at is null
               and not exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null)
               and user_id in ($list)",
            "update profiles set updated_at = $1,
               holdings_sats =
               (select cast(nullif(sum(value_sats), 0) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null),
               published_sats =
               (select cast(nullif(sum(value_sats), 0) as bigint) from published_proofs
                join claims on claims.proof_id = published_proofs.proof_id
                where published_proofs.user_id = profiles.id and claims.ended_at is null)
             where id in ($list)",
        ] {
            self.query(settle, &[&now]).list(users).run().await?;
        }
        let withdraw = "delete from published_proofs where user_id in ($list) and exists
               (select 1 from proofs where proofs.id = published_proofs.proof_id and proofs.ended_at is not null)";
        self.query(withdraw, &[]).list(users).run().await?;
        let back = "delete from accounts_set_aside where user_id in ($list) returning user_id";
        let back: Vec<String> = self.query(back, &[]).list(users).column().await?;
        for user in back {
            self.note_changed(&user).await?;
        }
        self.notify();
        Ok(())
    }

    /// Sets an account aside. The board counts nothing for it from now on.
    async fn set_aside(
        &mut self,
        user: &str,
        error: &sqlx::Error,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        let note = "insert into accounts_set_aside (user_id, since) values ($1, $2) on conflict (user_id) do nothing";
        if !self.query(note, &[&user, &now]).has_changed().await? {
            return Ok(());
        }
        tracing::error!(account = user, %error, "cannot settle an account; it is set aside and retried every minute");
        self.note_changed(user).await?;
        self.notify();
        Ok(())
    }

    /// Has the board read an account's row again, though the row itself may not have changed.
    async fn note_changed(&mut self, user: &str) -> sqlx::Result<()> {
        let note = "insert into unsent_changes (transaction_id, noted) values ($1, $2)";
        // No transaction has this name, so nothing waits for it.
        let name = Uuid::new_v4().to_string();
        self.query(note, &[&name, &user]).run().await
    }
}

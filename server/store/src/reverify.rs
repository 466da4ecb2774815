//! The daily re-verification of premium users (decisions, D14).

use futures_util::FutureExt;

use super::Store;
use super::chain_cursor::{Applied, Block, ClaimedCoin};
use super::claims::change::ClaimChanges;
use super::tx::Tx;
use chain::clock::{DAY, UnixTime};

/// The result of looking up some users' coins.
#[derive(Clone, Copy, Debug)]
pub struct Reverified<'r> {
    pub users: &'r [String],
    pub network: &'r str,
    /// The newest block of the look-up.
    pub at: &'r Block,
    /// The changes of their live claims.
    pub changes: &'r ClaimChanges,
    /// Until when their proofs count now, unix seconds.
    pub expires_at: UnixTime,
    /// When users with an unknown coin are looked at again, unix seconds.
    pub again_at: UnixTime,
    /// Whether proofs with unbound claims are not renewed (decisions, D4).
    pub only_bound: bool,
}

impl Store {
    /// Premium users who have not been verified for a day, those who have waited longest first.
    pub async fn due_reverifications(
        &self,
        now: UnixTime,
        limit: i64,
    ) -> sqlx::Result<Vec<String>> {
        let sql = "select id from profiles
            where tier = 'premium' and coalesce(reverify_at, 0) <= $1 and holdings_sats is not null
              and id not in (select user_id from accounts_set_aside)
              and (reverify_at is not null or last_verified <= $2)
            order by coalesce(reverify_at, 0) limit $3";
        self.query(sql, &[&now, &(now - DAY), &limit])
            .column()
            .await
    }

    /// Makes users due again at `again`, because they could not be verified, unless another replica has verified them meanwhile.
    pub async fn delay_reverifications(
        &self,
        users: &[String],
        now: UnixTime,
        again: UnixTime,
    ) -> sqlx::Result<()> {
        let delay = "update profiles set reverify_at = $1 where coalesce(reverify_at, 0) <= $2 and id in ($list)";
        let delay = self.query(delay, &[&again, &now]);
        delay.list(users).run().await
    }

    /// The live claims of these users, without those whose coins are unknown, which are looked up elsewhere.
    pub async fn live_claims_of(
        &self,
        network: &str,
        users: &[String],
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let sql = "select id, txid, vout, funding_block, funding_height from claims
            where ended_at is null and unknown_since is null and network = $1 and user_id in ($list)";
        self.query(sql, &[&network]).list(users).all().await
    }

    /// Records a re-verification, all or nothing: ends claims, renews every active proof that still has claims, and sets when the users are
    /// looked at next. Does not renew a proof with an unknown coin, nor an unbound one if `only_bound`. Skips users whom another replica has
    /// verified meanwhile, or who are no longer premium.
    pub async fn reverify(&self, result: Reverified<'_>, now: UnixTime) -> sqlx::Result<Applied> {
        self.write(|mut tx| async move {
            if !tx.hold_cursor(result.network, &result.at.hash).await? {
                return Ok(None);
            }
            let users = tx.still_due(result.users, now).await?;
            let ended = tx
                .change_claims(result.changes, &result.at.hash, now)
                .await?;
            let times = (now, result.expires_at, result.again_at);
            let bound = result.only_bound;
            let renewing = tx.for_users(&users, |tx, users| tx.renew(users, times, bound).boxed());
            for (user, error) in renewing.await? {
                tracing::error!(account = user, %error, "cannot renew the proofs of an account; retrying in a day");
            }
            tx.end(Some(ended)).await
        })
        .await
    }
}

impl Tx {
    /// Those of these users who are still due. Makes them due again in a day.
    async fn still_due(&mut self, users: &[String], now: UnixTime) -> sqlx::Result<Vec<String>> {
        self.notify();
        let sql = "update profiles set updated_at = $1, last_auto_reverify = $1, reverify_at = $2
            where tier = 'premium' and coalesce(reverify_at, 0) <= $1 and id in ($list) returning id";
        self.query(sql, &[&now, &(now + DAY)])
            .list(users)
            .column()
            .await
    }

    /// Renews the proofs of these users and notes that the users are verified. Users with an unknown coin are not, and are looked at
    /// again at `again_at`.
    async fn renew(
        &mut self,
        users: &[String],
        (now, expires_at, again_at): (UnixTime, UnixTime, UnixTime),
        only_bound: bool,
    ) -> sqlx::Result<()> {
        let sql = "update proofs set expires_at = $1,
              status = case when exists
                (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is not null)
                then 'partial-reverify' else 'reverified' end,
              amount_sats = (select cast(sum(value_sats) as bigint) from claims
                where claims.proof_id = proofs.id and claims.ended_at is null)
            where ended_at is null and expires_at > $2 and user_id in ($list)
              and exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null
                and claims.value_sats > 0)
              and not exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null
                and (claims.unknown_since is not null or ($3 and not claims.bound)))";
        self.query(sql, &[&expires_at, &now, &only_bound])
            .list(users)
            .run()
            .await?;
        let sql = "update profiles set reverify_at = $1 where id in ($list) and exists
            (select 1 from claims where claims.user_id = profiles.id and claims.ended_at is null
             and claims.unknown_since is not null)";
        self.query(sql, &[&again_at]).list(users).run().await?;
        let sql = "update profiles set last_verified = $1
            where holdings_sats is not null and reverify_at > $2 and id in ($list) and exists
              (select 1 from proofs where proofs.user_id = profiles.id and proofs.ended_at is null and proofs.expires_at = $3)";
        self.query(sql, &[&now, &again_at, &expires_at])
            .list(users)
            .run()
            .await
    }
}

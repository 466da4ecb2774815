//! Consequences of the live claims: the totals of a user, and which proofs still count and stay published.
//!
//! A total is summed by a statement of its own that begins when the row of the user is locked
//! already. PostgreSQL shows a statement the database as of its beginning: one that had to wait for
//! the row would sum without the claims of the transaction that it waited for.

use std::collections::BTreeSet;

use chain::clock::UnixTime;
use crate::tx::Tx;

impl Tx {
    /// Ends every proof whose time is over and releases its claims. Answers how many ended.
    pub(in crate) async fn expire_due(&mut self, now: UnixTime) -> Result<u64, sqlx::Error> {
        let due: Vec<(String, String)> = self
            .query(
                "select id, user_id from proofs where ended_at is null and expires_at <= $1",
                &[&now],
            )
            .all()
            .await?;
        if due.is_empty() {
            return Ok(0);
        }
        let (proofs, users): (Vec<String>, BTreeSet<String>) = due.into_iter().unzip();
        let users: Vec<String> = users.into_iter().collect();
        let touch = "update profiles set updated_at = $1 where id in ($list)";
        self.query(touch, &[&now]).list(&users).run().await?;
        // Those that nobody has ended or renewed before their owner's row was ours.
        let proofs: Vec<String> = self
            .query(
                "update proofs set ended_at = expires_at
                 where ended_at is null and expires_at <= $1 and id in ($list) returning id",
                &[&now],
            )
            .list(&proofs)
            .column()
            .await?;
        self.query(
            "update claims set ended_at = $1, end_reason = 'expired' where ended_at is null and proof_id in ($list)",
            &[&now],
        )
        .list(&proofs)
        .run()
        .await?;
        self.query(
            "delete from published_proofs where proof_id in ($list)",
            &[],
        )
        .list(&proofs)
        .run()
        .await?;
        self.query(
            "update profiles set holdings_sats =
               (select cast(sum(value_sats) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null),
               published_sats =
               (select cast(sum(value_sats) as bigint) from published_proofs
                join claims on claims.proof_id = published_proofs.proof_id
                where published_proofs.user_id = profiles.id and claims.ended_at is null)
             where id in ($list)",
            &[],
        )
        .list(&users)
        .run()
        .await?;
        self.ring();
        Ok(proofs.len() as u64)
    }

    /// Locks the row of a user, so that what is read about them afterwards stays true. Answers whether there is one.
    pub(in crate) async fn touch_profile(
        &mut self,
        user: &str,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        let touch = "update profiles set updated_at = $2 where id = $1";
        let touched = self.query(touch, &[&user, &now]).execute().await?;
        Ok(touched == 1)
    }

    /// Ends the proofs of a user that have no live claim left: they have nothing more to say, and what was published of them
    /// goes. Then sums the live claims into the profile, and those of published proofs by themselves, and answers the sum in
    /// sats: none for an account that has just been deleted.
    pub(in crate) async fn settle_holdings(
        &mut self,
        user: &str,
        now: UnixTime,
    ) -> Result<i64, sqlx::Error> {
        self.touch_profile(user, now).await?;
        self.query(
            "update proofs set ended_at = $2 where user_id = $1 and ended_at is null
               and not exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null)",
            &[&user, &now],
        )
        .execute()
        .await?;
        self.query(
            "delete from published_proofs where user_id = $1
               and exists (select 1 from proofs where proofs.id = published_proofs.proof_id and proofs.ended_at is not null)",
            &[&user],
        )
        .run()
        .await?;
        let total: Option<Option<i64>> = self
            .query(
                "update profiles set holdings_sats =
                   (select cast(sum(value_sats) as bigint) from claims
                    where claims.user_id = profiles.id and claims.ended_at is null),
                   published_sats =
                   (select cast(sum(value_sats) as bigint) from published_proofs
                    join claims on claims.proof_id = published_proofs.proof_id
                    where published_proofs.user_id = profiles.id and claims.ended_at is null)
                 where id = $1 returning holdings_sats",
                &[&user],
            )
            .scalar()
            .await?;
        self.ring();
        Ok(total.flatten().unwrap_or(0))
    }
}

//! Changes to claims from the chain: they end, come back, or their coin moves to another block.

use crate::tx::Tx;
use chain::clock::UnixTime;

/// The first and the longest wait before an unknown coin is looked up again, in seconds. Waits double
/// in between.
const FIRST_WAIT: i64 = 60;
const LONGEST_WAIT: i64 = 6 * 60 * 60;

/// The block that has funded the coin of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Funding {
    /// Id of the claim.
    pub claim: String,
    /// Height of the block.
    pub height: i64,
    /// Hash of the block.
    pub block: String,
}

/// Changes of claims, by their ids. A change is skipped for a claim that is no longer in the state named here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimChanges {
    /// Live or waiting claims whose coin is spent in a block.
    pub spent: Vec<String>,
    /// Live claims whose coin is in no block any more. They wait for it to be in one again.
    pub undone: Vec<String>,
    /// Live claims whose coin is in another block than before.
    pub funded: Vec<Funding>,
    /// Waiting claims whose coin is there again. They become live again unless their proof has expired or another user has
    /// claimed the coin since.
    pub back: Vec<Funding>,
    /// Live claims that stay as they are.
    pub kept: Vec<String>,
    /// Live claims whose coin's state is unknown. They stay as they are, and their coins are looked up again.
    pub unknown: Vec<String>,
}

impl ClaimChanges {
    /// Every claim that was looked up.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.with_known_state()
            .chain(self.unknown.iter().map(String::as_str))
    }

    /// Every claim whose coin's state is known.
    fn with_known_state(&self) -> impl Iterator<Item = &str> {
        let funded = self.funded.iter().chain(&self.back).map(|it| &it.claim);
        let others = self.spent.iter().chain(&self.undone).chain(&self.kept);
        others.chain(funded).map(String::as_str)
    }
}

impl Tx {
    /// Applies changes, and what follows from them for proofs and totals. Locks the rows of the users first and in one order, as
    /// every transaction that changes claims does. Returns how many claims ended or came back.
    pub(crate) async fn change_claims(
        &mut self,
        changes: &ClaimChanges,
        spent_block: &str,
        now: UnixTime,
    ) -> sqlx::Result<u64> {
        let back = changes.back.iter().map(|it| &it.claim);
        let moved = changes.spent.iter().chain(&changes.undone).chain(back);
        let moved: Vec<&String> = moved.collect();
        let users = "select distinct user_id from claims where id in ($list)";
        let users: Vec<String> = self.query(users, &[]).list(&moved).column().await?;
        self.lock_profiles(&users).await?;
        let spent = "update claims set end_reason = 'spent', ended_at = coalesce(ended_at, $1), spent_block = $2
            where (ended_at is null or end_reason = 'reorganized') and id in ($list)";
        let spent = self.query(spent, &[&now, &spent_block]);
        let mut changed = spent.list(&changes.spent).execute().await?;
        let undone = "update claims set end_reason = 'reorganized', ended_at = $1
            where ended_at is null and id in ($list)";
        let undone = self.query(undone, &[&now]);
        changed += undone.list(&changes.undone).execute().await?;
        for it in &changes.funded {
            let fund = "update claims set funding_block = $2, funding_height = $3
                where id = $1 and ended_at is null";
            let fund = self.query(fund, &[&it.claim, &it.block, &it.height]);
            fund.run().await?;
        }
        for funding in &changes.back {
            self.begin_part().await?;
            let back = self.bring_back(funding, now).await;
            match self.end_part(back).await? {
                Ok(back) => changed += u64::from(back),
                Err(error) => {
                    tracing::error!(claim = funding.claim, %error, "cannot revive a claim; it waits for the next block");
                }
            }
        }
        self.note_unknown(changes, now).await?;
        self.settle_each(&users, now).await?;
        Ok(changed)
    }

    /// Has the coins of the unknown claims looked up again, later each time, and forgets about those that are known again.
    async fn note_unknown(&mut self, changes: &ClaimChanges, now: UnixTime) -> sqlx::Result<()> {
        let wait = "update claims set unknown_since = coalesce(unknown_since, $1), ask_again_at = $1 + case
               when unknown_since is null or $1 - unknown_since < $2 then $2
               when $1 - unknown_since > $3 then $3
               else $1 - unknown_since end
             where ended_at is null and id in ($list)";
        self.query(wait, &[&now, &FIRST_WAIT, &LONGEST_WAIT])
            .list(&changes.unknown)
            .run()
            .await?;
        let known: Vec<&str> = changes.with_known_state().collect();
        let forget = "update claims set unknown_since = null, ask_again_at = null
            where unknown_since is not null and id in ($list)";
        self.query(forget, &[]).list(&known).run().await
    }

    /// Makes a claim and its proof live again. Returns whether it came back.
    async fn bring_back(&mut self, it: &Funding, now: UnixTime) -> sqlx::Result<bool> {
        // This transaction holds the cursor, so no claim is recorded meanwhile: at most one claim on the coin is live.
        let sql = "update claims set ended_at = null, end_reason = null, spent_block = null, funding_block = $2,
              funding_height = $4
            where id = $1 and end_reason = 'reorganized'
              and exists (select 1 from proofs where proofs.id = claims.proof_id and proofs.expires_at > $3)
              and not exists (select 1 from claims as other where other.network = claims.network
                and other.txid = claims.txid and other.vout = claims.vout
                and (other.ordinal > claims.ordinal or other.ended_at is null))";
        let back = self
            .query(sql, &[&it.claim, &it.block, &now, &it.height])
            .has_changed()
            .await?;
        if back {
            let proof = "update proofs set ended_at = null
                where id = (select proof_id from claims where claims.id = $1)";
            self.query(proof, &[&it.claim]).run().await?;
        }
        Ok(back)
    }
}

//! Changes of claims by the chain: they end, they come back, their coin moves to another block.

use crate::tx::Tx;
use chain::clock::UnixTime;

/// How long a coin about which nothing is known waits until it is asked for again, in seconds: at first, and at most. In between it
/// waits as long as it has so far.
const FIRST_WAIT: i64 = 60;
const LONGEST_WAIT: i64 = 6 * 60 * 60;

/// The block that has funded the coin of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Funding {
    /// Id of the claim.
    pub claim: String,
    /// Height of the block.
    pub height: Option<i64>,
    /// Hash of the block.
    pub block: String,
}

/// Changes of claims, by their ids. None applies to a claim that is no longer in the state that it
/// names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimChanges {
    /// Live ones, and ones that wait, whose coin is spent in a block.
    pub spent: Vec<String>,
    /// Live ones whose coin is in no block any more. They wait for it to be in one again.
    pub undone: Vec<String>,
    /// Live ones whose coin is in another block than before.
    pub funded: Vec<Funding>,
    /// Ones that wait and whose coin is there again. They
    /// live again unless their proof has expired or somebody has claimed the coin since.
    pub back: Vec<Funding>,
    /// Live ones that stay as they are.
    pub kept: Vec<String>,
    /// Live ones about whose coin nothing is known. They stay as they are, and their coins are asked for again.
    pub unknown: Vec<String>,
}

impl ClaimChanges {
    /// Every claim that was looked up.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.known().chain(self.unknown.iter().map(String::as_str))
    }

    /// Every claim about whose coin something is known.
    fn known(&self) -> impl Iterator<Item = &str> {
        let funded = self.funded.iter().chain(&self.back).map(|it| &it.claim);
        let others = self.spent.iter().chain(&self.undone).chain(&self.kept);
        others.chain(funded).map(String::as_str)
    }

    /// The claims that end or come back.
    fn ending(&self) -> Vec<&str> {
        let back = self.back.iter().map(|it| &it.claim);
        let ids = self.spent.iter().chain(&self.undone).chain(back);
        ids.map(String::as_str).collect()
    }
}

impl Tx {
    /// Applies changes and whatever follows from them for proofs and totals. The rows of the users come
    /// first and in one order, as for everybody who changes claims. Answers how many claims ended or
    /// came back.
    pub(crate) async fn change_claims(
        &mut self,
        changes: &ClaimChanges,
        spent_block: &str,
        now: UnixTime,
    ) -> Result<u64, sqlx::Error> {
        let users = self.users_of(&changes.ending()).await?;
        self.lock_profiles(&users).await?;
        let mut changed = self.end_spent(&changes.spent, spent_block, now).await?;
        changed += self.end_undone(&changes.undone, now).await?;
        for Funding {
            claim,
            height,
            block,
        } in &changes.funded
        {
            let fund = "update claims set funding_block = $2, funding_height = $3
                where id = $1 and ended_at is null";
            self.query(fund, &[claim, block, height]).execute().await?;
        }
        for funding in &changes.back {
            self.begin_part().await?;
            let back = self.bring_back(funding, now).await;
            match self.end_part(back).await? {
                Ok(back) => changed += back,
                Err(error) => {
                    tracing::error!(claim = funding.claim, %error, "a claim cannot come back: it waits for the next block");
                }
            }
        }
        self.note_unknown(&changes.unknown, now).await?;
        self.forget_unknown(&changes.known().collect::<Vec<&str>>())
            .await?;
        self.settle_each(&users, now).await?;
        Ok(changed)
    }

    async fn users_of(&mut self, claims: &[&str]) -> Result<Vec<String>, sqlx::Error> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let of = "select distinct user_id from claims where id in ($list)";
        self.query(of, &[]).list(claims).column().await
    }

    async fn end_spent(
        &mut self,
        claims: &[String],
        block: &str,
        now: UnixTime,
    ) -> Result<u64, sqlx::Error> {
        if claims.is_empty() {
            return Ok(0);
        }
        self.query(
            "update claims set end_reason = 'spent', ended_at = coalesce(ended_at, $1), spent_block = $2
             where (ended_at is null or end_reason = 'reorganised') and id in ($list)",
            &[&now, &block],
        )
        .list(claims)
        .execute()
        .await
    }

    async fn end_undone(&mut self, claims: &[String], now: UnixTime) -> Result<u64, sqlx::Error> {
        if claims.is_empty() {
            return Ok(0);
        }
        self.query(
            "update claims set end_reason = 'reorganised', ended_at = $1
             where ended_at is null and id in ($list)",
            &[&now],
        )
        .list(claims)
        .execute()
        .await
    }

    /// Has the coins of these claims asked for again, later each time.
    async fn note_unknown(&mut self, claims: &[String], now: UnixTime) -> Result<(), sqlx::Error> {
        if claims.is_empty() {
            return Ok(());
        }
        self.query(
            "update claims set unknown_since = coalesce(unknown_since, $1), ask_again_at = $1 + case
               when unknown_since is null or $1 - unknown_since < $2 then $2
               when $1 - unknown_since > $3 then $3
               else $1 - unknown_since end
             where ended_at is null and id in ($list)",
            &[&now, &FIRST_WAIT, &LONGEST_WAIT],
        )
        .list(claims)
        .run()
        .await
    }

    async fn forget_unknown(&mut self, claims: &[&str]) -> Result<(), sqlx::Error> {
        if claims.is_empty() {
            return Ok(());
        }
        let forget = "update claims set unknown_since = null, ask_again_at = null
            where unknown_since is not null and id in ($list)";
        self.query(forget, &[]).list(claims).run().await
    }

    /// Lets a claim live again, and its proof. Answers how many did: one or none.
    async fn bring_back(
        &mut self,
        Funding {
            claim,
            height,
            block,
        }: &Funding,
        now: UnixTime,
    ) -> Result<u64, sqlx::Error> {
        // Nobody records a claim meanwhile, because the cursor is ours: of those on one coin, one lives at most.
        let back = self
            .query(
                "update claims set ended_at = null, end_reason = null, spent_block = null, funding_block = $2,
                   funding_height = $4
                 where id = $1 and end_reason = 'reorganised'
                   and exists (select 1 from proofs where proofs.id = claims.proof_id and proofs.expires_at > $3)
                   and not exists (select 1 from claims as other where other.network = claims.network
                     and other.txid = claims.txid and other.vout = claims.vout
                     and (other.ordinal > claims.ordinal or other.ended_at is null))",
                &[claim, block, &now, height],
            )
            .execute()
            .await?;
        if back == 1 {
            self.query(
                "update proofs set ended_at = null
                 where id = (select proof_id from claims where claims.id = $1)",
                &[claim],
            )
            .execute()
            .await?;
        }
        Ok(back)
    }
}

//! The cursor's moves. Each first changes the cursor's row, which only one transaction can do at a
//! time and which waits for those that record claims; what it sees after that is complete.

use std::collections::HashSet;

use bitcoin::OutPoint;
use sqlx::QueryBuilder;

use super::{Applied, Block, ClaimedCoin, OUTPOINTS, UNDONE, live_claims_on};
use crate::clock::UnixTime;
use crate::store::claims::change::{ClaimChanges, change_claims, with_ids};
use crate::store::claims::deadlock::retry_deadlocks;
use crate::store::{Store, begin};

/// Remembers a block, and forgets those from long ago.
macro_rules! remember {
    ($transaction:ident, $network:expr, $block:expr) => {{
        sqlx::query("insert into chain_blocks (network, height, hash) values ($1, $2, $3)")
            .bind($network)
            .bind($block.height)
            .bind(&$block.hash)
            .execute(&mut *$transaction)
            .await?;
        sqlx::query("delete from chain_blocks where network = $1 and height <= $2")
            .bind($network)
            .bind($block.height - $crate::store::follower::REMEMBERED)
            .execute(&mut *$transaction)
            .await?;
    }};
}
pub(super) use remember;

/// Moves the cursor from one block to another; answers whether it was there.
macro_rules! move_cursor {
    ($transaction:ident, $network:expr, $from:expr, $to:expr, $sweep:expr) => {
        sqlx::query(
            "update chain_cursor set height = $3, hash = $4, sweep_due = (sweep_due or $5)
             where network = $1 and hash = $2",
        )
        .bind($network)
        .bind(&$from.hash)
        .bind($to.height)
        .bind(&$to.hash)
        .bind($sweep)
        .execute(&mut *$transaction)
        .await?
        .rows_affected()
            == 1
    };
}

/// The live claims whose coin one of these blocks has funded.
macro_rules! funded_by {
    ($executor:expr, $network:expr, $blocks:expr) => {{
        let mut found: Vec<ClaimedCoin> = Vec::new();
        for chunk in $blocks.chunks(200) {
            let mut query = QueryBuilder::new(
                "select id, txid, vout, funding_block from claims where ended_at is null and network = ",
            );
            query.push_bind($network);
            query.push(" and funding_block in (");
            let mut hashes = query.separated(", ");
            for block in chunk {
                hashes.push_bind(&block.hash);
            }
            query.push(")");
            let rows: Vec<ClaimedCoin> = query.build_query_as().fetch_all($executor).await?;
            found.extend(rows);
        }
        found
    }};
}
pub(super) use funded_by;

/// A block that follows the last one.
#[derive(Clone, Copy, Debug)]
pub struct NextBlock<'b> {
    /// The network.
    pub network: &'b str,
    /// The last block that has been followed.
    pub after: &'b Block,
    /// The block itself.
    pub block: &'b Block,
    /// The outpoints that it spends.
    pub outpoints: &'b [OutPoint],
    /// The live claims on them; their coins have been looked up and are spent.
    pub spent: &'b [ClaimedCoin],
}

/// Blocks that have left the chain.
#[derive(Clone, Copy, Debug)]
pub struct Fork<'b> {
    /// The network.
    pub network: &'b str,
    /// The last block that has been followed.
    pub from: &'b Block,
    /// The last followed block that is still in the chain.
    pub to: &'b Block,
    /// The followed blocks that no longer are, newest first.
    pub gone: &'b [Block],
    /// What is known of the coins of the live claims that those have funded.
    pub changes: &'b ClaimChanges,
    /// Whether there are blocks between that have not been followed one by one.
    pub gap: bool,
}

impl Store {
    /// Follows the next block: ends the claims that it spends, all or none.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn follow_block(
        &self,
        next: NextBlock<'_>,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        retry_deadlocks!(self.try_follow_block(next, now))
    }

    async fn try_follow_block(
        &self,
        next: NextBlock<'_>,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        let looked_up: HashSet<&str> = next.spent.iter().map(|claim| claim.id.as_str()).collect();
        begin!(self, |transaction| {
            if !move_cursor!(transaction, next.network, next.after, next.block, false) {
                return Ok(Applied::Crossed);
            }
            remember!(transaction, next.network, next.block);
            let live = live_claims_on!(&mut *transaction, next.network, next.outpoints);
            if !live
                .iter()
                .all(|claim| looked_up.contains(claim.id.as_str()))
            {
                // Recorded after the look-up.
                return Ok(Applied::Crossed);
            }
            let undone: Vec<ClaimedCoin> = sqlx::query_as(UNDONE)
                .bind(next.network)
                .fetch_all(&mut *transaction)
                .await?;
            let changes = ClaimChanges {
                spent: live
                    .into_iter()
                    .chain(spent_among(undone, next.outpoints))
                    .map(|claim| claim.id)
                    .collect(),
                ..ClaimChanges::default()
            };
            let changed = change_claims!(transaction, changes, &next.block.hash, now);
            transaction.commit().await?;
            Ok(Applied::Done(changed))
        })
    }

    /// Goes on from a newer block without having seen those between; every live claim is looked up
    /// again.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn skip_to(
        &self,
        network: &str,
        from: &Block,
        to: &Block,
    ) -> Result<Applied, sqlx::Error> {
        begin!(self, |transaction| {
            if !move_cursor!(transaction, network, from, to, true) {
                return Ok(Applied::Crossed);
            }
            remember!(transaction, network, to);
            transaction.commit().await?;
            Ok(Applied::Done(0))
        })
    }

    /// Goes back to where the chain has forked. Claims that ended because of a block that is gone
    /// wait for what becomes of their coins; live ones whose coin such a block has funded are
    /// changed as the look-up said.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn go_back(&self, fork: Fork<'_>, now: UnixTime) -> Result<Applied, sqlx::Error> {
        retry_deadlocks!(self.try_go_back(fork, now))
    }

    async fn try_go_back(&self, fork: Fork<'_>, now: UnixTime) -> Result<Applied, sqlx::Error> {
        let looked_up: HashSet<&str> = fork.changes.ids().collect();
        begin!(self, |transaction| {
            if !move_cursor!(transaction, fork.network, fork.from, fork.to, fork.gap) {
                return Ok(Applied::Crossed);
            }
            sqlx::query("delete from chain_blocks where network = $1 and height > $2")
                .bind(fork.network)
                .bind(fork.to.height)
                .execute(&mut *transaction)
                .await?;
            let funded = funded_by!(&mut *transaction, fork.network, fork.gone);
            if !funded
                .iter()
                .all(|claim| looked_up.contains(claim.id.as_str()))
            {
                return Ok(Applied::Crossed);
            }
            for chunk in fork.gone.chunks(200) {
                let hashes = chunk.iter().map(|block| &block.hash);
                with_ids!(
                    "update claims set end_reason = 'reorganised', spent_block = null
                     where end_reason = 'spent' and spent_block",
                    hashes
                )
                .build()
                .execute(&mut *transaction)
                .await?;
            }
            let changed = change_claims!(transaction, fork.changes, &fork.to.hash, now);
            transaction.commit().await?;
            Ok(Applied::Done(changed))
        })
    }

    /// Begins again at `to` when none of the followed blocks is in the chain any more: every live
    /// claim is looked up again, and every one that ended because its coin was spent may come back.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn start_over(
        &self,
        network: &str,
        from: &Block,
        to: &Block,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        begin!(self, |transaction| {
            if !move_cursor!(transaction, network, from, to, true) {
                return Ok(Applied::Crossed);
            }
            sqlx::query("delete from chain_blocks where network = $1")
                .bind(network)
                .execute(&mut *transaction)
                .await?;
            remember!(transaction, network, to);
            sqlx::query(
                "update claims set end_reason = 'reorganised', spent_block = null
                 where network = $1 and end_reason = 'spent'
                   and proof_id in (select id from proofs where expires_at > $2)",
            )
            .bind(network)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(Applied::Done(0))
        })
    }
}

/// Those of the claims whose coin is among the outpoints.
fn spent_among(claims: Vec<ClaimedCoin>, outpoints: &[OutPoint]) -> Vec<ClaimedCoin> {
    if claims.is_empty() {
        return claims;
    }
    let spent: HashSet<&OutPoint> = outpoints.iter().collect();
    let is_spent = |claim: &ClaimedCoin| claim.outpoint().is_some_and(|coin| spent.contains(&coin));
    claims.into_iter().filter(is_spent).collect()
}

//! The cursor, which says how far the chain is followed, and the claims on coins of its blocks.

use bitcoin::{BlockHash, OutPoint, Txid};
use sqlx::FromRow;

use crate::Store;
use crate::claims::change::ClaimChanges;
use chain::Tip;
use chain::clock::UnixTime;

mod moves;

pub use moves::Move;

/// The claims that wait for their coin to be in a block again, and whose proof has not expired.
const UNDONE: &str = "select claims.id, txid, vout, funding_block, funding_height from claims
    join proofs on proofs.id = claims.proof_id
    where network = $1 and end_reason = 'reorganized' and proofs.expires_at > $2";

/// A block that has been followed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Block {
    /// Its height; the genesis block has 0.
    pub height: i64,
    /// Its hash, in the usual hex form.
    pub hash: String,
}

impl Block {
    pub fn new(height: u32, hash: BlockHash) -> Self {
        Self {
            height: i64::from(height),
            hash: hash.to_string(),
        }
    }

    /// Its height as a block height of the chain crate.
    pub fn height(&self) -> u32 {
        u32::try_from(self.height).unwrap_or(u32::MAX)
    }
}

impl From<&Tip> for Block {
    fn from(tip: &Tip) -> Self {
        Self::new(tip.height, tip.hash)
    }
}

/// How far a chain is followed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Cursor {
    /// The last block that has been followed.
    #[sqlx(flatten)]
    pub block: Block,
    /// During a sweep over all live claims, the last claim that was looked up; empty before the first.
    pub sweep_after: Option<String>,
    /// Whether a sweep over all live claims is to begin.
    pub sweep_due: bool,
    /// Median time past of the newest block when the cursor last reached it, unix seconds.
    pub median_time: Option<UnixTime>,
}

/// A claim and its outpoint.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ClaimedCoin {
    pub id: String,
    txid: String,
    vout: i64,
    /// Hash of the block that funded it.
    pub funding_block: String,
    /// Height of that block.
    pub funding_height: i64,
}

impl ClaimedCoin {
    /// The outpoint; `None` when the row is malformed.
    pub fn outpoint(&self) -> Option<OutPoint> {
        let txid: Txid = self.txid.parse().ok()?;
        Some(OutPoint::new(txid, u32::try_from(self.vout).ok()?))
    }
}

/// How many claims ended or came back by a change that applies only while the cursor is at one block; `None` when nothing changed because the
/// cursor has moved.
pub type Applied = Option<u64>;

impl Store {
    /// The cursor of this network; none before the chain is followed for the first time.
    pub async fn cursor(&self, network: &str) -> sqlx::Result<Option<Cursor>> {
        let sql = "select height, hash, sweep_after, sweep_due, median_time from chain_cursor where network = $1";
        self.query(sql, &[&network]).optional().await
    }

    /// The networks whose chains are followed, each with the height up to which it is.
    pub async fn followed_to(&self) -> sqlx::Result<Vec<(String, i64)>> {
        let heights = "select network, height from chain_cursor";
        self.query(heights, &[]).all().await
    }

    /// Begins to follow a chain at this block, unless it is followed already. A sweep looks up the claims from before.
    pub async fn start_following(&self, network: &str, block: &Block) -> sqlx::Result<()> {
        let start =
            "insert into chain_cursor (network, height, hash, sweep_due) values ($1, $2, $3, true)
            on conflict (network) do nothing";
        self.write(|mut tx| async move {
            let cursor = tx.query(start, &[&network, &block.height, &block.hash]);
            if cursor.has_changed().await? {
                tx.remember(network, block).await?;
            }
            tx.end(()).await
        })
        .await
    }

    /// Sets the median time past of the newest block. Proofs expire only while the clock is near it.
    pub async fn note_median_time(&self, network: &str, median_time: UnixTime) -> sqlx::Result<()> {
        let note = "update chain_cursor set median_time = $2 where network = $1";
        self.query(note, &[&network, &median_time]).run().await
    }

    /// The followed blocks that are remembered, newest first.
    pub async fn followed_blocks(&self, network: &str) -> sqlx::Result<Vec<Block>> {
        let sql = "select height, hash from chain_blocks where network = $1 order by height desc";
        self.query(sql, &[&network]).all().await
    }

    /// The claims that wait for their coin to be in a block again, and whose proof has not expired.
    pub async fn undone_claims(
        &self,
        network: &str,
        now: UnixTime,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        self.query(UNDONE, &[&network, &now]).all().await
    }

    /// Live claims with unknown coins that are to be looked up again, those that have waited longest first.
    pub async fn unknown_claims_due(
        &self,
        network: &str,
        now: UnixTime,
        limit: i64,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let sql = "select id, txid, vout, funding_block, funding_height from claims
            where ended_at is null and unknown_since is not null and network = $1 and ask_again_at <= $2
            order by ask_again_at, id limit $3";
        self.query(sql, &[&network, &now, &limit]).all().await
    }

    /// How many live claims have had an unknown coin since `since` or longer.
    pub async fn unknown_claims(&self, network: &str, since: UnixTime) -> sqlx::Result<i64> {
        let sql = "select count(*) from claims
            where ended_at is null and unknown_since is not null and network = $1 and unknown_since <= $2";
        self.query(sql, &[&network, &since]).value().await
    }

    /// Applies the result of a look-up, if the cursor is still at the block of the look-up.
    pub async fn change_claims(
        &self,
        network: &str,
        at: &Block,
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> sqlx::Result<Applied> {
        let lock = "update chain_cursor set hash = $2 where network = $1 and hash = $2";
        self.write(|mut tx| async move {
            let is_there = tx.query(lock, &[&network, &at.hash]);
            if !is_there.has_changed().await? {
                return Ok(None);
            }
            let changed = tx.change_claims(changes, &at.hash, now).await?;
            tx.end(Some(changed)).await
        })
        .await
    }

    /// The next live claims after the one with the id `after`, without those whose coins are unknown, which are looked up elsewhere.
    pub async fn live_claims_after(
        &self,
        network: &str,
        after: &str,
        limit: i64,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let sql = "select id, txid, vout, funding_block, funding_height from claims
            where ended_at is null and unknown_since is null and network = $1 and id > $2 order by id limit $3";
        self.query(sql, &[&network, &after, &limit]).all().await
    }

    /// Applies one step of a sweep, the first of one that was due or a later one, which has looked up the claims from the one with the id `after` on up to `until`; `None` when there are
    /// no more claims.
    pub async fn sweep(
        &self,
        network: &str,
        at: &Block,
        (after, until): (&str, Option<String>),
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> sqlx::Result<Applied> {
        let advance = "update chain_cursor set sweep_after = $4, sweep_due = (sweep_due and sweep_after is not null)
            where network = $1 and hash = $2 and coalesce(sweep_after, '') = $3";
        let until = &until;
        self.write(|mut tx| async move {
            let cursor = tx.query(advance, &[&network, &at.hash, &after, until]);
            if !cursor.has_changed().await? {
                return Ok(None);
            }
            let changed = tx.change_claims(changes, &at.hash, now).await?;
            tx.end(Some(changed)).await
        })
        .await
    }
}

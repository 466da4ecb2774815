//! The cursor, which says how far the chain is followed, and the claims that its blocks concern. See [`crate::follow`].

use bitcoin::{BlockHash, OutPoint, Txid};
use sqlx::FromRow;

use super::Store;
use super::claims::change::ClaimChanges;
use chain::Tip;
use chain::clock::UnixTime;

mod cursor;
mod moves;
mod sweep;

pub use moves::{Fork, NextBlock};
pub use sweep::SweepStep;

/// A block that has been followed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Block {
    /// Its height; the genesis block has 0.
    pub height: i64,
    /// Its hash, hex as people write it.
    pub hash: String,
}

impl Block {
    /// The block at `height` with this hash.
    #[must_use]
    pub fn new(height: u32, hash: BlockHash) -> Self {
        Self {
            height: i64::from(height),
            hash: hash.to_string(),
        }
    }

    /// Its height as chain sources say it.
    #[must_use]
    pub fn height(&self) -> u32 {
        u32::try_from(self.height).unwrap_or(u32::MAX)
    }
}

impl From<&Tip> for Block {
    fn from(tip: &Tip) -> Self {
        Self::new(tip.height, tip.hash)
    }
}

/// The place up to which a chain is followed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Cursor {
    /// The last block that has been followed.
    #[sqlx(flatten)]
    pub block: Block,
    /// The last claim that has been looked up again, while all are; empty before the first.
    pub sweep_after: Option<String>,
    /// Whether all live claims are to be looked up again.
    pub sweep_due: bool,
    /// Median time past of the newest block when the cursor was last there, unix seconds.
    pub median_time: Option<UnixTime>,
}

/// How far the chain of a network is followed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct FollowedTo {
    pub network: String,
    pub height: i64,
}

/// A claim and its outpoint.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ClaimedCoin {
    pub id: String,
    txid: String,
    vout: i64,
    /// Hash of the block that is known to have funded it.
    pub funding_block: String,
    /// Height of that block; none in what an earlier release has written.
    pub funding_height: Option<i64>,
}

impl ClaimedCoin {
    /// The outpoint. `None` for what no server of ours has written.
    #[must_use]
    pub fn outpoint(&self) -> Option<OutPoint> {
        let txid: Txid = self.txid.parse().ok()?;
        Some(OutPoint::new(txid, u32::try_from(self.vout).ok()?))
    }
}

/// The outcome of a change that wants the chain to be followed to one block and no farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The number of claims that ended or came back.
    Done(u64),
    /// Nothing changed: somebody else was there first.
    Crossed,
}

impl Store {
    /// The cursor of this network; none before it is for the first time.
    pub async fn cursor(&self, network: &str) -> Result<Option<Cursor>, sqlx::Error> {
        self.query(
            "select height, hash, sweep_after, sweep_due, median_time from chain_cursor where network = $1",
            &[&network],
        )
        .optional()
        .await
    }

    /// How far each chain is followed.
    pub async fn followed_to(&self) -> Result<Vec<FollowedTo>, sqlx::Error> {
        let heights = "select network, height from chain_cursor";
        self.query(heights, &[]).all().await
    }

    /// Follows a chain from this block on, unless it is followed already. Claims from before are
    /// looked up.
    pub async fn start_following(&self, network: &str, block: &Block) -> Result<(), sqlx::Error> {
        self.write(|mut tx| async move {
            if tx.start_cursor(network, block).await? {
                tx.remember(network, block).await?;
            }
            tx.end(()).await
        })
        .await
    }

    /// Notes the median time past of the newest block: proofs expire by the clock only near it.
    pub async fn note_median_time(
        &self,
        network: &str,
        median_time: UnixTime,
    ) -> Result<(), sqlx::Error> {
        let note = "update chain_cursor set median_time = $2 where network = $1";
        self.query(note, &[&network, &median_time]).run().await
    }

    /// Hash of the followed block at `height`, when it is remembered.
    pub async fn followed_block(
        &self,
        network: &str,
        height: u32,
    ) -> Result<Option<String>, sqlx::Error> {
        let hash = "select hash from chain_blocks where network = $1 and height = $2";
        self.query(hash, &[&network, &i64::from(height)])
            .scalar()
            .await
    }

    /// The followed blocks that are remembered, newest first.
    pub async fn followed_blocks(&self, network: &str) -> Result<Vec<Block>, sqlx::Error> {
        self.query(
            "select height, hash from chain_blocks where network = $1 order by height desc",
            &[&network],
        )
        .all()
        .await
    }

    /// The live claims on the outpoints that a block spends.
    pub async fn live_claims_on(
        &self,
        network: &str,
        outpoints: &[OutPoint],
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        let mut tx = self.begin_reading().await?;
        tx.live_claims_on(network, outpoints).await
    }

    /// The live claims whose coin one of these blocks has funded.
    pub async fn live_claims_funded_by(
        &self,
        network: &str,
        blocks: &[Block],
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        let mut tx = self.begin_reading().await?;
        tx.live_claims_funded_by(network, blocks).await
    }

    /// The claims that wait for their coin to be in a block again, and may come back.
    pub async fn undone_claims(
        &self,
        network: &str,
        now: UnixTime,
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        self.query(
            "select claims.id, txid, vout, funding_block, funding_height from claims
             join proofs on proofs.id = claims.proof_id
             where network = $1 and end_reason = 'reorganised' and proofs.expires_at > $2",
            &[&network, &now],
        )
        .all()
        .await
    }

    /// Live claims about whose coins nothing is known and which are to be asked for again, those that have waited longest first.
    pub async fn unknown_claims_due(
        &self,
        network: &str,
        now: UnixTime,
        limit: i64,
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        self.query(
            "select id, txid, vout, funding_block, funding_height from claims
             where ended_at is null and unknown_since is not null and network = $1 and ask_again_at <= $2
             order by ask_again_at, id limit $3",
            &[&network, &now, &limit],
        )
        .all()
        .await
    }

    /// How many live claims there are about whose coins nothing has been known since `since`, or for longer.
    pub async fn unknown_claims(&self, network: &str, since: UnixTime) -> Result<i64, sqlx::Error> {
        self.query(
            "select count(*) from claims
             where ended_at is null and unknown_since is not null and network = $1 and unknown_since <= $2",
            &[&network, &since],
        )
        .value()
        .await
    }

    /// Applies what a look-up said about claims, while the chain is followed to the very block that
    /// the look-up is true for.
    pub async fn change_claims(
        &self,
        network: &str,
        at: &Block,
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        self.write(|mut tx| async move {
            if !tx.lock_cursor(network, at).await? {
                return Ok(Applied::Crossed);
            }
            let changed = tx.change_claims(changes, &at.hash, now).await?;
            tx.end(Applied::Done(changed)).await
        })
        .await
    }
}

//! How far the chain is followed, and which claims its blocks concern. See [`crate::follow`].

use bitcoin::{BlockHash, OutPoint, Txid};
use sqlx::{FromRow, QueryBuilder};

use super::claims::change::{ClaimChanges, with_ids};
use super::claims::deadlock::retry_deadlocks;
use super::{Store, begin, each};
use crate::chain::Tip;
use crate::clock::UnixTime;

mod moves;
mod sweep;

pub use moves::{Fork, NextBlock};
pub use sweep::SweepStep;

/// How many blocks are remembered: a week. A reorganisation that reaches farther back has every
/// claim looked up again.
const REMEMBERED: i64 = 1_008;

/// How many outpoints one statement names, two parameters each: SQLite takes 32,766. Nearly every
/// block spends fewer.
const OUTPOINTS: usize = 8_000;

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

/// How far a chain is followed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Cursor {
    /// The last block that has been followed.
    #[sqlx(flatten)]
    pub block: Block,
    /// The last claim that has been looked up again, while all are; empty before the first.
    pub sweep_after: Option<String>,
    /// Whether all live claims are to be looked up again.
    pub sweep_due: bool,
}

/// A claim and its outpoint.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ClaimedCoin {
    /// The claim's id.
    pub id: String,
    txid: String,
    vout: i64,
    /// Hash of the block that is known to have funded it.
    pub funding_block: String,
}

impl ClaimedCoin {
    /// The outpoint. `None` for what no server of ours has written.
    #[must_use]
    pub fn outpoint(&self) -> Option<OutPoint> {
        let txid: Txid = self.txid.parse().ok()?;
        Some(OutPoint::new(txid, u32::try_from(self.vout).ok()?))
    }
}

/// What became of a change that wants the chain to be followed to one block and no farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// It is done. How many claims ended or came back.
    Done(u64),
    /// Somebody else was there first. Nothing changed.
    Crossed,
}

/// The live claims on these outpoints: one look into the index for each, however many claims there
/// are; a join would have the planner read them all. Not kept prepared: hardly any two blocks spend the
/// same number of outpoints.
macro_rules! live_claims_on {
    ($executor:expr, $network:expr, $outpoints:expr) => {{
        let mut found: Vec<ClaimedCoin> = Vec::new();
        for chunk in $outpoints.chunks(OUTPOINTS) {
            let mut query = QueryBuilder::new(
                "select id from (select (select id from claims where ended_at is null
                   and txid = spent.column1 and vout = spent.column2 and network = ",
            );
            query.push_bind($network);
            query.push(") as id from (values ");
            let mut rows = query.separated(", ");
            for outpoint in chunk {
                rows.push("(");
                rows.push_bind_unseparated(outpoint.txid.to_string());
                rows.push_unseparated(", ");
                rows.push_bind_unseparated(i64::from(outpoint.vout));
                rows.push_unseparated(")");
            }
            query.push(") as spent) as live where id is not null");
            let ids: Vec<String> = query
                .build_query_scalar()
                .persistent(false)
                .fetch_all($executor)
                .await?;
            for ids in ids.chunks($crate::store::claims::change::CHUNK) {
                let claims: Vec<ClaimedCoin> = with_ids!(
                    "select id, txid, vout, funding_block from claims where ended_at is null and id",
                    ids
                )
                .build_query_as()
                .fetch_all($executor)
                .await?;
                found.extend(claims);
            }
        }
        found
    }};
}
use live_claims_on;

/// The claims that wait for their coin to be in a block again.
const UNDONE: &str = "select id, txid, vout, funding_block from claims
    where network = $1 and end_reason = 'reorganised'";

impl Store {
    /// How far the chain of this network is followed; none before it is for the first time.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn cursor(&self, network: &str) -> Result<Option<Cursor>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select height, hash, sweep_after, sweep_due from chain_cursor where network = $1",
            )
            .bind(network)
            .fetch_optional(pool)
            .await
        })
    }

    /// The hash of the last block that has been followed, $1 the network. The cursor stays there
    /// until the transaction ends; SQLite has one writer at a time anyway.
    pub(super) fn holding_the_cursor(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "select hash from chain_cursor where network = $1",
            Self::Postgres(_) => "select hash from chain_cursor where network = $1 for share",
        }
    }

    /// Follows a chain from this block on, unless it is followed already. Claims from before are
    /// looked up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start_following(&self, network: &str, block: &Block) -> Result<(), sqlx::Error> {
        begin!(self, |transaction| {
            let new = sqlx::query(
                "insert into chain_cursor (network, height, hash, sweep_due) values ($1, $2, $3, $4)
                 on conflict (network) do nothing",
            )
            .bind(network)
            .bind(block.height)
            .bind(&block.hash)
            .bind(true)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
            if new == 1 {
                moves::remember!(transaction, network, block);
            }
            transaction.commit().await
        })
    }

    /// Hash of the followed block at `height`, when it is remembered.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn followed_block(
        &self,
        network: &str,
        height: u32,
    ) -> Result<Option<String>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_scalar("select hash from chain_blocks where network = $1 and height = $2")
                .bind(network)
                .bind(i64::from(height))
                .fetch_optional(pool)
                .await
        })
    }

    /// The followed blocks that are remembered, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn followed_blocks(&self, network: &str) -> Result<Vec<Block>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select height, hash from chain_blocks where network = $1 order by height desc",
            )
            .bind(network)
            .fetch_all(pool)
            .await
        })
    }

    /// The live claims on the outpoints that a block spends.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn live_claims_on(
        &self,
        network: &str,
        outpoints: &[OutPoint],
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        Ok(each!(self, |pool| live_claims_on!(
            pool, network, outpoints
        )))
    }

    /// The live claims whose coin one of these blocks has funded.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn live_claims_funded_by(
        &self,
        network: &str,
        blocks: &[Block],
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        Ok(each!(self, |pool| moves::funded_by!(pool, network, blocks)))
    }

    /// The claims that wait for their coin to be in a block again, and may come back.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn undone_claims(
        &self,
        network: &str,
        now: UnixTime,
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select claims.id, txid, vout, funding_block from claims
                 join proofs on proofs.id = claims.proof_id
                 where network = $1 and end_reason = 'reorganised' and proofs.expires_at > $2",
            )
            .bind(network)
            .bind(now)
            .fetch_all(pool)
            .await
        })
    }

    /// Applies what a look-up said about claims, while the chain is followed to the very block that
    /// the look-up is true for.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn change_claims(
        &self,
        network: &str,
        at: &Block,
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        retry_deadlocks!(self.try_change_claims(network, at, changes, now))
    }
}

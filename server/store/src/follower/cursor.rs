//! The cursor's row, and the claims that a transaction reads once it has locked that row.
//!
//! A transaction that changes the row waits for those that record claims, and excludes other changes: the claims that it reads
//! afterwards are complete.

use bitcoin::OutPoint;

use super::{Block, ClaimedCoin};
use crate::tx::Tx;

/// How many blocks are remembered: a week. A reorganization that reaches farther back has every
/// claim looked up again.
const REMEMBERED: i64 = 1_008;

impl Tx {
    /// Keeps the cursor where it is until the transaction ends; several transactions can do so at once. Returns whether it is at
    /// the block of this hash.
    pub(crate) async fn hold_cursor(&mut self, network: &str, hash: &str) -> sqlx::Result<bool> {
        let followed = "select hash from chain_cursor where network = $1";
        let followed = self.query(followed, &[&network]).locking("for share");
        let followed: Option<String> = followed.scalar().await?;
        Ok(followed.as_deref() == Some(hash))
    }

    /// Locks the cursor exclusively. Returns whether it is at this block.
    pub(super) async fn lock_cursor(&mut self, network: &str, at: &Block) -> sqlx::Result<bool> {
        let lock = "update chain_cursor set hash = $2 where network = $1 and hash = $2";
        self.query(lock, &[&network, &at.hash]).has_changed().await
    }

    /// Moves the cursor from one block to another, and makes a sweep due if `sweep`. Returns whether the cursor was at `from`.
    pub(super) async fn move_cursor(
        &mut self,
        network: &str,
        from: &Block,
        to: &Block,
        sweep: bool,
    ) -> sqlx::Result<bool> {
        let sql = "update chain_cursor set height = $3, hash = $4, sweep_due = (sweep_due or $5)
            where network = $1 and hash = $2";
        self.query(sql, &[&network, &from.hash, &to.height, &to.hash, &sweep])
            .has_changed()
            .await
    }

    /// Stores a block, and deletes old ones.
    pub(super) async fn remember(&mut self, network: &str, block: &Block) -> sqlx::Result<()> {
        let insert = "insert into chain_blocks (network, height, hash) values ($1, $2, $3)";
        self.query(insert, &[&network, &block.height, &block.hash])
            .run()
            .await?;
        let delete = "delete from chain_blocks where network = $1 and height <= $2";
        self.query(delete, &[&network, &(block.height - REMEMBERED)])
            .run()
            .await
    }

    /// Deletes the blocks above this height.
    pub(super) async fn forget_above(&mut self, network: &str, height: i64) -> sqlx::Result<()> {
        let delete = "delete from chain_blocks where network = $1 and height > $2";
        self.query(delete, &[&network, &height]).run().await
    }

    /// The live claims on these outpoints.
    pub(super) async fn live_claims_on(
        &mut self,
        network: &str,
        outpoints: &[OutPoint],
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let outpoints = outpoints
            .iter()
            .map(|it| (it.txid.to_string(), i64::from(it.vout)));
        let ids = self.live_ids(network, outpoints).await?;
        let claims = "select id, txid, vout, funding_block, funding_height from claims where ended_at is null and id in ($list)";
        self.query(claims, &[]).list(&ids).all().await
    }

    /// The live claims whose coin one of these blocks has funded.
    pub(super) async fn live_claims_funded_by(
        &mut self,
        network: &str,
        blocks: &[Block],
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let hashes: Vec<&str> = blocks.iter().map(|block| block.hash.as_str()).collect();
        let sql = "select id, txid, vout, funding_block, funding_height from claims
            where ended_at is null and network = $1 and funding_block in ($list)";
        self.query(sql, &[&network]).list(&hashes).all().await
    }

    /// Makes the claims that one of these blocks has ended wait for their coins to be in a block again.
    pub(super) async fn undo_spending_in(&mut self, blocks: &[Block]) -> sqlx::Result<()> {
        let hashes: Vec<&str> = blocks.iter().map(|block| block.hash.as_str()).collect();
        let sql = "update claims set end_reason = 'reorganised', spent_block = null
            where end_reason = 'spent' and spent_block in ($list)";
        self.query(sql, &[]).list(&hashes).run().await
    }

    /// As [`Tx::undo_spending_in`], for every claim of an unexpired proof that has ended because its coin was spent.
    pub(super) async fn undo_all_spending(&mut self, network: &str, now: i64) -> sqlx::Result<()> {
        let sql = "update claims set end_reason = 'reorganised', spent_block = null
            where network = $1 and end_reason = 'spent'
              and proof_id in (select id from proofs where expires_at > $2)";
        self.query(sql, &[&network, &now]).run().await
    }
}

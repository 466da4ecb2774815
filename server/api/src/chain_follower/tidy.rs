//! Looks up claims again, without hurry.

use super::follower::{Follower, Result, report_changes};
use super::look_up::{COINS, funding};
use chain::{ChainError, Coin, Tip};
use store::chain_cursor::{Applied, Block, Cursor};
use store::claims::change::ClaimChanges;

/// The most unknown coins of one look-up: so few that the ones at which a source fails are found.
const UNKNOWN: i64 = 16;

impl Follower {
    /// Does one portion. Returns whether there is more to do at once.
    ///
    /// # Errors
    /// When the chain sources or the database fail, or a block has arrived meanwhile.
    pub async fn tidy(&self) -> Result<bool> {
        let Some(cursor) = self.store.cursor(self.network()).await? else {
            return Ok(false);
        };
        self.bring_back(&cursor).await?;
        let more = self.retry_unknown().await?;
        let due = cursor.sweep_due.then_some("");
        if let Some(after) = cursor.sweep_after.as_deref().or(due) {
            self.sweep(&cursor, after).await?;
            return Ok(true);
        }
        Ok(more)
    }

    /// Looks up some of the unknown coins again. Returns whether there may be more of them.
    async fn retry_unknown(&self) -> Result<bool> {
        let (network, now) = (self.network(), self.clock.now());
        let claims = self.store.unknown_claims_due(network, now, UNKNOWN).await?;
        let more = i64::try_from(claims.len()) == Ok(UNKNOWN);
        let looked_up = self.look_up(claims).await?;
        let Some(tip) = looked_up.tip else {
            return Ok(false);
        };
        let changes = self.changes(looked_up).await?;
        if !changes.unknown.is_empty() {
            let claims = changes.unknown.len();
            tracing::warn!(
                claims,
                "too few chain sources agree about some coins; they are looked up again later"
            );
        }
        self.apply(&tip, &changes).await?;
        Ok(more)
    }

    /// Looks up the claims that wait for their coin to be in a block again, once for each block.
    async fn bring_back(&self, cursor: &Cursor) -> Result<()> {
        let newest = &cursor.block.hash;
        if self.tidied.lock().as_ref() == Some(newest) {
            return Ok(());
        }
        let (network, now) = (self.network(), self.clock.now());
        let claims = self.store.undone_claims(network, now).await?;
        for portion in claims.chunks(COINS) {
            let looked_up = self.look_up(portion.to_vec()).await?;
            let Some(tip) = looked_up.tip else {
                continue;
            };
            let mut changes = ClaimChanges::default();
            for (claim, coin) in looked_up.coins {
                match (funding(&claim, &coin), coin) {
                    (Some(funding), _) => changes.back.push(funding),
                    (None, Coin::Spent) => changes.spent.push(claim.id),
                    // In the mempool, missing, or unknown.
                    (None, _) => {}
                }
            }
            self.apply(&tip, &changes).await?;
        }
        *self.tidied.lock() = Some(newest.clone());
        Ok(())
    }

    /// Applies the changes that follow from a look-up at `tip`.
    async fn apply(&self, tip: &Tip, changes: &ClaimChanges) -> Result<()> {
        let (at, now) = (Block::from(tip), self.clock.now());
        let applied = self.store.change_claims(self.network(), &at, changes, now);
        expect_done(applied.await?, &at)
    }

    /// Looks up the next live claims.
    async fn sweep(&self, cursor: &Cursor, after: &str) -> Result<()> {
        let network = self.network();
        let limit = i64::try_from(COINS).unwrap_or(i64::MAX);
        let claims = self.store.live_claims_after(network, after, limit).await?;
        let last = claims.last().map(|claim| claim.id.clone());
        let looked_up = self.look_up(claims).await?;
        let tip = looked_up.tip.as_ref();
        let at = tip.map_or_else(|| cursor.block.clone(), Block::from);
        let changes = self.changes(looked_up).await?;
        let (range, now) = ((after, last), self.clock.now());
        let applied = self.store.sweep(network, &at, range, &changes, now).await?;
        expect_done(applied, &at)
    }
}

/// An error when the cursor was not at the block of the look-up: then the look-up is repeated later.
fn expect_done(applied: Applied, at: &Block) -> Result<()> {
    report_changes(applied, at);
    applied.map(|_| ()).ok_or(ChainError::Moved.into())
}

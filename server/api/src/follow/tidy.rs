//! The follower's work that is not urgent: looking up claims again.

use bitcoin::BlockHash;

use super::follower::{FollowError, Follower, announce};
use super::look_up::{COINS, funding};
use chain::{ChainError, Coin};
use store::claims::change::ClaimChanges;
use store::follower::{Applied, Block, Cursor, SweepStep};

/// How many coins without an answer are looked up together: few enough that the chain gives each its own answer.
const UNKNOWN: i64 = 16;

impl Follower {
    /// Does one portion. Returns whether there is more to do at once.
    ///
    /// # Errors
    /// When the chain cannot be asked, has moved, or the database fails.
    pub async fn tidy(&self) -> Result<bool, FollowError> {
        let network = self.network();
        let Some(cursor) = self.store.cursor(network).await? else {
            return Ok(false);
        };
        self.bring_back(&cursor).await?;
        let more = self.ask_again().await?;
        if let Some(after) = &cursor.sweep_after {
            self.sweep(&cursor, after).await?;
            return Ok(true);
        }
        if cursor.sweep_due {
            self.store.begin_sweep(network).await?;
        }
        Ok(cursor.sweep_due || more)
    }

    /// Looks up some of the coins without an answer again. Returns whether there may be more of them.
    async fn ask_again(&self) -> Result<bool, FollowError> {
        let (network, now) = (self.network(), self.clock.now());
        let claims = self.store.unknown_claims_due(network, now, UNKNOWN).await?;
        let Some((tip, coins)) = self.look_up(&claims).await? else {
            return Ok(false);
        };
        let changes = self.changes(&tip, coins).await?;
        if !changes.unknown.is_empty() {
            let claims = changes.unknown.len();
            tracing::warn!(
                claims,
                "too few chain sources agree about some coins; they are looked up again later"
            );
        }
        let at = Block::from(&tip);
        let applied = self.store.change_claims(network, &at, &changes, now);
        done(applied.await?, &at)?;
        Ok(i64::try_from(claims.len()) == Ok(UNKNOWN))
    }

    /// Looks up the claims that wait for their coin to be in a block again, once for each new block.
    async fn bring_back(&self, cursor: &Cursor) -> Result<(), FollowError> {
        let Ok(newest) = cursor.block.hash.parse::<BlockHash>() else {
            return Ok(());
        };
        if self.is_tidied(newest) {
            return Ok(());
        }
        let network = self.network();
        let now = self.clock.now();
        let claims = self.store.undone_claims(network, now).await?;
        for portion in claims.chunks(COINS) {
            let Some((tip, coins)) = self.look_up(portion).await? else {
                continue;
            };
            let mut changes = ClaimChanges::default();
            for (claim, coin) in coins {
                match (funding(&claim, &coin), coin) {
                    (Some(funding), _) => changes.back.push(funding),
                    (None, Coin::Spent) => changes.spent.push(claim.id),
                    // In the mempool, missing or unknown.
                    (None, _) => {}
                }
            }
            let at = Block::from(&tip);
            let applied = self
                .store
                .change_claims(network, &at, &changes, now)
                .await?;
            done(applied, &at)?;
        }
        self.set_tidied(newest);
        Ok(())
    }

    /// Looks up the next portion of live claims.
    async fn sweep(&self, cursor: &Cursor, after: &str) -> Result<(), FollowError> {
        let network = self.network();
        let limit = i64::try_from(COINS).unwrap_or(i64::MAX);
        let claims = self.store.live_claims_after(network, after, limit).await?;
        let (at, changes) = match self.look_up(&claims).await? {
            Some((tip, coins)) => (Block::from(&tip), self.changes(&tip, coins).await?),
            None => (cursor.block.clone(), ClaimChanges::default()),
        };
        let step = SweepStep {
            network,
            at: &at,
            after,
            until: claims.last().map(|claim| claim.id.as_str()),
            changes: &changes,
        };
        let applied = self.store.sweep(step, self.clock.now()).await?;
        done(applied, &at)
    }
}

/// A look-up at a block other than the cursor's is repeated once the cursor is there.
fn done(applied: Applied, at: &Block) -> Result<(), FollowError> {
    announce(applied, at);
    match applied {
        Applied::Done(_) => Ok(()),
        Applied::Crossed => Err(ChainError::Moved.into()),
    }
}

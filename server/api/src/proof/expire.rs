//! A job that ends proofs when they expire, and settles accounts that were set aside. Every replica runs it; the first one
//! ends all expired proofs in one transaction.

use std::time::Duration;

use super::proving::Proving;
use crate::jobs::Next;

/// The longest wait, in seconds: the clock may be changed meanwhile, and proofs deleted.
const LONGEST: i64 = 60;

impl Proving {
    /// Ends expired proofs, settles accounts that were set aside, and returns when the next proof expires.
    pub async fn expire(&self) -> sqlx::Result<Next> {
        let now = self.clock.now();
        self.store.expire_due(now).await?;
        self.store.settle_set_aside(now).await?;
        let left = match self.store.next_expiry(now).await? {
            Some(expiry) => (expiry - self.clock.now()).clamp(0, LONGEST),
            None => LONGEST,
        };
        Ok(Next::After(Duration::from_secs(left.unsigned_abs())))
    }
}

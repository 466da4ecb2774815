//! Ends proofs at the moment their time is over, also when nobody looks, and settles accounts that were set aside. Every replica does it:
//! who is first ends them all, in one transaction.

use std::time::Duration;

use super::proving::Proving;
use crate::base::next::Next;

/// The longest wait, in seconds: the clock may have been set, and a proof deleted.
const LONGEST: i64 = 60;

impl Proving {
    /// Ends what has expired, settles accounts that were set aside, and waits for the next proof that expires.
    pub async fn expire(&self) -> Result<Next, sqlx::Error> {
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

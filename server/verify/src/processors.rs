//! The machine's processors, which all files that are being checked share.
//!
//! One budget for the whole process: a file alone on the machine is checked on every processor, and
//! of many files each has one, so that there are never more threads that check than processors.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

static FREE: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    Arc::new(Semaphore::new(processors))
});

/// Processors that are somebody's until this is dropped.
#[derive(Debug)]
pub struct Share(Option<OwnedSemaphorePermit>);

/// Waits for a processor. Whoever waits longest is next.
pub async fn one() -> Share {
    // The semaphore is never closed, so there is always a permit in the end.
    Share(Arc::clone(&FREE).acquire_owned().await.ok())
}

/// All processors that are free right now, which may be none.
#[must_use]
pub fn spare() -> Share {
    let free = u32::try_from(FREE.available_permits()).unwrap_or(u32::MAX);
    // Somebody else may take one between the two lines; then one thread has to do.
    Share(Arc::clone(&FREE).try_acquire_many_owned(free).ok())
}

impl Share {
    /// The number of threads that can run when the one that asks goes on itself.
    #[must_use]
    pub fn and_this_thread(&self) -> NonZeroUsize {
        let spare = self.0.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        NonZeroUsize::MIN.saturating_add(spare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone in its process or not, whatever other tests hold meanwhile.
    #[tokio::test]
    async fn nobody_gets_what_somebody_has() {
        let all = FREE.available_permits();
        let mine = one().await;
        let rest = spare();
        assert!(rest.and_this_thread().get() <= all.max(1));
        let more = spare();
        drop((mine, rest, more));
        assert!(spare().and_this_thread().get() > 1);
    }
}

//! Heavy work on threads of its own.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

/// The reason why work was not done.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error("the queue is too long")]
    TooLong(#[from] Elapsed),
    #[error(transparent)]
    Panicked(#[from] JoinError),
}

/// Runs `work` on a thread of its own as soon as there is a permit.
///
/// # Errors
/// When that takes longer than `patience`, or the work panics.
pub async fn when_free<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, WorkError> {
    let permit = timeout(patience, Arc::clone(permits).acquire_owned()).await?;
    Ok(with_permit(permit, work).await?)
}

/// Runs `work` on a thread of its own. The permit is held until the work ends: it goes on when the client that asked for it is gone.
///
/// # Errors
/// When the work panics.
pub async fn with_permit<T: Send + 'static>(
    permit: impl Send + 'static,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    spawn_blocking(move || {
        let _permit = permit;
        work()
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_whose_client_is_gone_keeps_its_permit() {
        let permits = Arc::new(Semaphore::new(1));
        let permit = Arc::clone(&permits).try_acquire_owned().unwrap();
        let (end, ended) = mpsc::channel::<()>();
        let mut working = Box::pin(with_permit(permit, move || ended.recv().is_err()));
        assert!(futures_util::poll!(&mut working).is_pending());
        drop(working);
        assert!(permits.try_acquire().is_err());
        drop(end);
        assert!(permits.acquire().await.is_ok());
    }
}

//! Heavy work on threads of its own.

use tokio::task::{JoinError, spawn_blocking};

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
    use std::sync::{Arc, mpsc};

    use tokio::sync::Semaphore;

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

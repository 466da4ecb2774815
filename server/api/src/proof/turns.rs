//! Turns: of those who come under one name, a few at a time go on, and the others wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The turns of everybody who goes on or waits in this process.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Turns {
    /// Waits until fewer than `at_once` tasks run under this name, in the order of arrival.
    pub(super) async fn take(&self, name: &str, at_once: usize) -> Option<OwnedSemaphorePermit> {
        let room = self.room(name, at_once);
        // It is never closed, so there is always a turn in the end.
        room.acquire_owned().await.ok()
    }

    fn room(&self, name: &str, at_once: usize) -> Arc<Semaphore> {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.retain(|_, room| room.strong_count() > 0);
        let known = rooms.get(name).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let room = Arc::new(Semaphore::new(at_once));
            rooms.insert(name.to_owned(), Arc::downgrade(&room));
            room
        })
    }
}

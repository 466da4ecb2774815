//! Changes to profiles, for every page that is open, on every replica.
//!
//! An event carries a sequence number and nothing else: readers fetch again.
//!
//! **No change is lost.** A trigger notes it in the transaction that makes it (`migrations/`), so it does
//! not matter whether the process that made it lives to tell. Every replica looks for what is noted: at
//! once when the store's bell rings (at a commit here, and when PostgreSQL says that another replica has passed
//! something on), and twice a second in any case, so that a lost hint costs a moment and a dead replica's
//! changes are passed on by the others. The number of the newest change lives in the database, so an event id means
//! the same on every replica and after a restart: a page that comes back with an older one is told at once.
//!
//! **No reader holds memory.** A stream remembers one number, the one it sent last; what happens while
//! its reader is slow is folded into the next event. Nobody gets more than one event in [`PACE`].

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, stream};
use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::base::places::{Limits, Place, Places, TooMany};
use crate::store::changes::CHANNEL;
use crate::store::{Database, Store};

/// The least time between two events.
const PACE: Duration = Duration::from_millis(250);

/// The pause between two looks at the database when nobody says that something changed.
const POLL: Duration = Duration::from_millis(500);

/// The pause before listening again after a failure.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// Tells open pages about changes, as long as it lives.
#[derive(Debug)]
pub struct Live {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    sequence: watch::Sender<i64>,
    closed: watch::Sender<bool>,
    readers: Places,
}

impl Live {
    /// Begins to look for changes.
    pub async fn start(store: &Store, limits: Limits) -> Result<Self, sqlx::Error> {
        let newest = store.pass_on_changes().await?;
        let shared = Arc::new(Shared {
            sequence: watch::channel(newest).0,
            closed: watch::channel(false).0,
            readers: Places::new(limits),
        });
        let mut tasks = vec![tokio::spawn(pass_on(Arc::clone(&shared), store.clone()))];
        if let Database::Postgres(pool) = store.database() {
            tasks.push(tokio::spawn(listen(store.clone(), pool.clone())));
        }
        Ok(Self { shared, tasks })
    }

    /// Ends every stream, so that open pages do not keep the server from stopping.
    pub fn close(&self) {
        self.shared.closed.send_replace(true);
    }

    /// The number of the newest change.
    #[must_use]
    pub fn sequence(&self) -> i64 {
        *self.shared.sequence.borrow()
    }

    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.shared.readers.taken()
    }

    /// The numbers of changes after `seen`, until the server stops: the newest at once when it is another
    /// one, then each as it comes, except those that the reader was too slow for.
    ///
    /// # Errors
    /// When too many streams are open, from this address or in all.
    pub fn changes(
        &self,
        seen: i64,
        address: Option<IpAddr>,
    ) -> Result<impl Stream<Item = i64> + Send + use<>, TooMany> {
        let reader = Reader {
            seen,
            sequence: self.shared.sequence.subscribe(),
            closed: self.shared.closed.subscribe(),
            _place: self.shared.readers.take(address)?,
        };
        Ok(Box::pin(stream::unfold(reader, async |mut reader| {
            let next = reader.next().await?;
            Some((next, reader))
        })))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

struct Reader {
    seen: i64,
    sequence: watch::Receiver<i64>,
    closed: watch::Receiver<bool>,
    _place: Place,
}

impl Reader {
    async fn next(&mut self) -> Option<i64> {
        loop {
            if *self.closed.borrow() {
                return None;
            }
            let newest = *self.sequence.borrow_and_update();
            if newest != self.seen {
                self.seen = newest;
                return Some(newest);
            }
            // An error means that the sender is gone, which is a stop as well.
            tokio::select! {
                changed = self.sequence.changed() => changed.ok()?,
                closed = self.closed.changed() => closed.ok()?,
            }
        }
    }
}

/// Passes changes on to the streams of this replica and to the other replicas.
async fn pass_on(shared: Arc<Shared>, store: Store) {
    let mut bell = store.bell();
    let mut failing = false;
    loop {
        // Whichever comes first; a ring between two looks is remembered.
        let _ = tokio::time::timeout(POLL, bell.changed()).await;
        match store.pass_on_changes().await {
            Ok(newest) => {
                failing = false;
                let moved = shared.sequence.send_if_modified(|sequence| {
                    let moved = *sequence != newest;
                    *sequence = newest;
                    moved
                });
                if moved {
                    tokio::time::sleep(PACE).await;
                }
            }
            Err(error) => {
                if !failing {
                    tracing::warn!(%error, "changes cannot be passed on; trying again until they are");
                }
                failing = true;
                tokio::time::sleep(PACE).await;
            }
        }
    }
}

/// Rings the bell when another replica has passed something on.
async fn listen(store: Store, pool: PgPool) {
    loop {
        if let Err(error) = listen_once(&store, &pool).await {
            tracing::warn!(%error, "not listening to other replicas for a moment");
        }
        tokio::time::sleep(LISTEN_AGAIN).await;
    }
}

async fn listen_once(store: &Store, pool: &PgPool) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // None is a lost connection: whatever was said meanwhile is in the database.
        let _ = listener.try_recv().await?;
        store.ring();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_never_reads_holds_one_number() {
        let (sequence, watched) = watch::channel(0);
        let (closed, closing) = watch::channel(false);
        let limits = Limits {
            total: 1,
            per_address: 1,
        };
        let mut reader = Reader {
            seen: 0,
            sequence: watched,
            closed: closing,
            _place: Places::new(limits).take(None).expect("a place"),
        };
        for number in 1..=1_000_000 {
            sequence.send_replace(number);
        }
        // All of them are one event, and nothing is left behind it.
        assert_eq!(reader.next().await, Some(1_000_000));
        sequence.send_replace(1_000_001);
        assert_eq!(reader.next().await, Some(1_000_001));
        closed.send_replace(true);
        assert_eq!(reader.next().await, None);
    }
}

//! Keeps the board in memory as the database has it.
//!
//! **No change is lost.** A trigger notes it in the transaction that makes it (`migrations/`), so it does
//! not matter whether the process that made it lives to tell. Every replica looks for what is noted: at
//! once when the store's bell rings (at a commit here, and when PostgreSQL says that another replica has passed
//! something on), and twice a second in any case, so that a lost hint costs a moment and a dead replica's
//! changes are passed on by the others. Each change has a number, which is the database's, and the log says what the board is
//! after it: replicas at the same number have the same board. Who has missed more than the log remembers reads everything anew.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::memory::{Memory, Unfit};
use crate::jobs::next::Next;
use crate::jobs::{self, Job, JobStates};
use chain::clock::{Clock, UnixTime};
use store::changes::{CHANNEL, Change, Changes, ShownProfile};
use store::follower::FollowedTo;
use store::{Database, Store};

/// The pause between two looks at the database when nobody says that something changed.
const POLL: Duration = Duration::from_millis(500);

/// The pause after a change, so that many at once are few looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The pause before trying again after a failure.
const AGAIN: Duration = Duration::from_millis(250);

/// The pause before listening again after a failure.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// How many profiles are read at a time.
const PORTION: i64 = 1_000;

/// The board as of one change.
#[derive(Debug)]
pub struct Seen {
    /// The number of the newest change in it.
    pub number: i64,
    pub board: Arc<Memory>,
    /// When the next proof ends, so that the board changes without anybody's doing.
    pub(super) due: Option<UnixTime>,
    /// How often the store's bell had rung: what was committed before that is in it.
    pub(super) rung: u64,
    /// By network.
    followed: BTreeMap<String, Followed>,
}

/// The block up to which coins have been seen to be unspent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Followed {
    pub height: i64,
    /// When this replica learned of it, unix seconds; none when it has not seen the block come.
    pub since: Option<UnixTime>,
}

impl Seen {
    /// How far the chain of this network is followed; none before it is for the first time.
    #[must_use]
    pub fn followed(&self, network: &str) -> Option<Followed> {
        self.followed.get(network).copied()
    }
}

/// The newest board; none until it has been read.
pub type Newest = watch::Receiver<Option<Arc<Seen>>>;

/// Why the board cannot be read.
#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Unfit(#[from] Unfit),
    #[error(transparent)]
    Thread(#[from] tokio::task::JoinError),
}

/// Keeps the board, as long as it lives.
#[derive(Debug)]
pub(super) struct Keeper {
    newest: Newest,
    tasks: Vec<JoinHandle<()>>,
}

impl Keeper {
    /// Begins to read.
    pub(super) fn start(store: &Store, clock: &Clock, states: &Arc<JobStates>) -> Self {
        let (sender, newest) = watch::channel(None);
        let reader = Arc::new(Reader {
            store: store.clone(),
            clock: clock.clone(),
            bell: Mutex::new(store.bell()),
            newest: sender,
            unfinished: AtomicBool::new(false),
        });
        let reading = Job::new("board", &reader, |reader| reader.step().boxed());
        let mut tasks = vec![jobs::begin(reading.again_after(AGAIN), states)];
        if let Database::Postgres(pool) = store.database() {
            let ear = Arc::new(Ear {
                store: store.clone(),
                pool: pool.clone(),
                listener: Mutex::default(),
            });
            let listening = Job::new("replicas", &ear, |ear| ear.step().boxed());
            tasks.push(jobs::begin(listening.again_after(LISTEN_AGAIN), states));
        }
        Self { newest, tasks }
    }

    pub(super) fn newest(&self) -> &Newest {
        &self.newest
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// What it takes to read the board.
struct Reader {
    store: Store,
    clock: Clock,
    bell: Mutex<watch::Receiver<u64>>,
    newest: watch::Sender<Option<Arc<Seen>>>,
    /// Whether the last step was begun and never ended, because it panicked.
    unfinished: AtomicBool,
}

impl Reader {
    /// Looks at the database, and waits until it is worth looking again.
    async fn step(&self) -> Result<Next, ReadError> {
        let mut bell = self.bell.lock().await;
        let rung = *bell.borrow_and_update();
        let before = self.newest.borrow().clone();
        // A change that could not be followed could not be the next time either; read with everything else it may.
        let anew = self.unfinished.swap(true, Ordering::Relaxed);
        let seen = look((&self.store, &self.clock), (before.as_deref(), anew), rung).await;
        self.unfinished.store(false, Ordering::Relaxed);
        let seen = seen?;
        let moved = before.is_none_or(|before| before.number != seen.number);
        self.newest.send_replace(Some(Arc::new(seen)));
        if moved {
            tokio::time::sleep(PAUSE).await;
        }
        // Whichever comes first; a ring between two looks is remembered.
        let _ = tokio::time::timeout(POLL, bell.changed()).await;
        Ok(Next::AtOnce)
    }
}

/// The board after everything that is committed.
async fn look(
    (store, clock): (&Store, &Clock),
    (before, anew): (Option<&Seen>, bool),
    rung: u64,
) -> Result<Seen, ReadError> {
    // Before the rows: what these blocks have changed was committed with them.
    let blocks = store.followed_to().await?;
    let newest = store.pass_on_changes().await?;
    let (number, board) = match before.filter(|_| !anew) {
        Some(seen) if seen.number == newest => (newest, Arc::clone(&seen.board)),
        Some(seen) => follow(store, seen).await?,
        None => read(store).await?,
    };
    // After the rows: whatever is proven in them ends no earlier.
    let due = store.next_expiry(clock.now()).await?;
    let followed = followed(blocks, before, clock.now());
    Ok(Seen {
        number,
        board,
        due,
        rung,
        followed,
    })
}

fn followed(
    blocks: Vec<FollowedTo>,
    before: Option<&Seen>,
    now: UnixTime,
) -> BTreeMap<String, Followed> {
    let blocks = blocks.into_iter().map(|FollowedTo { network, height }| {
        let known = before.and_then(|seen| seen.followed(&network));
        let since = match known {
            Some(known) if known.height == height => known.since,
            known => known.map(|_| now),
        };
        (network, Followed { height, since })
    });
    blocks.collect()
}

/// The board after what has been told since this one, and its number.
async fn follow(store: &Store, seen: &Seen) -> Result<(i64, Arc<Memory>), ReadError> {
    let (from, board) = (seen.number, Arc::clone(&seen.board));
    match store.changes_since(from).await? {
        Changes::Since(number, changes) => {
            match off_thread(move || changed(&board, &changes)).await? {
                Ok(board) => Ok((number, Arc::new(board))),
                Err(Unfit::Gone(_)) => read(store).await,
                Err(unfit) => Err(unfit.into()),
            }
        }
        Changes::Unknown => {
            tracing::info!(
                seen = from,
                "the log of changes does not go back so far; reading the board anew"
            );
            read(store).await
        }
    }
}

fn changed(board: &Memory, changes: &[Change]) -> Result<Memory, Unfit> {
    let mut next = board.clone();
    for change in changes {
        next.change(change)?;
    }
    Ok(next)
}

/// The whole board. Its rows are read while others change them. Whatever has changed since the number that was read first is in the
/// log once it has been passed on, so that the board is then that of a number.
async fn read(store: &Store) -> Result<(i64, Arc<Memory>), ReadError> {
    loop {
        let first = store.newest_change().await?;
        let mut profiles: Vec<ShownProfile> = Vec::new();
        loop {
            let after = profiles.last().map_or("", |last| last.id.as_str());
            let portion = store.shown_profiles(after, "g", PORTION).await?;
            if portion.is_empty() {
                break;
            }
            profiles.extend(portion);
        }
        let board = off_thread(move || Memory::of(profiles)).await??;
        store.pass_on_changes().await?;
        if let Changes::Since(number, changes) = store.changes_since(first).await? {
            return Ok((number, Arc::new(changed(&board, &changes)?)));
        }
    }
}

/// Works on a thread where that holds nobody up. A panic there is one here, and counted as such.
async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ReadError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(stopped) => stopped.into(),
    })
}

/// What it takes to hear of other replicas.
struct Ear {
    store: Store,
    pool: PgPool,
    listener: Mutex<Option<PgListener>>,
}

impl Ear {
    async fn step(&self) -> Result<Next, sqlx::Error> {
        match self.listen().await {
            // The server is stopping.
            Err(_) if self.pool.is_closed() => Ok(Next::After(LISTEN_AGAIN)),
            Ok(()) => Ok(Next::AtOnce),
            Err(error) => Err(error),
        }
    }

    /// Begins to listen; later, rings the bell when another replica has passed something on.
    async fn listen(&self) -> Result<(), sqlx::Error> {
        let mut kept = self.listener.lock().await;
        // One that fails is not put back.
        let listener = match kept.take() {
            Some(mut listener) => {
                // None is a lost connection: whatever was said meanwhile is in the database.
                let _ = listener.try_recv().await?;
                self.store.ring();
                listener
            }
            None => {
                let mut listener = PgListener::connect_with(&self.pool).await?;
                listener.listen(CHANNEL).await?;
                listener
            }
        };
        *kept = Some(listener);
        Ok(())
    }
}

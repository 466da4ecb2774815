//! Keeps the board in memory (decisions, D27), and reads it again at each change.
//!
//! **No change is lost.** A trigger notes each change in the transaction that makes it (`migrations/`), so the changes of a process
//! that crashed are noted as well. Every replica looks for notes
//! when the store notifies it (at a commit here, and when PostgreSQL notifies it of another replica's
//! changes), and twice a second in any case, so a lost notification costs a moment, and the other replicas pass on the
//! changes of a dead one. The database numbers the changes, and a list of the newest has their content:
//! replicas at the same number have the same board. A replica that has missed more than the list has reads the whole board again.

use std::collections::BTreeMap;
use std::error::Error;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::memory::{ChangeError, Memory};
use crate::jobs::{self, Job, JobStates, Next};
use chain::clock::{Clock, UnixTime};
use store::changes::{CHANNEL, Changes, ShownProfile};
use store::{Database, Store};

/// The pause between two looks at the database without a notification.
const POLL: Duration = Duration::from_millis(500);

/// The pause after a change, so that many changes at once become few boards.
const PAUSE: Duration = Duration::from_millis(20);

/// The pauses after a failure to read, and to listen.
const READ_AGAIN: Duration = Duration::from_millis(250);
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// How long the connection that is listened on may be silent before it is tested, and how long the test may take.
const SILENCE: Duration = Duration::from_secs(20);

/// How many profiles are read at a time.
const PORTION: i64 = 1_000;

/// The board at one change.
#[derive(Debug)]
pub struct NumberedBoard {
    /// The number of the newest change on it.
    pub number: i64,
    pub rows: Arc<Memory>,
    /// When the next proof expires, so that the board changes by itself.
    pub(super) due: Option<UnixTime>,
    /// The value of [`Store::subscribe`] before it was read: it includes everything that this process had committed by then.
    pub(super) changes: u64,
    /// By network.
    followed: BTreeMap<String, Followed>,
}

/// The block up to which the chain is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Followed {
    pub height: i64,
    /// When this replica first saw this height, unix seconds; none if it was there when the replica started.
    pub since: Option<UnixTime>,
}

impl NumberedBoard {
    /// How far the chain of this network is followed; none before it is followed for the first time.
    pub fn followed(&self, network: &str) -> Option<Followed> {
        self.followed.get(network).copied()
    }
}

/// A receiver of boards; none until the board has been read.
pub type BoardReceiver = watch::Receiver<Option<Arc<NumberedBoard>>>;

/// Why the board cannot be read.
type ReadError = Box<dyn Error + Send + Sync>;

/// Updates the board until it is dropped.
#[derive(Debug)]
pub(super) struct Refresher {
    pub(super) receiver: BoardReceiver,
    pub(super) numbers: watch::Receiver<Option<i64>>,
    _tasks: JoinSet<()>,
}

impl Refresher {
    /// Starts the tasks that read the board again after changes.
    pub(super) fn start(store: &Store, clock: &Clock, states: &Arc<JobStates>) -> Self {
        let (sender, receiver) = watch::channel(None);
        let (number_sender, numbers) = watch::channel(None);
        let reader = Arc::new(Reader {
            store: store.clone(),
            clock: clock.clone(),
            notifications: Mutex::new(store.subscribe()),
            sender,
            numbers: number_sender,
            unfinished: AtomicBool::new(false),
        });
        let reading = Job::new("board", &reader, |reader| reader.step().boxed());
        let mut tasks = JoinSet::new();
        tasks.spawn(jobs::run_one(
            reading.again_after(READ_AGAIN),
            Arc::clone(states),
        ));
        if let Database::Postgres(pool) = store.database() {
            let replicas = Arc::new(Replicas {
                store: store.clone(),
                pool: pool.clone(),
                listener: Mutex::default(),
            });
            let listening = Job::new("replicas", &replicas, |replicas| replicas.step().boxed());
            tasks.spawn(jobs::run_one(
                listening.again_after(LISTEN_AGAIN),
                Arc::clone(states),
            ));
        }
        Self {
            receiver,
            numbers,
            _tasks: tasks,
        }
    }
}

/// Reads the board from the database.
struct Reader {
    store: Store,
    clock: Clock,
    notifications: Mutex<watch::Receiver<u64>>,
    sender: watch::Sender<Option<Arc<NumberedBoard>>>,
    /// The number of the board, once it is sent: its receivers are many, and are notified only when it changes.
    numbers: watch::Sender<Option<i64>>,
    /// Whether the last step panicked.
    unfinished: AtomicBool,
}

impl Reader {
    /// Sends a new board, and waits until it is time for the next one.
    async fn step(&self) -> Result<Next, ReadError> {
        let mut notifications = self.notifications.lock().await;
        let changes = *notifications.borrow_and_update();
        let before = self.sender.borrow().clone();
        // Applying the same change again would panic again, so a step after a panic reads the whole board.
        let read_all = self.unfinished.swap(true, Ordering::Relaxed);
        let board = self.read(before.as_deref(), read_all, changes).await;
        let failed = |_: &ReadError| self.unfinished.store(false, Ordering::Relaxed);
        let board = board.inspect_err(failed)?;
        let number = board.number;
        // After a panic some receivers may not have been notified.
        let moved = read_all || before.is_none_or(|before| before.number != number);
        self.sender.send_replace(Some(Arc::new(board)));
        if moved {
            self.numbers.send_replace(Some(number));
        }
        self.unfinished.store(false, Ordering::Relaxed);
        if moved {
            tokio::time::sleep(PAUSE).await;
        }
        // A notification since the last read ends the wait at once.
        let _ = tokio::time::timeout(POLL, notifications.changed()).await;
        Ok(Next::AtOnce)
    }

    /// A board of everything that is committed.
    async fn read(
        &self,
        before: Option<&NumberedBoard>,
        read_all: bool,
        changes: u64,
    ) -> Result<NumberedBoard, ReadError> {
        let store = &self.store;
        // Before the rows: the changes of these blocks were committed together with them.
        let blocks = store.followed_to().await?;
        let newest = store.pass_on_changes().await?;
        let (number, rows) = match before.filter(|_| !read_all) {
            Some(before) if before.number == newest => (newest, Arc::clone(&before.rows)),
            Some(before) => apply_changes(store, before).await?,
            None => read_all_profiles(store).await?,
        };
        // After the rows: no proof in them expires earlier.
        let now = self.clock.now();
        let due = store.next_expiry(now).await?;
        let followed = blocks.into_iter().map(|(network, height)| {
            let since = match before.and_then(|before| before.followed(&network)) {
                Some(known) if known.height == height => known.since,
                known => known.map(|_| now),
            };
            (network, Followed { height, since })
        });
        Ok(NumberedBoard {
            number,
            rows,
            due,
            changes,
            followed: followed.collect(),
        })
    }
}

/// The board after the changes since `before`, and its number.
async fn apply_changes(
    store: &Store,
    before: &NumberedBoard,
) -> Result<(i64, Arc<Memory>), ReadError> {
    let (from, board) = (before.number, Arc::clone(&before.rows));
    match store.changes_since(from).await? {
        Changes::Since(number, changes) => {
            match off_thread(move || board.with_changes(&changes)).await? {
                Ok(board) => Ok((number, Arc::new(board))),
                Err(ChangeError::Ambiguous(_)) => read_all_profiles(store).await,
                Err(error) => Err(error.into()),
            }
        }
        Changes::Unknown => {
            tracing::info!(
                from,
                "the list of changes does not go back so far; reading the whole board"
            );
            read_all_profiles(store).await
        }
    }
}

/// Reads the whole board. Profiles may change meanwhile: these changes are in the list after the number that was read first, and are
/// applied at the end, so that the board is that of one number.
async fn read_all_profiles(store: &Store) -> Result<(i64, Arc<Memory>), ReadError> {
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
        let board = off_thread(move || Memory::from_profiles(profiles)).await??;
        store.pass_on_changes().await?;
        if let Changes::Since(number, changes) = store.changes_since(first).await? {
            return Ok((number, Arc::new(board.with_changes(&changes)?)));
        }
    }
}

/// Runs `work` on a thread for blocking work. A panic there continues here, so that the job counts it.
async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ReadError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(stopped) => stopped.into(),
    })
}

/// Listens to the changes of other replicas.
struct Replicas {
    store: Store,
    pool: PgPool,
    listener: Mutex<Option<PgListener>>,
}

impl Replicas {
    async fn step(&self) -> sqlx::Result<Next> {
        match self.listen().await {
            // The server is stopping.
            Err(_) if self.pool.is_closed() => Ok(Next::After(LISTEN_AGAIN)),
            Ok(()) => Ok(Next::AtOnce),
            Err(error) => Err(error),
        }
    }

    /// Begins to listen; later, waits for a notification of another replica and passes it on to the store.
    async fn listen(&self) -> sqlx::Result<()> {
        let mut slot = self.listener.lock().await;
        // A listener that fails is not put back.
        let listener = match slot.take() {
            Some(mut listener) => {
                match timeout(SILENCE, listener.try_recv()).await {
                    // None is a lost connection. The changes meanwhile are in the database.
                    Ok(received) => drop(received?),
                    // A host that is gone is as silent as one where nothing changes.
                    Err(_) => {
                        let answers = sqlx::query("select 1").execute(&mut listener);
                        let answers = timeout(SILENCE, answers).await;
                        answers.map_err(|late| sqlx::Error::Io(late.into()))??;
                    }
                }
                self.store.notify();
                listener
            }
            None => {
                let mut listener = PgListener::connect_with(&self.pool).await?;
                listener.listen(CHANNEL).await?;
                listener
            }
        };
        *slot = Some(listener);
        Ok(())
    }
}

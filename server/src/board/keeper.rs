//! Keeps the board in memory as the database has it.
//!
//! **No change is lost.** A trigger notes it in the transaction that makes it (`migrations/`), so it does
//! not matter whether the process that made it lives to tell. Every replica looks for what is noted: at
//! once when the store's bell rings (at a commit here, and when PostgreSQL says that another replica has passed
//! something on), and twice a second in any case, so that a lost hint costs a moment and a dead replica's
//! changes are passed on by the others. Each change has a number, which is the database's, and the log says what the board is
//! after it: replicas at the same number have the same board. Who has missed more than the log remembers reads everything anew.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::memory::{Builder, Memory, Unfit};
use crate::base::clock::UnixTime;
use crate::store::changes::{CHANNEL, Change, Changes};
use crate::store::{Database, Store};

/// The pause between two looks at the database when nobody says that something changed.
const POLL: Duration = Duration::from_millis(500);

/// The pause after a change, so that many at once are few looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The pause before trying again after a failure.
const AGAIN: Duration = Duration::from_millis(250);

/// The pause before listening again after a failure.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// How many profiles are read at a time.
const PORTION: i64 = 5_000;

/// Ids begin with a digit of these and are read in two halves at once.
const HALVES: [(&str, &str); 2] = [("", "8"), ("8", "g")];

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
    pub(super) fn start(store: &Store) -> Self {
        let (sender, newest) = watch::channel(None);
        let mut tasks = vec![tokio::spawn(keep(store.clone(), sender))];
        if let Database::Postgres(pool) = store.database() {
            tasks.push(tokio::spawn(listen(store.clone(), pool.clone())));
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

async fn keep(store: Store, newest: watch::Sender<Option<Arc<Seen>>>) {
    let mut bell = store.bell();
    let mut failing = false;
    loop {
        let rung = *bell.borrow_and_update();
        let before = newest.borrow().clone();
        match look(&store, before.as_deref(), rung).await {
            Ok(seen) => {
                failing = false;
                let moved = before.is_none_or(|before| before.number != seen.number);
                newest.send_replace(Some(Arc::new(seen)));
                if moved {
                    tokio::time::sleep(PAUSE).await;
                }
            }
            Err(error) => {
                if !failing {
                    tracing::warn!(%error, "the board cannot be read; trying again until it can");
                }
                failing = true;
                tokio::time::sleep(AGAIN).await;
            }
        }
        // Whichever comes first; a ring between two looks is remembered.
        let _ = tokio::time::timeout(POLL, bell.changed()).await;
    }
}

/// The board after everything that is committed.
async fn look(store: &Store, before: Option<&Seen>, rung: u64) -> Result<Seen, ReadError> {
    let newest = store.pass_on_changes().await?;
    let (number, board) = match before {
        Some(seen) if seen.number == newest => (newest, Arc::clone(&seen.board)),
        Some(seen) => follow(store, seen.number, &seen.board).await?,
        None => read(store).await?,
    };
    // After the rows: whatever is proven in them ends no earlier.
    let due = store.next_expiry().await?;
    Ok(Seen {
        number,
        board,
        due,
        rung,
    })
}

/// The board of this number after what has been told since.
async fn follow(
    store: &Store,
    seen: i64,
    board: &Arc<Memory>,
) -> Result<(i64, Arc<Memory>), ReadError> {
    match store.changes_since(seen).await? {
        Changes::Since(number, changes) if changes.is_empty() => Ok((number, Arc::clone(board))),
        Changes::Since(number, changes) => {
            let board = Arc::clone(board);
            match tokio::task::spawn_blocking(move || changed(&board, &changes)).await? {
                Ok(changed) => Ok((number, Arc::new(changed))),
                Err(Unfit::Gone(_)) => read(store).await,
                Err(unfit) => Err(unfit.into()),
            }
        }
        Changes::Unknown => {
            tracing::info!(
                seen,
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

/// The whole board. Its rows are read one portion after another while others change them. Whatever has changed since the
/// number that was read first is in the log once it has been passed on, so that the board is then that of a number.
async fn read(store: &Store) -> Result<(i64, Arc<Memory>), ReadError> {
    loop {
        let first = store.newest_change().await?;
        let builder = Mutex::new(Builder::default());
        let halves = HALVES.map(|half| read_half(store, half, &builder));
        futures_util::future::try_join_all(halves).await?;
        let builder = builder.into_inner();
        let board = tokio::task::spawn_blocking(move || builder.done()).await?;
        store.pass_on_changes().await?;
        if let Changes::Since(number, changes) = store.changes_since(first).await? {
            return Ok((number, Arc::new(changed(&board, &changes)?)));
        }
    }
}

async fn read_half(
    store: &Store,
    (first, end): (&str, &str),
    builder: &Mutex<Builder>,
) -> Result<(), ReadError> {
    let mut after = first.to_owned();
    loop {
        let portion = store.shown_profiles(&after, end, PORTION).await?;
        let Some(last) = portion.last() else {
            return Ok(());
        };
        last.id.clone_into(&mut after);
        let mut builder = builder.lock().await;
        for profile in &portion {
            builder.add(profile)?;
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

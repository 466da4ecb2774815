//! Background jobs. A job is a step that runs again and again; each step says when the next one is due.
//!
//! A step that fails or panics runs again after a pause, and the other jobs continue meanwhile. `app.rs` has the list of jobs; the
//! board starts its own, because the server has no responses without them.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use parking_lot::Mutex;
use rand::Rng;
use serde::Serialize;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use chain::clock::{Clock, UnixTime};
use store::Store;
use store::jobs::HEARTBEAT;
use store::values::Time;

/// The longest pause after a failure. It is randomly shortened by up to a half, so that replicas do not retry together, and it is short,
/// because spent coins still count meanwhile.
const PAUSE: Duration = Duration::from_secs(10);

/// When the next step of a job is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There is more to do.
    AtOnce,
    /// After this time.
    After(Duration),
}

pub struct Job {
    name: &'static str,
    step: Box<dyn Fn() -> BoxFuture<'static, Result<Next, String>> + Send + Sync>,
    again: Option<Duration>,
}

impl Job {
    /// A job that runs a method of `room`, which returns when the next step is due.
    pub fn new<R, E>(
        name: &'static str,
        room: &R,
        step: for<'r> fn(&'r R) -> BoxFuture<'r, Result<Next, E>>,
    ) -> Self
    where
        R: Clone + Send + Sync + 'static,
        E: Display + 'static,
    {
        let room = room.clone();
        let step = move || {
            let room = room.clone();
            let taken = async move { step(&room).await.map_err(|error| error.to_string()) };
            taken.boxed()
        };
        Self {
            name,
            step: Box::new(step),
            again: None,
        }
    }

    /// Sets another pause after errors, for a job that visitors wait for. Consecutive errors are logged once. The pause after a
    /// panic, which is a bug, is the usual one.
    pub fn again_after(mut self, pause: Duration) -> Self {
        self.again = Some(pause);
        self
    }

    /// A job with a fixed period.
    pub fn every<R, E>(
        period: Duration,
        name: &'static str,
        room: &R,
        work: for<'r> fn(&'r R) -> BoxFuture<'r, Result<(), E>>,
    ) -> Self
    where
        R: Clone + Send + Sync + 'static,
        E: Display + 'static,
    {
        let room = (room.clone(), work, period);
        Self::new(name, &room, |(room, work, period)| {
            work(room).map_ok(|()| Next::After(*period)).boxed()
        })
    }
}

/// Extends the leases of this process, also while a step of their job takes long.
pub fn heartbeat(store: &Store) -> Job {
    Job::every(HEARTBEAT, "lease", store, |store| {
        store.extend_leases().boxed()
    })
}

/// Runs all jobs until `stop` is cancelled. Running steps are aborted then: an unfinished step has changed
/// nothing.
pub async fn run(jobs: Vec<Job>, states: Arc<JobStates>, stop: &CancellationToken) {
    let mut running = JoinSet::new();
    for job in jobs {
        running.spawn(run_one(job, Arc::clone(&states)));
    }
    stop.cancelled().await;
    running.shutdown().await;
}

/// Runs one job until it is aborted.
pub async fn run_one(Job { name, step, again }: Job, states: Arc<JobStates>) {
    states.change(name, |_, _| {});
    let mut failures = 0_u64;
    loop {
        let taken = AssertUnwindSafe(async { step().await });
        let (result, trouble) = match taken.catch_unwind().await {
            Ok(Ok(next)) => {
                failures = 0;
                states.change(name, |state, now| {
                    state.failing_since = None;
                    state.succeeded_at = Some(now);
                });
                match next {
                    // Lets other tasks run.
                    Next::AtOnce => tokio::task::yield_now().await,
                    Next::After(wait) => tokio::time::sleep(wait).await,
                }
                continue;
            }
            Ok(Err(error)) => ("failed", error),
            Err(panic) => ("panicked", message(&*panic)),
        };
        failures += 1;
        states.change(name, |state, now| {
            state.failing_since.get_or_insert(Time(now));
        });
        let panicked = result == "panicked";
        let again = again.filter(|_| !panicked);
        let share = rand::rng().random_range(0.5..=1.0);
        let pause = again.unwrap_or_else(|| PAUSE.mul_f64(share));
        if again.is_none() || failures == 1 {
            tracing::warn!(job = name, result, error = %trouble, failures, ?pause, "a job failed and is tried again");
        }
        tokio::time::sleep(pause).await;
        if panicked {
            states.change(name, |state, _| state.restarts += 1);
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

/// The state of a job, as `/readyz` shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JobState {
    /// When its steps began to fail; none while they succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Time>,
    /// When a step last succeeded, unix seconds.
    #[serde(skip)]
    pub succeeded_at: Option<UnixTime>,
    /// How often it was restarted after a panic.
    pub restarts: u64,
}

/// The states of all jobs that were started, for `/readyz` and metrics.
#[derive(Debug)]
pub struct JobStates {
    clock: Clock,
    jobs: Mutex<BTreeMap<&'static str, JobState>>,
}

impl JobStates {
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            jobs: Mutex::default(),
        }
    }

    /// The states by the names of the jobs.
    pub fn all(&self) -> BTreeMap<&'static str, JobState> {
        self.jobs.lock().clone()
    }

    /// Changes the state of a job, which begins with this call, at the present time.
    fn change(&self, name: &'static str, change: impl FnOnce(&mut JobState, UnixTime)) {
        let now = self.clock.now();
        change(self.jobs.lock().entry(name).or_default(), now);
    }
}

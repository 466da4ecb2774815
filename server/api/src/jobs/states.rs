//! How the jobs of this process are doing, for people on call.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chain::clock::{Clock, UnixTime};

/// The state of one job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobState {
    /// When its steps began to fail, unix seconds; none while they go well.
    pub failing_since: Option<UnixTime>,
    /// When a step last went well, unix seconds.
    pub went_well_at: Option<UnixTime>,
    /// How often it was started again after a panic.
    pub restarts: u64,
}

/// The states of all jobs that this process does; none before they have begun.
#[derive(Debug)]
pub struct JobStates {
    clock: Clock,
    jobs: Mutex<BTreeMap<&'static str, JobState>>,
}

impl JobStates {
    /// No jobs yet.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            jobs: Mutex::default(),
        }
    }

    /// Each job by its name.
    #[must_use]
    pub fn all(&self) -> BTreeMap<&'static str, JobState> {
        self.jobs().clone()
    }

    pub(super) fn begin(&self, name: &'static str) {
        self.jobs().insert(name, JobState::default());
    }

    pub(super) fn went_well(&self, name: &'static str) {
        let now = self.clock.now();
        let mut jobs = self.jobs();
        let state = jobs.entry(name).or_default();
        state.failing_since = None;
        state.went_well_at = Some(now);
    }

    pub(super) fn failed(&self, name: &'static str) {
        let now = self.clock.now();
        let mut jobs = self.jobs();
        let since = &mut jobs.entry(name).or_default().failing_since;
        *since = since.or(Some(now));
    }

    pub(super) fn started_again(&self, name: &'static str) {
        self.jobs().entry(name).or_default().restarts += 1;
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<&'static str, JobState>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

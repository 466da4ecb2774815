//! The states of the jobs, for `/readyz` and metrics.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use chain::clock::{Clock, UnixTime};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobState {
    /// When its steps began to fail, unix seconds; none while they succeed.
    pub failing_since: Option<UnixTime>,
    /// When a step last succeeded, unix seconds.
    pub succeeded_at: Option<UnixTime>,
    /// How often it was restarted after a panic.
    pub restarts: u64,
}

/// The states of all jobs that were started.
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

    pub(super) fn begin(&self, name: &'static str) {
        self.jobs.lock().insert(name, JobState::default());
    }

    pub(super) fn succeeded(&self, name: &'static str) {
        let now = self.clock.now();
        let mut jobs = self.jobs.lock();
        let state = jobs.entry(name).or_default();
        state.failing_since = None;
        state.succeeded_at = Some(now);
    }

    pub(super) fn failed(&self, name: &'static str) {
        let now = self.clock.now();
        let mut jobs = self.jobs.lock();
        let since = &mut jobs.entry(name).or_default().failing_since;
        *since = since.or(Some(now));
    }

    pub(super) fn restarted(&self, name: &'static str) {
        self.jobs.lock().entry(name).or_default().restarts += 1;
    }
}

//! Work that the server does by itself: following the chain, ending what has expired, re-verifying, tidying up.
//!
//! Each job is a step that is repeated. Tests take the steps one by one; [`run`] takes them for
//! as long as the server lives.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use rand::Rng;
use tokio::sync::watch;

use crate::billing::upkeep;
use crate::state::AppState;

pub mod expire;
pub mod follow;
pub mod reverify;
pub mod tidy;

/// When a step wants to be taken again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There is more to do.
    AtOnce,
    /// Not before this has passed.
    After(Duration),
}

/// How long a job waits after its first failure; twice as long after each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(5);

/// The longest that it waits.
const LONGEST_PAUSE: Duration = Duration::from_secs(5 * 60);

/// Runs every job until `stop` is true, or its sender is gone. Whatever is under way then is given up:
/// a step that is not finished has changed nothing.
pub async fn run(state: AppState, mut stop: watch::Receiver<bool>) {
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        _ = async {
            tokio::join!(
                repeat("follow", || follow::step(&state)),
                repeat("expire", || expire::step(&state)),
                repeat("reverify", || reverify::step(&state)),
                repeat("billing", || upkeep::step(&state)),
                repeat("tidy", || tidy::step(&state)),
            )
        } => {}
    }
    if let Err(error) = state.store.release_leases(&state.follower.holder).await {
        tracing::warn!(%error, "leases run out by themselves");
    }
}

async fn repeat<E, F>(name: &'static str, step: impl Fn() -> F)
where
    E: Display,
    F: Future<Output = Result<Next, E>>,
{
    let mut failures = 0;
    loop {
        let outcome = step().await;
        let result = if outcome.is_ok() { "ok" } else { "failed" };
        metrics::counter!("job_runs_total", "job" => name, "result" => result).increment(1);
        let wait = match outcome {
            Ok(next) => {
                failures = 0;
                next
            }
            Err(error) => {
                failures += 1;
                let wait = pause(failures);
                tracing::warn!(job = name, %error, failures, ?wait, "a job failed and is tried again");
                Next::After(wait)
            }
        };
        match wait {
            // Others get their turn also when there is much to do.
            Next::AtOnce => tokio::task::yield_now().await,
            Next::After(wait) => tokio::time::sleep(wait).await,
        }
    }
}

/// How long to wait after this many failures in a row: at random between half and all of it, so that
/// replicas do not come back together.
fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    let longest = FIRST_PAUSE
        .saturating_mul(1 << doublings)
        .min(LONGEST_PAUSE);
    longest.mul_f64(rand::rng().random_range(0.5..=1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_job_waits_longer_and_longer_up_to_a_limit() {
        for (failures, seconds) in [(1, 5), (2, 10), (4, 40), (7, 300), (1_000, 300)] {
            let longest = Duration::from_secs(seconds);
            for _ in 0..100 {
                let wait = pause(failures);
                assert!(
                    wait <= longest && wait >= longest / 2,
                    "{failures}: {wait:?}"
                );
            }
        }
    }
}

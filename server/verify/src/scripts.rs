//! Runs the three layers on every input, on several threads.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread::available_parallelism;

use bitcoin::{Transaction, TxOut};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::commitment::Alterations;
use crate::consensus::Spend;
use crate::{Refusal, policy};
use chain::Tip;

/// Checks the script of every input, with at most `jobs` jobs at a time. Locks in the scripts must be over at `tip`.
///
/// # Errors
/// For the first input that one of the layers refuses.
pub fn check(
    jobs: NonZeroUsize,
    transaction: &Transaction,
    previous_outputs: &[TxOut],
    tip: &Tip,
) -> Result<(), Refusal> {
    let spend = Spend::new(transaction, previous_outputs)?;
    let alterations = Alterations::new(transaction, previous_outputs)?;
    each_input(transaction.input.len(), jobs, |input| {
        let fields = &transaction.input[input];
        let script = &previous_outputs[input].script_pubkey;
        if !spend.accepts(input)? {
            return Err(Refusal::InvalidSignature { input });
        }
        // The type of a signature comes before its consequences, so that the message names the cause.
        policy::signature_types(input, fields, script)?;
        alterations.check(input)?;
        policy::conditions(input, transaction, script, tip)
    })
}

/// The fewest inputs worth a separate job.
const INPUTS_PER_JOB: usize = 8;

/// One thread more than there are processors. One file uses at most as many threads as processors, so one is left for another file.
static POOL: LazyLock<Result<ThreadPool, ThreadPoolBuildError>> = LazyLock::new(|| {
    let threads = processors().saturating_add(1).get();
    ThreadPoolBuilder::new().num_threads(threads).build()
});

/// As many jobs as there are processors.
pub fn processors() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Runs `check` for each of the inputs 0 to `inputs` in at most `jobs` jobs. The result does not depend on their order: it is the
/// refusal of the first input that has one.
///
/// # Errors
/// The refusal of the first refused input; a panic in `check` is one ([`Refusal::Uncheckable`], rule A1).
fn each_input(
    inputs: usize,
    jobs: NonZeroUsize,
    check: impl Fn(usize) -> Result<(), Refusal> + Sync,
) -> Result<(), Refusal> {
    let jobs = jobs.get().min(inputs.div_ceil(INPUTS_PER_JOB)).max(1);
    let first_refused = |job: usize| {
        let mut inputs = job * inputs / jobs..(job + 1) * inputs / jobs;
        inputs.find_map(|input| {
            // Caught here and not around the whole file, because a panic must not reach the pool.
            let checked = catch_unwind(AssertUnwindSafe(|| check(input)));
            checked.unwrap_or(Err(Refusal::Uncheckable)).err()
        })
    };
    let refused = match &*POOL {
        Ok(pool) if jobs > 1 => pool.install(|| {
            let jobs = (0..jobs).into_par_iter().with_max_len(1);
            jobs.find_map_first(first_refused)
        }),
        _ => (0..jobs).find_map(first_refused),
    };
    refused.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, mpsc};
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn refused_at(input: usize) -> Result<(), Refusal> {
        Err(Refusal::InvalidSignature { input })
    }

    #[test]
    fn the_first_refused_input_is_named_whoever_finds_it_first() {
        let threads = NonZeroUsize::new(4).expect("four");
        for _ in 0..200 {
            let outcome = each_input(400, threads, |input| match input {
                // The first one takes longest.
                37 => {
                    thread::yield_now();
                    refused_at(37)
                }
                38 | 40 | 399 => refused_at(input),
                _ => Ok(()),
            });
            assert_eq!(outcome, refused_at(37));
        }
    }

    #[test]
    fn every_input_is_checked_once() {
        for (inputs, threads) in [(0, 1), (1, 8), (7, 2), (1_000, 3)] {
            let counts: Vec<_> = (0..inputs).map(|_| AtomicUsize::new(0)).collect();
            let threads = NonZeroUsize::new(threads).expect("not zero");
            let outcome = each_input(inputs, threads, |input| {
                counts[input].fetch_add(1, Ordering::Relaxed);
                Ok(())
            });
            assert_eq!(outcome, Ok(()));
            assert!(
                counts
                    .iter()
                    .all(|count| count.load(Ordering::Relaxed) == 1)
            );
        }
    }

    #[test]
    fn a_panic_is_a_refusal() {
        for (inputs, jobs) in [(5, 1), (100, 1), (100, 4)] {
            let jobs = NonZeroUsize::new(jobs).expect("not zero");
            let outcome = each_input(inputs, jobs, |input| {
                assert_ne!(input, inputs - 1, "the panic of this test");
                Ok(())
            });
            assert_eq!(outcome, Err(Refusal::Uncheckable));
        }
    }

    #[test]
    fn a_file_leaves_a_thread_to_others() {
        let (hold, held) = mpsc::channel::<()>();
        let (started, starts) = mpsc::channel();
        let held = Mutex::new(held);
        let busy = thread::spawn(move || {
            each_input(10_000, processors(), |_| {
                let _ = started.send(());
                // Until the other file is done: then the channel is closed.
                let _ = held.lock().expect("nobody panics").recv();
                Ok(())
            })
        });
        for _ in 0..processors().get() {
            starts.recv().expect("a job for each processor");
        }
        let (done, waited) = mpsc::channel();
        thread::spawn(move || done.send(each_input(1_000, processors(), |_| Ok(()))));
        let outcome = waited.recv_timeout(Duration::from_secs(60));
        drop(hold);
        assert_eq!(outcome, Ok(Ok(())));
        assert_eq!(busy.join().expect("no panic"), Ok(()));
    }
}

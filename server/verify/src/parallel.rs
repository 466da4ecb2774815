//! One check for each input, on several threads.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Refusal;

/// The fewest inputs that are worth starting a thread for.
const INPUTS_PER_THREAD: usize = 8;

/// Runs `check` for each of the inputs 0 to `inputs` on at most `threads` threads. Whatever the
/// threads do first, the answer is the same: the refusal of the first input that has one.
///
/// Threads of the standard library do: the work is one loop without dependencies, and a pool would
/// be shared with other files.
///
/// # Errors
/// The refusal of the first input that is refused; a panic in `check` is one ([`Refusal::Uncheckable`],
/// rule A1).
pub fn each_input(
    inputs: usize,
    threads: NonZeroUsize,
    check: impl Fn(usize) -> Result<(), Refusal> + Sync,
) -> Result<(), Refusal> {
    let next = AtomicUsize::new(0);
    let worker = || -> Option<(usize, Refusal)> {
        loop {
            // Inputs are taken in order, so when one is refused, all before it have been taken and
            // will be finished by whoever took them.
            let input = next.fetch_add(1, Ordering::Relaxed);
            if input >= inputs {
                return None;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| check(input)));
            if let Err(refusal) = outcome.unwrap_or(Err(Refusal::Uncheckable)) {
                next.store(inputs, Ordering::Relaxed);
                return Some((input, refusal));
            }
        }
    };
    let threads = threads.get().min(inputs.div_ceil(INPUTS_PER_THREAD));
    let refused = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mut refused: Vec<_> = worker().into_iter().collect();
        for other in others {
            refused.extend(other.join().unwrap_or(Some((0, Refusal::Uncheckable))));
        }
        refused
    });
    match refused.into_iter().min_by_key(|(input, _)| *input) {
        Some((_, refusal)) => Err(refusal),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
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
        let outcome = each_input(100, NonZeroUsize::MIN, |input| {
            assert_ne!(input, 50, "the panic of this test");
            Ok(())
        });
        assert_eq!(outcome, Err(Refusal::Uncheckable));
    }
}

//! What verification costs, next to its limit: the bare libsecp256k1 checks of the same inputs, in the
//! same run, on one thread. Ratios, not times, are what can be compared between machines.
//!
//! `cargo bench -p server --bench verification`

#[path = "verification/files.rs"]
mod files;

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use bitcoin::secp256k1::Secp256k1;
use server::verify::commitment::Alterations;
use server::verify::consensus::Spend;
use server::verify::{finalise, limits, policy, scripts};

use files::{File, Kind};

/// Inputs of each file.
const INPUTS: usize = 1_000;

/// Each part is run as often, the parts taking turns; the median counts.
const ROUNDS: usize = 7;

fn main() {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    println!("{INPUTS} inputs, {cores} processors; microseconds per input, and times the limit");
    for kind in [
        Kind::P2wpkh,
        Kind::P2trKey,
        Kind::P2wshMultisig,
        Kind::P2pkh,
    ] {
        // Legacy inputs are larger, and no transaction above the weight limit is ever verified.
        let inputs = if kind == Kind::P2pkh {
            INPUTS / 2
        } else {
            INPUTS
        };
        report(&File::new(kind, inputs), cores);
    }
}

/// A part of the work.
type Part<'a> = (&'a str, Box<dyn Fn() + 'a>);

fn report(file: &File, cores: NonZeroUsize) {
    let secp = Secp256k1::verification_only();
    let (transaction, coins) = (&file.transaction, file.coins.as_slice());
    let inputs = transaction.input.len();
    let scripts = |threads: NonZeroUsize| {
        scripts::check_on(threads, transaction, coins).expect("every input is well signed");
    };
    let parts: [Part<'_>; 7] = [
        ("limit: libsecp256k1", Box::new(|| file.bare_checks(&secp))),
        (
            "finalise",
            Box::new(|| {
                black_box(finalise::finalise(file.signed.clone(), coins).expect("complete"));
            }),
        ),
        (
            "kernel",
            Box::new(|| {
                let spend = Spend::new(transaction, coins).expect("it can be asked");
                assert!((0..inputs).all(|input| spend.accepts(input) == Ok(true)));
            }),
        ),
        (
            "policy",
            Box::new(|| {
                limits::signature_checks(transaction, coins).expect("few");
                for (input, fields) in transaction.input.iter().enumerate() {
                    let script = &coins[input].script_pubkey;
                    policy::signature_types(input, fields, script).expect("ALL");
                    policy::signers(input, transaction, script).expect("a key of the script");
                }
            }),
        ),
        (
            "oracle",
            Box::new(|| {
                let alterations = Alterations::new(transaction, coins).expect("it can be asked");
                for input in 0..inputs {
                    alterations.check(input).expect("committed");
                }
            }),
        ),
        ("all, one thread", Box::new(|| scripts(NonZeroUsize::MIN))),
        ("all, every processor", Box::new(|| scripts(cores))),
    ];
    let times = medians(&parts);
    println!("\n{:?}, {inputs} inputs", file.kind);
    for ((name, _), time) in parts.iter().zip(times) {
        println!(
            "  {name:22} {:8.1}  {:5.2}",
            per_input(time, inputs),
            ratio(time, times[0])
        );
    }
    println!(
        "  kernel and policy      {:8.1}  {:5.2}  (goal: at most 1.5)",
        per_input(times[2] + times[3], inputs),
        ratio(times[2] + times[3], times[0])
    );
    println!(
        "  with the oracle                  {:5.2}  (goal: at most 5)",
        ratio(times[5], times[0])
    );
    println!(
        "  speed-up on {cores} processors        {:5.2}",
        ratio(times[5], times[6])
    );
}

fn medians<const N: usize>(parts: &[Part<'_>; N]) -> [Duration; N] {
    let mut times: [Vec<Duration>; N] = std::array::from_fn(|_| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for ((_, work), times) in parts.iter().zip(&mut times) {
            let started = Instant::now();
            work();
            times.push(started.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2]
    })
}

fn per_input(time: Duration, inputs: usize) -> f64 {
    ratio(time, Duration::from_micros(1)) / f64::from(u32::try_from(inputs).expect("few"))
}

fn ratio(time: Duration, other: Duration) -> f64 {
    time.as_secs_f64() / other.as_secs_f64()
}

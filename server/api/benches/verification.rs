//! What verification costs, next to its limit: the bare libsecp256k1 checks of the same inputs, in the
//! same run, on one thread. Ratios, not times, are what can be compared between machines.
//!
//! `cargo bench -p server --bench verification`

#[path = "verification/files.rs"]
mod files;
#[path = "verification/worst.rs"]
mod worst;

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use bitcoin::BlockHash;
use bitcoin::hashes::Hash;
use bitcoin::secp256k1::Secp256k1;
use chain::Tip;
use verify::commitment::Alterations;
use verify::consensus::Spend;
use verify::{finalize, limits, policy, scripts};

use files::{File, Kind};
use worst::Worst;

/// Large files: as many inputs as the weight limit has room for, at most 1,000.
const FILES: [(Kind, usize); 4] = [
    (Kind::P2wpkh, 1_000),
    (Kind::P2trKey, 1_000),
    (Kind::P2wshMultisig, 900),
    (Kind::P2pkh, 600),
];

/// Each part is run as often, the parts taking turns. The fastest run counts: whatever else the
/// machine does can only add to it.
const ROUNDS: usize = 15;

fn main() {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    println!("{cores} processors; microseconds per input, and times the limit");
    for (kind, inputs) in FILES {
        report(&File::new(kind, inputs), cores);
    }
    println!("\nThe most work within the limits, milliseconds for the whole file");
    for file in [Worst::witnesses(), Worst::hashing()] {
        report_worst(&file, cores);
    }
}

/// How long a hostile file occupies a processor. There is nothing to compare it with; the limits bound it.
fn report_worst(file: &Worst, cores: NonZeroUsize) {
    limits::signature_checks(&file.transaction, &file.coins).expect("within the limits");
    limits::weight(&file.transaction).expect("within the limits");
    let check = |threads: NonZeroUsize| {
        move || {
            scripts::check(threads, &file.transaction, &file.coins, &no_lock())
                .expect("well signed");
        }
    };
    let parts: [Part<'_>; 2] = [
        ("one thread", Box::new(check(NonZeroUsize::MIN))),
        ("every processor", Box::new(check(cores))),
    ];
    let [one, every] = fastest(&parts, 3);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "  {:30}{:5} inputs{:8.0} on one thread{:8.0} on every processor",
        file.name,
        file.coins.len(),
        milliseconds(one),
        milliseconds(every)
    );
}

/// No script of these files has a lock.
fn no_lock() -> Tip {
    Tip {
        height: 0,
        hash: BlockHash::all_zeros(),
        median_time: 0,
    }
}

/// A part of the work.
type Part<'a> = (&'a str, Box<dyn Fn() + 'a>);

fn report(file: &File, cores: NonZeroUsize) {
    let secp = Secp256k1::verification_only();
    let (transaction, coins) = (&file.transaction, file.coins.as_slice());
    let inputs = transaction.input.len();
    let scripts = |threads: NonZeroUsize| {
        scripts::check(threads, transaction, coins, &no_lock())
            .expect("every input is well signed");
    };
    let parts: [Part<'_>; 8] = [
        (
            "limit: libsecp256k1",
            Box::new(|| file.bare_checks(&secp, NonZeroUsize::MIN)),
        ),
        (
            "finalize",
            Box::new(|| {
                black_box(finalize::finalize(&file.signed, coins).expect("complete"));
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
                    policy::conditions(input, transaction, script, &no_lock())
                        .expect("a key of the script");
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
        (
            "limit, every processor",
            Box::new(|| file.bare_checks(&secp, cores)),
        ),
    ];
    let times = fastest(&parts, ROUNDS);
    let goal = |name: &str, ratio: f64, goal: &str| {
        println!("  {name:38}{ratio:6.2}  ({goal})");
    };
    println!("\n{:?}, {inputs} inputs", file.kind);
    for ((name, _), time) in parts.iter().zip(times) {
        let each = ratio(time, Duration::from_micros(1)) / f64::from(file.inputs());
        println!("  {name:24}{each:14.1}{:6.2}", ratio(time, times[0]));
    }
    let [limit, _, kernel, policy, _, one, every, limit_every] = times;
    // Before SegWit every input hashes the whole transaction again, which is not in the limit.
    let [first, second] = match file.kind {
        Kind::P2pkh => ["every input hashes the whole transaction"; 2],
        _ => ["goal: at most 1.5", "goal: at most 5"],
    };
    goal("kernel and policy", ratio(kernel + policy, limit), first);
    goal("with the oracle", ratio(one, limit), second);
    let machine = ratio(limit, limit_every);
    goal(
        "speed-up on every processor",
        ratio(one, every),
        &format!("the limit's own: {machine:.2}"),
    );
}

fn fastest<const N: usize>(parts: &[Part<'_>; N], rounds: usize) -> [Duration; N] {
    let mut fastest = [Duration::MAX; N];
    for _ in 0..rounds {
        for ((_, work), fastest) in parts.iter().zip(&mut fastest) {
            let started = Instant::now();
            work();
            *fastest = started.elapsed().min(*fastest);
        }
    }
    fastest
}

fn ratio(time: Duration, other: Duration) -> f64 {
    time.as_secs_f64() / other.as_secs_f64()
}

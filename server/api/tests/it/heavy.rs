//! Rule C8: files that cost a lot of work, many of them at once, their memory, and other users' requests meanwhile.

use std::cell::Cell;

use bitcoin::ecdsa;
use bitcoin::sighash::{EcdsaSighashType, SighashCache};

use crate::binding::Fixture;
use crate::forge::{Coin, Lock, Single, signed, spend, with_secp, worth_value};
use crate::funding::coins;
use crate::support::prelude::*;

/// A thousand with `./test all`. The test has one thread for the server and all its clients: work that blocks the
/// thread would delay every other response.
#[tokio::test]
async fn a_thousand_inputs_do_not_hold_up_other_requests() {
    let inputs = size(300, 1_000);
    let fixture = Fixture::optional().await;
    let single = Single::new(Lock::Wpkh);
    let coins = coins(fixture.node, &vec![single.script_pubkey(); inputs]).await;
    let file = serialize(&signed(&single, spend(&coins), &coins));
    let person = fixture.app.sign_in().await;
    let answered = AtomicUsize::new(0);
    let others = async {
        loop {
            let board = fixture.app.get("/api/rest/v1/profiles?limit=10").await;
            assert_eq!(board.status, 200, "{board:?}");
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let submitted = tokio::select! {
        submitted = fixture.submit(&person, &file) => submitted,
        () = others => unreachable!("others ask until the file is done"),
    };
    assert_eq!(submitted.body["status"], "success", "{submitted:?}");
    let answered = answered.into_inner();
    assert!(answered >= 10, "only {answered} requests were answered");
}

/// The body of a request has at most 2 MiB; base64 takes a quarter of that.
const FILE_BYTES: usize = 1_500_000;

/// The results of files that different users submitted at once.
struct Load {
    /// Peaks before and after, in kB.
    memory: Option<(u64, u64)>,
    /// Status and code.
    answers: Vec<(u16, String)>,
    /// The time until the last answer.
    took: Duration,
    /// How many other requests were answered meanwhile, and how long the slowest took.
    others: (usize, Duration),
}

async fn all_at_once(node: &Node, files: &[Vec<u8>]) -> Load {
    let database = TestDatabase::sqlite().await;
    let chain = format!("--chain=bitcoind:{}", node.url());
    let arguments = [&chain, "--network=regtest", "--proof-binding=optional"];
    let server = ServerProcess::start(&database.url, &arguments).await;
    let mut people = Vec::new();
    for file in files {
        people.push((server.sign_in().await, file));
    }
    let _still = node.still().await;
    let before = server.peak_memory();
    let started = Instant::now();
    let submit = async |(person, file): &(Person<'static>, &Vec<u8>)| {
        let answer = person.submit(file).await;
        let word = |name: &str| answer.body[name].as_str().map(str::to_owned);
        let word = word("code").or_else(|| word("status"));
        (answer.status.as_u16(), word.unwrap_or_default())
    };
    let submitted = join_all(people.iter().map(submit));
    let others = Cell::new((0, Duration::ZERO));
    let asking = async {
        loop {
            let asked = Instant::now();
            let board = server.get("/api/rest/v1/profiles?limit=10").await;
            assert_eq!(board.status, 200, "{board:?}");
            let (answered, slowest) = others.get();
            others.set((answered + 1, slowest.max(asked.elapsed())));
        }
    };
    let answers = tokio::select! {
        answers = submitted => answers,
        () = asking => unreachable!("others ask until the files are done"),
    };
    Load {
        took: started.elapsed(),
        memory: before.zip(server.peak_memory()),
        answers,
        others: others.get(),
    }
}

/// A file of this size over one coin, with mostly unknown fields.
fn of_tiny_fields(single: &Single, coin: &Coin, bytes: usize) -> Vec<u8> {
    let coins = [coin.clone()];
    let mut psbt = Psbt::from_unsigned_tx(spend(&coins)).expect("unsigned");
    let signature = single.signature(&psbt.unsigned_tx, &coins, 0, 0x01);
    let signature = ecdsa::Signature::from_slice(&signature).unwrap();
    psbt.inputs[0].witness_utxo = Some(coin.output.clone());
    psbt.inputs[0].partial_sigs = [(single.key.public(), signature)].into();
    let mut file = psbt.serialize();
    let room = (bytes - file.len()) / 6;
    // Each unknown field has a key of four bytes and no value.
    let fields = (0..u32::try_from(room).unwrap()).flat_map(|number| {
        let [_, high, middle, low] = number.to_be_bytes();
        [4, 0x77, high, middle, low, 0]
    });
    file.splice(5..5, fields);
    file
}

/// A final transaction that exceeds nodes' relay limits with one more input.
fn of_many_inputs(single: &Single, coins: &[Coin], number: usize) -> Vec<u8> {
    let mut transaction: Transaction = spend(coins);
    transaction.output.truncate(1);
    transaction.output[0].value = Amount::from_sat(90_000 + number as u64);
    let mut witnesses = Vec::with_capacity(coins.len());
    let mut cache = SighashCache::new(&transaction);
    for (input, coin) in coins.iter().enumerate() {
        let (script, value) = (&coin.output.script_pubkey, coin.output.value);
        let sighash = cache.p2wpkh_signature_hash(input, script, value, EcdsaSighashType::All);
        let message = sighash.unwrap().into();
        let signature = with_secp(|secp| secp.sign_ecdsa(&message, &single.key.0.secret_key()));
        let signature = ecdsa::Signature::sighash_all(signature);
        witnesses.push(Witness::p2wpkh(&signature, &single.key.public().inner));
    }
    for (input, witness) in transaction.input.iter_mut().zip(witnesses) {
        input.witness = witness;
    }
    serialize(&transaction)
}

/// A waiting file is kept as bytes: in the `bitcoin` crate's types it would take thirty times as much memory.
#[tokio::test]
async fn files_of_nothing_but_tiny_fields_take_little_memory() {
    const FILES: usize = 6;
    let node = Node::shared().await;
    let single = Single::new(Lock::Wpkh);
    let coins = coins(node, &vec![single.script_pubkey(); FILES]).await;
    let file = |coin| of_tiny_fields(&single, coin, FILE_BYTES / 4);
    let files: Vec<_> = coins.iter().map(file).collect();
    let load = all_at_once(node, &files).await;
    assert_eq!(load.answers, vec![(200, "success".to_owned()); FILES]);
    assert!(load.others.0 >= 10, "only {} were answered", load.others.0);
    if let Some((before, after)) = load.memory {
        assert!(after - before < 60_000, "{before} kB, then {after} kB");
    }
}

/// Not a test: it prints figures.
/// `cargo test --release -p api --features jemalloc --test it figures -- --ignored --nocapture --test-threads=1`
#[tokio::test]
#[ignore = "prints figures"]
async fn figures_of_thirty_two_files_at_once() {
    const INPUTS: usize = 1_400;
    let node = Node::shared().await;
    let single = Single::new(Lock::Wpkh);
    let coins = coins(node, &vec![single.script_pubkey(); INPUTS]).await;
    type File<'a> = &'a dyn Fn(usize) -> Vec<u8>;
    let inputs: File<'_> = &|number| of_many_inputs(&single, &coins, number);
    let fields: File<'_> = &|number| of_tiny_fields(&single, &coins[number], FILE_BYTES);
    let nowhere: File<'_> = &|number| of_nowhere(&single, number);
    let files = [
        ("1,400 inputs", inputs),
        ("250,000 fields", fields),
        ("2,000 coins that are not there", nowhere),
    ];
    for (name, file) in files {
        let files: Vec<_> = (0..32).map(file).collect();
        let load = all_at_once(node, &files).await;
        let decided = load.answers.iter().filter(|(status, _)| *status < 500);
        let (decided, took, memory) = (decided.count(), load.took, load.memory);
        let (answered, slowest) = load.others;
        println!(
            "{name}: {memory:?}, {decided} decided, {took:.1?} for all; {answered} requests of others, the slowest {slowest:.2?}"
        );
    }
}

/// As many inputs as a file may have; none of them exists on the chain.
fn of_nowhere(single: &Single, number: usize) -> Vec<u8> {
    let nowhere = Txid::hash(&number.to_le_bytes());
    let coins = (0..2_000).map(|vout| Coin {
        outpoint: OutPoint::new(nowhere, vout),
        output: worth_value(single.script_pubkey()),
    });
    let mut transaction = spend(&coins.collect::<Vec<_>>());
    transaction.output.truncate(1);
    for input in &mut transaction.input {
        input.witness = Witness::from_slice(&[[1]]);
    }
    serialize(&transaction)
}

//! Thousands of damaged and tampered files: nothing panics, and nothing that was
//! not signed is accepted. To run it for hours: `PROPTEST_CASES=10000000 cargo test --release -p api
//! --test it fuzz::`.

#[path = "../../../../psbt-wasm/tests/fuzz/damage.rs"]
mod damage;

use bitcoin::TxIn;
use chain::sources::development::DevelopmentChain;
use damage::{apply, damage};
use development::samples;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use psbt_wasm::binding::is_still;
use tokio::runtime::Runtime;
use verify::{self, Refusal, Verified};

use crate::forge::pay;
use crate::support::prelude::*;

const STATEMENT: &str = "Proof of Reserves b.example mock:hal abcdefghijklmnopqrst";

/// Seed files of two accounts, and a chain with their coins.
struct Corpus {
    runtime: Runtime,
    chain: Chain,
    files: Vec<Vec<u8>>,
    /// The txids of what was really signed, without scriptSigs.
    signed: HashSet<Txid>,
}

impl Corpus {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let source = Arc::new(DevelopmentChain::new());
        let accounts = ["one account", "another account"].iter();
        let samples = accounts.flat_map(|account| samples(&source, account, Some(STATEMENT)));
        let files: Vec<_> = samples.map(|sample| sample.psbt).collect();
        let chain = Chain::connect(vec![source], 1, Network::Regtest, None, Clock::System);
        let chain = runtime.block_on(chain);
        let read = |file| verify::read(&STANDARD.encode(file), Vec::new()).ok();
        let read = files.iter().filter_map(read);
        let signed = read.map(|it| bare_txid(it.file.unsigned_transaction()));
        let signed = signed.collect();
        Self {
            runtime,
            chain: chain.expect("the development chain"),
            files,
            signed,
        }
    }

    fn verdict(&self, text: &str) -> Result<Verified, Refusal> {
        let candidate = verify::read(text, Vec::new())?;
        let outpoints = candidate.outpoints();
        let look_up = self.runtime.block_on(self.chain.look_up(&outpoints));
        verify::verify(candidate, &look_up.expect("the development chain"), 1)
    }
}

/// The txid without scriptSigs, which anyone could change.
fn bare_txid(transaction: &Transaction) -> Txid {
    let mut bare = transaction.clone();
    for input in &mut bare.input {
        input.script_sig = ScriptBuf::new();
        input.witness = Witness::new();
    }
    bare.compute_txid()
}

/// The number of cases: `PROPTEST_CASES`, or a few seconds' worth.
fn runner(cases: u32) -> TestRunner {
    let usual = Config::default();
    let asked = std::env::var_os("PROPTEST_CASES").map(|_| usual.cases);
    TestRunner::new(Config {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        ..usual
    })
}

#[test]
fn damaged_files_are_refused_or_still_what_was_signed() {
    let corpus = Corpus::new();
    let index = any::<prop::sample::Index>;
    let cases = (index(), index(), vec(damage(), 1..4));
    let outcome = runner(3_000).run(&cases, |(file, other, damages)| {
        let mut bytes = corpus.files[file.index(corpus.files.len())].clone();
        let other = &corpus.files[other.index(corpus.files.len())];
        for damage in &damages {
            apply(damage, &mut bytes, other);
        }
        if let Ok(verified) = corpus.verdict(&STANDARD.encode(&bytes)) {
            prop_assert!(corpus.signed.contains(&bare_txid(&verified.transaction)));
        }
        Ok(())
    });
    outcome.expect("no damage makes a proof of something else");
}

#[test]
fn any_text_is_refused() {
    let corpus = Corpus::new();
    let texts = prop_oneof![
        ".{0,200}",
        "[0-9a-fA-F]{0,400}",
        "cHNidP8[A-Za-z0-9+/]{0,300}={0,2}",
        vec(any::<u8>(), 0..300).prop_map(|bytes| STANDARD.encode([b"psbt\xff", &*bytes].concat())),
    ];
    let outcome = runner(2_000).run(&texts, |text| {
        prop_assert!(corpus.verdict(&text).is_err());
        Ok(())
    });
    outcome.expect("chance makes no proof");
}

/// Proofs, section 2, in other words: a holder's own addresses end with the amounts they had.
#[test]
fn a_transaction_that_moves_anything_is_no_still_transaction() {
    let script = |number: u8| ScriptBuf::from(vec![0x51, number]);
    let statement = || psbt_wasm::statement::script(STATEMENT).map(ScriptBuf::from);
    let sats = || prop_oneof![4 => 1..4_u64, 1 => Just(0_u64)];
    let lock_time = prop_oneof![4 => Just(psbt_wasm::statement::LOCK_TIME), 1 => any::<u32>()];
    let sequence = prop_oneof![Just(u32::MAX), any::<u32>()];
    let inputs = vec((0..4_u8, sats(), sequence), 1..4);
    // The last of the scripts is the statement.
    let outputs = vec((0..5_u8, sats()), 0..4);
    let cases = (inputs, outputs, any::<prop::sample::Index>(), lock_time);
    let still = std::cell::Cell::new(0);
    let outcome = runner(50_000).run(&cases, |(inputs, outputs, at, lock_time)| {
        let to = |(number, sats): (u8, u64)| match number {
            4 => pay(sats, statement().expect("one push")),
            number => pay(sats, script(number)),
        };
        let spent = inputs.iter().map(|(it, sats, _)| to((*it, *sats)));
        let spent: Vec<TxOut> = spent.collect();
        let mut paid: Vec<TxOut> = outputs.into_iter().map(to).collect();
        paid.insert(at.index(paid.len() + 1), to((4, 0)));
        let input = |sequence: u32| TxIn {
            sequence: Sequence(sequence),
            ..TxIn::default()
        };
        let transaction = Transaction {
            version: bitcoin::transaction::Version::TWO,
            lock_time: LockTime::from_consensus(lock_time),
            input: inputs.iter().map(|(_, _, it)| input(*it)).collect(),
            output: paid,
        };
        let worth = |outputs: &[TxOut], script: &ScriptBuf| -> Amount {
            let of_it = outputs.iter().filter(|it| it.script_pubkey == *script);
            of_it.map(|it| it.value).sum()
        };
        let everybody = spent.iter().chain(&transaction.output);
        let mut scripts = everybody.map(|it| &it.script_pubkey);
        let moves = scripts.any(|it| worth(&spent, it) != worth(&transaction.output, it));
        let valueless = transaction.output.iter();
        let valueless = valueless.filter(|it| it.value == Amount::ZERO);
        let locked = lock_time == psbt_wasm::statement::LOCK_TIME
            && inputs.iter().any(|(_, _, sequence)| *sequence != u32::MAX);
        let expected = !moves && locked && valueless.count() == 1;
        let checked = is_still(&transaction, spent.iter(), STATEMENT);
        prop_assert_eq!(checked.is_ok(), expected, "{:?} {:?}", checked, transaction);
        still.set(still.get() + u32::from(expected));
        Ok(())
    });
    outcome.expect("the rule of proofs, section 2, holds");
    let still = still.get();
    assert!(still > 100, "still ones are among them: {still}");
}

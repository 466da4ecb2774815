//! B4: coins with locks in their scripts, and a lock time that the signer chose, in a still transaction and in a message.

use super::*;

const TIP: u32 = 150;
const MEDIAN: u32 = 1_700_000_000;

/// A coin whose script has a lock and a key, and an honest one.
struct Locked {
    is_message: bool,
    container: Container,
    key: Key,
    script: ScriptBuf,
    owner: Single,
    coins: Vec<Coin>,
    /// The index of the locked input.
    input: usize,
}

/// How the coin is spent, and at which tip: its height and its median time past.
struct Spending<'a> {
    tip: (u32, u32),
    lock_time: Option<u32>,
    sequence: Option<Sequence>,
    /// The elements on the stack above the signature.
    rest: &'a [Vec<u8>],
}

/// The far lock time satisfies every height in a script.
const NOW: Spending<'_> = Spending {
    tip: (TIP, MEDIAN),
    lock_time: Some(FAR),
    sequence: None,
    rest: &[],
};

impl Locked {
    fn verdict(&self, spending: &Spending<'_>) -> Verdict {
        let (mut transaction, coins) = match self.is_message {
            false => (still(MESSAGE, &self.coins), self.coins.clone()),
            true => message(MESSAGE, self.owner.script_pubkey(), &self.coins),
        };
        let (container, input) = (self.container, self.input);
        let lock_time = spending.lock_time.map(LockTime::from_consensus);
        transaction.lock_time = lock_time.unwrap_or(transaction.lock_time);
        let own = &mut transaction.input[input];
        own.sequence = spending.sequence.unwrap_or(own.sequence);
        for honest in 0..input {
            self.owner.sign(&mut transaction, &coins, honest, 0x01);
        }
        let sighash = Sighash::new(&transaction, &coins, input, 0x01);
        let signature = container.signature(&sighash, &self.script, &self.key);
        let elements = [&[signature], spending.rest].concat();
        container.place(&mut transaction.input[input], &elements, &self.script);
        let psbt = stated(&transaction, &coins[..1]);
        let candidate = read(&text(psbt.serialize()), Vec::new())?;
        let is_message = candidate.kind.message().is_some_and(|it| it.signs(MESSAGE));
        assert_eq!(is_message, self.is_message);
        let mut ledger = Ledger::new(&self.coins);
        ledger.tip.height = spending.tip.0;
        ledger.tip.median_time = i64::from(spending.tip.1);
        ledger.since = Some(i64::from(MEDIAN) - 10 * 512);
        ledger.verdict_of_candidate(candidate)
    }

    fn with_lock_time(&self, lock_time: u32) -> Verdict {
        let lock_time = Some(lock_time);
        self.verdict(&Spending { lock_time, ..NOW })
    }

    #[track_caller]
    fn assert_refused(&self, verdict: &Verdict, code: &str) {
        assert_refused(verdict, code, self.input);
    }

    /// Asserts a refusal for the script's lock, with the time in the message.
    #[track_caller]
    fn assert_locked(&self, verdict: &Verdict, until: &str) {
        self.assert_refused(verdict, "absolute-lock");
        let sentence = verdict.as_ref().expect_err("refused").to_string();
        assert!(sentence.contains(until), "{sentence}");
    }
}

/// Every container of a script, in both carriers. `write` makes the script from the push of the key.
fn each(write: impl Fn(&dyn Fn(Builder) -> Builder) -> Builder, check: impl Fn(&Locked)) {
    for container in Container::WRAPPED {
        for is_message in [false, true] {
            println!("{container:?} {is_message}");
            let (key, owner) = (Key::random(), Single::new(Lock::Wpkh));
            let script = write(&|script| container.push_key(script, &key)).into_script();
            let coins = coins(&[owner.script_pubkey(), container.script_pubkey(&script)]);
            check(&Locked {
                is_message,
                container,
                key,
                script,
                owner,
                coins,
                input: 1 + usize::from(is_message),
            });
        }
    }
}

/// Locked until a height or a time, in miniscript's form.
fn until(lock: u32) -> impl Fn(&dyn Fn(Builder) -> Builder) -> Builder {
    move |key| {
        let script = key(Builder::new()).push_opcode(OP_CHECKSIGVERIFY);
        script.push_int(i64::from(lock)).push_opcode(OP_CLTV)
    }
}

#[test]
fn a_height_of_a_script_counts_whatever_the_lock_time_says() {
    for height in [1, TIP, TIP + 1, 100_000_000, FAR] {
        each(until(height), |coin| {
            for lock_time in [height, FAR] {
                let verdict = coin.with_lock_time(lock_time);
                match height <= TIP {
                    true => assert_accepted(&verdict, "over"),
                    false => coin.assert_locked(&verdict, &format!("block {height}")),
                }
            }
            let early = coin.with_lock_time(height - 1);
            coin.assert_refused(&early, "invalid-signature");
        });
    }
}

/// BIP-0113: compared with the median time past of the newest block; only a message can satisfy it.
#[test]
fn a_time_of_a_script_counts_in_a_message() {
    let day = 86_400;
    for (time, over) in [(MEDIAN - 1, true), (MEDIAN, false), (MEDIAN + day, false)] {
        each(until(time), |coin| {
            if !coin.is_message {
                // No height satisfies a time.
                return coin.assert_refused(&coin.verdict(&NOW), "invalid-signature");
            }
            for lock_time in [MEDIAN + day, u32::MAX] {
                let verdict = coin.with_lock_time(lock_time);
                match over {
                    true => assert_accepted(&verdict, "over"),
                    false => coin.assert_locked(&verdict, " UTC"),
                }
            }
        });
    }
}

/// BIP-0065: where the input's own sequence number is final, the script fails by itself.
#[test]
fn a_final_sequence_does_not_open_a_lock() {
    each(until(1), |coin| {
        let sequence = Some(Sequence::MAX);
        let verdict = coin.verdict(&Spending { sequence, ..NOW });
        coin.assert_refused(&verdict, "invalid-signature");
    });
}

/// `IF key ELSE lock key ENDIF`, spent by either branch; the signature fits both.
#[test]
fn the_lock_of_a_branch_that_is_not_taken_does_not_count() {
    let branches = |key: &dyn Fn(Builder) -> Builder| {
        let open = key(Builder::new().push_opcode(OP_IF)).push_opcode(OP_CHECKSIG);
        let lock = open.push_opcode(OP_ELSE).push_int(i64::from(FAR));
        let locked = key(lock.push_opcode(OP_CLTV).push_opcode(OP_VERIFY));
        locked.push_opcode(OP_CHECKSIG).push_opcode(OP_ENDIF)
    };
    each(branches, |coin| {
        let [open, locked] = [vec![1], vec![]].map(|branch| {
            let rest = &[branch];
            coin.verdict(&Spending { rest, ..NOW })
        });
        assert_accepted(&open, "the branch without a lock");
        coin.assert_locked(&locked, &format!("block {FAR}"));
    });
}

/// A lock that is dropped from the stack is still a lock, but not miniscript: the signer is inconclusive.
#[test]
fn a_lock_that_cannot_be_read_is_inconclusive() {
    let dropped = |key: &dyn Fn(Builder) -> Builder| {
        let lock = Builder::new().push_int(i64::from(FAR)).push_opcode(OP_CLTV);
        key(lock.push_opcode(OP_DROP)).push_opcode(OP_CHECKSIG)
    };
    each(dropped, |coin| {
        coin.assert_refused(&coin.verdict(&NOW), "inconclusive");
    });
}

/// BIP-0068 and BIP-0112: the coin is in block 100.
#[test]
fn a_relative_lock_of_a_script_counts_in_both_carriers() {
    for (sequence, over_at) in [
        (Sequence::from_height(5), (104, MEDIAN)),
        (Sequence::from_512_second_intervals(11), (TIP, MEDIAN + 512)),
    ] {
        let lock = |key: &dyn Fn(Builder) -> Builder| {
            let script = key(Builder::new()).push_opcode(OP_CHECKSIGVERIFY);
            let blocks = i64::from(sequence.to_consensus_u32());
            script.push_int(blocks).push_opcode(OP_CSV)
        };
        each(lock, |coin| {
            let before = (over_at.0 - 1, over_at.1 - 1);
            let [before, over] = [before, over_at].map(|tip| {
                coin.verdict(&Spending {
                    tip,
                    lock_time: None,
                    sequence: Some(sequence),
                    ..NOW
                })
            });
            coin.assert_refused(&before, "relative-lock");
            assert_accepted(&over, "over");
        });
    }
}

/// For an account that the statement does not name, a still transaction is a file without a binding.
#[test]
fn only_a_file_that_is_not_bound_must_be_final() {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey()]);
    let transaction = signed(&owner, still(MESSAGE, &coins), &coins);
    let ledger = Ledger::new(&coins);
    assert_refused(&ledger.verdict_of(&transaction), "locked", None);
    let file = bitcoin::consensus::encode::serialize_hex(&transaction);
    let candidate = read(&file, Vec::new()).expect("a file");
    assert_accepted(&ledger.verdict_of_candidate(candidate), "bound");
}

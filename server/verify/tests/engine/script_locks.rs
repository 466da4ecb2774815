//! B4: coins with locks in their scripts, and a lock time that the signer chose, in a still transaction and in a message.

use Carrier::{Message, Still};
use bitcoin::opcodes::all::{OP_CHECKSIGVERIFY, OP_CLTV, OP_CSV, OP_ELSE, OP_VERIFY};

use super::*;
use crate::forge::{FAR, coins};

const TIP: u32 = 150;
const MEDIAN: u32 = 1_700_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carrier {
    Still,
    Message,
}

/// A coin whose script has a lock and a key, and an honest one.
struct Locked {
    carrier: Carrier,
    container: Container,
    key: Key,
    script: ScriptBuf,
    owner: Single,
    coins: Vec<Coin>,
}

impl Locked {
    /// `write` makes the script from the push of the key.
    fn new(
        carrier: Carrier,
        container: Container,
        write: impl Fn(&dyn Fn(Builder) -> Builder) -> Builder,
    ) -> Self {
        let (key, owner) = (Key::random(), Single::new(Lock::Wpkh));
        let script = write(&|script| container.push_key(script, &key)).into_script();
        let coins = coins(&[owner.script_pubkey(), container.script_pubkey(&script)]);
        Self {
            carrier,
            container,
            key,
            script,
            owner,
            coins,
        }
    }

    /// The index of the locked input.
    fn input(&self) -> usize {
        match self.carrier {
            Still => 1,
            Message => 2,
        }
    }

    /// The verdict at this tip after a change to the transaction and its input. `rest` is on top of the signature.
    fn verdict(
        &self,
        (height, median_time): (u32, u32),
        rest: &[Vec<u8>],
        change: impl FnOnce(&mut Transaction, usize),
    ) -> Result<Verified, Refusal> {
        let (mut transaction, coins) = match self.carrier {
            Still => (still(MESSAGE, &self.coins), self.coins.clone()),
            Message => message(MESSAGE, self.owner.script_pubkey(), &self.coins),
        };
        let input = self.input();
        change(&mut transaction, input);
        for honest in 0..input {
            self.owner.sign(&mut transaction, &coins, honest, 0x01);
        }
        let sighash = Sighash::new(&transaction, &coins, input, 0x01);
        let signature = self.container.signature(&sighash, &self.script, &self.key);
        let elements = [&[signature], rest].concat();
        self.container
            .place(&mut transaction.input[input], &elements, &self.script);
        let mut psbt = finished(&transaction);
        psbt.inputs[0].witness_utxo = Some(coins[0].output.clone());
        let candidate = read(&text(psbt.serialize()), Vec::new())?;
        let is_message = candidate.kind.message().is_some_and(|it| it.signs(MESSAGE));
        assert_eq!(is_message, self.carrier == Message);
        let mut ledger = Ledger::new(&self.coins);
        ledger.tip.height = height;
        ledger.tip.median_time = i64::from(median_time);
        ledger.since = Some(i64::from(MEDIAN) - 10 * 512);
        ledger.verdict_of_candidate(candidate)
    }

    fn with_lock_time(&self, tip: (u32, u32), lock_time: u32) -> Result<Verified, Refusal> {
        self.verdict(tip, &[], |transaction, _| {
            transaction.lock_time = LockTime::from_consensus(lock_time);
        })
    }
}

/// Every container of a script, in both carriers.
fn each(write: impl Fn(&dyn Fn(Builder) -> Builder) -> Builder, check: impl Fn(&Locked)) {
    for container in Container::WRAPPED {
        for carrier in [Still, Message] {
            println!("{container:?} {carrier:?}");
            check(&Locked::new(carrier, container, &write));
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

/// Refused for the lock of its script, with the time in the message.
#[track_caller]
fn locked_until(verdict: &Result<Verified, Refusal>, coin: &Locked, until: &str) {
    assert_refused(verdict, "absolute-lock", coin.input());
    let sentence = verdict.as_ref().expect_err("refused").to_string();
    assert!(sentence.contains(until), "{sentence}");
}

/// The far lock time satisfies every height in a script.
#[test]
fn a_height_of_a_script_counts_whatever_the_lock_time_says() {
    for height in [1, TIP, TIP + 1, 100_000_000, FAR] {
        each(until(height), |coin| {
            for lock_time in [height, FAR] {
                let verdict = coin.with_lock_time((TIP, MEDIAN), lock_time);
                if height <= TIP {
                    assert_accepted(&verdict, "over");
                } else {
                    locked_until(&verdict, coin, &format!("block {height}"));
                }
            }
            let early = coin.with_lock_time((TIP, MEDIAN), height - 1);
            assert_refused(&early, "invalid-signature", coin.input());
        });
    }
}

/// BIP-0113: compared with the median time past of the newest block; only a message can satisfy it.
#[test]
fn a_time_of_a_script_counts_in_a_message() {
    for (time, over) in [
        (MEDIAN - 1, true),
        (MEDIAN, false),
        (MEDIAN + 86_400, false),
    ] {
        each(until(time), |coin| {
            if coin.carrier == Still {
                // No height satisfies a time.
                let verdict = coin.with_lock_time((TIP, MEDIAN), FAR);
                return assert_refused(&verdict, "invalid-signature", coin.input());
            }
            for lock_time in [MEDIAN + 86_400, u32::MAX] {
                let verdict = coin.with_lock_time((TIP, MEDIAN), lock_time);
                match over {
                    true => assert_accepted(&verdict, "over"),
                    false => locked_until(&verdict, coin, " UTC"),
                }
            }
        });
    }
}

/// BIP-0065: where the input's own sequence number is final, the script fails by itself.
#[test]
fn a_final_sequence_does_not_open_a_lock() {
    each(until(1), |coin| {
        let verdict = coin.verdict((TIP, MEDIAN), &[], |transaction, input| {
            transaction.lock_time = LockTime::from_consensus(FAR);
            transaction.input[input].sequence = Sequence::MAX;
        });
        assert_refused(&verdict, "invalid-signature", coin.input());
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
        let taken = |branch: Vec<u8>| {
            coin.verdict((TIP, MEDIAN), &[branch], |transaction, _| {
                transaction.lock_time = LockTime::from_consensus(FAR);
            })
        };
        assert_accepted(&taken(vec![1]), "the branch without a lock");
        locked_until(&taken(vec![]), coin, &format!("block {FAR}"));
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
        let verdict = coin.with_lock_time((TIP, MEDIAN), FAR);
        assert_refused(&verdict, "inconclusive", coin.input());
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
        let before = (over_at.0 - 1, over_at.1 - 1);
        each(lock, |coin| {
            let at = |tip| {
                coin.verdict(tip, &[], |transaction, input| {
                    transaction.input[input].sequence = sequence;
                })
            };
            assert_refused(&at(before), "relative-lock", coin.input());
            assert_accepted(&at(over_at), "over");
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

//! C2 to C5: which files carry an account's statement, and which only look as if they did. Each is one step away from a proof, with
//! valid signatures.

use bitcoin::WPubkeyHash;
use bitcoin::script::PushBytesBuf;
use psbt_wasm::Carrier;
use psbt_wasm::statement::LOCK_TIME;
use verify::binding;

use super::*;

const COIN: u64 = 30_000_000;

/// The statement of [`still`] and [`message`].
fn line() -> &'static str {
    std::str::from_utf8(MESSAGE).expect("ASCII")
}

/// Two owners, two coins of each.
fn coins() -> ([Single; 2], Vec<Coin>) {
    let owners = [Single::new(Lock::Wpkh), Single::new(Lock::TrKey)];
    let coins = owners.each_ref().map(|owner| worth(owner, &[COIN, COIN]));
    (owners, coins.concat())
}

/// The verdict on a transaction that each owner of a coin in it has signed.
fn verified(owners: &[Single], transaction: Transaction, coins: &[Coin]) -> Verified {
    let owner = |coin: &Coin| {
        let mut owners = owners.iter();
        let owner = owners.find(|owner| owner.script_pubkey() == coin.output.script_pubkey);
        *owner.expect("one of them")
    };
    let owners: Vec<Single> = coins.iter().map(owner).collect();
    let transaction = signed_by_each(&owners, transaction, coins);
    verdict(serialize(&transaction), coins).expect("its signatures are good")
}

fn verdict(file: Vec<u8>, coins: &[Coin]) -> Verdict {
    let candidate = read(&text(file), Vec::new())?;
    Ledger::new(coins).verdict_of_candidate(candidate)
}

/// How a file is bound to the account with this statement, or the code of the reason why it is not.
fn bound(verified: &Verified, line: &str) -> &'static str {
    match binding::carrier(verified, &["another line", line]) {
        Ok(Carrier::Transaction) => "transaction",
        Ok(Carrier::Message) => "message",
        Err(not) => not.into(),
    }
}

/// An OP_RETURN output of these pushes.
fn saying(pushes: &[&[u8]]) -> ScriptBuf {
    let push = |script: Builder, bytes: &&[u8]| {
        script.push_slice(PushBytesBuf::try_from(bytes.to_vec()).expect("short"))
    };
    let start = Builder::from(vec![0x6a]);
    pushes.iter().fold(start, push).into_script()
}

/// Replaces the statement of a still transaction over coins of two owners.
fn say(transaction: &mut Transaction, pushes: &[&[u8]]) {
    transaction.output[2].script_pubkey = saying(pushes);
}

fn stranger() -> ScriptBuf {
    ScriptBuf::new_p2wpkh(&WPubkeyHash::hash(b"a stranger"))
}

/// The outputs of a payment: the owner's number, and the amount. The third is a stranger. The first one or two owners pay.
type Paid<'a> = &'a [(usize, u64)];

/// Payments that carry the forger's statement too: without a lock time, and with the one of a still transaction.
#[test]
fn payments_with_a_statement_are_refused() {
    const WHOLE: u64 = 2 * COIN;
    const FEE: u64 = 500;
    const LARGE: u64 = 100_000;
    // A forger asks a service that pays from one address to pay to that same address, and to add a note.
    let payout: Paid<'_> = &[(0, COIN / 7), (0, WHOLE - COIN / 7 - FEE)];
    // A payer's file for a payjoin (BIP-0078, the original PSBT), or for an invoice.
    let invoice: Paid<'_> = &[(2, COIN / 3), (0, WHOLE - COIN / 3 - FEE)];
    let payments: [(&str, usize, Paid<'_>); 10] = [
        ("a payout", 1, payout),
        ("an invoice", 1, invoice),
        // The receiver adds their own coin, and everything goes to their address.
        ("a payjoin", 2, &[(1, WHOLE * 2 - FEE)]),
        ("a payjoin without a fee", 2, &[(1, WHOLE * 2)]),
        // Each gets one of their addresses back and pays a small amount for it.
        ("a shared fee", 2, &[(0, WHOLE - FEE), (1, WHOLE - FEE)]),
        ("a large fee", 2, &[(0, WHOLE - LARGE), (1, WHOLE - LARGE)]),
        ("she pays", 2, &[(0, WHOLE - FEE), (1, WHOLE)]),
        ("he pays", 2, &[(0, WHOLE), (1, WHOLE - FEE)]),
        ("a sat of hers", 2, &[(0, WHOLE - 1), (1, WHOLE + 1)]),
        ("a sat of his", 2, &[(0, WHOLE + 1), (1, WHOLE - 1)]),
    ];
    let (owners, coins) = coins();
    let payment = |from: usize, to: Paid<'_>, lock_time: u32| {
        let spent = coins[..2 * from].to_vec();
        let script = |whose: usize| {
            let owner = owners.get(whose);
            owner.map_or_else(stranger, Single::script_pubkey)
        };
        let mut payment = spend(&spent);
        payment.lock_time = lock(lock_time);
        payment.output = vec![pay(0, saying(&[MESSAGE]))];
        let paid = to.iter().map(|(whose, sats)| pay(*sats, script(*whose)));
        payment.output.extend(paid);
        bound(&verified(&owners, payment, &spent), line())
    };
    for (what, from, to) in payments {
        for lock_time in [0, LOCK_TIME] {
            let bound = payment(from, to, lock_time);
            assert_eq!(bound, "not-still", "{what} {lock_time}");
        }
    }
    // Without a fee, only the lock time differs from a still transaction.
    let whole: Paid<'_> = &[(0, COIN / 7), (0, WHOLE - COIN / 7)];
    assert_eq!(payment(1, whole, 0), "not-still");
    assert_eq!(payment(1, whole, LOCK_TIME), "transaction");
}

fn lock(lock_time: u32) -> LockTime {
    LockTime::from_consensus(lock_time)
}

/// One change to a file that would be a proof: outputs 0 and 1 return the owners' coins, and 2 is the statement.
type Change = fn(&mut Transaction);

const NEARLY_STILL: &[(&str, Change)] = &[
    ("no lock time", |it| it.lock_time = lock(0)),
    ("a fork's replay stamp", |it| {
        it.lock_time = lock(499_999_999)
    }),
    ("a block too early", |it| it.lock_time = lock(LOCK_TIME - 1)),
    ("a block too late", |it| it.lock_time = lock(LOCK_TIME + 1)),
    ("a lock time that does not count", |it| {
        for input in &mut it.input {
            input.sequence = Sequence::MAX;
        }
    }),
    ("two statements", |it| it.output.push(it.output[2].clone())),
    ("a statement and a note", |it| {
        it.output.push(pay(0, ScriptBuf::new_op_return([7; 7])));
    }),
    ("a statement and an empty output", |it| {
        it.output.push(pay(0, it.output[0].script_pubkey.clone()));
    }),
    ("a statement that is paid for", |it| {
        it.output[0].value -= Amount::ONE_SAT;
        it.output[2].value = Amount::ONE_SAT;
    }),
    ("two pushes", |it| say(it, &[MESSAGE, b"more"])),
    ("a push of the wrong opcode", |it| {
        let length = u8::try_from(MESSAGE.len()).expect("short");
        let script = [&[0x6a, 0x4c, length], MESSAGE].concat();
        it.output[2].script_pubkey = ScriptBuf::from_bytes(script);
    }),
    ("no OP_RETURN", |it| {
        let script = saying(&[MESSAGE]).into_bytes()[1..].to_vec();
        it.output[2].script_pubkey = ScriptBuf::from_bytes(script);
    }),
    ("more after it", |it| say(it, &[&[MESSAGE, b"."].concat()])),
    ("more before it", |it| {
        say(it, &[&[b"I pay. ", MESSAGE].concat()])
    }),
    ("a fee", |it| it.output[1].value -= Amount::ONE_SAT),
    ("a sat from one address to the other", |it| {
        it.output[0].value += Amount::ONE_SAT;
        it.output[1].value -= Amount::ONE_SAT;
    }),
    ("one address gets all", |it| {
        let rest = it.output.remove(1).value;
        it.output[0].value += rest;
    }),
    ("two addresses that have changed places", |it| {
        let (value, other) = (it.output[0].value, it.output[1].value);
        (it.output[0].value, it.output[1].value) = (other, value);
    }),
    ("a sat for a stranger", |it| {
        it.output[0].value -= Amount::ONE_SAT;
        it.output.push(pay(1, stranger()));
    }),
    ("a sat that is burnt", |it| {
        it.output[0].value -= Amount::ONE_SAT;
        it.output.push(pay(1, ScriptBuf::new_op_return([7; 7])));
    }),
];

#[test]
fn what_is_nearly_still_moves() {
    let (owners, coins) = coins();
    // The owners' totals differ.
    let coins = &coins[1..];
    for (what, change) in NEARLY_STILL {
        let mut spoilt = still(MESSAGE, coins);
        change(&mut spoilt);
        let verified = verified(&owners, spoilt, coins);
        assert_eq!(bound(&verified, line()), "not-still", "{what}");
    }
}

#[test]
fn a_still_transaction_may_pay_back_in_parts_and_say_its_line_anywhere() {
    let (owners, coins) = coins();
    let whole = still(MESSAGE, &coins);
    assert_eq!(whole.output.len(), 3, "one for each script");
    let mut parts = whole.clone();
    parts.output[0].value -= Amount::from_sat(COIN / 3);
    let own = parts.output[0].script_pubkey.clone();
    parts.output.push(pay(COIN / 3, own));
    parts.output.swap(0, 2);
    for transaction in [whole, parts] {
        let verified = verified(&owners, transaction, &coins);
        assert_eq!(bound(&verified, line()), "transaction");
    }
}

/// `text` with another letter in place of the one at `at`.
fn misspelt(at: usize) -> String {
    let mut bytes = MESSAGE.to_vec();
    bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
    String::from_utf8(bytes).expect("ASCII")
}

/// Other lines that a user could be tricked into signing: refused, and never accepted as unbound.
#[test]
fn no_other_line_counts_in_either_carrier() {
    let (owners, coins) = coins();
    let at = |word: &str| line().find(word).expect("a word of it");
    for other in [
        // Another site, another name, another code.
        misspelt(at("board") + 3),
        misspelt(at("Hal")),
        misspelt(at("abcdef") + 10),
        line()[..MESSAGE.len() - 1].to_owned(),
        // SeedSigner 0.8 leaves the first letter out.
        line()[1..].to_owned(),
        line().to_uppercase(),
    ] {
        let mut transaction = still(MESSAGE, &coins);
        say(&mut transaction, &[other.as_bytes()]);
        let verified = verified(&owners, transaction, &coins);
        assert_eq!(bound(&verified, line()), "other-statement", "{other}");
        let signed = signed_message(other.as_bytes(), &owners[0], &coins[..1]);
        let verified = verdict(signed.serialize(), &coins).expect("its signatures are good");
        assert_eq!(bound(&verified, line()), "other-statement", "{other}");
    }
    // Other texts and an empty line are not statements.
    let mut note = still(MESSAGE, &coins);
    say(&mut note, &[b"Proof of existence"]);
    let mut silent = still(MESSAGE, &coins);
    silent.output.pop();
    for transaction in [note, silent] {
        let verified = verified(&owners, transaction, &coins);
        assert_eq!(bound(&verified, line()), "not-bound");
    }
}

/// A finished PSBT of a message over these coins, all of one owner.
fn signed_message(said: &[u8], owner: &Single, coins: &[Coin]) -> Psbt {
    let (to_sign, spent) = message(said, owner.script_pubkey(), coins);
    stated(&signed(owner, to_sign, &spent), &spent)
}

#[test]
fn only_the_exact_message_binds_and_whatever_the_field_says() {
    let (owners, coins) = coins();
    let coins = &coins[..2];
    let bound = |psbt: &Psbt| {
        let verified = verdict(psbt.serialize(), coins).expect("its signatures are good");
        bound(&verified, line())
    };
    for said in [
        format!("{}\n", line()),
        format!(" {}", line()),
        format!("I am not selling my account.\n{}", line()),
        "Proof of something else".to_owned(),
        String::new(),
    ] {
        let mut psbt = signed_message(said.as_bytes(), &owners[0], coins);
        assert_eq!(bound(&psbt), "other-statement", "{said:?}");
        psbt.unknown.insert(message_key(), MESSAGE.to_vec());
        assert_eq!(bound(&psbt), "other-statement", "{said:?}");
    }
    let mut psbt = signed_message(MESSAGE, &owners[0], coins);
    assert_eq!(bound(&psbt), "message");
    psbt.unknown.insert(message_key(), MESSAGE.to_vec());
    assert_eq!(bound(&psbt), "message");
    psbt.unknown.insert(message_key(), b"another".to_vec());
    assert_eq!(bound(&psbt), "other-statement");
}

#[test]
fn forged_messages_are_refused() {
    let (owners, coins) = coins();
    let good = signed_message(MESSAGE, &owners[0], &coins[..1]);
    // Another owner's signed coin under one's own message: the signature is for another transaction.
    let mut mixed = signed_message(MESSAGE, &owners[1], &coins[..1]);
    mixed.inputs[1] = good.inputs[1].clone();
    let refused = |psbt: &Psbt, code, input: Option<usize>| {
        assert_refused(&verdict(psbt.serialize(), &coins), code, input);
    };
    refused(&mixed, "invalid-signature", Some(1));
    // Only the coin's input is signed, not the message's.
    let mut unsigned = good.clone();
    unsigned.inputs[0].final_script_witness = good.inputs[1].final_script_witness.clone();
    refused(&unsigned, "invalid-signature", Some(0));
    // An output that a signed message must not have.
    let mut paying = good.clone();
    let again = good.unsigned_tx.output[0].clone();
    paying.unsigned_tx.output.push(again);
    paying.outputs.push(Default::default());
    paying.unknown.insert(message_key(), MESSAGE.to_vec());
    refused(&paying, "message-form", None);
    // Without the field it looks like a transaction that spends an unknown coin.
    paying.unknown.clear();
    refused(&paying, "coin-missing", Some(0));
}

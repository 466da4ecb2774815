//! Every wrong part of a published proof is found.

use super::*;

/// A change to a proof.
type Change = fn(&mut Published);

impl Published {
    fn output(&mut self, at: usize) -> &mut TxOut {
        &mut self.transaction.output[at]
    }
}

fn anyone() -> ScriptBuf {
    ScriptBuf::from(vec![0x51])
}

/// Asserts what is said of the carrier after each change: of a proof that is then well-formed, and never that it is complete.
fn assert_carrier(whole: &Published, changes: &[(Change, ProofFault)]) {
    for (at, (change, fault)) in changes.iter().enumerate() {
        let mut proof = whole.clone();
        change(&mut proof);
        let carrier = proof.check().expect("well-formed").carrier;
        assert_eq!(carrier, Some(*fault), "change {at}");
        assert!(!proof.is_complete(), "change {at}");
    }
}

#[test]
fn the_statement_is_that_of_this_board_person_and_nonce() {
    let proof = published(&[Kind::P2wpkh], Form::Message);
    let bytes = serialize(&proof.transaction);
    let copy = proof.check_bytes(&bytes, "https://copy.example");
    let statement = copy.expect("well-formed").statement;
    assert_eq!(statement, Some(ProofFault::OtherBoard));
    let changes: [Change; 14] = [
        |proof| proof.person.provider = "github",
        |proof| proof.person.subject = "783215",
        |proof| proof.person.account = "0190d0c2-0000-7000-8000-000000000002",
        |proof| proof.nonce = [8; 16],
        // Another name, another block, and another network.
        |proof| proof.name = "@hal",
        |proof| proof.header[0] ^= 1,
        |proof| proof.person.network = CoinNetwork::Testnet4,
        |proof| proof.line.clear(),
        |proof| proof.line = proof.line.replace("@satoshi ", " "),
        |proof| proof.line = proof.line.replace("@satoshi", "@satoshi\n"),
        |proof| proof.line = proof.line.replace("@satoshi", "@satoshi_nakamoto_and_more"),
        |proof| proof.line = "Proof of Reserves".into(),
        |proof| proof.line.push(' '),
        |proof| proof.line.replace_range(..1, ""),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut changed = proof.clone();
        change(&mut changed);
        let statement = changed.check().expect("well-formed").statement;
        assert_eq!(statement, Some(ProofFault::OtherStatement), "change {at}");
    }
}

#[test]
fn a_still_transaction_moves_nothing() {
    use ProofFault::{Elsewhere, LockTime as Lock, NoStatement, Sequences, Sums, Valueless};
    let whole = published(&[Kind::P2wpkh, Kind::P2tr, Kind::P2wpkh], Form::Transaction);
    let lock_time = whole.transaction.lock_time.to_consensus_u32();
    assert_eq!(lock_time, statement::LOCK_TIME);
    let r#final = |it: &mut Published| {
        let inputs = it.transaction.input.iter_mut();
        inputs.for_each(|input| input.sequence = Sequence::MAX);
    };
    let twice = |it: &mut Published| {
        let statement = it.transaction.output[3].clone();
        it.transaction.output.push(statement);
    };
    let changes: [(Change, ProofFault); 9] = [
        (|it| it.line = "another line".into(), NoStatement),
        (|it| it.output(3).value = Amount::ONE_SAT, NoStatement),
        (|it| it.output(0).value = Amount::ZERO, Valueless),
        (twice, Valueless),
        (|it| it.transaction.lock_time = LockTime::ZERO, Lock),
        (r#final, Sequences),
        (|it| it.output(1).script_pubkey = anyone(), Elsewhere),
        (|it| it.output(0).value -= Amount::ONE_SAT, Sums),
        (|it| it.coins[2].value += Amount::ONE_SAT, Sums),
    ];
    assert_carrier(&whole, &changes);
    let mut rich = whole;
    rich.coins[1].value = Amount::from_sat(u64::MAX / 8);
    assert!(!rich.is_complete());
}

#[test]
fn a_message_is_a_proof_of_funds_over_the_statement() {
    use ProofFault::{MessageForm, OtherMessage};
    let pays = |it: &mut Published| it.transaction.output.push(output(0, ScriptBuf::new()));
    let alone = |it: &mut Published| {
        it.transaction.input.truncate(1);
        it.coins.truncate(1);
    };
    let changes: [(Change, ProofFault); 7] = [
        (|it| it.line.push('x'), OtherMessage),
        (|it| it.coins[0].script_pubkey = anyone(), OtherMessage),
        (|it| it.coins[0].value = Amount::ONE_SAT, OtherMessage),
        (|it| it.transaction.version = Version::ONE, MessageForm),
        (|it| it.output(0).value = Amount::ONE_SAT, MessageForm),
        (pays, MessageForm),
        (alone, MessageForm),
    ];
    let whole = published(&[Kind::P2wpkh, Kind::P2tr], Form::Message);
    assert_carrier(&whole, &changes);
}

#[test]
fn the_coins_are_those_that_are_spent() {
    let whole = published(&[Kind::P2wpkh, Kind::P2tr], Form::Transaction);
    let mut other = whole.clone();
    other.transaction.input[0].previous_output = OutPoint::new(whole.transaction.compute_txid(), 0);
    let bytes = serialize(&whole.transaction);
    let check = other.check_bytes(&bytes, ORIGIN).expect("well-formed");
    assert_eq!(check.carrier, Some(ProofFault::OtherCoins));
    let mut fewer = whole.clone();
    fewer.coins.pop();
    assert!(fewer.check().is_err());
}

/// The verdict when a final input has more than its script wants.
fn with_more(kind: Kind, change: impl Fn(&mut TxIn)) -> (SignatureStatus, Option<Reason>) {
    let mut proof = published(&[kind], Form::Transaction);
    change(&mut proof.transaction.input[0]);
    let check = proof.check().expect("well-formed");
    assert!(!check.is_complete());
    let input = &check.signatures.inputs[0];
    (input.status, input.reason)
}

/// BIP-0141. Each of these signatures is valid, and no node takes the transaction.
#[test]
fn extra_witness_and_script_data_is_refused() {
    use Kind::{P2pkh, P2shMultisig, P2shP2wpkh, P2tr, P2trScript, P2wpkh, P2wshMultisig};
    type More = fn(&mut TxIn);
    let script_sig: More = |input| input.script_sig = anyone();
    let witness: More = |input| input.witness = Witness::from_slice(&[[1]]);
    let twice: More = |input| {
        let redeem = input.script_sig.to_bytes();
        input.script_sig = ScriptBuf::from([&[0x51], &redeem[..]].concat());
    };
    let long: More = |input| {
        let redeem = &input.script_sig.to_bytes()[1..];
        input.script_sig = ScriptBuf::from([&[0x4c, 22], redeem].concat());
    };
    for (kinds, more) in [
        (&[P2wpkh, P2wshMultisig, P2tr, P2trScript][..], script_sig),
        (&[P2pkh, P2shMultisig], witness),
        (&[P2shP2wpkh], twice),
        (&[P2shP2wpkh], long),
    ] {
        for kind in kinds {
            let wrong = (SignatureStatus::Invalid, Some(Reason::WrongForm));
            assert_eq!(with_more(*kind, more), wrong);
        }
    }
}

#[test]
fn what_is_not_signed_is_not_complete() {
    for kind in Kind::ALL {
        let none = |input: &mut TxIn| {
            input.witness = Witness::new();
            input.script_sig = ScriptBuf::new();
        };
        assert_ne!(with_more(kind, none).0, SignatureStatus::Valid);
    }
}

/// Flips bits all over the transaction, and changes every other part, in each form.
#[test]
fn no_proof_that_was_changed_is_complete() {
    const PLACES: usize = 120;
    for form in Form::ALL {
        let whole = published(&Kind::ALL, form);
        let bytes = serialize(&whole.transaction);
        for place in 0..PLACES {
            let mut changed = bytes.clone();
            changed[place * bytes.len() / PLACES] ^= 1 << (place % 8);
            let check = whole.check_bytes(&changed, ORIGIN);
            let is_complete = check.is_ok_and(|check| check.is_complete());
            assert!(!is_complete, "{form:?}, {place}");
        }
        for coin in 0..whole.coins.len() {
            let mut worth = whole.clone();
            worth.coins[coin].value += Amount::ONE_SAT;
            let mut elsewhere = whole.clone();
            let script = &mut elsewhere.coins[coin].script_pubkey;
            script.as_mut_bytes()[3] ^= 1;
            let is_complete = worth.is_complete() || elsewhere.is_complete();
            assert!(!is_complete, "{form:?}, coin {coin}");
        }
    }
}

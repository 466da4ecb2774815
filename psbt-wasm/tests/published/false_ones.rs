//! What is wrong is found, whatever it is.

use bitcoin::consensus::encode::serialize;
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{Amount, OutPoint, ScriptBuf, Sequence, TxOut, Witness, absolute::LockTime};
use psbt_wasm::statement;
use psbt_wasm::{Form, ProofFault, Reason, SignatureStatus};

use crate::kind::Kind;
use crate::scene::{ORIGIN, Published, published};

/// A change to a proof.
type Change = fn(&mut Published);

fn carrier_of(proof: &Published) -> Option<ProofFault> {
    proof.check().expect("well-formed").carrier
}

#[test]
fn the_statement_is_that_of_this_board_person_and_nonce() {
    let proof = published(&[Kind::P2wpkh], Form::Message);
    let bytes = serialize(&proof.transaction);
    let copy = proof.check_bytes(&bytes, "https://copy.example");
    assert_eq!(
        copy.expect("well-formed").statement,
        Some(ProofFault::OtherBoard)
    );
    let changes: [Change; 14] = [
        |proof| proof.person.provider = "github",
        |proof| proof.person.subject = "783215",
        |proof| proof.person.account = "0190d0c2-0000-7000-8000-000000000002",
        |proof| proof.nonce = [8; 16],
        // A famous name in place of one's own, another block, and none.
        |proof| proof.name = "@hal",
        |proof| proof.header.as_mut().expect("dated")[0] ^= 1,
        |proof| proof.header = None,
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
    let whole = published(&[Kind::P2wpkh, Kind::P2tr, Kind::P2wpkh], Form::Transaction);
    let changes: [(Change, ProofFault); 9] = [
        (
            |proof| proof.line = "another line".to_owned(),
            ProofFault::NoStatement,
        ),
        (
            |proof| proof.transaction.output[3].value = Amount::ONE_SAT,
            ProofFault::NoStatement,
        ),
        (
            |proof| proof.transaction.output[0].value = Amount::ZERO,
            ProofFault::Valueless,
        ),
        (
            |proof| proof.transaction.lock_time = LockTime::ZERO,
            ProofFault::LockTime,
        ),
        (
            |proof| {
                for input in &mut proof.transaction.input {
                    input.sequence = Sequence::MAX;
                }
            },
            ProofFault::Sequences,
        ),
        (
            |proof| proof.transaction.output[1].script_pubkey = ScriptBuf::from(vec![0x51]),
            ProofFault::Elsewhere,
        ),
        (
            |proof| proof.transaction.output[0].value -= Amount::ONE_SAT,
            ProofFault::Sums,
        ),
        (
            |proof| proof.coins[2].value += Amount::ONE_SAT,
            ProofFault::Sums,
        ),
        (
            |proof| proof.coins[1].value = Amount::from_sat(u64::MAX / 8),
            ProofFault::Sums,
        ),
    ];
    for (change, fault) in changes {
        let mut proof = whole.clone();
        change(&mut proof);
        let check = proof.check();
        let found = check.as_ref().map(|check| check.carrier);
        assert!(
            found.is_err() || found == Ok(Some(fault)),
            "{fault:?}: {check:?}"
        );
        assert!(!check.is_ok_and(|check| check.is_complete()));
    }
    // A second statement, and one that lock times do not concern.
    let mut twice = whole.clone();
    twice
        .transaction
        .output
        .push(whole.transaction.output[3].clone());
    assert_eq!(carrier_of(&twice), Some(ProofFault::Valueless));
    assert_eq!(
        whole.transaction.lock_time.to_consensus_u32(),
        statement::LOCK_TIME
    );
}

#[test]
fn a_message_is_a_proof_of_funds_over_the_statement() {
    let whole = published(&[Kind::P2wpkh, Kind::P2tr], Form::Message);
    let changes: [(Change, ProofFault); 6] = [
        (|proof| proof.line.push('x'), ProofFault::OtherMessage),
        (
            |proof| proof.coins[0].script_pubkey = ScriptBuf::from(vec![0x51]),
            ProofFault::OtherMessage,
        ),
        (
            |proof| proof.coins[0].value = Amount::ONE_SAT,
            ProofFault::OtherMessage,
        ),
        (
            |proof| proof.transaction.version = Version::ONE,
            ProofFault::MessageForm,
        ),
        (
            |proof| proof.transaction.output[0].value = Amount::ONE_SAT,
            ProofFault::MessageForm,
        ),
        (
            |proof| {
                let value = Amount::ZERO;
                let script_pubkey = ScriptBuf::new();
                proof.transaction.output.push(TxOut {
                    value,
                    script_pubkey,
                });
            },
            ProofFault::MessageForm,
        ),
    ];
    for (change, fault) in changes {
        let mut proof = whole.clone();
        change(&mut proof);
        assert_eq!(carrier_of(&proof), Some(fault));
    }
    let mut alone = whole.clone();
    alone.transaction.input.truncate(1);
    alone.coins.truncate(1);
    assert_eq!(carrier_of(&alone), Some(ProofFault::MessageForm));
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
fn with_more(kind: Kind, change: impl Fn(&mut bitcoin::TxIn)) -> (SignatureStatus, Option<Reason>) {
    let mut proof = published(&[kind], Form::Transaction);
    change(&mut proof.transaction.input[0]);
    let check = proof.check().expect("well-formed");
    assert!(!check.is_complete());
    let input = &check.signatures.inputs[0];
    (input.status, input.reason)
}

/// BIP-0141. Each of these signatures is valid, and no node takes the transaction.
#[test]
fn nothing_stands_where_consensus_wants_nothing() {
    let wrong = (SignatureStatus::Invalid, Some(Reason::WrongForm));
    for kind in [
        Kind::P2wpkh,
        Kind::P2wshMultisig,
        Kind::P2tr,
        Kind::P2trScript,
    ] {
        let sig = |input: &mut bitcoin::TxIn| input.script_sig = ScriptBuf::from(vec![0x51]);
        assert_eq!(with_more(kind, sig), wrong);
    }
    for kind in [Kind::P2pkh, Kind::P2shMultisig] {
        let witness = |input: &mut bitcoin::TxIn| input.witness = Witness::from_slice(&[[1]]);
        assert_eq!(with_more(kind, witness), wrong);
    }
    let twice = |input: &mut bitcoin::TxIn| {
        let redeem = input.script_sig.to_bytes();
        input.script_sig = ScriptBuf::from([&[0x51], &redeem[..]].concat());
    };
    assert_eq!(with_more(Kind::P2shP2wpkh, twice), wrong);
    let long = |input: &mut bitcoin::TxIn| {
        let redeem = &input.script_sig.to_bytes()[1..];
        input.script_sig = ScriptBuf::from([&[0x4c, 22], redeem].concat());
    };
    assert_eq!(with_more(Kind::P2shP2wpkh, long), wrong);
}

#[test]
fn what_is_not_signed_is_not_complete() {
    for kind in Kind::ALL {
        let none = |input: &mut bitcoin::TxIn| {
            input.witness = Witness::new();
            input.script_sig = Builder::new().into_script();
        };
        assert_ne!(with_more(kind, none).0, SignatureStatus::Valid);
    }
}

/// Of each form a bit in each of so many places of the transaction, and every other part.
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
            assert!(
                !check.is_ok_and(|check| check.is_complete()),
                "{form:?}, {place}"
            );
        }
        for coin in 0..whole.coins.len() {
            let mut worth = whole.clone();
            worth.coins[coin].value += Amount::ONE_SAT;
            let mut elsewhere = whole.clone();
            let mut script = elsewhere.coins[coin].script_pubkey.to_bytes();
            script[3] ^= 1;
            elsewhere.coins[coin].script_pubkey = ScriptBuf::from(script);
            for changed in [worth, elsewhere] {
                let check = changed.check();
                assert!(
                    !check.is_ok_and(|check| check.is_complete()),
                    "{form:?}, coin {coin}"
                );
            }
        }
    }
}

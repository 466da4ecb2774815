//! Signatures by more keys than a script needs.

use super::*;
use made::Multisig::{Leaf, P2wsh};
use made::{ALL, Coins, Made, SORTED};

mod made;

/// The places of the keys that have signed, for each input.
fn signers(check: &ProofCheck) -> Vec<Vec<usize>> {
    let of = |conditions: &Option<SpendingConditions>| {
        let conditions = conditions.as_ref().expect("multisig");
        assert_eq!((conditions.needed, conditions.of), (2, 3));
        conditions.signed.clone()
    };
    check.conditions.iter().map(of).collect()
}

#[test]
fn every_key_that_signed_is_shown_and_the_quorum_alone_is_right_too() {
    for form in Form::ALL {
        let made = Made::new(&ALL, form);
        let inputs = made.to_sign.inputs.len();
        let all = made.signed(&[0, 1, 2]);
        let further = made.further(&all);
        assert_eq!(further.len(), inputs);
        let check = made.check(&all, further);
        assert!(check.is_complete(), "{:?}", check.further);
        assert_eq!(signers(&check), vec![vec![1, 2, 3]; inputs]);
        for quorum in [[0, 1], [0, 2], [1, 2]] {
            let signed = made.signed(&quorum);
            assert_eq!(made.further(&signed), []);
            let check = made.check(&signed, Vec::new());
            assert!(check.is_complete());
            let places = quorum.map(|place| place + 1).to_vec();
            assert_eq!(signers(&check), vec![places; inputs]);
        }
    }
}

/// A wallet that has the quorum finalizes the file. The third cosigner signs the file that it got.
#[test]
fn what_cosigners_give_back_keeps_the_signatures_that_are_not_needed() {
    let made = Made::new(&ALL, Form::Transaction);
    let mut finalized = made.signed(&[1, 2]);
    let outputs = spent(&finalized);
    for (input, (_, coin)) in finalized.inputs.iter_mut().zip(&outputs) {
        input.witness_utxo = Some(coin.clone());
        finish(input);
    }
    let third = made.signed(&[0]);
    for files in [[&finalized, &third], [&third, &finalized]] {
        let bytes = files.map(|file| file.serialize());
        let combined = combine(&[&bytes[0], &bytes[1]]).expect("one transaction");
        let combined = Psbt::deserialize(&combined.psbt).expect("a PSBT");
        let further = made.further(&combined);
        let check = made.check(&combined, further);
        assert!(check.is_complete(), "{:?}", check.further);
        assert_eq!(signers(&check), vec![vec![1, 2, 3]; ALL.len()]);
    }
}

/// Each of two cosigners has signed after the first, and finalized the file.
#[test]
fn of_two_final_files_every_signature_is_kept() {
    let made = Made::new(&ALL, Form::Transaction);
    let outputs = spent(&made.to_sign);
    let finalized = |places: &[usize]| {
        let mut file = made.signed(places);
        for (input, (_, coin)) in file.inputs.iter_mut().zip(&outputs) {
            input.witness_utxo = Some(coin.clone());
            finish(input);
        }
        file.serialize()
    };
    for [one, other] in [[[0, 1], [0, 2]], [[1, 2], [0, 1]], [[0, 2], [1, 2]]] {
        let (one, other) = (finalized(&one), finalized(&other));
        let combined = combine(&[&one, &other]).expect("one transaction");
        let combined = Psbt::deserialize(&combined.psbt).expect("a PSBT");
        let further = made.further(&combined);
        let check = made.check(&combined, further);
        assert!(check.is_complete(), "{:?}", check.further);
        assert_eq!(signers(&check), vec![vec![1, 2, 3]; ALL.len()]);
    }
    // A wrong one is not kept, so that the files contradict each other.
    let mut wrong = Psbt::deserialize(&finalized(&[0, 2])).expect("a PSBT");
    let last = ALL.len() - 1;
    let witness = wrong.inputs[last]
        .final_script_witness
        .as_mut()
        .expect("final");
    let mut elements = witness.to_vec();
    elements[2][20] ^= 1;
    *witness = Witness::from_slice(&elements);
    let error = combine(&[&finalized(&[0, 1]), &wrong.serialize()]).expect_err("a conflict");
    assert_eq!((error.code(), error.input()), ("conflict", Some(last)));
}

#[test]
fn a_wrong_further_signature_makes_the_proof_wrong() {
    use FurtherFault::{NoInput, OtherKey, Sighash, Twice, WrongSignature};
    for form in Form::ALL {
        let made = Made::new(&ALL, form);
        let signed = made.signed(&[0, 1]);
        let fault = |further: Vec<FurtherSignature>| {
            let check = made.check(&signed, further);
            assert_eq!(check.is_complete(), check.further.is_none());
            check.further
        };
        for input in 0..made.to_sign.inputs.len() {
            let coin = made.coin(input);
            let whole = u8::from(coin.0 != Leaf);
            let right = made.signature(input, 2, whole);
            let with = |change: &dyn Fn(&mut FurtherSignature)| {
                let mut further = right.clone();
                change(&mut further);
                fault(vec![further])
            };
            assert_eq!(fault(vec![right.clone()]), None);
            assert_eq!(with(&|it| it.input = 100), Some(NoInput));
            // By a key outside the script, and by the negation of one in it, which is another key of the same x coordinate.
            let stranger = key(60);
            assert_eq!(
                with(&|it| {
                    it.signature = signature(&made.to_sign, input, &stranger, whole);
                    it.key = match coin.0 {
                        Leaf => stranger.x_only().serialize().to_vec(),
                        _ => stranger.public().to_bytes(),
                    };
                }),
                Some(OtherKey)
            );
            if coin.0 != Leaf {
                assert_eq!(with(&|it| it.key[0] ^= 1), Some(OtherKey));
            }
            assert_eq!(with(&|it| it.key.clear()), Some(OtherKey));
            // A copy of another key's signature.
            let copied = made.signature(input, 0, whole).signature;
            assert_eq!(
                with(&|it| it.signature.clone_from(&copied)),
                Some(WrongSignature)
            );
            assert_eq!(with(&|it| it.signature[20] ^= 1), Some(WrongSignature));
            assert_eq!(with(&|it| it.signature.clear()), Some(Sighash));
            for other in [2, 0x81, 0x82] {
                let further = made.signature(input, 2, other);
                assert_eq!(fault(vec![further]), Some(Sighash), "{:?}", coin.0);
            }
            // Twice, also when the bytes differ: a signature by a key whose own is in the transaction.
            assert_eq!(fault(vec![right.clone(), right.clone()]), Some(Twice));
            assert_eq!(fault(vec![made.signature(input, 1, whole)]), Some(Twice));
            assert_eq!(
                fault(vec![FurtherSignature {
                    signature: vec![0; 64],
                    ..made.signature(input, 0, whole)
                }]),
                Some(Twice)
            );
        }
        // Under the script of another coin, and of another coin with the same script.
        let last = made.to_sign.inputs.len() - 1;
        let moved = |from: usize, to: usize| {
            let further = made.signature(from, 2, 1);
            fault(vec![FurtherSignature {
                input: to,
                ..further
            }])
        };
        assert_eq!(moved(last - 1, last), Some(WrongSignature));
        assert_eq!(moved(last - 2, last), Some(OtherKey));
    }
}

/// A key and its negation count as one key.
#[test]
fn keys_are_counted_by_their_x_coordinate() {
    let coin = Coins(P2wsh, SORTED);
    let [one, other, _] = coin.keys();
    let negated = TestKey(Keypair::from_secret_key(
        &secp(),
        &one.0.secret_key().negate(),
    ));
    let script = multisig(2, &[one.public(), negated.public(), other.public()]);
    let mut made = Made::new(&[coin], Form::Transaction);
    let to_sign = &mut made.to_sign;
    to_sign.inputs[0].witness_script = Some(script.clone());
    let paid = output(50_000, script.to_p2wsh());
    to_sign.inputs[0].non_witness_utxo = None;
    to_sign.inputs[0].witness_utxo = Some(paid.clone());
    to_sign.unsigned_tx.output[0].script_pubkey = paid.script_pubkey;
    let mut signed = made.to_sign.clone();
    for signer in [&one, &other] {
        sign(&mut signed, 0, signer, 1);
    }
    let again = FurtherSignature {
        input: 0,
        key: negated.public().to_bytes(),
        signature: signature(&made.to_sign, 0, &negated, 1),
    };
    let check = made.check(&signed, vec![again]);
    assert_eq!(check.further, Some(FurtherFault::Twice));
    let check = made.check(&signed, Vec::new());
    assert!(check.is_complete());
    let conditions = check.conditions[0].as_ref().expect("multisig");
    assert_eq!((conditions.of, &*conditions.signed), (2, &[1, 2][..]));
}

#[test]
fn what_other_coins_ask_for_is_shown_as_far_as_it_can_be_seen() {
    let check = published(&Kind::ALL, Form::Transaction)
        .check()
        .expect("well-formed");
    let shown = check.conditions.iter().map(|conditions| {
        let shown = conditions.as_ref()?;
        Some((shown.needed, shown.of, shown.signed.len(), shown.hidden))
    });
    let one = Some((1, 1, 1, false));
    let two = Some((2, 3, 2, false));
    let expected = [one, two, one, one, two, None, Some((1, 1, 1, true))];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let mut proof = published(&Kind::ALL, Form::Transaction);
    let taproot = 5;
    proof.further = vec![FurtherSignature {
        input: taproot,
        key: vec![2; 32],
        signature: vec![0; 64],
    }];
    let check = proof.check().expect("well-formed");
    assert_eq!(check.further, Some(FurtherFault::NoMultisig));
}

/// A consensus engine can be asked whether a further signature satisfies the script.
#[test]
fn a_further_signature_takes_the_place_of_another() {
    let made = Made::new(&ALL, Form::Transaction);
    for (quorum, more) in [([0, 1], 2), ([0, 2], 1), ([1, 2], 0)] {
        let signed = made.signed(&quorum);
        let mut proof = made.proof(&signed, Vec::new());
        let check = made.check(&signed, Vec::new());
        for input in 0..proof.transaction.input.len() {
            let further = made.signature(input, more, u8::from(made.coin(input).0 != Leaf));
            let spend = check.spend_with(&proof.transaction, &proof.coins, &further);
            let txin = &mut proof.transaction.input[input];
            (txin.script_sig, txin.witness) = spend.expect("right");
        }
        let check = proof
            .check_bytes(&serialize(&proof.transaction), "reader")
            .expect("well-formed");
        assert!(check.is_complete(), "{check:?}");
        assert!(
            signers(&check)
                .iter()
                .all(|places| places.contains(&(more + 1)))
        );
    }
}

/// The file that the tests in JavaScript and the guide have, and what the third cosigner of its coins gives back. On regtest, so that nobody
/// asks an explorer about its coins.
pub(super) fn with_every_key() -> (Published, Psbt) {
    let coins = [[61, 62, 63], [72, 71, 73]].map(|keys| Coins(P2wsh, keys));
    let made = Made::on(CoinNetwork::Regtest, &coins, Form::Transaction);
    let signed = made.signed(&[0, 1, 2]);
    (
        made.proof(&signed, made.further(&signed)),
        made.signed(&[2]),
    )
}

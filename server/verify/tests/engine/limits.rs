//! A1 and C8: files that try to overload the server.

use bitcoin::XOnlyPublicKey;

use super::*;

#[test]
fn more_inputs_than_one_file_may_have_are_refused() {
    let mut transaction = spend(&coins(&[ScriptBuf::new()]));
    let mut signed = transaction.input.remove(0);
    signed.witness = Witness::from_slice(&[[1]]);
    for vout in 0..2_001 {
        signed.previous_output.vout = vout;
        transaction.input.push(signed.clone());
    }
    let verdict = verdict_of(&transaction, &[]);
    assert_refused(&verdict, "too-many-inputs", None);
    transaction.input.truncate(2_000);
    assert_refused(&verdict_of(&transaction, &[]), "coin-missing", 0);
}

#[test]
fn a_transaction_that_no_node_would_relay_is_refused() {
    let single = Single::new(Lock::Wpkh);
    let coins = coins(&[single.script_pubkey()]);
    let ledger = Ledger::new(&coins);
    let transaction = signed(&single, spend(&coins), &coins);
    let mut outputs = transaction.clone();
    outputs.output[0].script_pubkey = ScriptBuf::from_bytes(vec![0x6a; 100_000]);
    let mut witness = transaction;
    witness.input[0].witness.push(vec![0; 400_000]);
    assert_refused(&ledger.verdict_of(&outputs), "too-heavy", None);
    // These are refused before a look-up.
    let refusal = read(&text(serialize(&outputs)), Vec::new()).expect_err("too heavy");
    assert_eq!(refusal.code(), "too-heavy");
    assert_refused(&ledger.verdict_of(&witness), "too-heavy", None);
    // A PSBT exceeds the weight only once it is final.
    let psbt = finished(&witness).serialize();
    assert_refused(&ledger.verdict(psbt), "too-heavy", None);
}

/// Signature checks that never run count too: that is unknown before the script runs.
fn with_checks(number: usize) -> ScriptBuf {
    let checks = vec![OP_CHECKSIG; number];
    script_of(&[&[OP_0, OP_IF][..], &checks, &[OP_ENDIF, OP_TRUE]].concat())
}

/// Before SegWit each check hashes the whole transaction again.
#[test]
fn scripts_with_thousands_of_signature_checks_are_refused() {
    let multisig = (0..15).fold(Builder::new().push_int(1), |script, _| {
        script.push_key(&Key::random().public())
    });
    // Without a readable number of keys, it counts as the maximum, 20 (BIP-0016).
    let multisig = multisig.push_opcode(OP_CHECKMULTISIG).into_script();
    let (bare, witness) = (with_checks(2_501), with_checks(8_001));
    type Fill<'a> = &'a dyn Fn(&mut bitcoin::TxIn);
    let cases: [(ScriptBuf, usize, Fill<'_>); 3] = [
        (bare.clone(), 1, &|input| {
            input.script_sig = push_all(&[vec![]]).into_script();
        }),
        (multisig.to_p2sh(), 150, &|input| {
            in_p2sh(input, &[vec![]], &multisig);
        }),
        (witness.to_p2wsh(), 2, &|input| {
            in_p2wsh(input, &[], &witness);
        }),
    ];
    for (script, times, fill) in cases {
        let coins = coins(&vec![script; times]);
        let mut transaction = spend(&coins);
        transaction.input.iter_mut().for_each(fill);
        let verdict = verdict_of(&transaction, &coins);
        assert_refused(&verdict, "too-complex", None);
    }
}

/// A good file that is truncated or damaged anywhere always gets a verdict, and is accepted only if it is the same transaction.
#[test]
fn a_damaged_file_is_refused() {
    let singles = Single::all();
    let coins = coins(&singles.map(|single| single.script_pubkey()));
    let ledger = Ledger::new(&coins);
    let transaction = signed_by_each(&singles, spend(&coins), &coins);
    let good = stated(&transaction, &coins).serialize();
    assert_accepted(&ledger.verdict(&good), "whole");
    for length in (0..good.len()).step_by(7) {
        let verdict = ledger.verdict(&good[..length]);
        assert!(verdict.is_err(), "cut at {length}");
    }
    // Damages every fourth byte; a changed bit may only be accepted where it has no meaning.
    for position in (0..good.len()).step_by(4) {
        let mut damaged = good.clone();
        damaged[position] ^= 0x04;
        if let Ok(verified) = ledger.verdict(&damaged) {
            assert_eq!(verified.transaction, transaction, "at {position}");
        }
    }
}

/// A leaf that needs a signature by any one of these keys (BIP-0387).
fn one_of(keys: &[XOnlyPublicKey]) -> Leaf {
    let checks = std::iter::once(OP_CHECKSIG).chain(std::iter::repeat(OP_CHECKSIGADD));
    let script = keys
        .iter()
        .zip(checks)
        .fold(Builder::new(), |script, (key, check)| {
            script.push_x_only_key(key).push_opcode(check)
        });
    Leaf::new(script.push_int(1).push_opcode(OP_NUMEQUAL).into_script())
}

/// Reading a leaf of forty thousand keys took seconds; a leaf with the maximum of a `multi_a` is honest.
#[test]
fn a_leaf_with_tens_of_thousands_of_keys_is_not_read() {
    let key = Key::random();
    let mut most: Vec<_> = (0..998).map(|_| Key::random().x_only()).collect();
    most.push(key.x_only());
    for (keys, honest) in [(vec![key.x_only(); 40_000], false), (most, true)] {
        let leaf = one_of(&keys);
        let (coins, transaction) = beside(leaf.script_pubkey());
        let mut psbt = finished(&transaction);
        let sighash = Sighash::new(&transaction, &coins, 1, 0);
        let signature = Container::Leaf.signature(&sighash, &leaf.script, &key);
        leaf.place_in_fields(&mut psbt.inputs[1], &key, &signature);
        let verdict = Ledger::new(&coins).verdict(psbt.serialize());
        assert_verdict(&verdict, honest, "999 keys", ("script-too-complex", 1));
    }
    // A final transaction has room for ten thousand inputs.
    let leaf = one_of(&vec![key.x_only(); 10_000]);
    refused(leaf.script_pubkey(), "script-too-complex", |input| {
        leaf.place(input, &[vec![]]);
    });
}

/// Every key hash in a script is compared with the hash of every key that has signed.
#[test]
fn hundreds_of_signatures_for_hundreds_of_hashes_are_not_tried() {
    let script = (0_u16..400).fold(Builder::new(), |script, number| {
        let hash = hash160::Hash::hash(&number.to_be_bytes()).to_byte_array();
        let script = script.push_opcode(OP_DUP).push_opcode(OP_HASH160);
        script.push_slice(hash).push_opcode(OP_EQUALVERIFY)
    });
    let script = script.into_script();
    let (coins, transaction) = beside(script.to_p2wsh());
    let signature = transaction.input[0].witness.nth(0).expect("a signature");
    let signature = ecdsa::Signature::from_slice(signature).expect("a signature");
    let mut psbt = finished(&transaction);
    psbt.inputs[1].witness_script = Some(script);
    let signers = (0..400).map(|_| (Key::random().public(), signature));
    psbt.inputs[1].partial_sigs = signers.collect();
    let verdict = Ledger::new(&coins).verdict(psbt.serialize());
    assert_refused(&verdict, "script-too-complex", 1);
}

/// Unneeded signatures add no weight to the transaction, but stay in memory while the coins are looked up.
#[test]
fn more_fields_than_any_wallet_writes_are_refused() {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey()]);
    let mut psbt = Psbt::from_unsigned_tx(spend(&coins)).expect("unsigned");
    let signature = owner.signature(&psbt.unsigned_tx, &coins, 0, 0x01);
    owner.place_in_fields(&mut psbt.inputs[0], &signature);
    let preimages = (0_u32..20_000).map(|number| number.to_be_bytes().to_vec());
    let preimages = preimages.map(|preimage| (sha256::Hash::hash(&preimage), preimage));
    psbt.inputs[0].sha256_preimages = preimages.collect();
    let refusal = read(&text(psbt.serialize()), Vec::new()).expect_err("too many");
    assert_eq!(refusal.code(), "too-complex");
}

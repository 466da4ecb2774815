//! What holds for every proof made from any bytes, and for every combined file.

use std::collections::BTreeMap;

use psbt_wasm::bitcoin::consensus::encode::{VarInt, deserialize_partial};
use psbt_wasm::bitcoin::psbt::Input;
use psbt_wasm::bitcoin::{Amount, OutPoint, Psbt, ScriptBuf, TxOut};
use psbt_wasm::{Content, Form, MakeOptions, combine, make_proof, read, statement};

const STATEMENT: &str = "Proof of Reserves board.example name abcdefghijklmnopqrst";

/// A proof has the file's coins, moves nothing, is far from final or a message, and has nothing of a signature; then it can be made
/// of itself again.
pub(crate) fn making(bytes: &[u8]) {
    let file = read(bytes);
    for form in Form::ALL {
        let options = MakeOptions::new(STATEMENT, form);
        let Ok(made) = make_proof(bytes, &options) else {
            continue;
        };
        let file = file.as_ref().expect("of what is refused nothing is made");
        let Content::Psbt(file) = &file.content else {
            panic!("a transaction does not say what it spends");
        };
        let proof = read(&made.psbt).expect("read again");
        let Content::Psbt(proof) = &proof.content else {
            panic!("a proof is a PSBT");
        };
        assert_proof(file, proof, form);
        assert_eq!(made.inputs, coins(proof).len());
        assert_eq!(Amount::from_sat(made.amount_sats), total(proof));
        let again = make_proof(&made.psbt[..], &options).expect("made again");
        assert_eq!(again.psbt, made.psbt);
    }
}

fn assert_proof(file: &Psbt, proof: &Psbt, form: Form) {
    assert_eq!(coins(proof), coins(file));
    let transaction = &proof.unsigned_tx;
    assert_eq!(transaction.version.0, 2);
    assert!(transaction.is_lock_time_enabled());
    if form == Form::Transaction {
        assert_eq!(
            transaction.lock_time.to_consensus_u32(),
            statement::LOCK_TIME
        );
        let (last, back) = transaction.output.split_last().expect("the statement");
        let script = statement::script(STATEMENT).expect("it fits");
        assert_eq!(
            (last.value, last.script_pubkey.as_bytes()),
            (Amount::ZERO, &script[..])
        );
        let mut sums: BTreeMap<&ScriptBuf, Amount> = BTreeMap::new();
        let coins = coins(proof);
        for (_, coin) in &coins {
            *sums.entry(&coin.script_pubkey).or_default() += coin.value;
        }
        sums.retain(|_, sum| *sum > Amount::ZERO);
        assert_eq!(sums.len(), back.len(), "each script has one output");
        for output in back {
            assert_eq!(
                sums[&output.script_pubkey], output.value,
                "it moves something"
            );
        }
    } else {
        let spent = proof.inputs[0].non_witness_utxo.as_ref().expect("to_spend");
        assert_eq!(
            transaction.input[0].previous_output,
            OutPoint::new(spent.compute_txid(), 0)
        );
        assert!(spent.input[0].previous_output.is_null());
        assert_eq!(transaction.output.len(), 1);
        assert_eq!(transaction.output[0].value, Amount::ZERO);
        assert_eq!(transaction.output[0].script_pubkey.as_bytes(), [0x6a]);
    }
    for input in &proof.inputs {
        let wallet = Input {
            partial_sigs: Default::default(),
            sighash_type: None,
            final_script_sig: None,
            final_script_witness: None,
            tap_key_sig: None,
            tap_script_sigs: Default::default(),
            proprietary: Default::default(),
            ..input.clone()
        };
        assert_eq!(*input, wallet, "something of a signature is left");
    }
}

/// What a file spends, without the virtual output of BIP-0322.
fn coins(psbt: &Psbt) -> Vec<(OutPoint, TxOut)> {
    let is_message = psbt
        .unknown
        .keys()
        .any(|key| key.type_value == 0x09 && key.key.is_empty());
    let inputs = psbt.unsigned_tx.input.iter().zip(&psbt.inputs);
    let mut coins = Vec::new();
    for (at, (txin, input)) in inputs.enumerate() {
        let previous = input.non_witness_utxo.as_ref();
        let outpoint = txin.previous_output;
        let in_previous = || previous?.output.get(usize::try_from(outpoint.vout).ok()?);
        let output = input.witness_utxo.as_ref().or_else(in_previous);
        let has_value = output.is_some_and(|output| output.value > Amount::ZERO);
        let first = previous.and_then(|previous| previous.input.first());
        let is_virtual = first.is_some_and(|input| input.previous_output.is_null())
            && previous.is_some_and(|previous| previous.version.0 == 0);
        if is_virtual && !has_value || is_message && at == 0 && !has_value {
            continue;
        }
        coins.push((outpoint, output.expect("stated").clone()));
    }
    coins
}

fn total(psbt: &Psbt) -> Amount {
    coins(psbt).iter().map(|(_, coin)| coin.value).sum()
}

/// A file with itself is the same file but for types of fields that Bitcoin Core does not read, and with anything else the same transaction.
pub(crate) fn combining(bytes: &[u8]) {
    let Ok(once) = combine(&[bytes]) else {
        return;
    };
    let file = read(bytes).expect("what is refused is not put together");
    let together = read(&once.psbt).expect("read again");
    let (Content::Psbt(mut file), Content::Psbt(psbt)) = (file.content, together.content) else {
        panic!("a transaction has nothing to put together");
    };
    for input in &mut file.inputs {
        input
            .unknown
            .retain(|key, _| is_type(key.type_value, &key.key));
        input
            .proprietary
            .retain(|key, _| is_type(key.subtype, &key.key));
    }
    for output in &mut file.outputs {
        output
            .unknown
            .retain(|key, _| is_type(key.type_value, &key.key));
        output
            .proprietary
            .retain(|key, _| is_type(key.subtype, &key.key));
    }
    assert_eq!(
        (&file.unsigned_tx, &file.inputs),
        (&psbt.unsigned_tx, &psbt.inputs)
    );
    assert_eq!((&file.outputs, &file.xpub), (&psbt.outputs, &psbt.xpub));
    assert_eq!(once.inputs.len(), file.inputs.len());
    assert_eq!(combine(&[bytes, &once.psbt, bytes]), Ok(once));
}

/// Whether the compact size of these bytes is written in the shortest way, and not above Bitcoin Core's limit.
fn is_type(first: u8, rest: &[u8]) -> bool {
    let bytes = [&[first], rest].concat();
    deserialize_partial(&bytes).is_ok_and(|(VarInt(number), _)| number <= 0x0200_0000)
}

//! A3: what the file or the client states about coins is compared with the chain, never trusted.

use super::*;

/// A file over one coin, final or with a partial signature.
fn file(single: &Single, coins: &[Coin], finalize: bool) -> Psbt {
    let transaction = signed(single, spend(coins), coins);
    let mut psbt = finished(&transaction);
    if !finalize {
        let signature = single.signature(&transaction, coins, 0, 0x01);
        psbt.inputs[0] = Default::default();
        single.place_in_fields(&mut psbt.inputs[0], &signature);
    }
    psbt
}

#[test]
fn a_file_that_lies_about_a_coin_is_refused() {
    for single in Single::all() {
        let coins = coins(&[single.script_pubkey()]);
        let output = coins[0].output.clone();
        let more = pay(VALUE.to_sat() * 2, single.script_pubkey());
        let other = pay(VALUE.to_sat(), Single::new(Lock::TrKey).script_pubkey());
        for finalize in [true, false] {
            for (stated, honest) in [(&more, false), (&other, false), (&output, true)] {
                let mut psbt = file(&single, &coins, finalize);
                psbt.inputs[0].witness_utxo = Some(stated.clone());
                let verdict = Ledger::new(&coins).verdict(psbt.serialize());
                let what = format!("{:?} {finalize}", single.lock);
                assert_verdict(&verdict, honest, &what, ("hint-mismatch", 0));
            }
        }
    }
}

/// The field for the previous transaction holds another one, or one without such an output.
#[test]
fn a_wrong_previous_transaction_is_refused() {
    let single = Single::new(Lock::Pkh);
    let output = pay(VALUE.to_sat(), single.script_pubkey());
    let previous = funding(vec![output.clone()]);
    let coins = coins_of(&previous);
    let mut richer = previous.clone();
    richer.output[0].value += Amount::ONE_BTC;
    let mut stated = output.clone();
    stated.value += Amount::ONE_SAT;
    type Lie<'a> = &'a dyn Fn(&mut Psbt);
    let lies: [(&str, Lie<'_>); 4] = [
        ("previous-transaction-mismatch", &|psbt| {
            psbt.inputs[0].non_witness_utxo = Some(funding(vec![output.clone()]));
        }),
        // With one amount changed it has another txid.
        ("previous-transaction-mismatch", &|psbt| {
            psbt.inputs[0].non_witness_utxo = Some(richer.clone());
        }),
        ("previous-output-missing", &|psbt| {
            psbt.unsigned_tx.input[0].previous_output.vout = 77;
        }),
        ("utxo-mismatch", &|psbt| {
            psbt.inputs[0].witness_utxo = Some(stated.clone());
        }),
    ];
    let mut honest = file(&single, &coins, true);
    honest.inputs[0].non_witness_utxo = Some(previous);
    let ledger = Ledger::new(&coins);
    assert_accepted(&ledger.verdict(honest.serialize()), "the truth");
    for (code, lie) in lies {
        let mut lying = honest.clone();
        lie(&mut lying);
        assert_refused(&ledger.verdict(lying.serialize()), code, 0);
    }
}

pub(crate) fn truth(coin: &Coin) -> UtxoHint {
    UtxoHint {
        outpoint: coin.outpoint,
        value_sats: coin.output.value.to_sat(),
        script_pubkey: coin.output.script_pubkey.clone(),
    }
}

#[test]
fn a_client_that_lies_about_a_coin_is_refused() {
    let singles = [Single::new(Lock::Pkh), Single::new(Lock::TrKey)];
    let coins = coins(&singles.map(|single| single.script_pubkey()));
    let file = serialize(&signed_by_each(&singles, spend(&coins), &coins));
    let hints: Vec<UtxoHint> = coins.iter().map(truth).collect();
    let ledger = Ledger::new(&coins);
    let verdict = |hints: &[UtxoHint]| ledger.verdict_with(&file, hints.to_vec());
    assert_accepted(&verdict(&hints), "the truth");
    assert_accepted(&verdict(&hints[..1]), "half of it");
    let other = Single::new(Lock::Wpkh).script_pubkey();
    for input in 0..2 {
        let said = |change: &dyn Fn(&mut UtxoHint)| {
            let mut hints = hints.clone();
            change(&mut hints[input]);
            verdict(&hints)
        };
        let lies: [&dyn Fn(&mut UtxoHint); 5] = [
            &|hint| hint.value_sats += 1,
            &|hint| hint.value_sats = 21_000_000 * 100_000_000,
            &|hint| hint.value_sats = 0,
            &|hint| hint.script_pubkey = ScriptBuf::new(),
            &|hint| hint.script_pubkey = other.clone(),
        ];
        for lie in lies {
            assert_refused(&said(lie), "hint-mismatch", input);
        }
        let unstated = said(&|hint| {
            hint.value_sats = 0;
            hint.script_pubkey = ScriptBuf::new();
        });
        assert_accepted(&unstated, "not stated");
    }
    // About coins that the file does not spend, and about one coin twice.
    let mut more = hints.clone();
    more.push(UtxoHint {
        outpoint: OutPoint::new(Txid::hash(b"a rich man's coin"), 0),
        value_sats: 5_000_000_000,
        script_pubkey: ScriptBuf::new(),
    });
    let mut other_output = hints.clone();
    other_output[0].outpoint.vout += 7;
    let mut contradicting = [hints.clone(), hints.clone()].concat();
    contradicting[2].value_sats += 1;
    for hints in [more, other_output, contradicting] {
        assert_refused(&verdict(&hints), "unknown-hint", None);
    }
}

#[test]
fn no_hint_gives_a_coin_of_0_sats_a_value() {
    let owner = Single::new(Lock::Wpkh);
    let coins = worth(&owner, &[100_000, 0]);
    let mut transaction = spend(&coins);
    transaction.output.truncate(1);
    let transaction = signed(&owner, transaction, &coins);
    let file = serialize(&transaction);
    for (value_sats, script_pubkey) in [
        (0, ScriptBuf::new()),
        (0, owner.script_pubkey()),
        (5_000, owner.script_pubkey()),
    ] {
        let hint = UtxoHint {
            outpoint: coins[1].outpoint,
            value_sats,
            script_pubkey,
        };
        let verdict = Ledger::new(&coins).verdict_with(&file, vec![hint]);
        assert_refused(&verdict, "coin-zero-value", 1);
    }
}

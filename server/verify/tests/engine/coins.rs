//! A11 and B1 to B3: coins that are missing, spent, not spendable yet, or worth nothing.

use super::*;

/// The chain's state of the second of two coins, in block 150 of 150.
#[test]
fn a_coin_that_cannot_be_spent_now_is_refused_by_its_input() {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey(), owner.script_pubkey()]);
    let transaction = signed(&owner, spend(&coins), &coins);
    let unspent = |height: Option<u32>, coinbase: bool| {
        chain::Coin::Unspent(Unspent {
            output: coins[1].output.clone(),
            height,
            block: None,
            coinbase,
        })
    };
    for (state, refused) in [
        (chain::Coin::Missing, Some("coin-missing")),
        (chain::Coin::Spent, Some("coin-spent")),
        (chain::Coin::SpentInMempool, Some("coin-spent-in-mempool")),
        (chain::Coin::SpentOrMissing, Some("coin-spent-or-missing")),
        (unspent(None, false), Some("coin-unconfirmed")),
        (unspent(Some(150), false), None),
        // A mining reward: at depth 99 the next block cannot spend it, at 100 it can.
        (unspent(Some(150), true), Some("coin-immature")),
        (unspent(Some(52), true), Some("coin-immature")),
        (unspent(Some(51), true), None),
    ] {
        let mut ledger = Ledger::new(&coins);
        ledger.set(coins[1].outpoint, state.clone());
        let (verdict, what) = (ledger.verdict_of(&transaction), format!("{state:?}"));
        let (accepted, code) = (refused.is_none(), refused.unwrap_or(""));
        assert_verdict(&verdict, accepted, &what, (code, 1));
    }
    let mut ledger = Ledger::new(&coins);
    ledger.set(coins[1].outpoint, chain::Coin::Unknown);
    assert_refused(&ledger.verdict_of(&transaction), "uncheckable", None);
}

#[test]
fn a_coin_that_never_was_is_refused_however_well_it_is_signed() {
    let single = Single::new(Lock::TrKey);
    let real = coins(&[single.script_pubkey()]);
    for vout in [1, 2, u32::MAX] {
        let mut coins = [real[0].clone(), real[0].clone()];
        coins[1].outpoint = OutPoint::new(real[0].outpoint.txid, vout);
        coins[1].output.value = Amount::from_int_btc(1_000);
        let transaction = signed(&single, spend(&coins), &coins);
        assert_refused(&verdict_of(&transaction, &real), "coin-missing", 1);
    }
}

/// SegWit signatures commit to the amount, so a signer who was given a wrong one has signed nothing.
#[test]
fn a_signature_over_another_amount_is_refused() {
    for single in Single::all().into_iter().filter(|it| !it.lock.is_legacy()) {
        let real = coins(&[single.script_pubkey()]);
        let mut stated = real.clone();
        stated[0].output.value = VALUE * 1_000;
        let transaction = signed(&single, spend(&real), &stated);
        assert_refused(&verdict_of(&transaction, &real), "invalid-signature", 0);
    }
}

#[test]
fn a_coin_of_0_sats_is_refused_by_its_input_whatever_else_is_in_the_file() {
    let owner = Single::new(Lock::Wpkh);
    let paying = |coins: &[_], sats: u64| {
        let mut transaction = spend(coins);
        transaction.output = vec![pay(sats, owner.script_pubkey())];
        signed(&owner, transaction, coins)
    };
    for (values, input) in [
        (&[0, 5_000][..], 0),
        (&[5_000, 0], 1),
        (&[0], 0),
        (&[0, 0], 0),
        (&[5_000, 7_000, 0, 0], 2),
    ] {
        let coins = worth(&owner, values);
        let ledger = Ledger::new(&coins);
        let sum: u64 = values.iter().sum();
        let payment = paying(&coins, sum.saturating_sub(500));
        assert_refused(&ledger.verdict_of(&payment), "coin-zero-value", input);
        // A bound file, which pays no fee.
        let bound = signed(&owner, still(MESSAGE, &coins), &coins);
        assert_refused(&ledger.verdict_of(&bound), "coin-zero-value", input);
    }
    let coins = worth(&owner, &[1, 5_000]);
    let verdict = verdict_of(&paying(&coins, 4_000), &coins);
    assert_accepted(&verdict, "a coin of 1 sat");
}

/// Input 0 of a message spends no real coin, and has no value.
#[test]
fn a_message_claims_its_coins_and_nothing_else() {
    let owner = Single::new(Lock::Wpkh);
    for (values, refused) in [
        (&[5_000][..], None),
        (&[5_000, 0], Some(2)),
        (&[0], Some(1)),
    ] {
        let claimed = worth(&owner, values);
        let (to_sign, coins) = message(MESSAGE, owner.script_pubkey(), &claimed);
        let psbt = stated(&signed(&owner, to_sign, &coins), &coins);
        let candidate = read(&text(psbt.serialize()), Vec::new()).expect("a file");
        assert!(candidate.kind.message().is_some_and(|it| it.signs(MESSAGE)));
        let verdict = Ledger::new(&claimed).verdict_of_candidate(candidate);
        let (accepted, zero) = (refused.is_none(), ("coin-zero-value", refused));
        assert_verdict(&verdict, accepted, "input 0 claims nothing", zero);
    }
}

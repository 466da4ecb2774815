//! A forged input together with a correctly signed one, so that only the forgery can be refused.

use bitcoin::TxIn;

use super::*;

/// A correctly signed input, and one whose coin has this script.
pub(crate) fn beside(script: ScriptBuf) -> (Vec<Coin>, Transaction) {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey(), script]);
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    (coins, transaction)
}

/// A coin with this script, spent with the input that `fill` completes.
pub(crate) fn refused(script: ScriptBuf, code: &str, fill: impl Fn(&mut TxIn)) {
    let (coins, mut transaction) = beside(script);
    fill(&mut transaction.input[1]);
    assert_refused(&verdict_of(&transaction, &coins), code, 1);
}

/// Coins with this script in each container. `elements` makes the stack that spends one, given its signer.
pub(crate) fn refused_in(
    containers: &[Container],
    script: &Script,
    code: &str,
    elements: impl Fn(&dyn Fn(&Key) -> Vec<u8>) -> Vec<Vec<u8>>,
) {
    for container in containers {
        let (coins, mut transaction) = beside(container.script_pubkey(script));
        let sighash = Sighash::new(&transaction, &coins, 1, 0x01);
        let elements = elements(&|key: &Key| container.signature(&sighash, script, key));
        container.place(&mut transaction.input[1], &elements, script);
        println!("{container:?} {script}");
        assert_refused(&verdict_of(&transaction, &coins), code, 1);
    }
}

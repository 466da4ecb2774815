//! A forged input together with a correctly signed one, so that only the forgery can be refused.

use bitcoin::{Script, TxIn};

use super::*;
use crate::forge::coins;

/// A coin with this script, spent with the input that `fill` completes.
pub(crate) fn refused(script: ScriptBuf, code: &str, fill: impl Fn(&mut TxIn)) {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey(), script]);
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
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
        let owner = Single::new(Lock::Wpkh);
        let coins = coins(&[owner.script_pubkey(), container.script_pubkey(script)]);
        let mut transaction = spend(&coins);
        let sighash = Sighash::new(&transaction, &coins, 1, 0x01);
        let elements = elements(&|key: &Key| container.signature(&sighash, script, key));
        container.place(&mut transaction.input[1], &elements, script);
        owner.sign(&mut transaction, &coins, 0, 0x01);
        println!("{container:?} {script}");
        assert_refused(&verdict_of(&transaction, &coins), code, 1);
    }
}

//! A forged input beside one that is well signed, so that nothing but the forgery can be refused.

use bitcoin::opcodes::Opcode;
use bitcoin::script::Builder;
use bitcoin::{ScriptBuf, Transaction};

use crate::forge::{Coin, Lock, Single, coins, spend};
use crate::support::node::Node;
use crate::verdict::{assert_refused, verdict_of};

/// What lies around on every chain: no signature at all.
pub(super) const JUNK: [u8; 3] = [0xde, 0xad, 0x01];

/// A script of these opcodes.
pub(super) fn script(opcodes: &[Opcode]) -> ScriptBuf {
    let mut script = Builder::new();
    for opcode in opcodes {
        script = script.push_opcode(*opcode);
    }
    script.into_script()
}

/// A coin with this script, spent by whatever `fill` puts in, beside an input that is well signed.
pub(super) async fn refused(
    node: &Node,
    script: ScriptBuf,
    code: &str,
    fill: impl Fn(&mut Transaction, &[Coin]),
) {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(node, &[owner.script_pubkey(), script]).await;
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    fill(&mut transaction, &coins);
    assert_refused(&verdict_of(node, &transaction).await, code, 1);
}

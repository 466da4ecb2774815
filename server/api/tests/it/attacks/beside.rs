//! A forged input beside one that is well signed, so that nothing but the forgery can be refused.

use bitcoin::{Script, ScriptBuf, TxIn};

use crate::forge::{Container, Key, Lock, Sighash, Single, coins, spend};
use crate::support::node::Node;
use crate::verdict::{assert_refused, verdict_of};

/// No signature at all.
pub(super) const JUNK: [u8; 3] = [0xde, 0xad, 0x01];

/// A coin with this script, spent by what `fill` puts into its input.
pub(super) async fn refused(script: ScriptBuf, code: &str, fill: impl Fn(&mut TxIn)) {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(node, &[owner.script_pubkey(), script]).await;
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    fill(&mut transaction.input[1]);
    assert_refused(&verdict_of(node, &transaction).await, code, 1);
}

/// Coins with this script in each container. `elements` makes what spends one, given what signs for it.
pub(super) async fn refused_in(
    containers: &[Container],
    script: &Script,
    code: &str,
    elements: impl Fn(&dyn Fn(&Key) -> Vec<u8>) -> Vec<Vec<u8>>,
) {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    let mut scripts = vec![owner.script_pubkey()];
    scripts.extend(containers.iter().map(|it| it.script_pubkey(script)));
    let all = coins(node, &scripts).await;
    for (container, coin) in containers.iter().zip(&all[1..]) {
        let coins = [all[0].clone(), coin.clone()];
        let mut transaction = spend(&coins);
        let sighash = Sighash {
            transaction: &transaction,
            coins: &coins,
            input: 1,
            byte: 0x01,
        };
        let elements = elements(&|key: &Key| container.signature(&sighash, script, key));
        container.place(&mut transaction.input[1], &elements, script);
        owner.sign(&mut transaction, &coins, 0, 0x01);
        println!("{container:?} {script}");
        assert_refused(&verdict_of(node, &transaction).await, code, 1);
    }
}

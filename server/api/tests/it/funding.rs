//! Coins of a real node with any script, standard or not.

use bitcoin::Address;

use crate::forge::{Coin, Lock, Single, coins_of, pay, spend, worth_value};
use crate::support::prelude::*;

/// Confirmed coins of one transaction with these scripts.
pub(crate) async fn coins(node: &Node, scripts: &[ScriptBuf]) -> Vec<Coin> {
    coins_with(node, scripts.iter().cloned().map(worth_value).collect()).await
}

/// The same with any values, including zero.
pub(crate) async fn coins_with(node: &Node, outputs: Vec<TxOut>) -> Vec<Coin> {
    let funder = Single::new(Lock::Wpkh);
    let address = Address::from_script(&funder.script_pubkey(), Network::Regtest);
    let paid: Amount = outputs.iter().map(|output| output.value).sum();
    let total = paid + Amount::from_sat(50_000);
    let payment = (address.unwrap().to_string(), total);
    let source = Coin {
        outpoint: node.pay(&[payment]).await[0],
        output: pay(total.to_sat(), funder.script_pubkey()),
    };
    let mut funding = spend(std::slice::from_ref(&source));
    funding.output = outputs;
    funder.sign(&mut funding, &[source], 0, 0x01);
    node.confirm_raw(std::slice::from_ref(&funding)).await;
    coins_of(&funding)
}

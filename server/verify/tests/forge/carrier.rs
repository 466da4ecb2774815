//! Carriers of a statement: still transactions and signed messages (proofs, section 2).

use bitcoin::absolute::LockTime;
use bitcoin::opcodes::all::OP_RETURN;
use bitcoin::script::PushBytesBuf;
use bitcoin::{OutPoint, ScriptBuf, Transaction, TxOut};
use verify::bip322::to_spend;

use super::{Coin, pay, script_of, transaction};

/// The lock time of a still transaction, a height that no chain reaches.
pub(crate) const FAR: u32 = 452_038_930;

/// A statement.
pub(crate) const MESSAGE: &[u8] = b"Proof of Reserves board.example Hal abcdefghijklmnopqrst";

/// An unsigned still transaction with this line: every script gets back what it had.
pub(crate) fn still(line: &[u8], coins: &[Coin]) -> Transaction {
    let mut output: Vec<TxOut> = Vec::new();
    for coin in coins {
        let script = &coin.output.script_pubkey;
        let mut same = output.iter_mut();
        match same.find(|output| output.script_pubkey == *script) {
            Some(output) => output.value += coin.output.value,
            None => output.push(coin.output.clone()),
        }
    }
    let line = PushBytesBuf::try_from(line.to_vec()).expect("short");
    output.push(pay(0, ScriptBuf::new_op_return(line)));
    let spent = coins.iter().map(|coin| coin.outpoint);
    Transaction {
        lock_time: LockTime::from_consensus(FAR),
        ..transaction(spent, output)
    }
}

/// An unsigned proof of funds over a message and these coins (BIP-0322), and the outputs that it spends: first a virtual one with the
/// script, then the coins.
pub(crate) fn message(line: &[u8], script: ScriptBuf, coins: &[Coin]) -> (Transaction, Vec<Coin>) {
    let spent = to_spend(line, &script);
    let outpoint = OutPoint::new(spent.compute_txid(), 0);
    let output = spent.output[0].clone();
    let coins = [&[Coin { outpoint, output }], coins].concat();
    let nothing = pay(0, script_of(&[OP_RETURN]));
    let spent = coins.iter().map(|coin| coin.outpoint);
    (transaction(spent, vec![nothing]), coins)
}

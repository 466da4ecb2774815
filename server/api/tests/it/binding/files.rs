//! Signed files of every kind, over the coins of a real node.

use bitcoin::transaction::Version;
use chain::Coin as State;
use verify::bip322::{message_key, to_spend};

use crate::forge::{self, Coin};
use crate::support::prelude::*;

pub(crate) const COIN: Amount = Amount::from_sat(30_000_000);

/// The value and script of a coin of the chain.
pub(crate) async fn output(app: &TestApp, coin: OutPoint) -> TxOut {
    // Another test may mine a block in between.
    let look_up = async || app.state.chain.look_up(&[coin]).await.ok();
    let snapshot = until("a look-up", look_up).await;
    let State::Unspent(coin) = &snapshot.coins[0] else {
        panic!("{coin}: {snapshot:?}");
    };
    coin.output.clone()
}

/// The account's statement.
pub(crate) async fn statement(person: &Person<'_>) -> String {
    text(&person.get(super::CHALLENGE).await.body["statement"])
}

/// The still transaction that carries this line (proofs, section 2).
pub(crate) async fn still(app: &TestApp, coins: &[OutPoint], line: &str) -> Transaction {
    let mut spent = Vec::new();
    for &outpoint in coins {
        let output = output(app, outpoint).await;
        spent.push(Coin { outpoint, output });
    }
    forge::still(line.as_bytes(), &spent)
}

/// An unsigned file.
pub(crate) fn unsigned(transaction: Transaction) -> SomePsbt {
    Psbt::from_unsigned_tx(transaction).unwrap().into()
}

/// The signed still transaction.
pub(crate) async fn signed_still(
    app: &TestApp,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
    line: &str,
) -> SomePsbt {
    let still = still(app, coins, line).await;
    wallet.sign(&unsigned(still), true).await
}

/// A file over these coins that is bound to this user.
pub(crate) async fn bound(
    app: &TestApp,
    person: &Person<'_>,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
) -> Vec<u8> {
    let line = statement(person).await;
    signed_still(app, wallet, coins, &line).await.binary()
}

/// A BIP-0322 proof of funds over `coins`, signed by the wallet, with a new address of it as the
/// challenge.
pub(crate) async fn message(wallet: &Wallet<'_>, message: &str, coins: &[OutPoint]) -> Psbt {
    let challenge = script_of(&wallet.address(AddressType::Bech32).await);
    let spent = to_spend(message.as_bytes(), &challenge);
    let first = OutPoint::new(spent.compute_txid(), 0);
    let inputs = [&[first], coins].concat();
    let nothing = forge::pay(0, ScriptBuf::from_bytes(vec![0x6a]));
    let mut to_sign = forge::transaction(inputs.into_iter(), vec![nothing]);
    to_sign.version = Version(0);
    let mut psbt = unsigned(to_sign).decode();
    psbt.inputs[0].witness_utxo = Some(spent.output[0].clone());
    psbt.inputs[0].non_witness_utxo = Some(spent);
    psbt.unknown.insert(message_key(), message.into());
    wallet.sign(&psbt.into(), true).await.decode()
}

//! Signed files of every shape, over the coins of a real node.

use bitcoin::psbt::raw::Key;
use bitcoin::transaction::Version;
use bitcoin::{Amount, OutPoint, Psbt, Script, ScriptBuf, Transaction, TxIn, TxOut};
use server::chain::Coin;
use server::verify::bip322::to_spend;

use crate::support::app::{Person, TestApp};
use crate::support::node::{AddressType, SomePsbt, Wallet};

pub(crate) const COIN: Amount = Amount::from_sat(30_000_000);

const FEE: Amount = Amount::from_sat(1_000);

/// What a coin is worth and which script it has.
pub(crate) async fn output(app: &TestApp, coin: OutPoint) -> TxOut {
    let snapshot = app.state.chain.look_up(&[coin]).await.expect("an answer");
    match &snapshot.coins[0] {
        Coin::Unspent(coin) => coin.output.clone(),
        other => panic!("{coin}: {other:?}"),
    }
}

pub(crate) fn pay(amount: Amount, script: &Script) -> TxOut {
    TxOut {
        value: amount,
        script_pubkey: script.into(),
    }
}

/// The account's challenge amount.
pub(crate) async fn challenge(person: &Person<'_>) -> Amount {
    let answer = person.get(super::CHALLENGE).await;
    Amount::from_sat(answer.body["amount_sats"].as_u64().expect("an amount"))
}

/// A transaction that is not signed yet.
pub(crate) fn unsigned(coins: &[OutPoint], outputs: Vec<TxOut>) -> SomePsbt {
    let input = |coin: &OutPoint| TxIn {
        previous_output: *coin,
        ..TxIn::default()
    };
    let transaction = Transaction {
        version: Version::TWO,
        lock_time: bitcoin::absolute::LockTime::ZERO,
        input: coins.iter().map(input).collect(),
        output: outputs,
    };
    Psbt::from_unsigned_tx(transaction)
        .expect("nothing is signed")
        .into()
}

/// A file that pays `amount` to the script of the first coin, and the rest to that of the last.
pub(crate) async fn paying(
    app: &TestApp,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
    amount: Amount,
) -> SomePsbt {
    let mut outputs = Vec::new();
    for coin in coins {
        outputs.push(output(app, *coin).await);
    }
    let total: Amount = outputs.iter().map(|output| output.value).sum();
    let (first, last) = (&outputs[0], &outputs[outputs.len() - 1]);
    let rest = pay(total - amount - FEE, &last.script_pubkey);
    let outputs = vec![pay(amount, &first.script_pubkey), rest];
    wallet.sign(&unsigned(coins, outputs), true).await
}

/// A file over one new coin that is bound to this person by its amount.
pub(crate) async fn bound(app: &TestApp, person: &Person<'_>, wallet: &Wallet<'_>) -> Vec<u8> {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let amount = challenge(person).await;
    paying(app, wallet, &[coin], amount).await.binary()
}

/// A BIP-0322 proof of funds over `coins`, signed by the wallet, with a new address of it as the
/// challenge.
pub(crate) async fn message(wallet: &Wallet<'_>, message: &str, coins: &[OutPoint]) -> Psbt {
    let address = wallet.address(AddressType::Bech32).await;
    let address: bitcoin::Address<_> = address.parse().expect("an address");
    let spent = to_spend(
        message.as_bytes(),
        &address.assume_checked().script_pubkey(),
    );
    let first = OutPoint::new(spent.compute_txid(), 0);
    let op_return = ScriptBuf::from_bytes(vec![0x6a]);
    let inputs = [&[first], coins].concat();
    let mut psbt = unsigned(&inputs, vec![pay(Amount::ZERO, &op_return)]).decode();
    psbt.unsigned_tx.version = Version(0);
    psbt.inputs[0].witness_utxo = Some(spent.output[0].clone());
    psbt.inputs[0].non_witness_utxo = Some(spent);
    psbt.unknown
        .insert(message_key(), message.as_bytes().to_vec());
    wallet.sign(&psbt.into(), true).await.decode()
}

/// The field in which a file carries the message.
pub(crate) fn message_key() -> Key {
    Key {
        type_value: 0x09,
        key: Vec::new(),
    }
}

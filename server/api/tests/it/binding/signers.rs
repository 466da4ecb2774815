//! What the package makes of a watching wallet's file, signed by signers of other makers, in both forms. The package puts together what
//! cosigners give back, and strips it; the board takes it.

use bitcoin::Amount;
use psbt_wasm::{Form, combine};

use super::files::statement;
use super::maker::{made, stripped};
use super::*;
use crate::support::node::{AddressType, SomePsbt};
use crate::support::signers::{Account, Electrum, Versions, embit};
use crate::support::size;

/// The scripts of Electrum's wallets of one key.
const SINGLE: [(&str, &str, Versions); 3] = [
    ("pkh({})", "44h/1h/0h", Versions::P2PKH),
    ("sh(wpkh({}))", "49h/1h/0h", Versions::P2SH_P2WPKH),
    ("wpkh({})", "84h/1h/0h", Versions::P2WPKH),
];

const SMALL: Amount = Amount::from_sat(1_000_000);

#[tokio::test]
async fn electrum_signs_still_transactions_of_ten_coins() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    for (script, path, versions) in SINGLE {
        let account = Account::random(path);
        let Some(electrum) = Electrum::single(&account, versions) else {
            return;
        };
        let descriptor = script.replace("{}", &account.watched());
        let wallet = node.watching_wallet(&descriptor).await;
        let exported = wallet.export(&[SMALL; 10]).await;
        let file = made(&exported, &line, Form::Transaction);
        let answer = submit(node, &person, &stripped(&electrum.sign(&file))).await;
        assert_eq!(answer.body["amount"], 0.1, "{script} {answer:?}");
        accepted(&answer, "success", "transaction");
    }
}

/// It signs a message, too, and gives back a complete transaction, which does not say what its first input spends: the signature does.
#[tokio::test]
async fn electrum_signs_messages_and_gives_back_transactions() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    for (script, path, versions) in SINGLE {
        let account = Account::random(path);
        let Some(electrum) = Electrum::single(&account, versions) else {
            return;
        };
        let descriptor = script.replace("{}", &account.watched());
        let wallet = node.watching_wallet(&descriptor).await;
        let exported = wallet.export(&[SMALL; 2]).await;
        let signed = electrum.sign(&made(&exported, &line, Form::Message));
        assert_ne!(&signed[..5], b"cHNid", "a transaction");
        let answer = submit(node, &person, &stripped(&signed)).await;
        assert_eq!(answer.body["amount"], 0.02, "{script} {answer:?}");
        accepted(&answer, "success", "message");
        let again = submit(node, &person, &stripped(&signed)).await;
        accepted(&again, "already-verified", "message");
        // Under a statement of somebody else it proves nothing.
        let other = electrum.sign(&made(&exported, "Another line", Form::Message));
        let answer = submit(node, &person, &stripped(&other)).await;
        refused(&answer, 422, "other-statement");
    }
}

/// The file goes to two of three, and each gives back a copy.
#[tokio::test]
async fn two_of_three_cosigners_with_electrum_sign_copies_that_are_put_together() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let accounts = cosigners();
    let signers = [0, 2].map(|own| Electrum::cosigner(&accounts, own));
    let [Some(one), Some(other)] = signers else {
        return;
    };
    let wallet = node.watching_wallet(&two_of(&accounts)).await;
    for form in Form::ALL {
        let file = made(&wallet.export(&[SMALL]).await, &line, form);
        let copies = [&one, &other].map(|signer| signer.sign(&file));
        let together = combine(&[&copies[0], &copies[1]]).expect("copies of one file");
        let answer = submit(node, &person, &stripped(&together.psbt)).await;
        accepted(&answer, "success", form.name());
    }
}

#[tokio::test]
async fn embit_signs_what_is_made_of_every_script_type() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let mut files = Vec::new();
    for (script, path) in [
        ("pkh({})", "44h/1h/0h"),
        ("sh(wpkh({}))", "49h/1h/0h"),
        ("wpkh({})", "84h/1h/0h"),
        ("tr({})", "86h/1h/0h"),
    ] {
        let account = Account::random(path);
        let descriptor = script.replace("{}", &account.watched());
        let wallet = node.watching_wallet(&descriptor).await;
        for (form, coins) in Form::ALL.into_iter().zip([1, 10]) {
            let exported = wallet.export(&vec![SMALL; coins]).await;
            files.push((account.clone(), form, made(&exported, &line, form)));
        }
    }
    let unsigned: Vec<_> = files.iter().map(|(key, _, file)| (key, file)).collect();
    let Some(signed) = embit(&unsigned) else {
        return;
    };
    for ((_, form, _), file) in files.iter().zip(signed) {
        let answer = submit(node, &person, &stripped(&file.binary())).await;
        accepted(&answer, "success", form.name());
    }
    assert_eq!(person.profile().await["bitcoin_holdings"], 0.44);
}

#[tokio::test]
async fn two_of_three_devices_with_embit_sign_copies_that_are_put_together() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let accounts = cosigners();
    let wallet = node.watching_wallet(&two_of(&accounts)).await;
    for form in Form::ALL {
        let file = made(&wallet.export(&[SMALL]).await, &line, form);
        let Some(copies) = embit(&[(&accounts[0], &file), (&accounts[2], &file)]) else {
            return;
        };
        let [one, other] = [&copies[0], &copies[1]].map(SomePsbt::binary);
        refused(
            &submit(node, &person, &stripped(&one)).await,
            422,
            "incomplete",
        );
        let together = combine(&[&one, &other]).expect("copies of one file");
        let answer = submit(node, &person, &stripped(&together.psbt)).await;
        accepted(&answer, "success", form.name());
    }
}

/// Seven hundred with `./test all`.
#[tokio::test]
async fn hundreds_of_coins_are_one_proof() {
    let many = size(100_u64, 700);
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let wallet = node.wallet().await;
    let mut coins = Vec::new();
    while (coins.len() as u64) < many {
        coins.extend(wallet.fund_all(&[(AddressType::Bech32, SMALL); 50]).await);
    }
    let exported = wallet.update(&wallet.self_transfer(&coins).await).await;
    for (form, status) in Form::ALL.into_iter().zip(["success", "reverified"]) {
        let file = wallet.sign(&made(&exported, &line, form), true).await;
        let answer = submit(node, &person, &stripped(&file.binary())).await;
        assert_eq!(answer.body["amount_sats"], SMALL.to_sat() * many);
        accepted(&answer, status, form.name());
    }
}

fn cosigners() -> Vec<Account> {
    (0..3).map(|_| Account::random("48h/1h/0h/2h")).collect()
}

/// The descriptor of a multisig, keys sorted by BIP-0067.
fn two_of(accounts: &[Account]) -> String {
    let keys: Vec<_> = accounts.iter().map(Account::watched).collect();
    format!("wsh(sortedmulti(2,{}))", keys.join(","))
}

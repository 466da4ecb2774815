//! Files that the package makes from a watch-only wallet's file, signed by other makers' signers, in both forms. The package combines
//! cosigners' copies and strips the result; the board accepts it.

use psbt_wasm::Form;

use super::files::statement;
use super::maker::made;
use super::*;
use crate::support::signers::{Account, Electrum, Versions, embit};

/// The scripts of single-key wallets, and Electrum's names for their keys.
const SINGLE: [(&str, &str, Option<Versions>); 4] = [
    ("pkh({})", "44h/1h/0h", Some(Versions::P2PKH)),
    ("sh(wpkh({}))", "49h/1h/0h", Some(Versions::P2SH_P2WPKH)),
    ("wpkh({})", "84h/1h/0h", Some(Versions::P2WPKH)),
    ("tr({})", "86h/1h/0h", None),
];

const SMALL: Amount = Amount::from_sat(1_000_000);

/// For a message, Electrum returns a complete transaction, which does not state what its first input spends; the signature shows it.
#[tokio::test]
async fn electrum_signs_still_transactions_and_messages() {
    let scene = Scene::new().await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let line = statement(&person).await;
    for (script, path, versions) in SINGLE {
        let Some(versions) = versions else {
            continue;
        };
        let account = Account::random(path);
        let Some(electrum) = Electrum::single(&account, versions) else {
            return;
        };
        println!("{script}");
        let wallet = node
            .watching_wallet(&script.replace("{}", &account.watched()))
            .await;
        let ten = made(&wallet.export(&[SMALL; 10]).await, &line, Form::Transaction);
        let signed = electrum.sign(&ten);
        let answer = scene
            .takes_stripped(&person, &signed, Form::Transaction, "success")
            .await;
        assert_eq!(answer.body["amount"], 0.1);

        let exported = wallet.export(&[SMALL; 2]).await;
        let signed = electrum.sign(&made(&exported, &line, Form::Message));
        assert_ne!(&signed[..5], b"cHNid", "a transaction");
        let answer = scene
            .takes_stripped(&person, &signed, Form::Message, "success")
            .await;
        assert_eq!(answer.body["amount"], 0.02);
        scene
            .takes_stripped(&person, &signed, Form::Message, "already-verified")
            .await;
        // Under another user's statement it proves nothing.
        let other = electrum.sign(&made(&exported, "Another line", Form::Message));
        let other = psbt_wasm::strip(&other).unwrap();
        scene.refuses(&person, &other, "other-statement").await;
    }
}

#[tokio::test]
async fn embit_signs_what_is_made_of_every_script_type() {
    let scene = Scene::new().await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let line = statement(&person).await;
    let mut files = Vec::new();
    for (script, path, _) in SINGLE {
        let account = Account::random(path);
        let wallet = node
            .watching_wallet(&script.replace("{}", &account.watched()))
            .await;
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
        scene
            .takes_stripped(&person, &file.binary(), *form, "success")
            .await;
    }
    assert_eq!(person.profile().await["bitcoin_holdings"], 0.44);
}

/// Two of three signers get the file, and each returns a copy: Electrum, and devices with embit.
#[tokio::test]
async fn two_of_three_cosigners_of_other_makers_sign_copies_that_are_put_together() {
    let scene = Scene::new().await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let line = statement(&person).await;
    let accounts: Vec<_> = (0..3).map(|_| Account::random("48h/1h/0h/2h")).collect();
    let keys: Vec<_> = accounts.iter().map(Account::watched).collect();
    // Keys sorted by BIP-0067.
    let descriptor = format!("wsh(sortedmulti(2,{}))", keys.join(","));
    let wallet = node.watching_wallet(&descriptor).await;
    for form in Form::ALL {
        let file = made(&wallet.export(&[SMALL]).await, &line, form);
        if let Some(copies) = embit(&[(&accounts[0], &file), (&accounts[2], &file)]) {
            let copies = [&copies[0], &copies[1]].map(SomePsbt::binary);
            scene.takes_together(&person, copies, form).await;
        }
        let electrums = [0, 2].map(|own| Electrum::cosigner(&accounts, own));
        if let [Some(one), Some(other)] = electrums {
            let file = made(&wallet.export(&[SMALL]).await, &line, form);
            let copies = [one.sign(&file), other.sign(&file)];
            scene.takes_together(&person, copies, form).await;
        }
    }
}

/// Seven hundred with `./test all`, half of them Taproot.
#[tokio::test]
async fn hundreds_of_coins_are_one_proof() {
    let many = size(100, 700);
    let scene = Scene::new().await;
    let (wallet, person) = (&scene.wallet, scene.app.sign_in().await);
    let line = statement(&person).await;
    let mut coins = Vec::new();
    while coins.len() < many {
        let kinds = [AddressType::Bech32, AddressType::Bech32m].map(|kind| (kind, SMALL));
        coins.extend(wallet.fund_all(&kinds.repeat(25)).await);
    }
    let exported = wallet.update(&wallet.self_transfer(&coins).await).await;
    for (form, status) in Form::ALL.into_iter().zip(["success", "reverified"]) {
        let file = wallet.sign(&made(&exported, &line, form), true).await;
        let file = file.binary();
        let answer = scene.takes_stripped(&person, &file, form, status).await;
        let amount = SMALL * many as u64;
        assert_eq!(answer.body["amount_sats"], amount.to_sat());
    }
}

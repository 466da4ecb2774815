//! Files that the package makes from any file that a wallet exports, signed by real signers in both forms: the node's wallets with all their
//! script types, Electrum, and devices with embit. The package combines cosigners' copies and strips the result; the board accepts it.

use bitcoin::{NetworkKind, PrivateKey};
use psbt_wasm::{Form, MakeOptions, combine, make_proof, strip};

use super::files::statement;
use super::*;
use crate::forge::Key;
use crate::support::signers::{Account, Electrum, Versions, embit};

/// A board, and a user with a statement to sign.
struct Signing<'a> {
    fixture: &'a Fixture<'static>,
    user: Person<'a>,
    line: String,
}

impl<'a> Signing<'a> {
    async fn at(fixture: &'a Fixture<'static>) -> Self {
        let user = fixture.app.sign_in().await;
        let line = statement(&user).await;
        Self {
            fixture,
            user,
            line,
        }
    }

    /// Makes the file to sign from any file that a wallet exports over the coins.
    fn made(&self, file: &SomePsbt, form: Form) -> SomePsbt {
        made(file, &self.line, form)
    }

    /// Sends a signed file as the browser does; it must be accepted, and counts for so much bitcoin.
    async fn takes(&self, file: &[u8], form: Form, status: &str) -> Value {
        let file = strip(file).unwrap();
        let answer = self.fixture.takes(&self.user, &file, status, form.name());
        answer.await.body["amount"].take()
    }

    /// Copies of one file, each signed by one of two cosigners: a single copy proves nothing, and the combined ones do.
    async fn takes_together(&self, copies: [Vec<u8>; 2], form: Form) {
        let one = strip(&copies[0]).unwrap();
        self.fixture.refuses(&self.user, &one, "incomplete").await;
        let together = combine(&[&copies[0], &copies[1]]).expect("copies of one file");
        assert!(together.inputs.iter().all(|input| input.signatures == 2));
        self.takes(&together.psbt, form, "success").await;
    }

    /// What the board counts for the user.
    async fn holds(&self, btc: f64) {
        assert_eq!(self.user.profile().await["bitcoin_holdings"], btc);
    }
}

fn made(file: &SomePsbt, line: &str, form: Form) -> SomePsbt {
    let made = make_proof(file.binary(), &MakeOptions::new(line, form)).expect("a proof is made");
    let psbt = Psbt::deserialize(&made.psbt).expect("the other reader takes it");
    psbt.into()
}

#[tokio::test]
async fn every_script_type_of_the_nodes_wallets_is_signed_in_both_forms() {
    let fixture = Fixture::new().await;
    let (wallet, signing) = (&fixture.wallet, Signing::at(&fixture).await);
    for form in Form::ALL {
        for kind in AddressType::ALL {
            let coin = wallet.fund(kind, COIN).await;
            let transfer = wallet.self_transfer(&[coin]).await;
            // The exported transfer may be signed or not.
            let unsigned = signing.made(&wallet.update(&transfer).await, form);
            let signed = wallet.sign(&transfer, false).await;
            assert_eq!(signing.made(&signed, form), unsigned);
            for (finalize, status) in [(true, "success"), (false, "already-verified")] {
                let file = wallet.sign(&unsigned, finalize).await.binary();
                signing.takes(&file, form, status).await;
            }
        }
        // All of them in one proof.
        let kinds = AddressType::ALL.map(|kind| (kind, COIN));
        let mut coins: Vec<OutPoint> = wallet.fund_all(&kinds).await;
        let amounts = [COIN, COIN / 2];
        coins.extend(wallet.fund_one_address(AddressType::Bech32, &amounts).await);
        let transfer = wallet.update(&wallet.self_transfer(&coins).await).await;
        let file = wallet.sign(&signing.made(&transfer, form), true).await;
        let amount = signing.takes(&file.binary(), form, "success").await;
        assert_eq!(amount, 1.65);
    }
    // Two proofs of four coins of 0.3 BTC each, and one of 1.65 BTC.
    signing.holds(5.7).await;
}

/// Each cosigner gets the same file, and returns a signed copy.
#[tokio::test]
async fn two_of_three_cosigners_sign_copies_that_are_put_together() {
    let fixture = Fixture::new().await;
    let (node, signing) = (fixture.node, Signing::at(&fixture).await);
    let multisig = node.multisig().await;
    for form in Form::ALL {
        let coin = multisig.fund(COIN).await;
        let transfer = multisig.self_transfer(&[coin]).await;
        let exported = multisig.sign(&transfer, &[1], false).await;
        let file = signing.made(&exported, form);
        let one = multisig.sign(&file, &[0], false).await.binary();
        let other = multisig.sign(&file, &[2], false).await.binary();
        signing.takes_together([one, other], form).await;
    }
}

/// A vault locked by height, one by time, one by a number of blocks, and a leaf of a tree without a known key. The file
/// that the package makes satisfies what a script requires of the transaction.
#[tokio::test]
async fn vaults_and_leaves_are_signed_too() {
    const NOBODY: &str = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
    let fixture = Fixture::new().await;
    let (node, signing) = (fixture.node, Signing::at(&fixture).await);
    let both: &[Form] = &Form::ALL;
    let by_time = "sh(wsh(and_v(v:pk({a}),after(1500000000))))";
    for (script, sequence, lock_time, forms) in [
        ("wsh(and_v(v:pk({a}),after(100)))", None, 100, both),
        ("wsh(and_v(v:pk({a}),older(3)))", Some(3), 0, both),
        ("tr({nobody},pk({a}))", None, 0, both),
        // A still transaction contains a height.
        (by_time, None, 1_500_000_000, &[Form::Message]),
    ] {
        let key = PrivateKey::new(Key::random().0.secret_key(), NetworkKind::Test).to_wif();
        let descriptor = script.replace("{a}", &key).replace("{nobody}", NOBODY);
        let wallet = node.descriptor_wallet(&descriptor).await;
        for form in forms {
            let coin = wallet.fund(COIN).await;
            node.mine(2).await;
            let terms = Terms {
                sequence,
                lock_time,
            };
            let exported = wallet.proof(coin, COIN, terms, false).await;
            let file = wallet.sign(&signing.made(&exported, *form)).await;
            println!("{script} {form:?}");
            signing.takes(&file.binary(), *form, "success").await;
        }
    }
}

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
    let fixture = Fixture::new().await;
    let (node, signing) = (fixture.node, Signing::at(&fixture).await);
    for (script, path, versions) in SINGLE {
        let Some(versions) = versions else { continue };
        let account = Account::random(path);
        let Some(electrum) = Electrum::single(&account, versions) else {
            return;
        };
        println!("{script}");
        let descriptor = script.replace("{}", &account.watched());
        let wallet = node.watching_wallet(&descriptor).await;
        let ten = signing.made(&wallet.export(&[SMALL; 10]).await, Form::Transaction);
        let signed = electrum.sign(&ten);
        let amount = signing.takes(&signed, Form::Transaction, "success").await;
        assert_eq!(amount, 0.1);

        let exported = wallet.export(&[SMALL; 2]).await;
        let signed = electrum.sign(&signing.made(&exported, Form::Message));
        assert_ne!(&signed[..5], b"cHNid", "a transaction");
        for status in ["success", "already-verified"] {
            let amount = signing.takes(&signed, Form::Message, status).await;
            assert_eq!(amount, 0.02);
        }
        // Under another user's statement it proves nothing.
        let other = electrum.sign(&made(&exported, "Another line", Form::Message));
        let other = strip(&other).unwrap();
        fixture
            .refuses(&signing.user, &other, "other-statement")
            .await;
    }
}

#[tokio::test]
async fn embit_signs_what_is_made_of_every_script_type() {
    let fixture = Fixture::new().await;
    let (node, signing) = (fixture.node, Signing::at(&fixture).await);
    let mut files = Vec::new();
    for (script, path, _) in SINGLE {
        let account = Account::random(path);
        let descriptor = script.replace("{}", &account.watched());
        let wallet = node.watching_wallet(&descriptor).await;
        for (form, coins) in Form::ALL.into_iter().zip([1, 10]) {
            let exported = wallet.export(&vec![SMALL; coins]).await;
            files.push((account.clone(), form, signing.made(&exported, form)));
        }
    }
    let unsigned: Vec<_> = files.iter().map(|(key, _, file)| (key, file)).collect();
    let Some(signed) = embit(&unsigned) else {
        return;
    };
    for ((_, form, _), file) in files.iter().zip(signed) {
        signing.takes(&file.binary(), *form, "success").await;
    }
    signing.holds(0.44).await;
}

/// Two of three signers get the file, and each returns a copy: Electrum, and devices with embit.
#[tokio::test]
async fn two_of_three_cosigners_of_other_makers_sign_copies_that_are_put_together() {
    let fixture = Fixture::new().await;
    let (node, signing) = (fixture.node, Signing::at(&fixture).await);
    let accounts: Vec<_> = (0..3).map(|_| Account::random("48h/1h/0h/2h")).collect();
    let keys: Vec<_> = accounts.iter().map(Account::watched).collect();
    // Keys sorted by BIP-0067.
    let descriptor = format!("wsh(sortedmulti(2,{}))", keys.join(","));
    let wallet = node.watching_wallet(&descriptor).await;
    for form in Form::ALL {
        let file = signing.made(&wallet.export(&[SMALL]).await, form);
        if let Some(copies) = embit(&[(&accounts[0], &file), (&accounts[2], &file)]) {
            let copies = [&copies[0], &copies[1]].map(SomePsbt::binary);
            signing.takes_together(copies, form).await;
        }
        let electrums = [0, 2].map(|own| Electrum::cosigner(&accounts, own));
        if let [Some(one), Some(other)] = electrums {
            let file = signing.made(&wallet.export(&[SMALL]).await, form);
            let copies = [one.sign(&file), other.sign(&file)];
            signing.takes_together(copies, form).await;
        }
    }
}

/// Seven hundred with `./test all`, half of them Taproot.
#[tokio::test]
async fn hundreds_of_coins_are_one_proof() {
    let many = size(100, 700);
    let fixture = Fixture::new().await;
    let (wallet, signing) = (&fixture.wallet, Signing::at(&fixture).await);
    let mut coins = Vec::new();
    while coins.len() < many {
        let kinds = [AddressType::Bech32, AddressType::Bech32m].map(|kind| (kind, SMALL));
        coins.extend(wallet.fund_all(&kinds.repeat(25)).await);
    }
    let exported = wallet.update(&wallet.self_transfer(&coins).await).await;
    for (form, status) in Form::ALL.into_iter().zip(["success", "reverified"]) {
        let file = wallet.sign(&signing.made(&exported, form), true).await;
        let amount = signing.takes(&file.binary(), form, status).await;
        assert_eq!(amount, (SMALL * many as u64).to_btc());
    }
}

//! Files that the package makes from wallets' files, signed by real signers: the node's wallets, all their script types, in both
//! forms. The package strips the signed file, and the board accepts it.

use bitcoin::{NetworkKind, PrivateKey};
use psbt_wasm::{Form, MakeOptions, combine, make_proof, strip};

use super::files::statement;
use super::*;
use crate::forge::Key;

/// Makes the file to sign from any file that a wallet exports over the coins.
pub(super) fn made(file: &SomePsbt, line: &str, form: Form) -> SomePsbt {
    let made = make_proof(file.binary(), &MakeOptions::new(line, form)).expect("a proof is made");
    let psbt = Psbt::deserialize(&made.psbt).expect("the other reader takes it");
    psbt.into()
}

impl Scene<'_> {
    /// Sends a signed file as the browser does; it must be accepted.
    pub(super) async fn takes_stripped(
        &self,
        person: &Person<'_>,
        file: &[u8],
        form: Form,
        status: &str,
    ) -> Answer {
        let file = strip(file).unwrap();
        self.takes(person, &file, status, form.name()).await
    }

    /// Copies of one file, each signed by one of two cosigners: a single copy proves nothing, and the combined ones do.
    pub(super) async fn takes_together(
        &self,
        person: &Person<'_>,
        copies: [Vec<u8>; 2],
        form: Form,
    ) {
        let one = strip(&copies[0]).unwrap();
        self.refuses(person, &one, "incomplete").await;
        let together = combine(&[&copies[0], &copies[1]]).expect("copies of one file");
        assert!(together.inputs.iter().all(|input| input.signatures == 2));
        self.takes_stripped(person, &together.psbt, form, "success")
            .await;
    }
}

#[tokio::test]
async fn every_script_type_of_the_nodes_wallets_is_signed_in_both_forms() {
    let scene = Scene::new().await;
    let (wallet, person) = (&scene.wallet, scene.app.sign_in().await);
    let line = statement(&person).await;
    for form in Form::ALL {
        for kind in AddressType::ALL {
            let coin = wallet.fund(kind, COIN).await;
            let transfer = wallet.self_transfer(&[coin]).await;
            // It makes no difference whether the wallet has signed its transfer.
            let unsigned = made(&wallet.update(&transfer).await, &line, form);
            let signed = wallet.sign(&transfer, false).await;
            assert_eq!(made(&signed, &line, form), unsigned);
            for (finalize, status) in [(true, "success"), (false, "already-verified")] {
                let file = wallet.sign(&unsigned, finalize).await.binary();
                scene.takes_stripped(&person, &file, form, status).await;
            }
        }
        // All of them in one proof.
        let kinds = AddressType::ALL.map(|kind| (kind, COIN));
        let mut coins: Vec<OutPoint> = wallet.fund_all(&kinds).await;
        let amounts = [COIN, COIN / 2];
        coins.extend(wallet.fund_one_address(AddressType::Bech32, &amounts).await);
        let transfer = wallet.update(&wallet.self_transfer(&coins).await).await;
        let file = wallet.sign(&made(&transfer, &line, form), true).await;
        let answer = scene
            .takes_stripped(&person, &file.binary(), form, "success")
            .await;
        assert_eq!(answer.body["amount"], 1.65);
    }
    // Twice four coins of 0.3 BTC and one proof of 1.65 BTC.
    assert_eq!(person.profile().await["bitcoin_holdings"], 5.7);
}

/// Each cosigner gets the same file, and returns a signed copy.
#[tokio::test]
async fn two_of_three_cosigners_sign_copies_that_are_put_together() {
    let scene = Scene::new().await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let line = statement(&person).await;
    let multisig = node.multisig().await;
    for form in Form::ALL {
        let coin = multisig.fund(COIN).await;
        let transfer = multisig.self_transfer(&[coin]).await;
        let exported = multisig.sign(&transfer, &[1], false).await;
        let file = made(&exported, &line, form);
        let one = multisig.sign(&file, &[0], false).await.binary();
        let other = multisig.sign(&file, &[2], false).await.binary();
        scene.takes_together(&person, [one, other], form).await;
    }
}

/// A vault locked by height, one by time, one by a number of blocks, and a leaf of a tree without a known key. The file
/// that the package makes satisfies what a script requires of the transaction.
#[tokio::test]
async fn vaults_and_leaves_are_signed_too() {
    const NOBODY: &str = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
    const TIME: u32 = 1_500_000_000;
    let scene = Scene::new().await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let line = statement(&person).await;
    let both: &[Form] = &Form::ALL;
    for (script, sequence, lock_time, forms) in [
        ("wsh(and_v(v:pk({a}),after(100)))", None, 100, both),
        ("wsh(and_v(v:pk({a}),older(3)))", Some(3), 0, both),
        ("tr({nobody},pk({a}))", None, 0, both),
        // A still transaction contains a height.
        (
            "sh(wsh(and_v(v:pk({a}),after(1500000000))))",
            None,
            TIME,
            &[Form::Message],
        ),
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
            let file = wallet.sign(&made(&exported, &line, *form)).await;
            println!("{script} {form:?}");
            scene
                .takes_stripped(&person, &file.binary(), *form, "success")
                .await;
        }
    }
}

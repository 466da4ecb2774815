//! The development wallet over HTTP: it signs files over its account's coins, and nothing else.

use bitcoin::transaction::Version;
use psbt_wasm::statement::LOCK_TIME;
use psbt_wasm::{Form, MakeOptions, make_proof, strip};

use crate::support::prelude::*;

const SIGN: &str = "/api/functions/v1/development-sign";

/// The file to sign for this user, from one of the samples.
async fn made(person: &Person<'_>, sample: &str, form: Form) -> Vec<u8> {
    let challenge = person.get("/api/functions/v1/proof-challenge").await;
    let line = challenge.body["statement"].as_str().unwrap();
    let coins = person.sample(sample).await;
    let proof = make_proof(coins, &MakeOptions::new(line, form)).expect("a proof is made");
    proof.psbt
}

async fn sign(person: &Person<'_>, file: &str) -> Answer {
    person.post(SIGN, json!({"psbt_base64": file})).await
}

/// The file that the wallet returns.
#[track_caller]
fn signed(answer: &Answer) -> (&str, Vec<u8>) {
    assert_eq!(answer.status, 200, "{answer:?}");
    let [file, name] = ["psbt_base64", "file_name"].map(|it| answer.body[it].as_str());
    (name.unwrap(), STANDARD.decode(file.unwrap()).unwrap())
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str, sentences: &[&str]) {
    assert_eq!(answer.problem(), (status, code), "{answer:?}");
    has(&text(&answer.body["message"]), sentences);
}

#[tokio::test]
async fn what_is_made_of_every_sample_is_signed_in_both_forms_and_is_on_the_board() {
    let app = TestApp::development().await;
    for form in Form::ALL {
        let person = app.sign_in().await;
        let mut held = 0.0;
        for (sample, amount) in [
            ("unsigned.psbt", 2.25),
            ("cold-storage-multisig.psbt", 12.5),
            ("legacy-wallet.psbt", 1.0),
            ("unbound.psbt", 0.5),
        ] {
            let file = STANDARD.encode(made(&person, sample, form).await);
            let returned = sign(&person, &file).await;
            let (name, file) = signed(&returned);
            assert_eq!(name, "signed-by-development-wallet.psbt");
            // As the browser sends it.
            let answer = person.submit(&strip(file.as_slice()).unwrap()).await;
            assert_eq!(answer.body["status"], "success", "{sample}: {answer:?}");
            assert_eq!(answer.body["binding"], form.name(), "{sample}");
            assert_eq!(answer.body["amount"], amount, "{sample}");
            held += amount;
        }
        assert_eq!(person.profile().await["bitcoin_holdings"], held);
        assert_ne!(person.profile().await["rank"], Value::Null);
    }
}

/// It knows its own coins: the file need not describe them.
#[tokio::test]
async fn coins_of_several_samples_without_a_description_are_signed_in_one_file() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let (mut inputs, mut outputs, mut statement) = (Vec::new(), Vec::new(), None);
    for sample in "wallet_verification self-transfer cold-storage-multisig".split(' ') {
        let sample = person.sample(&format!("{sample}.psbt")).await;
        let still = Psbt::deserialize(&sample).unwrap().unsigned_tx;
        inputs.extend(still.input);
        outputs.extend(still.output);
        statement = outputs.pop();
    }
    outputs.extend(statement);
    let transaction = Transaction {
        version: Version::TWO,
        lock_time: LockTime::from_consensus(LOCK_TIME),
        input: inputs,
        output: outputs,
    };
    let file = Psbt::from_unsigned_tx(transaction).expect("nothing is signed");
    let returned = sign(&person, &STANDARD.encode(file.serialize())).await;
    let answer = person.submit(&signed(&returned).1).await;
    assert_eq!(answer.body["status"], "success", "{answer:?}");
    assert_eq!(answer.body["amount"], 16.0);
}

#[tokio::test]
async fn the_development_wallet_signs_only_its_own_coins() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    for form in Form::ALL {
        let file = STANDARD.encode(made(&hal, "unsigned.psbt", form).await);
        let answer = sign(&eve, &file).await;
        let said = [
            "Input 1 spends no coin of your",
            "Choose the unsigned sample",
        ];
        refused(&answer, 400, "invalid-psbt", &said);
        signed(&sign(&hal, &file).await);
    }
    let other = "the file to sign that the upload page makes";
    for (file, sentence) in [("*", "it is not base64"), ("bm8gUFNCVA==", other)] {
        refused(&sign(&eve, file).await, 400, "invalid-psbt", &[sentence]);
    }
    let answer = app.post(SIGN, json!({"psbt_base64": "*"})).await;
    refused(&answer, 401, "no-authorization", &["Bearer token"]);
}

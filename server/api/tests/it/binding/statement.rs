//! The statement of an account (proofs, section 1).

use api::proof::statement::PERIOD;
use psbt_wasm::statement::Person as Code;
use store::profiles::{Identity, Profile};

use super::files::{COIN, bound, message, old_statement, signed_still, statement};
use super::*;
use crate::support::node::AddressType;

/// The account behind a person.
async fn account(app: &TestApp, person: &Person<'_>) -> Profile {
    let account = app.state.store.profile(&person.id).await;
    account.expect("a database").expect("an account")
}

/// The same person, who has another name at the provider now.
async fn rename(app: &TestApp, person: &Person<'_>, name: &str) {
    let account = account(app, person).await;
    let identity = Identity {
        provider: "mock",
        subject: account.subject,
        username: Some(name.to_owned()),
        email: None,
        avatar_url: None,
    };
    let now = app.state.clock.now();
    let renamed = app.state.store.sign_in(&identity, now).await;
    assert_eq!(renamed.expect("a database").id, person.id);
}

#[tokio::test]
async fn the_challenge_says_all_that_either_form_needs() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let answer = hal.get(CHALLENGE).await;
    assert_eq!(answer.status, 200);
    let line = answer.body["statement"].as_str().expect("a line");
    let site = app.origin.strip_prefix("http://").expect("an origin");
    // Who has no name at the provider is named by the permanent id there.
    let subject = account(&app, &hal).await.subject;
    let name = Code {
        origin: &app.origin,
        provider: "mock",
        subject: &subject,
        account: &hal.id,
    }
    .name(site, None);
    assert!(name.starts_with('~') && name.len() == 9, "{name}");
    assert!(
        line.starts_with(&format!("Proof of Reserves {site} {name} ")),
        "{line}"
    );
    assert!(line.is_ascii() && line.len() <= 75, "{line}");

    let fields: Vec<&String> = answer.body.as_object().expect("fields").keys().collect();
    assert_eq!(
        fields,
        [
            "binding",
            "counts_until",
            "lock_time",
            "output_script",
            "statement"
        ]
    );
    assert_eq!(answer.body["binding"], "required");
    assert_eq!(answer.body["lock_time"], 452_038_930);
    let push = format!("6a{:02x}{}", line.len(), hex::encode(line));
    assert_eq!(answer.body["output_script"], push);

    // Asked again it is the same, and everybody has another.
    assert_eq!(hal.get(CHALLENGE).await.body, answer.body);
    assert_ne!(statement(&eve).await, line);
    assert_eq!(app.get(CHALLENGE).await.status, 401);
}

#[tokio::test]
async fn the_code_is_what_anybody_computes_who_knows_the_nonce() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let account = account(&app, &person).await;
    let now = app.state.clock.now();
    let secret = app.state.store.keyed_hash("statement", now).await.unwrap();
    let period = now.div_euclid(PERIOD).to_be_bytes();
    let hash = secret.of(&[account.id.as_bytes(), &period]);
    let nonce = hash[..16].try_into().expect("16 bytes");
    let code = Code {
        origin: &app.origin,
        provider: "mock",
        subject: &account.subject,
        account: &account.id,
    }
    .code(&nonce);
    let line = statement(&person).await;
    assert!(line.ends_with(&format!(" {code}")), "{line}");
}

/// Rule C12: a device shows these names, and a site could have shown one person's line to another.
#[tokio::test]
async fn names_that_are_cut_never_read_alike() {
    let app = TestApp::development().await;
    let mut names = Vec::new();
    for (username, start) in [
        ("satoshi-nakamoto-1", "mock:satoshi-na~"),
        ("satoshi-nakamoto-2", "mock:satoshi-na~"),
        ("\u{65e5}\u{672c}", "mock:~"),
        ("\u{4e2d}\u{56fd}", "mock:~"),
        ("J\u{fc}rg", "mock:j~"),
        ("sato~abcd", "mock:sato~"),
        ("two words", "mock:two~"),
    ] {
        let person = app.sign_in().await;
        rename(&app, &person, username).await;
        let line = statement(&person).await;
        assert!(line.is_ascii() && line.len() <= 75, "{line}");
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 6, "{line}");
        let letters = words[4].strip_prefix(start);
        assert_eq!(letters.map(str::len), Some(4), "{line}");
        names.push(words[4].to_owned());
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "{names:?}");
}

/// Somebody has signed the line of before the upgrade.
#[tokio::test]
async fn a_line_with_an_old_name_counts_until_its_period_is_over() {
    let node = Node::shared().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let mut person = app.sign_in().await;
    rename(&app, &person, "Satoshi-Nakamoto-1").await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 5]).await;
    let old = old_statement(&app, &person).await;
    assert!(old.contains(" mock:Satoshi-Nakamot "), "{old}");
    let still = signed_still(&app, &wallet, &coins[..1], &old).await;
    accepted(
        &submit(node, &person, &still.binary()).await,
        "success",
        "transaction",
    );
    let signed = message(&wallet, &old, &coins[1..2]).await.serialize();
    accepted(&submit(node, &person, &signed).await, "success", "message");
    let slow = signed_still(&app, &wallet, &coins[2..3], &old).await;
    let slower = signed_still(&app, &wallet, &coins[3..4], &old).await;

    let now = app.state.clock.now();
    let next = (now.div_euclid(PERIOD) + 1) * PERIOD;
    app.state.clock.advance(next - now);
    person = app.still_signed_in(&person).await;
    accepted(
        &submit(node, &person, &slow.binary()).await,
        "success",
        "transaction",
    );
    // No server has ever shown the line of this period with that name.
    let never = old_statement(&app, &person).await;
    let never = signed_still(&app, &wallet, &coins[4..], &never).await;
    let answer = submit(node, &person, &never.binary()).await;
    refused(&answer, 422, "other-statement");

    app.state.clock.advance(PERIOD);
    person = app.still_signed_in(&person).await;
    let answer = submit(node, &person, &slower.binary()).await;
    refused(&answer, 422, "other-statement");
}

/// Cosigners are slow.
#[tokio::test]
async fn a_statement_counts_for_its_period_and_the_next() {
    let node = Node::shared().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let mut person = app.sign_in().await;
    let kinds = [AddressType::Bech32, AddressType::Bech32m];
    let coins = wallet.fund_all(&kinds.map(|kind| (kind, COIN))).await;
    let line = statement(&person).await;
    let until = person.get(CHALLENGE).await.body["counts_until"].clone();
    let mut files = Vec::new();
    for coin in coins {
        files.push(signed_still(&app, &wallet, &[coin], &line).await.binary());
    }

    let end = (app.state.clock.now().div_euclid(PERIOD) + 2) * PERIOD;
    assert_eq!(until, board_log::units::iso(end));
    app.state.clock.advance(end - 1 - app.state.clock.now());
    person = app.still_signed_in(&person).await;
    assert_ne!(statement(&person).await, line);
    let answer = submit(node, &person, &files[0]).await;
    accepted(&answer, "success", "transaction");

    app.state.clock.advance(1);
    person = app.still_signed_in(&person).await;
    let answer = submit(node, &person, &files[1]).await;
    refused(&answer, 422, "other-statement");
    // What is an active proof already stays one (decisions, D3).
    let answer = submit(node, &person, &files[0]).await;
    accepted(&answer, "already-verified", "transaction");
    assert_eq!(person.proofs().await.as_array().map(Vec::len), Some(1));
}

/// The name in the line is what the person saw who signed.
#[tokio::test]
async fn whoever_was_renamed_makes_the_file_again() {
    let node = Node::shared().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let person = app.sign_in().await;
    let kinds = [AddressType::Bech32, AddressType::Bech32m];
    let coins = wallet.fund_all(&kinds.map(|kind| (kind, COIN))).await;
    rename(&app, &person, "before").await;
    let proven = bound(&app, &person, &wallet, &coins[..1]).await;
    let late = bound(&app, &person, &wallet, &coins[1..]).await;
    let answer = submit(node, &person, &proven).await;
    accepted(&answer, "success", "transaction");

    rename(&app, &person, "after").await;
    assert!(statement(&person).await.contains(" mock:after "));
    refused(&submit(node, &person, &late).await, 422, "other-statement");
    let answer = submit(node, &person, &proven).await;
    accepted(&answer, "already-verified", "transaction");
    let again = bound(&app, &person, &wallet, &coins[1..]).await;
    accepted(
        &submit(node, &person, &again).await,
        "success",
        "transaction",
    );
}

#[tokio::test]
async fn one_statement_serves_many_files_at_once() {
    let node = Node::shared().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let person = app.sign_in().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 6]).await;
    let mut files = Vec::new();
    for coin in &coins {
        files.push(bound(&app, &person, &wallet, &[*coin]).await);
    }
    let _still = node.still().await;
    let answers = files.iter().map(|file| person.submit(file));
    for answer in futures_util::future::join_all(answers).await {
        accepted(&answer, "success", "transaction");
    }
    assert_eq!(person.profile().await["bitcoin_holdings"], 1.8);
}

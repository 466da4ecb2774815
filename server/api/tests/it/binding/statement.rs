//! The statement of an account (proofs, section 1).

use psbt_wasm::statement::Person as Code;
use store::profiles::{Identity, Profile};

use super::files::{COIN, bound, message, signed_still, statement, undated_statement};
use super::*;
use crate::support::node::AddressType;

/// The account of a user.
async fn account(app: &TestApp, person: &Person<'_>) -> Profile {
    let account = app.state.store.profile(&person.id).await;
    account.expect("a database").expect("an account")
}

/// The same user, renamed at the provider.
pub(super) async fn rename(app: &TestApp, person: &Person<'_>, name: &str) {
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
    // A user without a name at the provider is named by the permanent id there.
    let subject = account(&app, &hal).await.subject;
    let code = Code {
        origin: &app.origin,
        provider: "mock",
        subject: &subject,
        account: &hal.id,
    };
    let name = code.name(site, None);
    assert!(name.starts_with('~') && name.len() == 9, "{name}");
    assert!(
        line.starts_with(&format!("Proof of Reserves {site} {name} ")),
        "{line}"
    );
    assert!(line.is_ascii() && line.len() <= 75, "{line}");

    let fields = answer.body.as_object().expect("fields").keys();
    let fields: Vec<&str> = fields.map(String::as_str).collect();
    let expected =
        "binding block counts_until counts_until_block lock_time output_script statement";
    assert_eq!(fields.join(" "), expected);
    assert_eq!(answer.body["binding"], "required");
    assert_eq!(answer.body["lock_time"], 452_038_930);
    let push = format!("6a{:02x}{}", line.len(), hex::encode(line));
    assert_eq!(answer.body["output_script"], push);

    // A second request returns the same, and another user gets another.
    assert_eq!(hal.get(CHALLENGE).await.body, answer.body);
    assert_ne!(statement(&eve).await, line);
    assert_eq!(app.get(CHALLENGE).await.status, 401);
}

/// Signed before the upgrade, sent after it.
#[tokio::test]
async fn a_file_from_before_statements_were_dated_is_refused_by_name() {
    let node = Node::shared().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let person = app.sign_in().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 2]).await;
    let (old, _) = undated_statement(&app, &person).await;
    let still = signed_still(&app, &wallet, &coins[..1], &old).await;
    let signed = message(&wallet, &old, &coins[1..]).await.serialize();
    for file in [still.binary(), signed] {
        let said = refuses(node, &person, &file, "made-before-upgrade").await;
        assert!(said.contains("made before the upgrade"), "{said}");
    }
    nothing_recorded(&person).await;
    // Another account has another statement, as before.
    let other = app.sign_in().await;
    let (theirs, _) = undated_statement(&app, &other).await;
    let file = signed_still(&app, &wallet, &coins[..1], &theirs).await;
    refuses(node, &person, &file.binary(), "other-statement").await;
}

/// Mines many empty blocks at once, different from any other test's.
async fn mine_many(node: &Node, wallet: &crate::support::node::Wallet<'_>, blocks: u32) {
    let address = wallet.address(AddressType::Bech32).await;
    node.call("generatetoaddress", json!([blocks, address]))
        .await;
}

/// Rule C10. Cosigners may take a week, and the chain may reorganize.
#[tokio::test]
async fn the_first_blocks_of_two_periods_count_each_once_six_blocks_are_above_it() {
    let node = &Node::start().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let person = app.sign_in().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 4]).await;
    let file = async |coin: usize, line: &str| {
        let signed = signed_still(&app, &wallet, &coins[coin..=coin], line).await;
        signed.binary()
    };
    let challenge = async || {
        let _ = app.state.follower.advance(api::follow::ALL).await;
        let body = person.get(CHALLENGE).await.body;
        let line = body["statement"].as_str().expect("a line").to_owned();
        (body["block"]["height"].as_u64().expect("a height"), line)
    };
    let takes = async |file: &[u8], status: &str| {
        let answer = submit(node, &person, file).await;
        accepted(&answer, status, "transaction");
    };
    let refuses = async |file: &[u8], code: &str| {
        refused(&submit(node, &person, file).await, 422, code);
    };
    let (height, first) = challenge().await;
    assert_eq!(height, 0);
    let (slow, slower) = (file(0, &first).await, file(1, &first).await);
    mine_many(node, &wallet, 2_021 - node.tip().await.0).await;
    assert_eq!(
        challenge().await,
        (0, first.clone()),
        "five blocks are above it"
    );
    mine_many(node, &wallet, 1).await;
    let (height, second) = challenge().await;
    assert_eq!(height, 2_016);
    assert_ne!(first, second);
    // The previous period counts too, but a coin never moves to an older block.
    takes(&slow, "success").await;
    let newer = file(2, &second).await;
    takes(&newer, "success").await;
    let older = file(2, &first).await;
    refuses(&older, "older-statement").await;
    let dated = file(0, &second).await;
    takes(&dated, "reverified").await;

    // A reorganization removes the block that dates the second line.
    let doomed = file(3, &second).await;
    let gone = node.call("getblockhash", json!([2_016])).await;
    node.call("invalidateblock", json!([gone])).await;
    mine_many(node, &wallet, 8).await;
    let (height, third) = challenge().await;
    assert_eq!(height, 2_016);
    assert_ne!(second, third);
    refuses(&doomed, "statement-block-gone").await;
    let again = file(3, &third).await;
    takes(&again, "success").await;
    // Recorded proofs stay.
    takes(&newer, "already-verified").await;

    mine_many(node, &wallet, 4_038 - node.tip().await.0).await;
    assert_eq!(challenge().await.0, 4_032);
    refuses(&slower, "other-statement").await;
    let slow = file(1, &third).await;
    takes(&slow, "success").await;
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

//! The statement of an account (proofs, section 1).

use bitcoin::consensus::encode::deserialize_hex;
use psbt_wasm::statement::Person as Code;
use store::profiles::{Identity, Profile};

use super::files::{COIN, bound, message, signed_still, statement, undated_statement};
use super::*;
use crate::support::node::AddressType;

/// The account behind a person.
async fn account(app: &TestApp, person: &Person<'_>) -> Profile {
    let account = app.state.store.profile(&person.id).await;
    account.expect("a database").expect("an account")
}

/// The same person, who has another name at the provider now.
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
            "block",
            "counts_until",
            "counts_until_block",
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
async fn the_line_is_what_anyone_builds_who_knows_what_its_code_commits_to() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let account = account(&app, &person).await;
    let now = app.state.clock.now();
    let secret = app.state.store.keyed_hash("statement", now).await.unwrap();
    // The development chain is in its first period.
    let period = 0_i64.to_be_bytes();
    let hash = secret.of(&[account.id.as_bytes(), &period]);
    let nonce = hash[..16].try_into().expect("16 bytes");
    let challenge = person.get(CHALLENGE).await.body;
    assert_eq!(challenge["block"]["height"], 0);
    let header = challenge["block"]["header"].as_str().unwrap();
    let header: bitcoin::block::Header = deserialize_hex(header).unwrap();
    assert_eq!(challenge["block"]["hash"], header.block_hash().to_string());
    let code = Code {
        origin: &app.origin,
        provider: "mock",
        subject: &account.subject,
        account: &account.id,
    };
    let line = code.statement(&code.full_name(None), &nonce, header.block_hash().as_ref());
    assert_eq!(challenge["statement"], line.unwrap());
    assert_eq!(challenge["counts_until_block"], 2 * 2_016 + 6);
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
        let said = refused(
            &submit(node, &person, &file).await,
            422,
            "made-before-upgrade",
        );
        assert!(said.contains("made before the upgrade"), "{said}");
    }
    nothing_recorded(&person).await;
    // Another account's is another statement, as ever.
    let other = app.sign_in().await;
    let (theirs, _) = undated_statement(&app, &other).await;
    let file = signed_still(&app, &wallet, &coins[..1], &theirs).await;
    let answer = submit(node, &person, &file.binary()).await;
    refused(&answer, 422, "other-statement");
}

/// Mines so many empty blocks at once, which no other test's blocks are like.
async fn mine_many(node: &Node, wallet: &crate::support::node::Wallet<'_>, blocks: u32) {
    let address = wallet.address(AddressType::Bech32).await;
    node.call("generatetoaddress", json!([blocks, address]))
        .await;
}

/// Rule C10. Cosigners take a week, and the chain may reorganize.
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
    // The period before counts, too, but a coin never moves to an older block.
    accepted(
        &submit(node, &person, &slow).await,
        "success",
        "transaction",
    );
    let newer = file(2, &second).await;
    accepted(
        &submit(node, &person, &newer).await,
        "success",
        "transaction",
    );
    let older = file(2, &first).await;
    refused(&submit(node, &person, &older).await, 422, "older-statement");
    let dated = file(0, &second).await;
    accepted(
        &submit(node, &person, &dated).await,
        "reverified",
        "transaction",
    );

    // A reorganization of the block that dates the second line.
    let doomed = file(3, &second).await;
    let gone = node.call("getblockhash", json!([2_016])).await;
    node.call("invalidateblock", json!([gone])).await;
    mine_many(node, &wallet, 8).await;
    let (height, third) = challenge().await;
    assert_eq!(height, 2_016);
    assert_ne!(second, third);
    let answer = submit(node, &person, &doomed).await;
    refused(&answer, 422, "statement-block-gone");
    let again = file(3, &third).await;
    accepted(
        &submit(node, &person, &again).await,
        "success",
        "transaction",
    );
    // What is recorded stays a proof.
    let active = submit(node, &person, &newer).await;
    accepted(&active, "already-verified", "transaction");

    mine_many(node, &wallet, 4_038 - node.tip().await.0).await;
    assert_eq!(challenge().await.0, 4_032);
    let answer = submit(node, &person, &slower).await;
    refused(&answer, 422, "other-statement");
    let slow = file(1, &third).await;
    accepted(
        &submit(node, &person, &slow).await,
        "success",
        "transaction",
    );
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

//! The statement of an account (proofs, section 1).

use psbt_wasm::statement::{CoinNetwork, Person as Code};

use super::files::statement;
use super::*;

/// The account of a user.
async fn account(app: &TestApp, person: &Person<'_>) -> Profile {
    let account = app.state.store.profile(&person.id).await;
    account.unwrap().unwrap()
}

/// The same user, renamed at the provider.
pub(crate) async fn rename(app: &TestApp, person: &Person<'_>, name: &str) {
    let renamed = called("mock", &account(app, person).await.subject, name);
    let now = app.state.clock.now();
    let renamed = app.state.store.sign_in(&renamed, now).await;
    assert_eq!(renamed.unwrap().id, person.id);
}

#[tokio::test]
async fn the_challenge_says_all_that_either_form_needs() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let answer = hal.get(CHALLENGE).await;
    assert_eq!(answer.status, 200);
    let line = answer.body["statement"].as_str().expect("a line");
    let site = app.origin.strip_prefix("http://").unwrap();
    // A user without a name at the provider is named by the permanent id there.
    let subject = account(&app, &hal).await.subject;
    let code = Code {
        network: CoinNetwork::Regtest,
        origin: &app.origin,
        provider: "mock",
        subject: &subject,
        account: &hal.id,
    };
    let name = code.name(site, None);
    assert!(name.starts_with('~') && name.len() == 9, "{name}");
    let begin = format!("Proof of Reserves {site} {name} ");
    assert!(line.starts_with(&begin), "{line}");
    assert!(line.is_ascii() && line.len() <= 75, "{line}");

    let fields = answer.body.as_object().expect("fields").keys();
    let fields: Vec<&str> = fields.map(String::as_str).collect();
    let all = "binding block counts_until counts_until_block lock_time output_script statement";
    assert_eq!(fields.join(" "), all);
    let push = format!("6a{:02x}{}", line.len(), hex::encode(line));
    let said = ["binding", "lock_time", "output_script"].map(|name| &answer.body[name]);
    assert_eq!(json!(said), json!(["required", 452_038_930, push]));

    // A second request returns the same, and another user gets another.
    assert_eq!(hal.get(CHALLENGE).await.body, answer.body);
    assert_ne!(statement(&eve).await, line);
    assert_eq!(app.get(CHALLENGE).await.status, 401);
}

/// Rule C10. Cosigners may take a week, and the chain may reorganize.
#[tokio::test]
async fn the_first_blocks_of_two_periods_count_each_once_six_blocks_are_above_it() {
    let node = &Node::start().await;
    let fixture = Fixture::on(node, TestDatabase::sqlite().await, &[]).await;
    let person = fixture.app.sign_in().await;
    let coins = fixture.coins(4).await;
    let file = async |coin: usize, line: &str| fixture.still(&coins[coin..=coin], line).await;
    // Many empty blocks at once, different from any other test's.
    let mine_to = async |height: u32| {
        let address = fixture.wallet.address(AddressType::Bech32).await;
        let blocks = json!([height - node.tip().await.0, address]);
        node.call("generatetoaddress", blocks).await;
    };
    let challenge = async || {
        let _ = fixture
            .app
            .state
            .proving
            .follower
            .advance(api::chain_follower::ALL)
            .await;
        let body = person.get(CHALLENGE).await.body;
        let height = body["block"]["height"].as_u64().unwrap();
        (height, crate::support::text(&body["statement"]))
    };
    let takes = async |file: &[u8], status: &str| {
        fixture.takes(&person, file, status, "transaction").await;
    };
    let (height, first) = challenge().await;
    assert_eq!(height, 0);
    let (slow, slower) = (file(0, &first).await, file(1, &first).await);
    mine_to(2_021).await;
    // Five blocks are above it.
    assert_eq!(challenge().await, (0, first.clone()));
    mine_to(2_022).await;
    let (height, second) = challenge().await;
    assert_eq!(height, 2_016);
    assert_ne!(first, second);
    // The previous period counts too, but a coin never moves to an older block.
    takes(&slow, "success").await;
    let newer = file(2, &second).await;
    takes(&newer, "success").await;
    let older = file(2, &first).await;
    fixture.refuses(&person, &older, "older-statement").await;
    takes(&file(0, &second).await, "reverified").await;

    // A reorganization removes the block that dates the second line.
    let doomed = file(3, &second).await;
    let gone = node.call("getblockhash", json!([2_016])).await;
    node.call("invalidateblock", json!([gone])).await;
    mine_to(2_023).await;
    let (height, third) = challenge().await;
    assert_eq!(height, 2_016);
    assert_ne!(second, third);
    let code = "statement-block-gone";
    fixture.refuses(&person, &doomed, code).await;
    takes(&file(3, &third).await, "success").await;
    // Recorded proofs stay.
    takes(&newer, "already-verified").await;

    mine_to(4_038).await;
    assert_eq!(challenge().await.0, 4_032);
    fixture.refuses(&person, &slower, "other-statement").await;
    takes(&file(1, &third).await, "success").await;
}

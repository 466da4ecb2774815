//! One user's concurrent requests (rule C7).

use crate::chain_follower::{COIN, Fixture, SATS, counts};
use crate::support::prelude::*;
use crate::support::stripe::Stripe;

/// More requests than may fail in an hour.
const FILES: u64 = 14;

on_both!(
    concurrent_files_of_one_user_over_one_coin_all_count,
    deleting_the_account_ends_a_pending_sign_in,
    deleting_the_account_during_a_submission_is_no_error,
    a_proof_is_reported_even_if_its_attempt_cannot_be_uncounted,
    no_request_fails_while_its_account_is_deleted,
    writes_for_a_deleted_account_are_401,
);

/// Signed transactions that all spend the same coin, no two the same.
async fn files(wallet: &Wallet<'_>) -> Vec<Vec<u8>> {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let address = wallet.address(AddressType::Bech32).await;
    let mut files = Vec::new();
    for number in 0..FILES {
        let payment = (address.clone(), Amount::from_sat(10_000 + number));
        let unsigned = wallet.transfer(&[coin], &[payment]).await;
        files.push(wallet.sign(&unsigned, true).await.binary());
    }
    files
}

/// None gets a conflict, and none gets the limit for refused files, because none was refused.
async fn concurrent_files_of_one_user_over_one_coin_all_count(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let other = fixture.rooms.another(fixture.rooms.clock.now()).await;
    let hal = fixture.hal();
    let files = files(&fixture.wallet).await;
    let _still = fixture.node.still().await;
    let members = [fixture.hal(), other.member(&hal.id)];
    let submitted = files.iter().zip(members.iter().cycle());
    let answers = join_all(submitted.map(|(file, member)| member.submit(file))).await;
    let mut new = 0;
    for answer in &answers {
        match answer.as_ref().map(|outcome| &outcome.recorded) {
            Ok(Recorded::Verified { total_sats: SATS }) => new += 1,
            Ok(Recorded::Reverified { total_sats: SATS }) => {}
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!(new, 1);
    assert_eq!(hal.holdings().await, Some(SATS));
}

async fn deleting_the_account_ends_a_pending_sign_in(database: TestDatabase) {
    let node = Node::shared().await;
    let proxy = Proxy::to(node.url()).await;
    let app = TestApp::at_node(database, &proxy.url).await;
    let person = app.sign_in().await;
    let file = files(&node.wallet().await).await.remove(0);
    let (store, id) = (app.state.store.clone(), person.id.clone());
    proxy.interrupt("gettxout", move || {
        async move { assert!(store.delete_profile(&id, NOW).await.unwrap()) }.boxed()
    });
    let _still = node.still().await;
    let answer = person.submit(&file).await;
    assert_eq!(answer.problem(), (401, "session-not-found"));
}

async fn deleting_the_account_during_a_submission_is_no_error(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let rooms = &fixture.rooms;
    let files = files(&fixture.wallet).await;
    let _still = fixture.node.still().await;
    for file in &files {
        let hal = rooms.sign_in().await;
        let recorded = async {
            assert_matches!(hal.submit(file).await, Ok(_) | Err(SubmitError::NoAccount));
        };
        let deleted = async {
            let begun = "select count(*) from rate_limits";
            // Signals that the request is running.
            while number(rooms.store.database(), begun).await == 0 {
                tokio::task::yield_now().await;
            }
            rooms.store.delete_profile(&hal.id, NOW).await
        };
        let (_, deleted) = tokio::join!(recorded, deleted);
        assert!(deleted.unwrap());
        execute(&rooms.store, "delete from rate_limits").await;
        execute(&rooms.store, "delete from recorded_transactions").await;
    }
    let claims = "select count(*) from claims";
    assert_eq!(number(rooms.store.database(), claims).await, 0);
}

/// Every request that a signed-in user can make, while the account is being deleted.
async fn no_request_fails_while_its_account_is_deleted(database: TestDatabase) {
    let app = Stripe::start().await.sold_at(database, &[]).await;
    for round in 0..10 {
        let hal = app.sign_in().await;
        hal.proves("wallet_verification.psbt").await;
        let file = hal.sample("self-transfer.psbt").await;
        // After publishing, a user cannot show a range; without a publication there is nothing to withdraw.
        let proof = hal.upload(&file, round % 2 == 0).await;
        let proof = text(&proof.body["proof_id"]);
        let another = hal.sample("cold-storage-multisig.psbt").await;
        let others = join_all(requests(&hal, &proof).into_iter().map(answer));
        let deleted = async {
            // Deletes the account at varying moments.
            for _ in 0..round * 10 {
                tokio::task::yield_now().await;
            }
            hal.delete_account().await
        };
        let (uploaded, mut answers, deleted) =
            tokio::join!(hal.upload(&another, true), others, deleted);
        assert_eq!(deleted.status, 200, "{deleted:?}");
        answers.push(uploaded);
        for answer in answers {
            assert!(answer.status.as_u16() < 500, "{round}: {answer:?}");
        }
    }
}

fn requests(hal: &Person<'_>, proof: &str) -> Vec<RequestBuilder> {
    const ALL: &str = "
        PATCH rest/v1/profiles?id=eq.{me} {'tier':'free'}
        PATCH rest/v1/profiles?id=eq.{me} {'shown_as':'range'}
        POST rest/v1/profiles?on_conflict=id {'id':'{me}','tier':'free'}
        POST rest/v1/profiles {'id':'{me}','shown_as':'exact'}
        GET rest/v1/psbts?user_id=eq.{me}
        DELETE rest/v1/psbts?user_id=eq.{me}&file_name=eq.wallet_verification.psbt
        GET auth/v1/user
        POST auth/v1/logout?scope=others
        GET functions/v1/proof-challenge
        GET functions/v1/development-samples
        POST functions/v1/create-stripe-session {'user_id':'{me}','email':null}
        GET functions/v1/export-account
        GET functions/v1/receipt
        GET functions/v1/holdings-history
        GET functions/v1/getUserRank/{me}
        GET functions/v1/proofs/{proof}
        DELETE functions/v1/proofs/{proof}";
    let all = ALL.replace("{me}", &hal.id).replace("{proof}", proof);
    let request = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let method = words.next().and_then(|it| it.parse().ok()).unwrap();
        let request = hal.request(method, &format!("/api/{}", words.next().unwrap()));
        let Some(body) = words.next() else {
            return request;
        };
        let request = request.header("content-type", "application/json");
        request.body(body.replace('\'', "\""))
    };
    all.trim().lines().map(request).collect()
}

/// The account may disappear between two steps of one request.
async fn writes_for_a_deleted_account_are_401(database: TestDatabase) {
    let store = database.store().await;
    let code = AuthCode {
        code_hash: "c0de".to_owned(),
        user_id: "nobody".to_owned(),
        code_challenge: String::new(),
        cookie: false,
        expires_at: 9_000_000_000,
    };
    let refused = store.add_auth_code(&code, 0).await;
    let error = api::http::error::Error::from(refused.expect_err("nobody's"));
    let error = (error.status.as_u16(), error.code);
    assert_eq!(error, (401, "session-not-found"));
}

async fn a_proof_is_reported_even_if_its_attempt_cannot_be_uncounted(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let (hal, rooms) = (fixture.hal(), &fixture.rooms);
    let file = files(&fixture.wallet).await.remove(0);
    let stuck = match rooms.store.database() {
        Database::Sqlite(_) => {
            "create trigger stuck before update on rate_limits begin select raise(abort, 'stuck'); end"
        }
        Database::Postgres(_) => "alter table rate_limits add check (used > 0)",
    };
    execute(&rooms.store, stuck).await;
    let _still = fixture.node.still().await;
    counts(&hal.submit(&file).await);
    assert_eq!(hal.holdings().await, Some(SATS));
}

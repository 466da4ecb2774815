//! Account deletion: afterwards nothing in the whole database identifies the user. The tables and columns are read
//! from the database itself, so that a later table cannot be forgotten.

use api::sign_in::pkce::code_hash;

use super::*;
use crate::billing::{Fixture, buy, checkout_of};
use crate::pictures::Host;

on_both!(
    a_deleted_account_leaves_nothing_in_the_database,
    a_session_that_begins_or_goes_on_meanwhile_is_no_failure,
);

/// Names of columns that contain a user's id. Every table with one must have a row of the user before the
/// deletion: a change that adds such a table also fills it here.
const OWNERS: [&str; 2] = ["user_id", "profile_id"];

/// The columns that contain any of these lower-case words, in any case: `table.column`.
async fn traces(database: &Database, words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for column in columns(database).await {
        let cells = contents(database, std::slice::from_ref(&column)).await;
        let cells = cells[&column.table].join("\n").to_lowercase();
        if words.iter().any(|word| cells.contains(word)) {
            found.push(format!("{}.{}", column.table, column.name));
        }
    }
    found
}

/// Does everything that stores data.
async fn live(fixture: &Fixture, person: &Person<'_>) {
    // A published proof, and a refused file.
    let file = person.sample("wallet_verification.psbt").await;
    let proven = person.upload(&file, true).await;
    assert_eq!(proven.body["published"], true, "{proven:?}");
    assert_eq!(person.submit(b"nonsense").await.body["status"], "error");
    // The statement to sign, and a request for the user's own picture.
    let picture = format!("/api/storage/v1/render/image/public/avatars/{}", person.id);
    for path in ["/api/functions/v1/proof-challenge", &picture] {
        assert_eq!(person.get(path).await.status, 200);
    }
    // The premium plan.
    let page = buy(person).await;
    fixture
        .created(&fixture.stripe.pay(checkout_of(&page)))
        .await;
    assert_eq!(person.profile().await["tier"], "premium");
}

async fn a_deleted_account_leaves_nothing_in_the_database(database: TestDatabase) {
    let (_host, origin) = Host::start().await;
    let face = format!("{origin}/images/face_400x400.jpg");
    let files = database.files();
    let fixture = Fixture::open(database, &[&format!("--avatar-hosts={origin}")]).await;
    let app = &fixture.app;
    let database = app.state.store.database();
    let other = app.sign_in().await;
    other.proves("wallet_verification.psbt").await;
    let others = other.profile().await;

    let subject = "subject-4815162342";
    let identity = Identity {
        email: Some("deletia@mail.example".to_owned()),
        avatar_url: Some(face.clone()),
        ..called("github", subject, "Deletia")
    };
    let site = app.site();
    let session = async || signed(&app.enter(&identity, Some(&site)).await);
    let here = session().await;
    let (id, person) = (&here.user_id, app.person(&here.user_id, &here.access));
    live(&fixture, &person).await;
    // Other devices: one is signed in, one is signing in, one has just signed out.
    session().await;
    let room = &app.state.sign_in;
    let begun = room.admit(&identity, challenge("begun"), true).await;
    begun.unwrap();
    let left = session().await;
    assert_eq!(app.sign_out(&left.access, "?scope=local").await, 204);
    // The log of the board has the row.
    crate::board_log::log(app).await;
    // Sets the account aside, as when the database refuses to update its totals.
    let aside = format!("insert into accounts_set_aside (user_id, since) values ('{id}', 0)");
    run(database, aside).await.unwrap();

    // Before the deletion, the search finds the user's data.
    let words = [subject, "deletia", "user@example.com", id, &face];
    let words = words.map(str::to_owned);
    let before = traces(database, &words).await;
    let profile = "id subject username username_folded email avatar_url".split(' ');
    let profile = profile.map(|name| format!("profiles.{name}"));
    let mut owners = columns(database).await;
    // The table of the next lines has rows only while witnesses are asked.
    owners.retain(|it| OWNERS.contains(&&*it.name) && it.table != "log_next_lines");
    let owners = owners.iter().map(|it| format!("{}.{}", it.table, it.name));
    let picture = "pictures.source_url".to_owned();
    for column in profile.chain(owners).chain([picture]) {
        assert!(before.contains(&column), "nothing in {column} before");
    }

    assert_eq!(person.delete_account().await.status, 200);
    assert_eq!(traces(database, &words).await, [""; 0]);
    let user = app.user(&here.access).await;
    assert_eq!(user.problem(), (401, "session_not_found"));
    let refreshed = app.renew(&here).await;
    assert_eq!(refreshed.problem(), (400, "session_not_found"));
    // The files of the running server.
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let bytes = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in &words {
            assert!(!bytes.contains(word), "{word} in {file:?}");
        }
    }
    // The remaining rows identify no user: the record of the payment, and the transaction that can never prove again. Other users
    // have lost nothing.
    assert_eq!(other.profile().await, others);
    for (rows, expected) in [
        ("billing_accounts", 1),
        ("billing_accounts where user_id is not null", 0),
        ("recorded_transactions", 2),
        ("proofs", 1),
        ("sessions", 1),
    ] {
        let count = number(database, format!("select count(*) from {rows}")).await;
        assert_eq!(count, expected, "{rows}");
    }
}

async fn a_session_that_begins_or_goes_on_meanwhile_is_no_failure(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let store = &site.state.store;
    for round in 0..8 {
        let (program, page) = (site.program().await, site.page().await);
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let owner = store.code_owner(&code_hash(&code)).await;
        let owner = owner.unwrap().unwrap();
        let delete = async |id: &str| {
            // Deletes the account at a different moment of the other requests in each round.
            for _ in 0..round * 10 {
                tokio::task::yield_now().await;
            }
            store.delete_profile(id, NOW).await.unwrap();
        };
        let (exchanged, refreshed, in_cookie_mode, (), (), ()) = tokio::join!(
            site.exchange(&code, &verifier, PROGRAM),
            site.renew(&program),
            site.renew(&page),
            delete(&owner),
            delete(&program.user_id),
            delete(&page.user_id),
        );
        for answer in [exchanged, refreshed, in_cookie_mode] {
            assert!(answer.status.as_u16() < 500, "{round}: {answer:?}");
        }
        assert!(!site.is_in(&program.access).await);
        // Only this round's requests count for the limit of new sessions.
        site.state.clock.advance(300);
    }
}

//! Account deletion: afterwards nothing in the whole database identifies the user. The tables and columns are read
//! from the database itself, so that a later table cannot be forgotten.

use api::jobs::next::Next;
use api::sign_in::pkce::code_hash;
use axum::Router;
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat};
use serde_json::json;
use sqlx::{Connection, PgConnection};
use store::profiles::Identity;
use store::{Database, Store};

use super::site::{Signed, signed, site_on};
use crate::support::app::{Person, TestApp};
use crate::support::database::{Column, TestDatabase, columns, contents, number, on_both, run};
use crate::support::faults::serve;
use crate::support::sign_in::{challenge, verifier};
use crate::support::stripe::{self, SECRET, Stripe};
use crate::support::{text, until};

on_both!(
    nothing_in_the_database_says_who_it_was,
    a_session_that_begins_or_goes_on_meanwhile_is_no_failure,
);

/// Names of columns that contain a user's id. Every table with one must have a row of the user before the
/// deletion: a change that adds such a table also fills it here.
const OWNERS: [&str; 2] = ["user_id", "profile_id"];

/// The columns that contain any of these words, in any case.
async fn traces(database: &Database, words: &[String]) -> Vec<Column> {
    let mut found = Vec::new();
    for column in columns(database).await {
        let cells = contents(database, std::slice::from_ref(&column)).await;
        let cells = cells[&column.table].join("\n").to_lowercase();
        if words
            .iter()
            .any(|word| cells.contains(&word.to_lowercase()))
        {
            found.push(column);
        }
    }
    found
}

/// A host with one picture, and the picture's address.
async fn picture() -> (String, String) {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = DynamicImage::new_rgb8(40, 40);
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    let file = file.into_inner();
    let face = get(move || async move { ([("content-type", "image/png")], file) });
    let host = serve(Router::new().route("/face.png", face)).await;
    (format!("http://{host}"), format!("http://{host}/face.png"))
}

/// Signs in a user from a provider, up to the code for the page.
async fn admit(app: &TestApp, identity: &Identity, verifier: &str) -> String {
    let admitted = app.state.sign_in.admit(identity, challenge(verifier), true);
    admitted.await.unwrap()
}

/// The same, up to the session.
async fn session(app: &TestApp, identity: &Identity) -> Signed {
    let verifier = verifier();
    let code = admit(app, identity, &verifier).await;
    signed(
        &app.exchange(&code, &verifier, Some(&app.site()), None)
            .await,
    )
}

/// Does everything that stores data.
async fn live(app: &TestApp, stripe: &Stripe, person: &Person<'_>) {
    // A published proof, and a refused file.
    let name = "wallet_verification.psbt";
    let file = STANDARD.encode(person.sample(name).await);
    let body = json!({ "psbtBase64": file, "file_name": name, "publish": true });
    let proven = person.post("/api/functions/v1/submit-proof", body).await;
    assert_eq!(proven.body["published"], true, "{proven:?}");
    assert_eq!(person.submit(b"nonsense").await.body["status"], "error");
    // The statement to sign, and a request for the user's own picture.
    let picture = format!("/api/storage/v1/avatar/{}", person.id);
    for path in ["/api/functions/v1/proof-challenge", &picture] {
        assert_eq!(person.get(path).await.status, 200);
    }
    // The premium plan.
    let body = json!({ "user_id": person.id, "email": "deletia@mail.example" });
    let page = person
        .post("/api/functions/v1/create-stripe-session", body)
        .await;
    let page = text(&page.body["url"]);
    let subscription = stripe.pay(page.rsplit('/').next().unwrap());
    let object = stripe.world().subscriptions[&subscription].clone();
    let event = stripe::event("evt_1", "customer.subscription.created", &object).to_string();
    let signature = stripe::sign(SECRET, app.state.clock.now(), &event);
    let webhook = app.request(reqwest::Method::POST, "/api/functions/v1/stripe-webhook");
    let told = webhook
        .header("stripe-signature", signature)
        .body(event)
        .send();
    assert_eq!(told.await.unwrap().status(), 200);
    assert_eq!(person.profile().await["tier"], "premium");
}

async fn nothing_in_the_database_says_who_it_was(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let (host, face) = picture().await;
    let hosts = format!("--avatar-hosts={host}");
    let settings = stripe.arguments();
    let arguments: Vec<&str> = settings.iter().chain([&hosts]).map(|it| &**it).collect();
    let files = database.files();
    let app = TestApp::start(database, &arguments).await;
    let database = app.state.store.database();
    let other = app.sign_in().await;
    let sample = other.sample("wallet_verification.psbt").await;
    assert_eq!(other.submit(&sample).await.body["status"], "success");
    let others = other.profile().await;

    let identity = Identity {
        provider: "github",
        subject: "subject-4815162342".to_owned(),
        username: Some("Deletia".to_owned()),
        email: Some("deletia@mail.example".to_owned()),
        avatar_url: Some(face.clone()),
    };
    let here = session(&app, &identity).await;
    let (id, person) = (&here.user_id, app.person(&here.user_id, &here.access));
    live(&app, &stripe, &person).await;
    // Other devices: one is signed in, one is signing in, one has just signed out.
    session(&app, &identity).await;
    admit(&app, &identity, &verifier()).await;
    let left = session(&app, &identity).await;
    assert_eq!(app.sign_out(&left.access, "?scope=local").await, 204);
    // The log of the board has the row.
    app.caught_up().await;
    app.state.follower.step().await.unwrap();
    while app.state.history.step().await.unwrap() == Next::AtOnce {}
    // As if the database had refused to update the totals.
    let aside = format!("insert into accounts_set_aside (user_id, since) values ('{id}', 0)");
    run(database, aside).await.unwrap();

    // The search finds the user's data.
    let words = [
        "subject-4815162342",
        "deletia",
        "deletia@mail.example",
        id,
        &face,
    ];
    let words = words.map(str::to_owned);
    let before = traces(database, &words).await;
    let has =
        |table: &str, name: &str| before.iter().any(|it| it.table == table && it.name == name);
    for name in [
        "id",
        "subject",
        "username",
        "username_folded",
        "email",
        "avatar_url",
    ] {
        assert!(has("profiles", name), "{name}: {before:?}");
    }
    assert!(has("pictures", "source_url"), "{before:?}");
    for column in columns(database).await {
        // That table has rows only while witnesses are asked.
        let owner = OWNERS.contains(&column.name.as_str()) && column.table != "log_next_lines";
        assert!(
            !owner || before.contains(&column),
            "nothing in {column:?} before"
        );
    }
    for table in [
        "auth_codes",
        "billing_accounts",
        "claims",
        "pictures",
        "proofs",
        "sessions",
    ] {
        assert!(
            before.iter().any(|it| it.table == table),
            "{table}: {before:?}"
        );
    }

    let deleted = person
        .post("/api/functions/v1/delete-account", json!({}))
        .await;
    assert_eq!(deleted.status, 200);
    assert_eq!(traces(database, &words).await, []);
    // The files of the running server.
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let bytes = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in &words {
            assert!(!bytes.contains(&word.to_lowercase()), "{word} in {file:?}");
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

/// The user of this code.
async fn owner(store: &Store, code: &str) -> String {
    store.code_owner(&code_hash(code)).await.unwrap().unwrap()
}

async fn a_session_that_begins_or_goes_on_meanwhile_is_no_failure(database: TestDatabase) {
    let site = site_on(database).await;
    let (store, origin) = (&site.state.store, site.site());
    for round in 0..8 {
        let (program, page) = (site.program().await, site.page().await);
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let owner = owner(store, &code).await;
        let delete = async |id: &str| {
            // At varying times.
            for _ in 0..round * 10 {
                tokio::task::yield_now().await;
            }
            store.delete_profile(id).await.unwrap();
        };
        let (exchanged, refreshed, in_cookie_mode, (), (), ()) = tokio::join!(
            site.exchange(&code, &verifier, None, None),
            site.refresh(&program.refresh, None, None),
            site.refresh(&page.refresh, Some(&origin), page.cookie.as_deref()),
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

/// A deletion locks the account and then its rows; a new session locks in the other order. PostgreSQL aborts one of the
/// two.
#[tokio::test]
async fn a_deletion_and_a_sign_in_that_wait_for_each_other_are_no_failure() {
    let database = TestDatabase::postgres().await;
    let url = database.url.clone();
    let connect = async || PgConnection::connect(&url).await.unwrap();
    let (mut deleting, mut watching) = (connect().await, connect().await);
    let site = site_on(database).await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let owner = owner(&site.state.store, &code).await;

    let mut deleting = deleting.begin().await.unwrap();
    let lock = "select id from profiles where id = $1 for update";
    let lock = sqlx::query(lock).bind(&owner).execute(&mut *deleting).await;
    assert_eq!(lock.unwrap().rows_affected(), 1);
    let deletion = async {
        until("the sign-in waits", async || {
            let waiting = "select count(*) from pg_stat_activity \
                where datname = current_database() and wait_event_type = 'Lock'";
            let waiting: Result<i64, _> =
                sqlx::query_scalar(waiting).fetch_one(&mut watching).await;
            (waiting.unwrap() > 0).then_some(())
        })
        .await;
        let delete = sqlx::query("delete from profiles where id = $1").bind(&owner);
        // On a slow machine this one is aborted, and retried.
        delete.execute(&mut *deleting).await.is_ok() && deleting.commit().await.is_ok()
    };
    let (answer, deleted) = tokio::join!(site.exchange(&code, &verifier, None, None), deletion);
    assert_eq!(answer.status, if deleted { 400 } else { 200 });
}

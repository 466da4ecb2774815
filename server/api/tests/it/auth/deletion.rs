//! Deleting the account: afterwards nothing in the whole database says who it was. The tables and columns are read
//! from the database itself, so that a later table cannot be forgotten.

use std::collections::BTreeSet;

use api::jobs::next::Next;
use api::sign_in::pkce::code_hash;
use axum::Router;
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat};
use reqwest::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::profiles::Identity;
use store::{Database, Store};

use super::site::{Site, challenge, verifier};
use crate::jobs::execute;
use crate::support::app::{Person, TestApp, answer};
use crate::support::database::{TestDatabase, on_both};
use crate::support::faults::serve;
use crate::support::stripe::{self, SECRET, Stripe};
use crate::support::until;

on_both!(
    nothing_in_the_database_says_who_it_was,
    a_session_that_begins_or_goes_on_meanwhile_is_no_failure,
);

/// Names of columns that hold a person's id. Every table that has one must have a row of the person before the
/// deletion: whoever adds such a table also adds what fills it here.
const OWNERS: [&str; 2] = ["user_id", "profile_id"];

/// A table and a column.
type Column = (String, String);

/// Every column of every table.
async fn columns(store: &Store) -> Vec<Column> {
    let columns: Result<Vec<Column>, sqlx::Error> = match store.database() {
        Database::Sqlite(pool) => {
            let query = "select tables.name, columns.name
                from sqlite_schema as tables, pragma_table_xinfo(tables.name) as columns
                where tables.type = 'table' order by 1, 2";
            sqlx::query_as(query).fetch_all(pool).await
        }
        Database::Postgres(pool) => {
            let query = "select cast(table_name as text), cast(column_name as text)
                from information_schema.columns
                where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2";
            sqlx::query_as(query).fetch_all(pool).await
        }
    };
    columns.expect("a database")
}

/// Everything in one column that is not null, as text.
async fn cells(store: &Store, (table, column): &Column) -> Vec<String> {
    let select = |kind| {
        let cast = format!(r#"cast("{column}" as {kind})"#);
        AssertSqlSafe(format!(
            r#"select {cast} from "{table}" where "{column}" is not null"#
        ))
    };
    match store.database() {
        // As bytes, because SQLite does not promise that text is UTF-8.
        Database::Sqlite(pool) => {
            let cells: Result<Vec<Vec<u8>>, _> =
                sqlx::query_scalar(select("blob")).fetch_all(pool).await;
            let cells = cells.expect("a database");
            cells
                .iter()
                .map(|cell| String::from_utf8_lossy(cell).into_owned())
                .collect()
        }
        Database::Postgres(pool) => {
            let cells = sqlx::query_scalar(select("text")).fetch_all(pool).await;
            cells.expect("a database")
        }
    }
}

/// The columns in which any of these words occurs, in whatever case.
async fn traces(store: &Store, words: &[String]) -> BTreeSet<Column> {
    let mut found = BTreeSet::new();
    for column in columns(store).await {
        for cell in cells(store, &column).await {
            let cell = cell.to_lowercase();
            if words.iter().any(|word| cell.contains(&word.to_lowercase())) {
                found.insert(column.clone());
            }
        }
    }
    found
}

/// How many rows a table has.
async fn rows(store: &Store, table: &str, column: &str) -> usize {
    cells(store, &(table.to_owned(), column.to_owned()))
        .await
        .len()
}

/// A host with one picture, and the picture's address.
async fn picture() -> (String, String) {
    let mut file = std::io::Cursor::new(Vec::new());
    DynamicImage::new_rgb8(40, 40)
        .write_to(&mut file, ImageFormat::Png)
        .expect("a picture");
    let file = file.into_inner();
    let answer = move || async move { ([("content-type", "image/png")], file) };
    let host = format!(
        "http://{}",
        serve(Router::new().route("/face.png", get(answer))).await
    );
    let address = format!("{host}/face.png");
    (host, address)
}

/// Signs somebody in who came from a provider: a code for the page.
async fn admit(app: &TestApp, identity: &Identity, verifier: &str) -> String {
    let admitted = app.state.sign_in.admit(identity, challenge(verifier), true);
    admitted.await.expect("a database")
}

/// The same as far as the session: the person's id and access token.
async fn session(app: &TestApp, identity: &Identity) -> (String, String) {
    let verifier = verifier();
    let code = admit(app, identity, &verifier).await;
    let request = app
        .request(Method::POST, "/api/auth/v1/token?grant_type=pkce")
        .header("origin", &app.origin)
        .json(&json!({ "auth_code": code, "code_verifier": verifier }));
    let session = answer(request).await;
    assert_eq!(session.status, 200, "{session:?}");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    (
        text(&session.body["user"]["id"]),
        text(&session.body["access_token"]),
    )
}

/// Does everything that leaves something behind.
async fn live(app: &TestApp, stripe: &Stripe, person: &Person<'_>) {
    // A proof that everybody may check, and a file that is refused.
    let sample = person.sample("wallet_verification.psbt").await;
    let file = STANDARD.encode(&sample);
    let body =
        json!({ "psbtBase64": file, "file_name": "wallet_verification.psbt", "publish": true });
    let request = person.request(Method::POST, "/api/functions/v1/submit-proof");
    let proven = answer(request.json(&body)).await;
    assert_eq!(proven.body["published"], true, "{proven:?}");
    assert_eq!(person.submit(b"nonsense").await.body["status"], "error");
    // The statement to sign, a look at the own picture.
    let message = person.get("/api/functions/v1/proof-challenge").await;
    assert_eq!(message.status, 200);
    let picture = app
        .get(&format!("/api/storage/v1/avatar/{}", person.id))
        .await;
    assert_eq!(picture.status, 200);
    // The premium plan.
    let body = json!({ "user_id": person.id, "email": "deletia@mail.example" });
    let request = person.request(Method::POST, "/api/functions/v1/create-stripe-session");
    let page = answer(request.json(&body)).await;
    let page = page.body["url"]
        .as_str()
        .expect("the payment page")
        .to_owned();
    let subscription = stripe.pay(page.rsplit('/').next().expect("an id"));
    let object = stripe.world().subscriptions[&subscription].clone();
    let event = stripe::event("evt_1", "customer.subscription.created", &object).to_string();
    let signature = stripe::sign(SECRET, app.state.clock.now(), &event);
    let told = app
        .request(Method::POST, "/api/functions/v1/stripe-webhook")
        .header("stripe-signature", signature)
        .body(event);
    assert_eq!(answer(told).await.status, 200);
    assert_eq!(person.profile().await["tier"], "premium");
}

async fn nothing_in_the_database_says_who_it_was(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let (host, face) = picture().await;
    let mut arguments = stripe.arguments().to_vec();
    arguments.push(format!("--avatar-hosts={host}"));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let files = database.files();
    let app = TestApp::start(database, &arguments).await;
    let store = &app.state.store;
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
    let (id, token) = session(&app, &identity).await;
    let person = app.person(&id, &token);
    live(&app, &stripe, &person).await;
    // Other devices: one is signed in, one is about to be, one has just signed out.
    session(&app, &identity).await;
    admit(&app, &identity, &verifier()).await;
    let (_, left) = session(&app, &identity).await;
    let sign_out = app
        .request(Method::POST, "/api/auth/v1/logout?scope=local")
        .bearer_auth(left);
    assert_eq!(answer(sign_out).await.status, 204);

    let words = [
        id.clone(),
        identity.subject.clone(),
        "deletia".to_owned(),
        "deletia@mail.example".to_owned(),
        face,
    ];
    // The log of the board has the row.
    app.caught_up().await;
    app.state.follower.step().await.expect("it is followed");
    while app.state.history.step().await.expect("it is logged") == Next::AtOnce {}
    // As if the database had refused their totals.
    let aside = format!("insert into accounts_set_aside (user_id, since) values ('{id}', 0)");
    execute(store, aside).await;
    // The search finds what is there to be found.
    let before = traces(store, &words).await;
    let has = |table: &str, column: &str| before.contains(&(table.to_owned(), column.to_owned()));
    for column in [
        "id",
        "subject",
        "username",
        "username_folded",
        "email",
        "avatar_url",
    ] {
        assert!(has("profiles", column), "{column}: {before:?}");
    }
    assert!(has("pictures", "source_url"), "{before:?}");
    for (table, column) in columns(store).await {
        let owner = OWNERS.contains(&column.as_str());
        assert!(
            !owner || has(&table, &column),
            "nothing in {table}.{column} before"
        );
    }
    let tables: BTreeSet<&str> = before.iter().map(|(table, _)| table.as_str()).collect();
    let expected = [
        "auth_codes",
        "billing_accounts",
        "claims",
        "pictures",
        "profiles",
        "proofs",
        "sessions",
    ];
    for table in expected {
        assert!(tables.contains(table), "{table}: {before:?}");
    }

    let delete = person.request(Method::POST, "/api/functions/v1/delete-account");
    assert_eq!(answer(delete.json(&json!({}))).await.status, 200);

    assert_eq!(traces(store, &words).await, BTreeSet::new());
    // As they are while the server goes on.
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let bytes = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in &words {
            assert!(!bytes.contains(&word.to_lowercase()), "{word} in {file:?}");
        }
    }
    // What stays names nobody: the record of the payment, and the transaction that never proves again.
    assert_eq!(rows(store, "billing_accounts", "id").await, 1);
    assert_eq!(rows(store, "billing_accounts", "user_id").await, 0);
    assert_eq!(rows(store, "recorded_transactions", "tx_hash").await, 2);
    // And nobody else has lost anything.
    assert_eq!(other.profile().await, others);
    assert_eq!(rows(store, "proofs", "id").await, 1);
    assert_eq!(rows(store, "sessions", "id").await, 1);
}

async fn a_session_that_begins_or_goes_on_meanwhile_is_no_failure(database: TestDatabase) {
    let site = Site::start(database).await;
    let (store, origin) = (&site.state.store, Some(site.origin.as_str()));
    for round in 0..8 {
        let (program, page) = (site.program().await, site.page().await);
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let owner = store.code_owner(&code_hash(&code)).await;
        let owner = owner.expect("a database").expect("somebody");
        let deleted = async |id: String| {
            // Now earlier, now later.
            for _ in 0..round * 10 {
                tokio::task::yield_now().await;
            }
            store.delete_profile(&id).await.expect("a database");
        };
        let (exchanged, refreshed, in_cookie_mode, (), (), ()) = tokio::join!(
            site.exchange(&code, &verifier, None, None),
            site.refresh(&program.refresh, None, None),
            site.refresh(&page.refresh, origin, page.cookie.as_deref()),
            deleted(owner),
            deleted(program.user_id.clone()),
            deleted(page.user_id.clone()),
        );
        for answer in [exchanged, refreshed, in_cookie_mode] {
            assert!(answer.status().as_u16() < 500, "{round}: {answer:?}");
        }
        assert_eq!(site.user(&program.access).await.status(), 401);
        // Those of this round alone count for the limit of those that begin.
        site.clock.advance(300);
    }
}

/// Who deletes an account locks it and then what belongs to it; who begins a session goes the other way. PostgreSQL ends one of the
/// two.
#[tokio::test]
async fn a_deletion_and_a_sign_in_that_wait_for_each_other_are_no_failure() {
    let database = TestDatabase::postgres().await;
    let url = database.url.clone();
    let connect = async || PgConnection::connect(&url).await.unwrap();
    let (mut deleting, mut watching) = (connect().await, connect().await);
    let site = Site::start(database).await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let owner = site.state.store.code_owner(&code_hash(&code)).await;
    let owner = owner.expect("a database").expect("somebody");

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
        // On a machine that takes its time it is this one that is ended, and its own code tries again.
        delete.execute(&mut *deleting).await.is_ok() && deleting.commit().await.is_ok()
    };
    let (answer, deleted) = tokio::join!(site.exchange(&code, &verifier, None, None), deletion);
    assert_eq!(answer.status().as_u16(), if deleted { 400 } else { 200 });
}

//! An endpoint for people, with no application around it: its state is the one room that lets people in.

use api::http::session::User;
use axum::Router;
use axum::routing::get;
use chain::clock::Clock;
use reqwest::Response;
use store::sessions::SignOutScope;

use super::site::NOW;
use crate::support::database::{TestDatabase, on_both};
use crate::support::faults::serve;
use crate::support::{http_client, session};

on_both!(whoever_is_signed_in_right_now_is_let_in_and_nobody_else);

async fn whose(user: User) -> String {
    user.id
}

async fn visitor_or_whose(user: Option<User>) -> String {
    user.map_or_else(|| "a visitor".to_owned(), |user| user.id)
}

async fn whoever_is_signed_in_right_now_is_let_in_and_nobody_else(database: TestDatabase) {
    let store = database.store().await;
    let clock = Clock::manual(NOW);
    let sign_in = session::sign_in(&store, &clock).await;
    let (hal, token) = session::signed_in(&sign_in, "hal").await;
    let (eve, later) = session::signed_in(&sign_in, "eve").await;

    let router = Router::new()
        .route("/whose", get(whose))
        .route("/visit", get(visitor_or_whose));
    let address = serve(router.with_state(sign_in.clone())).await;
    let ask = async |path: &str, token: Option<&str>| -> Response {
        let request = http_client().get(format!("http://{address}/{path}"));
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().await.expect("an answer")
    };
    let text = async |answer: Response| answer.text().await.expect("text");

    assert_eq!(text(ask("whose", Some(&token)).await).await, hal.user_id);
    assert_eq!(text(ask("visit", Some(&token)).await).await, hal.user_id);
    assert_eq!(text(ask("visit", None).await).await, "a visitor");
    assert_eq!(ask("whose", None).await.status(), 401);
    assert_eq!(ask("visit", Some("a.b.c")).await.status(), 401);

    let signed_out = sign_in.sign_out(&hal, SignOutScope::Local).await;
    signed_out.expect("a database");
    for path in ["whose", "visit"] {
        assert_eq!(ask(path, Some(&token)).await.status(), 401);
    }
    clock.advance(60 * 60 - 1);
    assert_eq!(text(ask("whose", Some(&later)).await).await, eve.user_id);
    clock.advance(1);
    assert_eq!(ask("whose", Some(&later)).await.status(), 401, "too old");
}

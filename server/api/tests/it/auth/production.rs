//! Production: every mock is refused, and cookies are the strictest that browsers know.

use api::config::Config;
use api::sign_in::pkce::NewCode;
use chain::clock::Clock;
use clap::Parser;
use reqwest::Response;
use serde_json::json;
use store::profiles::Identity;
use store::sessions::AuthCode;
use tokio::net::TcpListener;

use super::site::answer::{location, read, refusal, set_cookie};
use super::site::{NOW, Site, challenge, verifier};
use crate::support::database::TestDatabase;
use crate::support::node::Node;
use crate::support::process::LEGAL;

const ORIGIN: &str = "https://reserves.example";

/// A server in production mode, on one's own node.
async fn production(database: &TestDatabase) -> Site {
    let node = Node::shared().await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let own = [
        "server".to_owned(),
        "--app-env=production".to_owned(),
        "--network=regtest".to_owned(),
        format!("--chain=bitcoind:{}", node.url()),
        format!("--public-url={ORIGIN}"),
        format!("--database-url={}", database.url),
    ];
    let config = Config::parse_from(own.into_iter().chain(LEGAL.map(str::to_owned)));
    Site::serve(config, Clock::manual(NOW), listener).await
}

#[tokio::test]
async fn production_refuses_the_mock() {
    let database = TestDatabase::sqlite().await;
    let site = production(&database).await;
    for (provider, sentence) in [
        ("mock", "Mock login is only available in development mode."),
        (
            "twitter",
            "Sign-in with twitter is not set up on this server.",
        ),
        ("facebook", "Unsupported provider: facebook"),
    ] {
        let answer = site
            .authorize(&[
                ("provider", provider),
                ("code_challenge", &challenge(&verifier())),
                ("code_challenge_method", "s256"),
            ])
            .await;
        let target = answer.headers()["location"].to_str().expect("ASCII");
        assert!(target.starts_with(&format!("{ORIGIN}/auth/callback?")));
        assert_eq!(location(&answer)["error_description"], sentence);
    }
    let users = site.state.store.profile_ids().await.expect("a database");
    assert_eq!(users.len(), 0);
    let answer = site.get("/auth/v1/settings").send().await;
    let (_, settings) = read(answer.expect("an answer")).await;
    assert_eq!(settings["development"], false);
    assert_eq!(settings["external"]["mock"], false);
}

/// The answer to somebody who has just signed in.
async fn sign_in(site: &Site) -> Response {
    let identity = Identity {
        provider: "github",
        subject: "1".to_owned(),
        username: Some("satoshi".to_owned()),
        email: None,
        avatar_url: None,
    };
    let profile = site.state.store.sign_in(&identity, NOW).await;
    let verifier = verifier();
    let new = NewCode::generate();
    let code = AuthCode {
        code_hash: new.hash,
        user_id: profile.expect("a profile").id,
        code_challenge: challenge(&verifier),
        cookie: true,
        expires_at: NOW + 60,
    };
    let added = site.state.store.add_auth_code(&code, NOW).await;
    added.expect("a database");
    site.exchange(&new.code, &verifier, Some(ORIGIN), None)
        .await
}

#[tokio::test]
async fn production_has_no_development_wallet() {
    let database = TestDatabase::sqlite().await;
    let site = production(&database).await;
    let (_, session) = read(sign_in(&site).await).await;
    let token = session["access_token"].as_str().expect("a token");
    let wallet = site
        .post("/functions/v1/development-sign")
        .json(&json!({ "psbt_base64": "" }));
    for request in [site.get("/functions/v1/development-samples"), wallet] {
        let answer = request.bearer_auth(token).send().await;
        let (status, problem) = read(answer.expect("an answer")).await;
        assert_eq!(status, 404, "{problem}");
        assert_eq!(problem["code"], "not-found");
    }
}

#[tokio::test]
async fn production_sets_a_host_cookie() {
    let database = TestDatabase::sqlite().await;
    let site = production(&database).await;
    let answer = sign_in(&site).await;
    let header = set_cookie(&answer).expect("a cookie");
    let (name, rest) = header.split_once('=').expect("a name");
    let (value, attributes) = rest.split_once(';').expect("attributes");
    assert_eq!(name, "__Host-por-refresh");
    assert_eq!(
        attributes,
        " HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=7776000"
    );
    let (_, session) = read(answer).await;
    assert_eq!(session["user"]["user_metadata"]["user_name"], "satoshi");

    // A cookie without the prefix could have been planted by a neighbouring host.
    for (cookie, expected) in [("por-refresh", 400), ("__Host-por-refresh", 200)] {
        let answer = site
            .post("/auth/v1/token?grant_type=refresh_token")
            .header("origin", ORIGIN)
            .header("cookie", format!("{cookie}={value}"))
            .json(&json!({ "refresh_token": session["refresh_token"] }))
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), expected, "{cookie}");
    }
}

#[tokio::test]
async fn production_knows_one_origin() {
    let database = TestDatabase::sqlite().await;
    let site = production(&database).await;
    let listen = site.state.config.listen;
    for foreign in [
        format!("http://{listen}/auth/callback"),
        "http://localhost/auth/callback".to_owned(),
        "http://reserves.example/auth/callback".to_owned(),
        "https://www.reserves.example/auth/callback".to_owned(),
    ] {
        let answer = site
            .authorize(&[("provider", "twitter"), ("redirect_to", &foreign)])
            .await;
        assert_eq!(refusal(answer).await, (400, "validation_failed".to_owned()));
    }
}

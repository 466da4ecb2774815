//! Against a real server on the loopback.

use std::future::pending;

use axum::Router;
use axum::body::Body;
use axum::routing::{MethodRouter, get};
use futures_util::stream::repeat_with;
use tokio::net::TcpListener;

use super::super::address::Hosts;
use super::*;
use PictureError::Unreachable;
use outbound::BodyError::{Http, TooLong};

/// The result of fetching a picture from a server that answers like this.
async fn fetched(host: MethodRouter, timeout: Duration) -> Result<Option<Vec<u8>>, PictureError> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.png", listener.local_addr().unwrap());
    let router = Router::new().route("/a.png", host);
    tokio::spawn(async move { axum::serve(listener, router).await });
    let client = outbound::client().unwrap();
    bytes(&client, url.parse().unwrap(), timeout).await
}

/// Everything that a hostile provider account, or a user who can write the column, might try. Hosts are tried by both schemes.
fn bypasses(port: u16) -> Vec<String> {
    let all: serde_json::Value = serde_json::from_str(include_str!("bypasses.json")).unwrap();
    let texts = |name: &str| {
        let texts = all[name].as_array().unwrap().iter();
        texts.map(|it| it.as_str().unwrap())
    };
    let schemes = |host| ["https", "http"].map(|scheme| format!("{scheme}://{host}:{port}/a.png"));
    let long = format!("https://pbs.twimg.com/{}", "a".repeat(3000));
    let addresses = texts("addresses").map(|it| it.replace("{port}", &port.to_string()));
    let hosts = texts("hosts").flat_map(schemes);
    hosts.chain(addresses).chain([long]).collect()
}

#[test]
fn only_https_at_the_providers_own_hosts_is_fetched() {
    let hosts = Hosts::default();
    for url in bypasses(9) {
        assert_eq!(hosts.allowed(&url), None, "{url}");
    }
    let own = "pbs.twimg.com/a.png abs.twimg.com/a.png lh3.googleusercontent.com/a \
        avatars.githubusercontent.com/u/1";
    for url in own.split(' ').map(|it| format!("https://{it}")) {
        assert!(hosts.allowed(&url).is_some(), "{url}");
    }
}

#[tokio::test]
async fn large_files_are_not_read_to_their_end() {
    let endless = || Body::from_stream(repeat_with(|| Ok::<_, std::io::Error>(vec![0; 64 * 1024])));
    let refused = fetched(get(async move || endless()), TIMEOUT).await;
    let is_too_long = matches!(refused, Err(Unreachable(TooLong)));
    assert!(is_too_long, "{refused:?}");
}

#[tokio::test]
async fn a_slow_provider_is_given_up() {
    let refused = fetched(get(pending::<()>), Duration::from_millis(200)).await;
    let is_timeout = matches!(&refused, Err(Unreachable(Http(error))) if error.is_timeout());
    assert!(is_timeout, "{refused:?}");
}

#[tokio::test]
async fn a_provider_without_the_picture_is_told_from_one_in_trouble() {
    for (status, is_missing) in [(404, true), (410, true), (403, true), (503, false)] {
        let status = StatusCode::from_u16(status).unwrap();
        let refused = fetched(get(async move || status), TIMEOUT).await;
        assert_eq!(matches!(refused, Ok(None)), is_missing, "{refused:?}");
    }
}

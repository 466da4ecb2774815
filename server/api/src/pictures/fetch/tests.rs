//! Against a real listener on the loopback, which counts who comes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::super::address::Hosts;
use super::*;

/// A listener that answers every request the same way, and how many connections it has had. With no answer it keeps
/// the connection open and says nothing.
async fn listener(answer: Option<Vec<u8>>) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let visits = Arc::new(AtomicUsize::new(0));
    let count = visits.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = socket.read(&mut request).await;
                match answer {
                    // The client may close the connection in the middle.
                    Some(answer) => drop(socket.write_all(&answer).await),
                    None => std::future::pending::<()>().await,
                }
            });
        }
    });
    (address, visits)
}

/// The result of fetching a picture from this listener.
async fn fetched(address: SocketAddr, patience: Duration) -> Result<Option<Vec<u8>>, PictureError> {
    let url = Url::parse(&format!("http://{address}/a.png")).unwrap();
    let client = outbound::client().unwrap();
    bytes(&client, url, patience).await
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
    for url in [
        "https://pbs.twimg.com/a.png",
        "https://abs.twimg.com/a.png",
        "https://lh3.googleusercontent.com/a",
        "https://avatars.githubusercontent.com/u/1",
    ] {
        assert!(hosts.allowed(url).is_some(), "{url}");
    }
}

#[tokio::test]
async fn large_files_are_not_read_to_their_end() {
    let mut endless = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    endless.resize(MAX_BYTES + 100_000, 0);
    let (address, _) = listener(Some(endless)).await;
    let refused = fetched(address, PATIENCE).await;
    assert!(matches!(refused, Err(PictureError::TooLong)), "{refused:?}");
}

#[tokio::test]
async fn a_slow_provider_is_given_up() {
    let (silent, _) = listener(None).await;
    let refused = fetched(silent, Duration::from_millis(200)).await;
    let is_timeout =
        matches!(&refused, Err(PictureError::Unreachable(error)) if error.is_timeout());
    assert!(is_timeout, "{refused:?}");
}

#[tokio::test]
async fn a_provider_without_the_picture_is_told_from_one_in_trouble() {
    for (status, is_missing) in [
        ("404 Not Found", true),
        ("410 Gone", true),
        ("403 Forbidden", true),
        ("503 Service Unavailable", false),
    ] {
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
        let (address, _) = listener(Some(answer.into_bytes())).await;
        let refused = fetched(address, PATIENCE).await;
        assert_eq!(matches!(refused, Ok(None)), is_missing, "{refused:?}");
    }
}

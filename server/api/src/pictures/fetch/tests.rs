//! Against a real listener on the loopback, which counts who comes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::dns::{Addrs, Name, Resolving};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::super::address::Hosts;
use super::super::resolver::System;
use super::*;

/// Says that every name is one address.
struct Always(SocketAddr);

impl Resolve for Always {
    fn resolve(&self, _: Name) -> Resolving {
        let address = self.0;
        Box::pin(async move { Ok(Box::new(std::iter::once(address)) as Addrs) })
    }
}

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
                    // Whoever has heard enough hangs up in the middle.
                    Some(answer) => drop(socket.write_all(&answer).await),
                    None => std::future::pending::<()>().await,
                }
            });
        }
    });
    (address, visits)
}

fn fetcher() -> Fetcher {
    Fetcher::new(Arc::new(System)).unwrap()
}

fn at(address: SocketAddr, path: &str) -> Url {
    Url::parse(&format!("http://{address}{path}")).unwrap()
}

/// Everything that a hostile provider account, or somebody who could write the column, might try.
fn bypasses(port: u16) -> Vec<String> {
    let hosts = [
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "0",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.1.",
        "localhost.",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[fe80::1]",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "ｌｏｃａｌｈｏｓｔ",
        "pbs.twimg.com@127.0.0.1",
        "pbs.twimg.com:443@127.0.0.1",
        "pbs.twimg.com%00@127.0.0.1",
        "pbs.twimg.com.",
        "pbs.twimg.com.localhost",
        "pbs.twimg.com.127.0.0.1.example",
        "evil-pbs.twimg.com",
        "pbs-twimg.com",
        "twimg.com",
        "x.pbs.twimg.com",
        "pbs.twimg.com.evil.example",
        "lh33.googleusercontent.com",
        "lh.googleusercontent.com",
        "lhx.googleusercontent.com",
        "lh3.googleusercontent.com.evil.example",
        "xlh3.googleusercontent.com",
        "githubusercontent.com",
        "raw.githubusercontent.com",
        "avatars.githubusercontent.com.localhost",
        "pbs.twimg.com%2eevil.example",
        "pbs.twimg.com%23.evil.example",
        "pbs.twimg.com\t@127.0.0.1",
    ];
    let mut all: Vec<String> = Vec::new();
    for host in hosts {
        all.push(format!("https://{host}:{port}/a.png"));
        all.push(format!("http://{host}:{port}/a.png"));
    }
    all.extend([
        format!("//127.0.0.1:{port}/a.png"),
        format!("/\\127.0.0.1:{port}/a.png"),
        format!("https:127.0.0.1:{port}/a.png"),
        format!("https:///127.0.0.1:{port}/a.png"),
        format!("https:\\\\127.0.0.1:{port}\\a.png"),
        format!("ht\ntps://127.0.0.1:{port}/a.png"),
        format!("https://pbs.twimg.com:{port}/a.png"),
        format!("https://pbs.twimg.com:80@127.0.0.1:{port}/a.png"),
        format!("https://user:password@pbs.twimg.com/a.png?{port}"),
        format!("ftp://127.0.0.1:{port}/a.png"),
        format!("gopher://127.0.0.1:{port}/_GET"),
        format!("dict://127.0.0.1:{port}/"),
        format!("ws://127.0.0.1:{port}/"),
        format!("jar:https://127.0.0.1:{port}!/a.png"),
        format!("view-source:http://127.0.0.1:{port}/"),
        "http://pbs.twimg.com/a.png".to_owned(),
        "file:///etc/passwd".to_owned(),
        "file://pbs.twimg.com/etc/passwd".to_owned(),
        "data:image/png;base64,iVBORw0KGgo=".to_owned(),
        "javascript:fetch('https://pbs.twimg.com')".to_owned(),
        "blob:https://pbs.twimg.com/1".to_owned(),
        "https://".to_owned(),
        "pbs.twimg.com/a.png".to_owned(),
        String::new(),
        format!("https://pbs.twimg.com/{}", "a".repeat(3000)),
    ]);
    all
}

#[tokio::test]
async fn no_way_around_the_list_makes_a_connection() {
    let (address, visits) = listener(Some(
        b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec(),
    ))
    .await;
    let hosts = Hosts::default();
    let urls = bypasses(address.port());
    assert!(urls.len() >= 60, "{}", urls.len());
    for url in urls {
        // As the server does it: what is on the list is fetched.
        if let Some(allowed) = hosts.allowed(&url) {
            panic!("{url} was let through as {allowed}");
        }
    }
    assert_eq!(visits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_listed_name_that_leads_to_this_machine_makes_no_connection() {
    let (address, visits) = listener(None).await;
    let guarded = Fetcher::new(Arc::new(Always(address))).unwrap();
    let hosts = Hosts::default();
    for name in [
        "https://pbs.twimg.com/a.png",
        "https://abs.twimg.com/a.png",
        "https://lh3.googleusercontent.com/a",
        "https://avatars.githubusercontent.com/u/1",
    ] {
        let refused = guarded.bytes(hosts.allowed(name).unwrap()).await;
        assert!(
            matches!(refused, Err(FetchError::Unreachable(_))),
            "{refused:?}"
        );
    }
    assert_eq!(visits.load(Ordering::SeqCst), 0);

    // Without the guard that very look-up does lead here, so the zero above means something.
    let unguarded = reqwest::Client::builder()
        .no_proxy()
        .dns_resolver(Arc::new(Always(address)))
        .timeout(Duration::from_millis(500))
        .build()
        .unwrap();
    assert!(
        unguarded
            .get("https://pbs.twimg.com/a.png")
            .send()
            .await
            .is_err()
    );
    assert_eq!(visits.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let (elsewhere, visits) = listener(None).await;
    let answer =
        format!("HTTP/1.1 302 Found\r\nlocation: http://{elsewhere}/\r\ncontent-length: 0\r\n\r\n");
    let (address, _) = listener(Some(answer.into_bytes())).await;
    let refused = fetcher().bytes(at(address, "/a.png")).await;
    assert!(
        matches!(refused, Err(FetchError::Status(StatusCode::FOUND))),
        "{refused:?}"
    );
    assert_eq!(visits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn large_files_are_not_read_to_their_end() {
    let announced = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n",
        MAX_BYTES + 1
    );
    let mut endless = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    endless.resize(MAX_BYTES + 100_000, 0);
    for answer in [announced.into_bytes(), endless] {
        let (address, _) = listener(Some(answer)).await;
        let refused = fetcher().bytes(at(address, "/a.png")).await;
        assert!(matches!(refused, Err(FetchError::TooLarge)), "{refused:?}");
    }
}

#[tokio::test]
async fn whoever_is_slow_is_left() {
    let (silent, _) = listener(None).await;
    let impatient = Fetcher::with_patience(Arc::new(System), Duration::from_millis(200)).unwrap();
    let refused = impatient.bytes(at(silent, "/a.png")).await;
    assert!(
        matches!(&refused, Err(FetchError::Unreachable(error)) if error.is_timeout()),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_provider_without_the_picture_is_told_from_one_in_trouble() {
    let answer =
        |status: &str| Some(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").into_bytes());
    for missing in ["404 Not Found", "410 Gone", "403 Forbidden"] {
        let (address, _) = listener(answer(missing)).await;
        let refused = fetcher().bytes(at(address, "/a.png")).await;
        assert!(matches!(refused, Err(FetchError::Missing)), "{refused:?}");
    }
    let (address, _) = listener(answer("503 Service Unavailable")).await;
    let refused = fetcher().bytes(at(address, "/a.png")).await;
    assert!(matches!(refused, Err(FetchError::Status(_))), "{refused:?}");
}

//! A change, seen by every open page.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;

use crate::Scale;
use crate::load::{Connection, find, get};
use crate::process::Process;
use crate::seed::Database;
use crate::table::{line, text};

/// Every open page has a change within this time.
const GOAL: Duration = Duration::from_secs(3);

/// Connections over which the pages' requests go, as a proxy would send them.
const PROXY: usize = 64;

/// Open pages, each with a live stream.
struct Crowd {
    address: SocketAddr,
    readers: Vec<Connection>,
    /// What each page requests after a change.
    request: Vec<u8>,
}

/// When the last page got the event, and when the last one had the new rows.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    notified: Duration,
    updated: Duration,
}

impl Crowd {
    async fn open(address: SocketAddr, count: usize) -> io::Result<Self> {
        let mut readers = Vec::with_capacity(count);
        for _ in 0..count {
            let mut reader = Connection::open(address).await?;
            reader
                .send(&get("/api/rest/v1/profiles/changes", ""))
                .await?;
            // The first event comes at once, possibly in the same read as the head.
            while find(reader.next().await?, b"retry:").is_none() {}
            readers.push(reader);
        }
        Ok(Self {
            address,
            readers,
            request: get("/api/rest/v1/profiles?limit=100", "accept-encoding: br\r\n"),
        })
    }

    /// Makes a change. Each page fetches again within the spread that the event names, as the web app does.
    async fn after(self, change: impl Future<Output = sqlx::Result<()>>) -> io::Result<Seen> {
        let (free, proxy) = mpsc::channel(PROXY);
        for _ in 0..PROXY {
            let connection = Connection::open(self.address).await?;
            free.send(connection).await.map_err(io::Error::other)?;
        }
        let (request, proxy) = (Arc::new(self.request), Arc::new(Mutex::new(proxy)));
        let mut asking = JoinSet::new();
        let count = self.readers.len();
        let begin = Instant::now();
        for (number, mut reader) in self.readers.into_iter().enumerate() {
            let (free, proxy, request) = (free.clone(), Arc::clone(&proxy), Arc::clone(&request));
            asking.spawn(async move {
                let mut events = Vec::new();
                while find(&events, b"event: change").is_none() {
                    events.extend_from_slice(reader.next().await?);
                }
                let notified = begin.elapsed();
                let text = String::from_utf8_lossy(&events);
                let spread = text.split_once("event: spread\ndata: ");
                let spread = spread.and_then(|(_, rest)| rest.lines().next()?.parse().ok());
                let spread = Duration::from_millis(spread.unwrap_or(0));
                // Evenly distributed.
                let share = (number * 7919 % count) as f64 / count as f64;
                tokio::time::sleep(spread.mul_f64(share)).await;
                let mut connection = proxy
                    .lock()
                    .await
                    .recv()
                    .await
                    .ok_or(io::ErrorKind::Other)?;
                let answer = connection.ask(&request).await?;
                assert!(answer.status < 300, "{}", answer.head);
                free.send(connection).await.map_err(io::Error::other)?;
                Ok::<_, io::Error>((notified, begin.elapsed()))
            });
        }
        change.await.map_err(io::Error::other)?;
        let mut seen = Seen::default();
        while let Some(reader) = asking.join_next().await {
            let (notified, updated) = reader.map_err(io::Error::other)??;
            seen.notified = seen.notified.max(notified);
            seen.updated = seen.updated.max(updated);
        }
        Ok(seen)
    }
}

/// Measures how long one change takes to reach every open page.
pub(crate) async fn crowd(
    title: &str,
    server: &Process,
    database: &Database,
    scale: &Scale,
) -> io::Result<()> {
    let crowd = Crowd::open(server.address, scale.open_pages).await?;
    let before = server.processor();
    // A new first rank.
    let changed = database.change(1, 9_000_000);
    let seen = crowd.after(changed).await?;
    let processor = server.processor().saturating_sub(before);
    let pages = format!("{title}: {} open pages", scale.open_pages);
    line(
        &format!("{pages}, the last one notified"),
        "",
        &text(seen.notified),
        None,
    );
    let good = seen.updated <= GOAL;
    line(
        &format!("{pages}, the last one updated"),
        &text(GOAL),
        &text(seen.updated),
        Some(good),
    );
    line(
        &format!("{pages}, processor time of the server"),
        "",
        &text(processor),
        None,
    );
    Ok(())
}

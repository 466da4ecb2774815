//! Everybody who has the page open.

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

/// Connections over which a proxy passes the questions of all of them on.
const PROXY: usize = 64;

/// Open streams.
pub(crate) struct Crowd {
    address: SocketAddr,
    readers: Vec<Connection>,
    /// What all of them ask when they are told of a change.
    question: Vec<u8>,
}

/// When the last one of them was told of a change, and when the last one had it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) told: Duration,
    pub(crate) has: Duration,
}

impl Crowd {
    pub(crate) async fn gather(address: SocketAddr, count: usize) -> io::Result<Self> {
        let mut readers = Vec::with_capacity(count);
        for _ in 0..count {
            let mut reader = Connection::open(address).await?;
            reader
                .send(&get("/api/rest/v1/profiles/changes", ""))
                .await?;
            // The opening comes at once, perhaps behind the head of the answer.
            while find(reader.next().await?, b"retry:").is_none() {}
            readers.push(reader);
        }
        Ok(Self {
            address,
            readers,
            question: get("/api/rest/v1/profiles?limit=100", "accept-encoding: br\r\n"),
        })
    }

    /// Makes a change, and has each reader ask again within the spread that it is told, as the web app does.
    pub(crate) async fn after(
        self,
        change: impl Future<Output = sqlx::Result<()>>,
    ) -> io::Result<Seen> {
        let (free, proxy) = mpsc::channel(PROXY);
        for _ in 0..PROXY {
            let connection = Connection::open(self.address).await?;
            free.send(connection).await.map_err(io::Error::other)?;
        }
        let (request, proxy) = (Arc::new(self.question), Arc::new(Mutex::new(proxy)));
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
                let told = begin.elapsed();
                let text = String::from_utf8_lossy(&events);
                let spread = text.split_once("event: spread\ndata: ");
                let spread = spread.and_then(|(_, rest)| rest.lines().next()?.parse().ok());
                let spread = Duration::from_millis(spread.unwrap_or(0));
                // Anywhere within it, evenly.
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
                Ok::<_, io::Error>((told, begin.elapsed()))
            });
        }
        change.await.map_err(io::Error::other)?;
        let mut seen = Seen {
            told: Duration::ZERO,
            has: Duration::ZERO,
        };
        while let Some(reader) = asking.join_next().await {
            let (told, has) = reader.map_err(io::Error::other)??;
            seen.told = seen.told.max(told);
            seen.has = seen.has.max(has);
        }
        Ok(seen)
    }
}

/// Everybody who has the page open hears of a change and asks what it is.
pub(crate) async fn crowd(
    title: &str,
    server: &Process,
    database: &Database,
    scale: &Scale,
) -> io::Result<()> {
    let crowd = Crowd::gather(server.address, scale.readers).await?;
    let before = server.processor();
    // Somebody becomes the first.
    let changed = database.change(1, 9_000_000);
    let seen = crowd.after(changed).await?;
    let processor = server.processor().saturating_sub(before);
    line(
        &format!(
            "{title}: {} readers, the last one told of a change",
            scale.readers
        ),
        "",
        &text(seen.told),
        None,
    );
    line(
        &format!("{title}: {} readers, the last one has it", scale.readers),
        "2 s",
        &text(seen.has),
        Some(seen.has <= Duration::from_secs(2)),
    );
    line(
        &format!("{title}: processor that the server took for it"),
        "3 s",
        &text(processor),
        Some(processor <= Duration::from_secs(3)),
    );
    Ok(())
}

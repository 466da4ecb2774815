//! The whole board, for whoever works with it elsewhere.

use std::io;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::Scale;
use crate::load::{download, get, load};
use crate::process::Process;
use crate::table::{line, text};
use crate::visitors::{BROTLI, COUNT, FIRST};

/// How many read it at a time.
const READERS: usize = 4;

/// What an export takes of the server, and of those who look at the board meanwhile.
pub(crate) async fn exports(title: &str, server: &Process, scale: &Scale) -> io::Result<()> {
    let looks = async || {
        let request = get(FIRST, &format!("{COUNT}{BROTLI}"));
        let lasts = scale.lasts / 2;
        load(server.address, 1, lasts, move |_| request.clone()).await
    };
    let quiet = looks().await?.p99;
    for path in [
        "/api/functions/v1/board.csv",
        "/api/functions/v1/board.json",
    ] {
        let file = path.rsplit('/').next().unwrap_or_default();
        let begin = Instant::now();
        let size = download(server.address, path).await? as f64 / 1e6;
        let took = text(begin.elapsed());
        line(
            &format!("{title}: {file}, one reader"),
            "",
            &format!("{size:.0} MB in {took}"),
            None,
        );
        let before = server.memory();
        let mut readers = JoinSet::new();
        for _ in 0..READERS {
            readers.spawn(download(server.address, path));
        }
        let begin = Instant::now();
        let all = async {
            while let Some(read) = readers.join_next().await {
                read.map_err(io::Error::other)??;
            }
            Ok::<_, io::Error>(begin.elapsed())
        };
        let mut most = before;
        let watch = async {
            loop {
                most = most.max(server.memory());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let (took, beside) = tokio::select! {
            () = watch => return Err(io::Error::other("nothing is watched any more")),
            (took, beside) = async { tokio::join!(all, looks()) } => (took?, beside?.p99),
        };
        let more = (most - before) as f64 / 1024.0 / 1024.0;
        line(
            &format!("{title}: {file}, memory for {READERS} readers at once"),
            "10 MiB",
            &format!("{more:.1} MiB ({})", text(took)),
            Some(more <= 10.0),
        );
        let times = beside.as_secs_f64() / quiet.as_secs_f64();
        line(
            &format!("{title}: p99 of rows beside {READERS} readers of {file}, times quiet"),
            "4",
            &format!("{times:.1} ({} / {})", text(beside), text(quiet)),
            Some(times < 4.0),
        );
    }
    Ok(())
}

//! What a start costs: with nobody there, and with everybody.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::Process;
use crate::seed::Database;
use crate::table::{line, text};

/// The program, an empty database, and nobody there.
pub(crate) async fn at_rest(file: &Path) -> io::Result<()> {
    let megabytes = fs::metadata(env!("CARGO_BIN_EXE_server"))?.len() as f64 / 1e6;
    line(
        "program",
        "30 MB",
        &format!("{megabytes:.1} MB"),
        Some(megabytes <= 30.0),
    );
    let url = format!("sqlite:{}", file.display());
    let mut starts = Vec::new();
    for round in 0..6 {
        let begin = Instant::now();
        let server = Process::server(&url);
        server.answers("/healthz", 200).await;
        let started = begin.elapsed();
        if round == 0 {
            let good = started < Duration::from_millis(100);
            line(
                "start to healthy, no database yet",
                "100 ms",
                &text(started),
                Some(good),
            );
        } else {
            starts.push(started);
        }
        if round == 5 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let memory = server.memory() as f64 / 1024.0 / 1024.0;
            line(
                "idle memory",
                "25 MiB",
                &format!("{memory:.1} MiB"),
                Some(memory <= 25.0),
            );
        }
    }
    starts.sort_unstable();
    let good = starts[2] < Duration::from_millis(100);
    line(
        "start to healthy, empty database",
        "100 ms",
        &text(starts[2]),
        Some(good),
    );
    Ok(())
}

/// A server with so many holders. Measures how long it takes to have read them.
pub(crate) async fn board_of(
    title: &str,
    url: &str,
    holders: i64,
) -> io::Result<(Process, Database)> {
    // The first server makes the schema.
    let first = Process::server(url);
    first.answers("/readyz", 200).await;
    let empty = first.memory();
    drop(first);
    let database = Database::open(url).await.map_err(io::Error::other)?;
    database.seed(holders).await.map_err(io::Error::other)?;
    let begin = Instant::now();
    let server = Process::server(url);
    server.answers("/readyz", 200).await;
    let ready = begin.elapsed();
    let good = Some(ready < Duration::from_secs(3));
    line(
        &format!("{title}: start to ready"),
        "3 s",
        &text(ready),
        good,
    );
    let board = server.memory().saturating_sub(empty) as f64 / 1024.0 / 1024.0;
    line(
        &format!("{title}: memory of the board"),
        "100 MiB",
        &format!("{board:.0} MiB"),
        Some(board <= 100.0),
    );
    Ok((server, database))
}

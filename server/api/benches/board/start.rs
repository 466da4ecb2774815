//! The size of the program, and what a board costs at start.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use crate::GOAL_HOLDERS;
use crate::process::Process;
use crate::seed::Database;
use crate::table::{line, text};

/// The program, and the memory of a server with an empty database.
pub(crate) async fn program(file: &Path) -> io::Result<()> {
    let megabytes = fs::metadata(env!("CARGO_BIN_EXE_server"))?.len() as f64 / 1e6;
    let size = format!("{megabytes:.1} MB");
    line("program", "60 MB", &size, Some(megabytes <= 60.0));
    let begin = Instant::now();
    let server = Process::server(&format!("sqlite:{}", file.display()));
    server.wait_for("/readyz", 200).await;
    let started = text(begin.elapsed());
    line("start to ready, new database", "", &started, None);
    let memory = format!("{:.0} MiB", server.mebibytes());
    line("memory, empty board", "", &memory, None);
    Ok(())
}

/// Starts a server with this many holders. Measures the time until it is ready, and its memory.
pub(crate) async fn board(title: &str, url: &str, holders: i64) -> io::Result<(Process, Database)> {
    // The first server creates the schema.
    let first = Process::server(url);
    first.wait_for("/readyz", 200).await;
    drop(first);
    let database = Database::open(url).await.map_err(io::Error::other)?;
    database.seed(holders).await.map_err(io::Error::other)?;
    let begin = Instant::now();
    let server = Process::server(url);
    server.wait_for("/readyz", 200).await;
    let ready = text(begin.elapsed());
    line(&format!("{title}: start to ready"), "", &ready, None);
    let memory = server.mebibytes();
    let (goal, good) = if holders == GOAL_HOLDERS {
        ("150 MiB", Some(memory <= 150.0))
    } else {
        ("", None)
    };
    let memory = format!("{memory:.0} MiB");
    line(&format!("{title}: memory"), goal, &memory, good);
    Ok((server, database))
}

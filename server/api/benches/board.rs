//! How fast the board is, next to a bare axum program whose one route answers `ok`, in the same run. Ratios, not times, are what
//! can be compared between machines.
//!
//! `.scripts/bench.sh` runs it with a PostgreSQL of its own, and `cargo bench -p server --bench board` with SQLite alone, or with the
//! server that `BENCH_POSTGRES_URL` names: boards of 1,000 and 1,000,000 holders. Words after `--` choose what is measured:
//! `sqlite` or `postgres`, and any of `rest`, `start`, `ratios`, `questions`, `changes`, `searchers`, `crowd`, `exports`. `--quick` measures
//! 100,000 in place of a million, each for a shorter time.

#[path = "board/crowd.rs"]
mod crowd;
#[path = "board/exports.rs"]
mod exports;
#[path = "board/load.rs"]
mod load;
#[path = "board/process.rs"]
mod process;
#[path = "board/questions.rs"]
mod questions;
#[path = "board/searchers.rs"]
mod searchers;
#[path = "board/seed.rs"]
mod seed;
#[path = "board/session.rs"]
mod session;
#[path = "board/start.rs"]
mod start;
#[path = "board/table.rs"]
mod table;
#[path = "board/visitors.rs"]
mod visitors;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use process::Process;
use questions::Questions;

/// What can be measured of a board, besides `rest`, which is of none.
const PARTS: [&str; 7] = [
    "start",
    "ratios",
    "questions",
    "changes",
    "searchers",
    "crowd",
    "exports",
];

/// What is measured, and how long a measurement lasts.
#[derive(Clone)]
struct Scale {
    many: i64,
    lasts: Duration,
    readers: usize,
    /// All of it when none is chosen.
    chosen: Vec<String>,
}

impl Scale {
    fn of(arguments: &[String]) -> Self {
        let known = |word: &&String| {
            PARTS.contains(&word.as_str())
                || ["rest", "sqlite", "postgres"].contains(&word.as_str())
        };
        let chosen = arguments.iter().filter(known).cloned().collect();
        if arguments.iter().any(|argument| argument == "--quick") {
            Self {
                many: 100_000,
                lasts: Duration::from_millis(700),
                readers: 1_000,
                chosen,
            }
        } else {
            Self {
                many: 1_000_000,
                lasts: Duration::from_secs(3),
                readers: 9_500,
                chosen,
            }
        }
    }

    /// Whether this is wanted, of all of which nothing or some may be chosen.
    fn wants(&self, word: &str, of: &[&str]) -> bool {
        let is_chosen = |word: &str| self.chosen.iter().any(|chosen| chosen == word);
        is_chosen(word) || !of.iter().any(|other| is_chosen(other))
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Runtime::new()?;
    if let Some(at) = arguments.iter().position(|argument| argument == "--plain") {
        runtime.block_on(process::serve_plain(&arguments[at + 1]));
        return Ok(());
    }
    runtime.block_on(run(&Scale::of(&arguments)))
}

async fn run(scale: &Scale) -> io::Result<()> {
    let begin = Instant::now();
    println!("| what | goal | reached | |\n| --- | --- | --- | --- |");
    let folder = tempfile::tempdir()?;
    let all = [["rest", "sqlite", "postgres"].as_slice(), &PARTS].concat();
    if scale.wants("rest", &all) {
        start::at_rest(&folder.path().join("empty.sqlite")).await?;
    }
    let plain = Process::plain();
    plain.answers("/", 200).await;
    for kind in ["sqlite", "postgres"] {
        let others = ["sqlite", "postgres"];
        if scale.wants(kind, &others) && scale.chosen != ["rest"] {
            of(kind, scale, &plain, folder.path()).await?;
        }
    }
    println!("\nTook {}.", table::text(begin.elapsed()));
    Ok(())
}

/// The boards on one database.
async fn of(kind: &str, scale: &Scale, plain: &Process, folder: &Path) -> io::Result<()> {
    let wants = |part| scale.wants(part, &PARTS);
    let mut few: Option<Questions> = None;
    for holders in [1_000, scale.many] {
        let url = match (kind, std::env::var("BENCH_POSTGRES_URL")) {
            ("sqlite", _) => {
                let file = folder.join(format!("{holders}.sqlite"));
                format!("sqlite:{}", file.display())
            }
            (_, Ok(server)) => seed::new_database(&server, &format!("bench_{holders}"))
                .await
                .map_err(io::Error::other)?,
            (_, Err(_)) => break,
        };
        let title = format!("{kind}, {holders}");
        let (server, database) = start::board_of(&title, &url, holders).await?;
        if wants("ratios") {
            visitors::ratios(&title, &server, plain, scale).await?;
        }
        if wants("questions") {
            let questions = questions::questions(&server, holders, scale).await?;
            match &few {
                None => few = Some(questions),
                Some(few) => questions::compare(&title, few, &questions),
            }
        }
        if wants("changes") {
            visitors::while_it_changes(&title, &server, &database, scale).await?;
        }
        if wants("searchers") {
            searchers::searchers(&title, &server, scale).await?;
        }
        if wants("crowd") {
            crowd::crowd(&title, &server, &database, scale).await?;
        }
        if wants("exports") {
            exports::exports(&title, &server, scale).await?;
        }
        database.close().await;
    }
    Ok(())
}

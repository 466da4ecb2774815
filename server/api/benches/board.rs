//! Measures the board against the goals of `server/docs/figures.md`, next to a bare axum program in the same run.
//!
//! `.scripts/bench.sh` runs it with its own PostgreSQL; `cargo bench -p api --bench board` uses SQLite only, or also the PostgreSQL server
//! in `BENCH_POSTGRES_URL`. Boards have 1,000, 100,000 and 1,000,000 holders. Words after `--` choose parts: `sqlite` or `postgres`,
//! `program`, `ratio`, `reads`, `crowd`. `--quick` leaves out the million and measures for a shorter time.

#[path = "board/crowd.rs"]
mod crowd;
#[path = "board/load.rs"]
mod load;
#[path = "board/process.rs"]
mod process;
#[path = "board/ratio.rs"]
mod ratio;
#[path = "board/reads.rs"]
mod reads;
#[path = "board/seed.rs"]
mod seed;
#[path = "board/start.rs"]
mod start;
#[path = "board/table.rs"]
mod table;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use process::Process;

const DATABASES: [&str; 2] = ["sqlite", "postgres"];
const PARTS: [&str; 4] = ["program", "ratio", "reads", "crowd"];

/// The size that the goals are for.
const GOAL_HOLDERS: i64 = 100_000;

/// What is measured, and for how long.
struct Scale {
    boards: Vec<i64>,
    duration: Duration,
    open_pages: usize,
    /// Databases and parts; all of them when none is chosen.
    chosen: Vec<String>,
}

impl Scale {
    fn new(arguments: &[String]) -> Self {
        let is_known =
            |word: &&String| PARTS.contains(&word.as_str()) || DATABASES.contains(&word.as_str());
        let chosen = arguments.iter().filter(is_known).cloned().collect();
        let is_quick = arguments.iter().any(|argument| argument == "--quick");
        let (boards, duration, open_pages) = if is_quick {
            let boards = vec![1_000, GOAL_HOLDERS];
            (boards, Duration::from_millis(700), 1_000)
        } else {
            let boards = vec![1_000, GOAL_HOLDERS, 1_000_000];
            (boards, Duration::from_secs(3), 5_000)
        };
        Self {
            boards,
            duration,
            open_pages,
            chosen,
        }
    }

    /// Whether `word` is chosen, or none of its `group` is.
    fn wants(&self, word: &str, group: &[&str]) -> bool {
        let is_chosen = |word: &str| self.chosen.iter().any(|chosen| chosen == word);
        is_chosen(word) || !group.iter().any(|other| is_chosen(other))
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Runtime::new()?;
    if let Some(at) = arguments.iter().position(|argument| argument == "--plain") {
        runtime.block_on(process::serve_plain(&arguments[at + 1]));
        return Ok(());
    }
    runtime.block_on(run(&Scale::new(&arguments)))
}

async fn run(scale: &Scale) -> io::Result<()> {
    let begin = Instant::now();
    println!("| what | goal | reached | |\n| --- | --- | --- | --- |");
    let folder = tempfile::tempdir()?;
    if scale.wants("program", &PARTS) {
        start::program(&folder.path().join("empty.sqlite")).await?;
    }
    let plain = Process::plain();
    plain.wait_for("/", 200).await;
    for kind in DATABASES {
        if scale.wants(kind, &DATABASES) {
            measure(kind, scale, &plain, folder.path()).await?;
        }
    }
    println!("\nTook {}.", table::text(begin.elapsed()));
    Ok(())
}

/// Measures the boards on one database.
async fn measure(kind: &str, scale: &Scale, plain: &Process, folder: &Path) -> io::Result<()> {
    for &holders in &scale.boards {
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
        let title = format!("{kind}, {holders} holders");
        let (server, database) = start::board(&title, &url, holders).await?;
        if scale.wants("reads", &PARTS) {
            reads::reads(&title, &server, holders, scale).await?;
        }
        if holders <= GOAL_HOLDERS && scale.wants("ratio", &PARTS) {
            ratio::ratio(&title, &server, plain, scale).await?;
        }
        if holders == GOAL_HOLDERS && scale.wants("crowd", &PARTS) {
            crowd::crowd(&title, &server, &database, scale).await?;
        }
        database.close().await;
    }
    Ok(())
}

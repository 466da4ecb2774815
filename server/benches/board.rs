//! How fast the board is, next to a bare axum program whose one route answers `ok`, in the same run. Ratios, not times, are what
//! can be compared between machines.
//!
//! `cargo bench -p server --bench board`: boards of 1,000 and 1,000,000 holders in SQLite; in PostgreSQL too when
//! `BENCH_POSTGRES_URL` names an empty database. `-- --quick` measures 100,000 in place of a million, each for a shorter time.

#[path = "board/crowd.rs"]
mod crowd;
#[path = "board/load.rs"]
mod load;
#[path = "board/process.rs"]
mod process;
#[path = "board/seed.rs"]
mod seed;
#[path = "board/session.rs"]
mod session;

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use load::{Load, get, load};
use process::Process;
use seed::Database;
use session::Session;

/// The leaderboard's own question, and what goes with it.
const FIRST: &str = "/api/rest/v1/profiles?select=id,username,avatar_url,verified,bitcoin_holdings,rank,provider\
    &order=bitcoin_holdings.desc.nullslast&limit=100&offset=0";
const COUNT: &str = "prefer: count=exact\r\n";
const BROTLI: &str = "accept-encoding: br\r\n";

/// How long a measurement lasts.
#[derive(Clone, Copy)]
struct Scale {
    many: i64,
    lasts: Duration,
    readers: usize,
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Runtime::new()?;
    if let Some(at) = arguments.iter().position(|argument| argument == "--plain") {
        runtime.block_on(process::serve_plain(&arguments[at + 1]));
        return Ok(());
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let scale = if quick {
        Scale {
            many: 100_000,
            lasts: Duration::from_millis(700),
            readers: 1_000,
        }
    } else {
        Scale {
            many: 1_000_000,
            lasts: Duration::from_secs(3),
            readers: 9_500,
        }
    };
    runtime.block_on(run(scale))
}

async fn run(scale: Scale) -> io::Result<()> {
    println!("| what | goal | reached | |\n| --- | --- | --- | --- |");
    let folder = tempfile::tempdir()?;
    at_rest(&folder.path().join("empty.sqlite")).await?;
    let plain = Process::plain();
    plain.answers("/", 200).await;
    for kind in ["SQLite", "PostgreSQL"] {
        let mut few: Option<Questions> = None;
        for holders in [1_000, scale.many] {
            let url = match (kind, std::env::var("BENCH_POSTGRES_URL")) {
                ("SQLite", _) => {
                    format!(
                        "sqlite:{}",
                        folder.path().join(format!("{holders}.sqlite")).display()
                    )
                }
                (_, Ok(url)) => url,
                (_, Err(_)) => break,
            };
            let title = format!("{kind}, {holders}");
            let (server, database) = board_of(&title, &url, holders).await?;
            ratios(&title, &server, &plain, scale).await?;
            let questions = questions(&server, holders, scale).await?;
            match &few {
                None => few = Some(questions),
                Some(few) => compare(&title, few, &questions),
            }
            while_it_changes(&title, &server, &database, scale).await?;
            searchers(&title, &server, scale).await?;
            crowd(&title, &server, &database, scale).await?;
            database.close().await;
        }
    }
    Ok(())
}

/// A line of the table; `good` is none where there is no goal.
fn line(what: &str, goal: &str, reached: &str, good: Option<bool>) {
    let mark = good.map_or("", |good| if good { "yes" } else { "**no**" });
    println!("| {what} | {goal} | {reached} | {mark} |");
}

/// The program, an empty database, and nobody there.
async fn at_rest(file: &std::path::Path) -> io::Result<()> {
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
async fn board_of(title: &str, url: &str, holders: i64) -> io::Result<(Process, Database)> {
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

/// What is asked most, next to the peer in turns.
async fn ratios(title: &str, server: &Process, plain: &Process, scale: Scale) -> io::Result<()> {
    let mut connection = load::Connection::open(server.address).await?;
    let known = async |path: &str, headers: &str, connection: &mut load::Connection| {
        let answer = connection.ask(&get(path, headers)).await?;
        let tag = answer.header("etag").unwrap_or_default().to_owned();
        Ok::<_, io::Error>(get(path, &format!("{headers}if-none-match: {tag}\r\n")))
    };
    let first_br = format!("{COUNT}{BROTLI}");
    let asked = [
        ("first 100 with count", 0.75, get(FIRST, COUNT)),
        ("first 100 with count, Brotli", 0.7, get(FIRST, &first_br)),
        (
            "first 100, not modified",
            0.9,
            known(FIRST, &first_br, &mut connection).await?,
        ),
        ("page", 0.75, get("/leaderboard", "")),
        ("page, Brotli", 0.7, get("/leaderboard", BROTLI)),
        (
            "page, not modified",
            0.9,
            known("/leaderboard", BROTLI, &mut connection).await?,
        ),
    ];
    for (what, goal, request) in asked {
        for connections in [1, 32] {
            let (mut ours, mut theirs) = (0.0, 0.0);
            for _ in 0..2 {
                let half = scale.lasts / 2;
                let one = get("/", "");
                theirs += load(plain.address, connections, half, move |_| one.clone())
                    .await?
                    .per_second;
                let one = request.clone();
                ours += load(server.address, connections, half, move |_| one.clone())
                    .await?
                    .per_second;
            }
            let ratio = ours / theirs;
            line(
                &format!("{title}: {what}, {connections} at a time, times plain"),
                &format!("{goal}"),
                &format!(
                    "{ratio:.2} ({:.0} / {:.0} a second)",
                    ours / 2.0,
                    theirs / 2.0
                ),
                Some(ratio >= goal),
            );
        }
    }
    Ok(())
}

/// The time of each of some questions, no two alike.
type Questions = Vec<(&'static str, Duration)>;

async fn questions(server: &Process, holders: i64, scale: Scale) -> io::Result<Questions> {
    let holders = holders.unsigned_abs();
    let session = Session::begin(server.address).await?;
    let bearer = session.header();
    let one = move |number: usize| (number as u64 * 104_729) % holders + 1;
    let profiles = |rest: String| get(&format!("/api/rest/v1/profiles?{rest}"), COUNT);
    let mut times = Vec::new();
    let mut note = async |what, load: io::Result<Load>| {
        let load = load?;
        assert_eq!(load.failed, 0, "{what}");
        times.push((what, Duration::from_secs_f64(1.0 / load.per_second)));
        Ok::<_, io::Error>(())
    };
    let (to, lasts) = (server.address, scale.lasts / 2);
    note(
        "rank",
        load(to, 1, lasts, move |number| {
            let path = format!("/api/functions/v1/getUserRank/{}", seed::id(one(number)));
            get(&path, &bearer)
        })
        .await,
    )
    .await?;
    note(
        "search",
        load(to, 1, lasts, move |number| {
            profiles(format!(
                "username=ilike.*{}*&limit=100",
                100 + number % 900_000
            ))
        })
        .await,
    )
    .await?;
    note(
        "profile by id",
        load(to, 1, lasts, move |number| {
            profiles(format!("id=eq.{}", seed::id(one(number))))
        })
        .await,
    )
    .await?;
    note(
        "profile by name",
        load(to, 1, lasts, move |number| {
            profiles(format!("username=eq.{}", seed::name(one(number))))
        })
        .await,
    )
    .await?;
    Ok(times)
}

fn compare(title: &str, few: &Questions, many: &Questions) {
    for ((what, few), (_, many)) in few.iter().zip(many) {
        let times = many.as_secs_f64() / few.as_secs_f64();
        line(
            &format!("{title}: {what}, never asked before, times that of 1,000"),
            "2",
            &format!("{times:.1} ({} / {})", text(*many), text(*few)),
            Some(times <= 2.0),
        );
    }
}

/// Readers while somebody's amount changes four times a second, next to readers while nothing does.
async fn while_it_changes(
    title: &str,
    server: &Process,
    database: &Database,
    scale: Scale,
) -> io::Result<()> {
    let reading = async || {
        let request = get(FIRST, &format!("{COUNT}{BROTLI}"));
        load(server.address, 8, scale.lasts, move |_| request.clone()).await
    };
    let quiet = reading().await?.p99;
    let changing = async {
        for number in 1.. {
            tokio::time::sleep(Duration::from_millis(250)).await;
            let changed = database
                .change(number % 1_000 + 1, 7_000_000 + number)
                .await;
            if changed.is_err() {
                break;
            }
        }
    };
    let changed = tokio::select! {
        load = reading() => load?.p99,
        () = changing => return Err(io::Error::other("the database failed")),
    };
    let times = changed.as_secs_f64() / quiet.as_secs_f64();
    line(
        &format!("{title}: p99 during changes, times quiet"),
        "2",
        &format!("{times:.1} ({} / {})", text(changed), text(quiet)),
        Some(times <= 2.0),
    );
    Ok(())
}

/// What others notice of 32 searchers who never rest.
async fn searchers(title: &str, server: &Process, scale: Scale) -> io::Result<()> {
    let bearer = Session::begin(server.address).await?.header();
    let others = async || {
        let mut seen = Vec::new();
        for (what, path, headers) in [
            ("ready", "/readyz", ""),
            ("page", "/leaderboard", BROTLI),
            ("who is signed in", "/api/auth/v1/user", bearer.as_str()),
        ] {
            let request = get(path, headers);
            let load = load(server.address, 1, scale.lasts / 2, move |_| request.clone()).await?;
            seen.push((what, load));
        }
        Ok::<_, io::Error>(seen)
    };
    let quiet = others().await?;
    let searching = load(server.address, 32, Duration::from_secs(600), |number| {
        let text = number % 1_000_000;
        get(
            &format!("/api/rest/v1/profiles?username=ilike.*{text}*&limit=100"),
            COUNT,
        )
    });
    let busy = tokio::select! {
        seen = others() => seen?,
        _ = searching => return Err(io::Error::other("the searchers stopped")),
    };
    for ((what, quiet), (_, busy)) in quiet.iter().zip(busy) {
        let times = busy.p99.as_secs_f64() / quiet.p99.as_secs_f64();
        line(
            &format!("{title}: {what}, p99 beside 32 searchers, times quiet"),
            "4",
            &format!(
                "{times:.1} ({} / {}, {} failed)",
                text(busy.p99),
                text(quiet.p99),
                busy.failed
            ),
            Some(times < 4.0 && busy.failed == 0),
        );
    }
    Ok(())
}

/// Everybody who has the page open hears of a change and asks again.
async fn crowd(title: &str, server: &Process, database: &Database, scale: Scale) -> io::Result<()> {
    let request = get(FIRST, &format!("{COUNT}{BROTLI}"));
    let crowd = crowd::Crowd::gather(server.address, scale.readers).await?;
    let before = server.processor();
    let changed = database.change(1, 6_999_999);
    let seen = crowd.after(changed, request).await?;
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

fn text(time: Duration) -> String {
    match time.as_secs_f64() * 1000.0 {
        long @ 1000.0.. => format!("{:.2} s", long / 1000.0),
        some @ 10.0.. => format!("{some:.0} ms"),
        short => format!("{short:.2} ms"),
    }
}

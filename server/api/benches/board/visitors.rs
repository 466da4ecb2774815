//! Those who look: next to the bare peer, and while the board changes.

use std::io;
use std::time::Duration;

use crate::Scale;
use crate::load::{self, get, load, post};
use crate::process::{Process, TOLD};
use crate::seed::Database;
use crate::table::{line, text};

/// The leaderboard's own question, and what goes with it.
pub(crate) const FIRST: &str = "/api/rest/v1/profiles?select=id,username,avatar_url,verified,bitcoin_holdings,rank,provider\
    &order=bitcoin_holdings.desc.nullslast&limit=100&offset=0";
pub(crate) const COUNT: &str = "prefer: count=exact\r\n";
pub(crate) const BROTLI: &str = "accept-encoding: br\r\n";

/// What is asked most, next to the peer in turns: to what it says by itself, and to the same answers from it, which is as much as
/// anybody could send of them here.
pub(crate) async fn ratios(
    title: &str,
    server: &Process,
    plain: &Process,
    scale: &Scale,
) -> io::Result<()> {
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
        let answer = connection.ask(&request).await?;
        let told = post(TOLD, answer.head.as_bytes(), &answer.body);
        let mut peer = load::Connection::open(plain.address).await?;
        if peer.ask(&told).await?.status != 200 {
            return Err(io::Error::other("the peer cannot say the same"));
        }
        for connections in [1, 32] {
            let half = scale.lasts / 2;
            let speed = async |address, request: &Vec<u8>| {
                let request = request.clone();
                let load = load(address, connections, half, move |_| request.clone()).await?;
                Ok::<_, io::Error>(load.per_second)
            };
            let (mut ours, mut theirs, mut same) = (0.0, 0.0, 0.0);
            for _ in 0..2 {
                theirs += speed(plain.address, &get("/", "")).await? / 2.0;
                same += speed(plain.address, &get(TOLD, "")).await? / 2.0;
                ours += speed(server.address, &request).await? / 2.0;
            }
            let (ratio, of_same) = (ours / theirs, ours / same);
            line(
                &format!("{title}: {what}, {connections} at a time, times plain"),
                &format!("{goal}"),
                &format!(
                    "{ratio:.2} ({ours:.0} / {theirs:.0} a second); {of_same:.2} of plain's {same:.0} with the same bytes"
                ),
                Some(ratio >= goal),
            );
        }
    }
    Ok(())
}

/// Readers while somebody's amount changes four times a second, next to readers while nothing does.
pub(crate) async fn while_it_changes(
    title: &str,
    server: &Process,
    database: &Database,
    scale: &Scale,
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

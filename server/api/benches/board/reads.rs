//! Every public read next to 50 busy clients.

use std::io;
use std::time::Duration;

use crate::load::{get, load};
use crate::process::Process;
use crate::ratio::{BROTLI, COUNT, FIRST};
use crate::table::{line, text};
use crate::{GOAL_HOLDERS, Scale, seed};

const BUSY_CLIENTS: usize = 50;
const GOAL: Duration = Duration::from_millis(100);

/// Measures the p99 of each read by one client, while the others read rows, pages and searches without a pause.
pub(crate) async fn reads(
    title: &str,
    server: &Process,
    holders: i64,
    scale: &Scale,
) -> io::Result<()> {
    let holders = holders.unsigned_abs();
    // A prime step: no two requests in a row are for the same holder.
    let holder = move |number: usize| (number as u64 * 104_729) % holders + 1;
    let rows = |query: String| get(&format!("/api/rest/v1/profiles?{query}"), COUNT);
    let search = move |number: usize| {
        let digits = seed::name(holder(number)).replace("holder_", "");
        rows(format!("username=ilike.*{digits}*&limit=100"))
    };
    let busy = load(
        server.address,
        BUSY_CLIENTS,
        Duration::from_secs(3600),
        move |number| match number % 5 {
            0 => search(number),
            1 => get("/leaderboard", BROTLI),
            2 => rows(format!("id=eq.{}", seed::id(holder(number)))),
            3 => rows(format!(
                "order=bitcoin_holdings.desc.nullslast&limit=100&offset={}",
                number % 500
            )),
            _ => get(FIRST, &format!("{COUNT}{BROTLI}")),
        },
    );
    let measured = async {
        let mut slowest = (Duration::ZERO, "");
        let address = server.address;
        let mut note = async |what, requests: &(dyn Fn(usize) -> Vec<u8> + Sync)| {
            // Made before, because a request is sent from another task.
            let requests: Vec<Vec<u8>> = (0..1_000).map(requests).collect();
            let next = move |number: usize| requests[number % requests.len()].clone();
            let load = load(address, 1, scale.duration, next).await?;
            let good = (holders == GOAL_HOLDERS.unsigned_abs())
                .then_some(load.p99 <= GOAL && load.failed == 0);
            let reached = format!("{} ({} failed)", text(load.p99), load.failed);
            line(
                &format!("{title}: {what}, p99 next to {BUSY_CLIENTS} busy clients"),
                "100 ms",
                &reached,
                good,
            );
            if load.p99 > slowest.0 {
                slowest = (load.p99, what);
            }
            Ok::<_, io::Error>(())
        };
        note("first 100 rows", &|_| {
            get(FIRST, &format!("{COUNT}{BROTLI}"))
        })
        .await?;
        note("search", &search).await?;
        note("one row", &|number| {
            rows(format!("id=eq.{}", seed::id(holder(number))))
        })
        .await?;
        note("summary", &|_| get("/api/functions/v1/board-summary", "")).await?;
        note("published proofs", &|_| get("/api/functions/v1/proofs", "")).await?;
        note("page", &|_| get("/leaderboard", BROTLI)).await?;
        note("check page", &|_| get("/verify", BROTLI)).await?;
        note("embed", &|number| {
            get(&format!("/embed?u={}", seed::name(holder(number))), "")
        })
        .await?;
        note("checkpoint of the log", &|_| get("/log/checkpoint", "")).await?;
        Ok::<_, io::Error>(slowest)
    };
    let (p99, what) = tokio::select! {
        measured = measured => measured?,
        ended = busy => {
            ended?;
            return Err(io::Error::other("the busy clients stopped"));
        }
    };
    line(
        &format!("{title}: the slowest of these"),
        "",
        &format!("{what}, {}", text(p99)),
        None,
    );
    Ok(())
}

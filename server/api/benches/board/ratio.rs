//! The first hundred rows next to a bare axum route that sends the same bytes.

use std::io;

use crate::load::{self, get, load, post};
use crate::process::{Process, REPLAY};
use crate::table::line;
use crate::{GOAL_HOLDERS, Scale};

/// The leaderboard's own request.
pub(crate) const FIRST: &str = "/api/rest/v1/profiles?select=id,username,avatar_url,verified,bitcoin_holdings,rank,provider\
    &order=bitcoin_holdings.desc.nullslast&limit=100&offset=0";
pub(crate) const COUNT: &str = "prefer: count=exact\r\n";
pub(crate) const BROTLI: &str = "accept-encoding: br\r\n";

const CONNECTIONS: usize = 32;
const GOAL: f64 = 0.6;

/// Measures the server and its peer alternately.
pub(crate) async fn ratio(
    title: &str,
    server: &Process,
    plain: &Process,
    scale: &Scale,
) -> io::Result<()> {
    for (what, request) in [
        ("first 100 rows", get(FIRST, COUNT)),
        (
            "first 100 rows, Brotli",
            get(FIRST, &format!("{COUNT}{BROTLI}")),
        ),
        ("page, Brotli", get("/leaderboard", BROTLI)),
    ] {
        let answer = load::Connection::open(server.address)
            .await?
            .ask(&request)
            .await?;
        let replay = post(REPLAY, answer.head.as_bytes(), &answer.body);
        let mut peer = load::Connection::open(plain.address).await?;
        if peer.ask(&replay).await?.status != 200 {
            return Err(io::Error::other("the peer cannot send the same bytes"));
        }
        let per_second = async |address, request: &Vec<u8>| {
            let request = request.clone();
            let half = scale.duration / 2;
            let load = load(address, CONNECTIONS, half, move |_| request.clone()).await?;
            Ok::<_, io::Error>(load.per_second)
        };
        let (mut ours, mut theirs) = (0.0, 0.0);
        for _ in 0..2 {
            theirs += per_second(plain.address, &get(REPLAY, "")).await? / 2.0;
            ours += per_second(server.address, &request).await? / 2.0;
        }
        let ratio = ours / theirs;
        line(
            &format!(
                "{title}: {what}, {CONNECTIONS} connections, ÷ plain axum with the same bytes"
            ),
            &format!("{GOAL}"),
            &format!("{ratio:.2} ({ours:.0} / {theirs:.0} a second)"),
            (title.contains(&GOAL_HOLDERS.to_string()) && what == "first 100 rows")
                .then_some(ratio >= GOAL),
        );
    }
    Ok(())
}

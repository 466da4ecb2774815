//! What searchers who never rest are to others.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use crate::Scale;
use crate::load::{get, load};
use crate::process::Process;
use crate::session::{self, Session};
use crate::table::{line, text};
use crate::visitors::{BROTLI, COUNT};

/// What, how long nearly every answer took, and how many failed.
type Noticed = Vec<(&'static str, Duration, usize)>;

/// What somebody else notices.
async fn others(address: SocketAddr, bearer: String, lasts: Duration) -> io::Result<Noticed> {
    let mut seen = Vec::new();
    for (what, path, headers) in [
        ("ready", "/readyz", ""),
        ("page", "/leaderboard", BROTLI),
        ("who is signed in", "/api/auth/v1/user", bearer.as_str()),
    ] {
        let request = get(path, headers);
        let load = load(address, 1, lasts, move |_| request.clone()).await?;
        seen.push((what, load.p99, load.failed));
    }
    seen.push(("sign-in", session::p99(address, lasts).await?, 0));
    let (p99, failed) = session::p99_of_submissions(address, lasts).await?;
    seen.push(("a file sent in", p99, failed));
    Ok(seen)
}

/// Asks on a thread of its own: who asks here does not wait until the searchers of this program have read their answers.
async fn by_themselves<T: Send + 'static>(
    asking: impl Future<Output = io::Result<T>> + Send + 'static,
) -> io::Result<T> {
    let asking = move || {
        let mut own = tokio::runtime::Builder::new_current_thread();
        own.enable_all().build()?.block_on(asking)
    };
    tokio::task::spawn_blocking(asking).await?
}

/// What others notice of 32 searchers who never rest.
pub(crate) async fn searchers(title: &str, server: &Process, scale: &Scale) -> io::Result<()> {
    let bearer = Session::begin(server.address).await?.header();
    let others = || by_themselves(others(server.address, bearer.clone(), scale.lasts / 2));
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
    for ((what, quiet, _), (_, busy, failed)) in quiet.iter().zip(busy) {
        let times = busy.as_secs_f64() / quiet.as_secs_f64();
        line(
            &format!("{title}: {what}, p99 beside 32 searchers, times quiet"),
            "4",
            &format!(
                "{times:.1} ({} / {}, {failed} failed)",
                text(busy),
                text(*quiet),
            ),
            Some(times < 4.0 && failed == 0),
        );
    }
    Ok(())
}

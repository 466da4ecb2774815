//! Questions, each of which nobody has asked before.

use std::io;
use std::time::Duration;

use crate::load::{Load, get, load};
use crate::process::Process;
use crate::session::Session;
use crate::table::{line, text};
use crate::visitors::COUNT;
use crate::{Scale, seed};

/// The time of each of some questions, no two alike.
pub(crate) type Questions = Vec<(&'static str, Duration)>;

pub(crate) async fn questions(
    server: &Process,
    holders: i64,
    scale: &Scale,
) -> io::Result<Questions> {
    let holders = holders.unsigned_abs();
    let session = Session::begin(server.address).await?;
    let bearer = session.header();
    let one = move |number: usize| (number as u64 * 104_729) % holders + 1;
    // Whoever is asked about again is asked about in other words, so that a small board does not answer with what it made before.
    let limit = move |number: usize| 1 + number as u64 / holders % 100;
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
        "search that finds one",
        load(to, 1, lasts, move |number| {
            let name = seed::name(one(number));
            let digits = name.trim_start_matches("holder_").to_owned();
            profiles(format!("username=ilike.*{digits}*&limit={}", limit(number)))
        })
        .await,
    )
    .await?;
    note(
        "search that finds more than a page",
        load(to, 1, lasts, move |number| {
            // Few texts are in a hundred names of a thousand: the pages differ instead.
            let (digit, offset, limit) = (number % 10, number / 10 % 20, 100 - number / 200 % 50);
            profiles(format!(
                "username=ilike.*{digit}*&limit={limit}&offset={offset}"
            ))
        })
        .await,
    )
    .await?;
    note(
        "profile by id",
        load(to, 1, lasts, move |number| {
            profiles(format!(
                "id=eq.{}&limit={}",
                seed::id(one(number)),
                limit(number)
            ))
        })
        .await,
    )
    .await?;
    note(
        "profile by name",
        load(to, 1, lasts, move |number| {
            profiles(format!(
                "username=eq.{}&limit={}",
                seed::name(one(number)),
                limit(number)
            ))
        })
        .await,
    )
    .await?;
    Ok(times)
}

pub(crate) fn compare(title: &str, few: &Questions, many: &Questions) {
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

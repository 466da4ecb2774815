//! Checks a sample of what other sites show of single rows: badges, embedded rows, and the texts of shared links.

use std::collections::HashMap;

use rand::seq::IndexedRandom;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::sleep;
use url::form_urlencoded::byte_serialize;

use super::finding::Finding;
use super::html::Html;
use super::log::Look;
use super::report::Report;
use super::rows::Row;
use super::site::{Site, SiteError};
use board_log::shared::{BRAND, SharedRow};
use board_log::tiers::holder_tier;
use board_log::units::{group_digits, short_day};

/// How many rows are sampled.
const SAMPLED: usize = 10;

/// How often one of them is looked at, while its row changes.
const MOMENTS: usize = 5;

/// Compares what is shared of some rows of the snapshot with what the board answers about their ids.
///
/// # Errors
/// When the board does not answer.
pub(super) async fn compare(
    report: &mut Report,
    site: &Site,
    look: &Look,
) -> Result<(), SiteError> {
    let Some(snapshot) = &look.snapshot else {
        return Ok(());
    };
    let mut handles: HashMap<&str, usize> = HashMap::new();
    for row in &report.rows {
        *handles.entry(&row.handle).or_default() += 1;
    }
    // A handle that two rows have is the address of only one of them.
    let rows: Vec<&Row> = (report.rows.iter())
        .filter(|row| handles[row.handle.as_str()] == 1 && snapshot.row(&row.id).is_some())
        .collect();
    let mut findings = Vec::new();
    for row in rows.choose_multiple(&mut rand::rng(), SAMPLED) {
        findings.extend(compare_row(site, row).await?);
    }
    report.findings.extend(findings);
    Ok(())
}

/// What is shared of a row and differs from it. The row may change meanwhile.
async fn compare_row(site: &Site, listed: &Row) -> Result<Vec<Finding>, SiteError> {
    let mut findings = Vec::new();
    for moment in 0..MOMENTS {
        if moment > 0 {
            sleep(site.pause()).await;
        }
        let before = site.row(&listed.id).await?;
        let Some(row) = before.filter(|row| row.handle == listed.handle) else {
            return Ok(Vec::new());
        };
        findings = differences(site, &row).await?;
        if findings.is_empty() {
            break;
        }
    }
    Ok(findings)
}

async fn differences(site: &Site, row: &Row) -> Result<Vec<Finding>, SiteError> {
    let handle: String = byte_serialize(row.handle.as_bytes()).collect();
    let in_path = handle.replace('+', "%20");
    let mut wrong = Vec::new();
    for (what, path, fits) in [
        (
            "badge",
            format!("/badge/{in_path}.svg"),
            is_badge as fn(&str, &Row) -> bool,
        ),
        ("embedded row", format!("/embed?u={handle}"), is_embed),
        (
            "page behind the shared link",
            format!("/leaderboard?u={handle}"),
            is_shared,
        ),
    ] {
        let served = site.bytes(&path).await?.unwrap_or_default();
        if !fits(&String::from_utf8_lossy(&served), row) {
            let sentence = format!(
                "the {what} of {} says something else than the row, which has {}",
                row.name,
                row.amount()
            );
            let who = (row.id.as_str(), row.name.as_str());
            wrong.push(Finding::for_row("shared", who, sentence));
        }
    }
    Ok(wrong)
}

fn shared_row(row: &Row) -> SharedRow<'_> {
    SharedRow {
        name: &row.name,
        rank: row.rank,
        sats: row.holdings,
        is_range: row.range,
    }
}

fn is_badge(served: &str, row: &Row) -> bool {
    let (title, text) = (shared_row(row).badge_title(), shared_row(row).badge());
    let badge = Html::parse(served);
    badge.attributes("svg", "aria-label") == [title.as_str()]
        && badge.text() == without_spaces(&format!("{title}{BRAND}{text}"))
}

fn is_embed(served: &str, row: &Row) -> bool {
    let rank = row
        .rank
        .map(|rank| format!("#{}", group_digits(&rank.to_string())));
    let amount = match shared_row(row).amount() {
        Some(amount) => format!("{amount}BTC"),
        None => "Nothing proven yet".to_owned(),
    };
    let day = row.last_verified.as_deref().and_then(|time| {
        let time = OffsetDateTime::parse(time, &Rfc3339).ok()?;
        short_day(time.unix_timestamp())
    });
    let verified = day.map(|day| format!("✓ Verified {day}"));
    let name = &row.name;
    let text = format!(
        "{name} · {BRAND}{}{name}{}{amount}{}{BRAND}",
        rank.unwrap_or_default(),
        holder_tier(row.holdings),
        verified.unwrap_or_default()
    );
    Html::parse(served).text() == without_spaces(&text)
}

fn is_shared(served: &str, row: &Row) -> bool {
    let (title, description) = shared_row(row).link();
    let page = Html::parse(served);
    let titles = [
        page.titles(),
        page.metas("property", "og:title"),
        page.metas("property", "og:image:alt"),
        page.metas("name", "twitter:title"),
        page.metas("name", "twitter:image:alt"),
    ];
    let descriptions = [
        page.metas("name", "description"),
        page.metas("property", "og:description"),
        page.metas("name", "twitter:description"),
    ];
    titles.iter().all(|it| *it == [title.as_str()])
        && descriptions.iter().all(|it| *it == [description.as_str()])
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

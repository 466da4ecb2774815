//! Compares what visitors find and what other sites show of a row with the row: search, badges, embedded rows, and shared links.

use card::Painter;
use image::ImageFormat;

use super::finding::Finding;
use super::html::{Html, without_spaces};
use super::rows::Row;
use super::site::{Site, SiteError, in_path};
use board_log::shared::{BRAND, SharedRow};
use board_log::tiers::holder_tier;
use board_log::units::{group_digits, unix_time};

/// How much a channel of a pixel may differ between two drawings of the same card. Processors round differently.
const ROUNDING: u8 = 32;

/// Compares all of it with what the board answers about the row's id.
///
/// # Errors
/// When the board does not answer.
pub(super) async fn compare(
    site: &Site,
    painter: &Painter,
    listed: &Row,
) -> Result<Vec<Finding>, SiteError> {
    let row = site.row(&listed.id).await?;
    let Some(row) = row.filter(|row| row.handle() == listed.handle()) else {
        return Ok(Vec::new());
    };
    let handle = in_path(&row.handle());
    let badge = page(site, &format!("/badge/{handle}.svg")).await?;
    let embed = page(site, &format!("/embed?u={handle}")).await?;
    let linked = page(site, &format!("/leaderboard?u={handle}")).await?;
    let mut wrong = Vec::new();
    for (what, is_right) in [
        ("badge", is_badge(&badge, &row)),
        ("embedded row", is_embed(&embed, &row)),
        ("page behind the shared link", is_shared(&linked, &row)),
        (
            "card",
            has_card(site, painter, images(&linked), &row).await?,
        ),
        ("result of a search for the name", site.finds(&row).await?),
    ] {
        if !is_right {
            let sentence = format!(
                "the {what} of {} says something else than the row, which has {}",
                row.name(),
                row.amount()
            );
            wrong.push(row.finding("shared", sentence));
        }
    }
    Ok(wrong)
}

async fn page(site: &Site, path: &str) -> Result<String, SiteError> {
    let bytes = site.bytes(path).await?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The pictures of a shared link.
fn images(linked: &str) -> Vec<String> {
    let page = Html::parse(linked);
    [
        page.metas("property", "og:image"),
        page.metas("name", "twitter:image"),
    ]
    .concat()
}

/// Whether a shared link shows the row's card, which is drawn here again.
async fn has_card(
    site: &Site,
    painter: &Painter,
    images: Vec<String>,
    row: &Row,
) -> Result<bool, SiteError> {
    let [image, other] = &images[..] else {
        return Ok(false);
    };
    let path = image.strip_prefix(site.origin()).unwrap_or_default();
    let start = format!("/card/{}.png?v=", in_path(&row.handle()));
    if image != other || !path.starts_with(&start) {
        return Ok(false);
    }
    let card = site.bytes(path).await?.unwrap_or_default();
    Ok(shows(&card, painter, row))
}

/// Whether this PNG is the card of the row.
fn shows(card: &[u8], painter: &Painter, row: &Row) -> bool {
    let served = image::load_from_memory_with_format(card, ImageFormat::Png);
    let (Ok(served), Ok(drawn)) = (served, painter.draw(Some(&shared_row(row)))) else {
        return false;
    };
    let served = served.into_rgb8();
    // Most cards are the same to the byte, which is compared much faster.
    if served == drawn {
        return true;
    }
    let mut channels = served.as_raw().iter().zip(drawn.as_raw());
    served.dimensions() == drawn.dimensions() && channels.all(|(a, b)| a.abs_diff(*b) <= ROUNDING)
}

fn shared_row(row: &Row) -> SharedRow {
    SharedRow {
        name: row.name(),
        rank: row.rank,
        sats: row.holdings,
        is_range: row.is_range(),
        last_verified: row.last_verified.as_deref().and_then(unix_time),
    }
}

fn is_badge(badge: &str, row: &Row) -> bool {
    let (title, text) = (shared_row(row).badge_title(), shared_row(row).badge());
    let badge = Html::parse(badge);
    badge.attributes("svg", "aria-label") == [title.as_str()]
        && badge.text() == without_spaces(&format!("{title}{BRAND}{text}"))
}

fn is_embed(embed: &str, row: &Row) -> bool {
    let rank = row
        .rank
        .map(|rank| format!("#{}", group_digits(&rank.to_string())));
    let amount = match shared_row(row).amount() {
        Some(amount) => format!("{amount}BTC"),
        None => "Nothing proven yet".to_owned(),
    };
    let verified = shared_row(row).day().map(|day| format!("✓ Verified {day}"));
    let name = row.name();
    let text = format!(
        "{name} · {BRAND}{}{name}{}{amount}{}{BRAND}",
        rank.unwrap_or_default(),
        holder_tier(row.holdings),
        verified.unwrap_or_default()
    );
    Html::parse(embed).text() == without_spaces(&text)
}

fn is_shared(linked: &str, row: &Row) -> bool {
    let (title, description) = shared_row(row).link();
    let page = Html::parse(linked);
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

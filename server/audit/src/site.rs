//! A client of a board's public API.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use psbt_wasm::ProofDocument;
use reqwest::{Client, StatusCode};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use tokio::time::sleep;
use url::Url;
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

use super::first_page::FirstPage;
use super::proof::Served;
use super::responses;
use super::responses::{Listed, Summary};
use super::rows::{Page, Row};
use board_log::checkpoint::number;
use outbound::{BodyError, Response, describe, fetch};

/// The largest response that is read, in bytes: a proof of 2,000 inputs has four million.
const MOST: usize = 32 * 1024 * 1024;

/// How many requests are made at once.
pub(super) const AT_ONCE: usize = 8;

/// How many proofs come in one response.
const PAGE: usize = 1_000;

/// The web app's query for the list of rows (`web/src/api/board.test.ts` compares it): a board must not be able to distinguish an audit
/// from a visitor by the request.
const LIST: &str = include_str!("list-query.txt");

/// How many rows come in one response to that.
const ROWS: usize = 100;

/// The most pages of rows: ten million people.
const PAGES: usize = 100_000;

/// The header with the number of the board's newest change.
const BOARD_NUMBER: &str = "board-number";

const PROFILES: &str = "/api/rest/v1/profiles";
const LEADERBOARD: &str = "/leaderboard";
const RANK: &str = "/api/functions/v1/getUserRank";
const SETTINGS: &str = "/api/functions/v1/app-config";
const SUMMARY: &str = "/api/functions/v1/board-summary";

/// How often a failed request is repeated.
const ATTEMPTS: usize = 5;

/// The longest pause before something is read again.
const PAUSE: Duration = Duration::from_secs(2);

/// A board to ask.
#[derive(Clone, Debug)]
pub struct Site {
    origin: String,
    client: Client,
    /// For how long findings are checked again.
    pub(super) patience: Duration,
}

/// Why a board cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("{0} is not the address of a board; name it as https://board.example")]
    NotAnOrigin(Url),
    #[error("cannot read {path} from the board: {reason}")]
    Unanswered { path: String, reason: String },
}

impl Site {
    /// The board at this address. Findings are checked again for as long as `patience`, and no pause is longer.
    ///
    /// # Errors
    /// When the address is not that of a web site.
    pub fn new(url: &Url, client: Client, patience: Duration) -> Result<Self, SiteError> {
        let origin = url.origin();
        let bare = url.path() == "/" && url.query().is_none();
        if !origin.is_tuple() || !bare || !["http", "https"].contains(&url.scheme()) {
            return Err(SiteError::NotAnOrigin(url.clone()));
        }
        Ok(Self {
            origin: origin.ascii_serialization(),
            client,
            patience,
        })
    }

    /// Its origin, which every statement on it commits to.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The origin without its scheme.
    pub(super) fn host(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, host)| host)
    }

    pub(super) async fn network(&self) -> Result<String, SiteError> {
        Ok(self.get::<responses::Settings>(SETTINGS).await?.network)
    }

    /// The address of the current log.
    pub(super) async fn log(&self) -> Result<String, SiteError> {
        let log = self.get::<responses::Settings>(SETTINGS).await?.log;
        let number = log.strip_prefix("/log/").map(number);
        if log == "/log" || number.flatten().is_some_and(|number| number > 1) {
            return Ok(log);
        }
        Err(unusable(
            SETTINGS,
            format!("{log:?} is no address of a log"),
        ))
    }

    /// What the board says of all its rows together.
    pub(super) async fn summary(&self) -> Result<Summary, SiteError> {
        self.get(SUMMARY).await
    }

    /// The published proofs in the list, of all users or of some; `None` for one that the board does not answer for.
    pub(super) async fn proofs(
        &self,
        owners: Option<&BTreeSet<String>>,
        fetched: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<(Listed, Option<Served>)>, SiteError> {
        let mut proofs = Vec::new();
        let mut last = String::new();
        loop {
            let after = if last.is_empty() { "" } else { "&after=" };
            let path = format!("/api/functions/v1/proofs?limit={PAGE}{after}{last}");
            let mut page: responses::Page = self.get(&path).await?;
            if let Some(odd) = page.proofs.iter().find(|it| !is_id(&it.id)) {
                let reason = format!("{:?} is no id of a proof", odd.id);
                return Err(unusable(&path, reason));
            }
            if let Some(owners) = owners {
                page.proofs.retain(|it| owners.contains(&it.profile_id));
            }
            let mut answers = stream::iter(page.proofs)
                .map(async |listed| {
                    let path = format!("/api/functions/v1/proofs/{}", listed.id);
                    let proof = self.read(&path, read_proof).await?;
                    Ok::<_, SiteError>((listed, proof))
                })
                .buffered(AT_ONCE);
            while let Some(proof) = answers.try_next().await? {
                proofs.push(proof);
                fetched(proofs.len());
            }
            match page.next {
                None => return Ok(proofs),
                Some(next) if is_id(&next) && next > last => last = next,
                // Such a board would keep its visitors in an endless loop.
                Some(_) => return Err(unusable(&path, "its pages go round in circles")),
            }
        }
    }

    /// The list of rows, requested as visitors request it. Pages from one moment are joined.
    pub(super) async fn rows(&self) -> Result<Vec<Page>, SiteError> {
        let offsets = (0..PAGES).map(|page| page * ROWS);
        let mut answers = stream::iter(offsets)
            .map(async |offset| self.page(offset, "").await)
            .buffered(AT_ONCE);
        let mut pages: Vec<Page> = Vec::new();
        while let Some(page) = answers.try_next().await? {
            let is_last = page.rows.len() < ROWS;
            match pages.last_mut() {
                Some(before) if before.number.is_some() && before.number == page.number => {
                    before.rows.extend(page.rows);
                }
                _ => pages.push(page),
            }
            if is_last {
                return Ok(pages);
            }
        }
        Err(unusable(PROFILES, "its pages have no end"))
    }

    /// The rows from there on that meet these conditions.
    pub(super) async fn page(&self, offset: usize, conditions: &str) -> Result<Page, SiteError> {
        let path = format!("{PROFILES}?{LIST}&offset={offset}{conditions}");
        let read = |answer: Response| {
            let number = answer.headers().get(BOARD_NUMBER);
            let number = number.and_then(|it| it.to_str().ok());
            let rows: Vec<Row> = json(answer.body())?;
            if rows.len() > ROWS {
                return Err("there are more rows than were asked for".to_owned());
            }
            Ok(Page {
                offset,
                number: number.and_then(|number| number.parse().ok()),
                rows,
            })
        };
        let page = self.read(&path, read).await?;
        page.ok_or_else(|| nothing(&path))
    }

    /// What the leaderboard page begins with. `None` when it does not have that in the form of this version: every visitor gets the
    /// rows in it.
    pub(super) async fn first_page(&self) -> Result<Option<FirstPage>, SiteError> {
        let page = self.bytes(LEADERBOARD).await?.unwrap_or_default();
        Ok(FirstPage::read(&String::from_utf8_lossy(&page)))
    }

    /// Whether visitors who search for the name find this row, unless more rows match than a page has.
    pub(super) async fn finds(&self, row: &Row) -> Result<bool, SiteError> {
        let literal = |letter| matches!(letter, '\\' | '%' | '_' | '*').then_some('\\');
        let letters = row.username.chars();
        let pattern: String = letters
            .flat_map(|letter| literal(letter).into_iter().chain([letter]))
            .collect();
        let name = in_path(&pattern);
        let conditions = format!("&username=ilike.*{name}*");
        let found = self.page(0, &conditions).await?.rows;
        Ok(match found.iter().find(|found| found.id == row.id) {
            Some(found) => found == row,
            None => found.len() == ROWS,
        })
    }

    /// The rank of one user, as the user's own page shows it. `None` when the board has no such user.
    pub(super) async fn rank(&self, id: &str) -> Result<Option<Option<i64>>, SiteError> {
        let answer = self.find(&format!("{RANK}/{id}")).await?;
        Ok(answer.map(|responses::Rank { rank }| rank))
    }

    /// The row of one user, requested by id.
    pub(super) async fn row(&self, id: &str) -> Result<Option<Row>, SiteError> {
        if !is_id(id) {
            return Ok(None);
        }
        let path = format!("{PROFILES}?select=*&id=eq.{id}");
        let rows: Vec<Row> = self.find(&path).await?.unwrap_or_default();
        Ok(rows.into_iter().find(|row| row.id == id))
    }

    /// The response to a request.
    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, SiteError> {
        self.find(path).await?.ok_or_else(|| nothing(path))
    }

    /// The pause before something is read again.
    pub(super) fn pause(&self) -> Duration {
        PAUSE.min(self.patience)
    }

    /// The response to a request; `None` for 404.
    pub(super) async fn find<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<Option<T>, SiteError> {
        self.read(path, |answer| json(answer.body())).await
    }

    /// The content at an address; `None` for 404.
    pub(super) async fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, SiteError> {
        self.read(path, |answer| Ok(answer.into_body())).await
    }

    /// The content at an address that `understood` accepts; `None` for 404. Content that it never accepts, such as a proxy's page, counts as
    /// no response.
    pub(super) async fn read<T>(
        &self,
        path: &str,
        understood: impl Fn(Response) -> Result<T, String>,
    ) -> Result<Option<T>, SiteError> {
        let mut reason = String::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(self.pause()).await;
            }
            let mut request = self.client.get(format!("{}{path}", self.origin));
            // As the web app has the list counted with its first page.
            if path.starts_with(PROFILES) && path.contains("&offset=0") {
                request = request.header("prefer", "count=exact");
            }
            match fetch(request, MOST).await {
                Ok(answer) if answer.status() == StatusCode::NOT_FOUND => return Ok(None),
                Ok(answer) if answer.status().is_success() => match understood(answer) {
                    Ok(read) => return Ok(Some(read)),
                    Err(why) => reason = why,
                },
                Ok(answer) => {
                    reason = format!("the answer is {}", answer.status());
                    // The board's own words for why it cannot answer now.
                    if let Ok(problem) = serde_json::from_slice::<Problem>(answer.body()) {
                        reason += &format!(": {}", problem.detail);
                    }
                }
                // No server listens at this address.
                Err(BodyError::Http(error)) if error.is_connect() => {
                    return Err(unusable(path, describe(&error)));
                }
                Err(error) => reason = error.to_string(),
            }
        }
        Err(unusable(path, reason))
    }
}

/// An error of the board (RFC 9457).
#[derive(Deserialize)]
struct Problem {
    detail: String,
}

fn nothing(path: &str) -> SiteError {
    unusable(path, "there is nothing; is this a board?")
}

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

/// A published proof. A response that is not JSON, such as a proxy's page, counts as none.
fn read_proof(answer: Response) -> Result<Served, String> {
    json::<IgnoredAny>(answer.body())?;
    Ok(ProofDocument::read(answer.body()))
}

fn unusable(path: &str, reason: impl Into<String>) -> SiteError {
    SiteError::Unanswered {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// A text as a part of a path or a query.
fn in_path(text: &str) -> String {
    byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

/// Whether the text is a UUID, so that it can be a part of an address.
fn is_id(text: &str) -> bool {
    Uuid::try_parse(text).is_ok()
}

//! A board, as anybody on the internet sees it.

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::{Client, Response, StatusCode};
use serde::de::DeserializeOwned;
use tokio::time::sleep;
use url::Url;
use uuid::Uuid;

use super::rows::{Page, Row};
use super::wire;
use chain::outbound::body;

/// The most bytes of one answer: a proof of 2,000 inputs has four million.
const MOST: usize = 32 * 1024 * 1024;

/// How many rows and proofs come in one answer.
const PAGE: usize = 1_000;

/// The most pages of rows: ten million people.
const PAGES: usize = 10_000;

/// How often a question is asked that is not answered, and the pause before it is asked again.
const ATTEMPTS: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// A board to ask.
#[derive(Clone, Debug)]
pub struct Site {
    origin: String,
    client: Client,
}

/// Why a board says nothing.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("{0} is no address of a board; name it as https://board.example")]
    NotAnOrigin(Url),
    #[error("{path} at the board cannot be read: {reason}")]
    Unanswered { path: String, reason: String },
}

impl Site {
    /// The board at this address.
    ///
    /// # Errors
    /// When it is none of a web site.
    pub fn new(url: &Url, client: Client) -> Result<Self, SiteError> {
        let origin = url.origin();
        let bare = url.path() == "/" && url.query().is_none();
        if !origin.is_tuple() || !bare || !["http", "https"].contains(&url.scheme()) {
            return Err(SiteError::NotAnOrigin(url.clone()));
        }
        Ok(Self {
            origin: origin.ascii_serialization(),
            client,
        })
    }

    /// Its origin, which every statement on it must commit to.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub(super) async fn network(&self) -> Result<String, SiteError> {
        let settings: Option<wire::Settings> = self.ask("/api/functions/v1/app-config").await?;
        settings
            .map(|it| it.network)
            .ok_or_else(|| SiteError::Unanswered {
                path: "/api/functions/v1/app-config".to_owned(),
                reason: "there is nothing; is this a board?".to_owned(),
            })
    }

    /// Every published proof: everybody's, or one person's. Those that are withdrawn meanwhile are left out.
    pub(super) async fn proofs(
        &self,
        profile: Option<&str>,
        at_once: usize,
        fetched: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Vec<wire::Proof>, SiteError> {
        let mut proofs = Vec::new();
        let mut last = String::new();
        let whose = profile.map_or_else(String::new, |id| format!("&profile_id={id}"));
        loop {
            let after = if last.is_empty() { "" } else { "&after=" };
            let path = format!("/api/functions/v1/proofs?limit={PAGE}{whose}{after}{last}");
            let Some(page) = self.ask::<wire::Page>(&path).await? else {
                return Ok(proofs);
            };
            let ids = page.proofs.into_iter().map(|it| it.id);
            let ids: Vec<String> = ids.collect();
            if let Some(odd) = ids.iter().find(|id| Uuid::try_parse(id).is_err()) {
                return Err(unusable(&path, format!("{odd:?} is no id of a proof")));
            }
            let paths = ids.into_iter();
            let paths = paths.map(|id| format!("/api/functions/v1/proofs/{id}"));
            let mut answers = stream::iter(paths)
                .map(async |path| self.ask::<wire::Proof>(&path).await)
                .buffered(at_once);
            while let Some(proof) = answers.try_next().await? {
                proofs.extend(proof);
                fetched(proofs.len());
            }
            match page.next {
                None => return Ok(proofs),
                Some(next) if Uuid::try_parse(&next).is_ok() && next > last => last = next,
                // It would keep its visitors for ever.
                Some(_) => return Err(unusable(&path, "its pages go round in circles")),
            }
        }
    }

    /// Everybody with something proven, page by page. A page begins with the last row of the one before, so that no place is between
    /// two of them.
    pub(super) async fn rows(&self) -> Result<Vec<Page>, SiteError> {
        let mut pages = Vec::new();
        loop {
            let offset = pages.len() * (PAGE - 1);
            let path = format!(
                "/api/rest/v1/profiles?select=*&verified=eq.true&order=bitcoin_holdings.desc.nullslast&limit={PAGE}&offset={offset}"
            );
            let rows: Vec<wire::Row> = self.ask(&path).await?.unwrap_or_default();
            let whole = rows.len() == PAGE;
            let rows = rows.into_iter().map(Row::from).collect();
            pages.push(Page { offset, rows });
            if !whole {
                return Ok(pages);
            }
            if pages.len() > PAGES {
                return Err(unusable(&path, "its pages have no end"));
            }
        }
    }

    /// The row of one person.
    pub(super) async fn row(&self, id: &str) -> Result<Option<Row>, SiteError> {
        if Uuid::try_parse(id).is_err() {
            return Ok(None);
        }
        let path = format!("/api/rest/v1/profiles?select=*&id=eq.{id}");
        let rows: Vec<wire::Row> = self.ask(&path).await?.unwrap_or_default();
        let row = rows.into_iter().find(|row| row.id == id);
        Ok(row.map(Row::from))
    }

    /// The answer to a question; none when there is nothing (404).
    async fn ask<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, SiteError> {
        let read =
            |bytes: Vec<u8>| serde_json::from_slice(&bytes).map_err(|error| error.to_string());
        self.asked(path, read).await
    }

    /// What stands at an address; none when nothing does.
    pub(super) async fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, SiteError> {
        self.asked(path, Ok).await
    }

    /// What stands at an address, once it is `understood`; none when nothing does. What never is, a page of a proxy for instance, is as
    /// good as no answer.
    pub(super) async fn asked<T>(
        &self,
        path: &str,
        understood: impl Fn(Vec<u8>) -> Result<T, String>,
    ) -> Result<Option<T>, SiteError> {
        let mut reason = String::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(PAUSE).await;
            }
            match self
                .client
                .get(format!("{}{path}", self.origin))
                .send()
                .await
            {
                Ok(answer) if answer.status() == StatusCode::NOT_FOUND => return Ok(None),
                Ok(answer) if answer.status().is_success() => {
                    match read(answer).await.and_then(&understood) {
                        Ok(read) => return Ok(Some(read)),
                        Err(why) => reason = why,
                    }
                }
                Ok(answer) => reason = format!("the answer is {}", answer.status()),
                // Nobody is there.
                Err(error) if error.is_connect() => {
                    return Err(unusable(path, error.without_url().to_string()));
                }
                Err(error) => reason = error.without_url().to_string(),
            }
        }
        Err(unusable(path, reason))
    }
}

fn unusable(path: &str, reason: impl Into<String>) -> SiteError {
    SiteError::Unanswered {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

async fn read(answer: Response) -> Result<Vec<u8>, String> {
    let bytes = body::read_at_most(answer, MOST).await;
    bytes.map_err(|error| error.to_string())
}

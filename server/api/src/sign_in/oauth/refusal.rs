//! Why a provider refuses: the account, this site, too many requests, or trouble of its own.

use chain::clock::UnixTime;
use outbound::Response;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// When a limit ends, unix seconds: X and GitHub.
const RESETS: [&str; 2] = ["x-rate-limit-reset", "x-ratelimit-reset"];

/// GitHub refuses with 403 when this is 0.
const REMAINING: &str = "x-ratelimit-remaining";

/// What providers say of an account that may not be used, in any of their sentences.
const OF_AN_ACCOUNT: [&str; 4] = ["suspended", "deactivated", "disabled", "locked"];

/// What X, GitHub and Google say of an app that may not be used.
const OF_AN_APP: [&str; 4] = ["client", "app", "application", "project"];

/// A provider's refusal, without anything of it that could be secret.
#[derive(Debug, thiserror::Error)]
#[error("status {}, {}", .status.as_u16(), .code.as_deref().unwrap_or("without a code"))]
pub(super) struct Refusal {
    status: StatusCode,
    /// The provider's own code or title.
    code: Option<String>,
    about: About,
    wait: Option<Wait>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Account,
    Site,
}

/// How long a limit lasts.
#[derive(Clone, Copy, Debug)]
enum Wait {
    Seconds(i64),
    Until(UnixTime),
}

/// Which sentence the user gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Down,
    /// With the time to wait: "in 5 minutes".
    Limit(String),
    Account,
    Site,
}

impl Refusal {
    pub(super) fn new(response: &Response) -> Self {
        let body = serde_json::from_slice(response.body()).unwrap_or_default();
        Self::read(response.status(), &body, wait(response.headers()))
    }

    /// A successful response that has errors in place of the account, as X sends it; none when it has no errors.
    pub(super) fn of_account(body: &[u8]) -> Option<Self> {
        let body: Value = serde_json::from_slice(body).ok()?;
        body["errors"]
            .as_array()
            .filter(|errors| !errors.is_empty())?;
        let about = About::Account;
        let read = Self::read(StatusCode::OK, &body, None);
        Some(Self { about, ..read })
    }

    fn read(status: StatusCode, body: &Value, wait: Option<Wait>) -> Self {
        // X: a problem (RFC 9457), or a list of them. Google: an object. GitHub: a message.
        let error = match (&body["errors"][0], &body["error"]) {
            (first @ Value::Object(_), _) => first,
            (_, error @ Value::Object(_)) => error,
            _ => body,
        };
        let member = |name: &str| error[name].as_str();
        let names = ["reason", "status", "error", "title", "message"];
        let code = names.into_iter().find_map(member).map(harmless);
        let sentences = ["detail", "message", "error_description", "title"];
        let said: Vec<_> = sentences.into_iter().filter_map(member).collect();
        let said = said.join(" ").to_lowercase();
        let words: Vec<_> = said.split(|c: char| !c.is_alphanumeric()).collect();
        let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
        let about = match says(&OF_AN_ACCOUNT) && !says(&OF_AN_APP) {
            true => About::Account,
            false => About::Site,
        };
        Self {
            status,
            code,
            about,
            wait,
        }
    }

    /// Whether only this content is refused: the user has not granted it, or there is none.
    pub(super) fn is_of_content(&self) -> bool {
        let refuses = [StatusCode::FORBIDDEN, StatusCode::NOT_FOUND].contains(&self.status);
        refuses && self.wait.is_none()
    }

    pub(super) fn reason(&self, now: UnixTime) -> Reason {
        let is_limit = self.status == StatusCode::FORBIDDEN && self.wait.is_some();
        match self.status {
            status if status.is_server_error() => Reason::Down,
            StatusCode::TOO_MANY_REQUESTS => Reason::Limit(in_words(self.wait, now)),
            _ if is_limit => Reason::Limit(in_words(self.wait, now)),
            _ if self.about == About::Account => Reason::Account,
            _ => Reason::Site,
        }
    }
}

/// Whether a refusal says nothing about what was sent.
pub(super) fn is_temporary(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

fn wait(headers: &HeaderMap) -> Option<Wait> {
    let number = |value: &reqwest::header::HeaderValue| value.to_str().ok()?.parse().ok();
    if let Some(seconds) = headers.get(RETRY_AFTER).and_then(number) {
        return Some(Wait::Seconds(seconds));
    }
    // GitHub sends the time also where nothing is limited.
    if headers.get(REMAINING).is_some_and(|left| left != "0") {
        return None;
    }
    let until = RESETS.iter().find_map(|name| headers.get(*name));
    until.and_then(number).map(Wait::Until)
}

fn in_words(wait: Option<Wait>, now: UnixTime) -> String {
    let seconds = match wait {
        Some(Wait::Seconds(seconds)) => seconds,
        Some(Wait::Until(time)) => time.saturating_sub(now),
        None => return "later".to_owned(),
    };
    let minutes = u64::try_from(seconds).unwrap_or(0).div_ceil(60);
    match minutes {
        ..=1 => "in a minute".to_owned(),
        2..=90 => format!("in {minutes} minutes"),
        91..=10_000 => format!("in {} hours", minutes.div_ceil(60)),
        _ => "later".to_owned(),
    }
}

/// A code or title for the server log, without anything as long as a token.
fn harmless(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.' ".contains(c);
    let text: String = text.chars().filter(|c| is_plain(*c)).collect();
    let words = text.split(' ').map(|word| match word.len() {
        ..=30 => word,
        _ => "…",
    });
    let words: Vec<_> = words.take(12).collect();
    words.join(" ")
}

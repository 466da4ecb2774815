//! The list of witnesses, and which of them have not cosigned yet.

use parking_lot::Mutex;
use reqwest::Client;

use super::error::HistoryError;
use crate::config::Witness;
use board_log::note::Note;
use chain::clock::UnixTime;
use store::history::LogState;

/// After how many seconds a witness that has not cosigned the published checkpoint is asked again.
const AGAIN: i64 = 10 * 60;

#[derive(Debug, Default)]
pub(super) struct Witnesses {
    pub(super) list: Vec<Witness>,
    pub(super) client: Client,
    /// The checkpoint of the last requests, and their time.
    asked: Mutex<Option<(String, UnixTime)>>,
}

impl Witnesses {
    pub(super) fn new(list: Vec<Witness>, client: Client) -> Self {
        Self {
            list,
            client,
            asked: Mutex::default(),
        }
    }

    /// Those that have not cosigned this checkpoint.
    pub(super) fn missing_in(&self, checkpoint: &str) -> Result<Vec<&Witness>, HistoryError> {
        let note: Note = checkpoint.parse().map_err(|_| HistoryError::Broken)?;
        let missing = self.list.iter();
        Ok(missing
            .filter(|it| it.key.line_in(&note).is_none())
            .collect())
    }

    /// Whether some that have not cosigned the published checkpoint are due to be asked again.
    pub(super) fn are_due(
        &self,
        published: &LogState,
        now: UnixTime,
    ) -> Result<bool, HistoryError> {
        if self.missing_in(&published.checkpoint)?.is_empty() {
            return Ok(false);
        }
        let text = text_of(&published.checkpoint);
        let is_recent = |at: UnixTime| (at..at + AGAIN).contains(&now);
        let asked = self.asked.lock();
        let asked = asked.as_ref();
        Ok(!asked.is_some_and(|(about, at)| about == text && is_recent(*at)))
    }

    pub(super) fn note_asked(&self, checkpoint: &str, now: UnixTime) {
        *self.asked.lock() = Some((text_of(checkpoint).to_owned(), now));
    }
}

/// The text of a checkpoint, without its signatures.
fn text_of(checkpoint: &str) -> &str {
    checkpoint
        .split_once("\n\n")
        .map_or(checkpoint, |(text, _)| text)
}

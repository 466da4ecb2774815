//! `page` entries: the hashes of the files of the pages that check proofs (proofs, section 5).

use super::error::Result;
use super::room::BoardLog;
use board_log::entry::Entry;
use board_log::units::iso;
use store::board_log::LogState;

impl BoardLog {
    /// Adds an entry about the files of this release, when the newest `page` entry has other hashes.
    pub(super) async fn append_pages(&self, before: &LogState) -> Result<Option<LogState>> {
        if self.settings.pages.is_empty() || self.has_pages(before).await? {
            return Ok(None);
        }
        let log = self.store.hold_log().await?;
        if log.state.as_ref() != Some(before) {
            return Ok(None);
        }
        let state = LogState {
            page: Some(before.size),
            ..before.clone()
        };
        let entry = Entry::Page {
            time: iso(self.clock.now()),
            files: self.settings.pages.clone(),
        };
        Ok(Some(self.add(log, state, &entry).await?))
    }

    /// Whether the newest `page` entry has these hashes.
    async fn has_pages(&self, state: &LogState) -> Result<bool> {
        let Some(number) = state.page else {
            return Ok(false);
        };
        let entry = self.store.log_entries(state.number, number, 1).await?;
        let entry = entry.first().and_then(|it| serde_json::from_str(it).ok());
        Ok(matches!(entry, Some(Entry::Page { files, .. }) if files == self.settings.pages))
    }
}

//! Withdraws a row from the issued snapshot and from the next one.

use board_log::snapshot::{SaltKey, salted};
use board_log::tree::leaf;

use super::LogLine;
use crate::tx::Tx;

/// How many characters of an id are kept for a withdrawn row, if no other row begins with the same ones: the time in a UUID, which gives
/// the position of the row.
const PREFIXES: [usize; 3] = [13, 18, 23];

impl Tx {
    /// Withdraws a profile's row from the issued snapshot and from the next one, which have its leaf hash after the commit. With
    /// `only_exact` only where the exact total is shown. Comes first in a transaction: appending locks the state, the cursor and then rows.
    pub(crate) async fn withdraw_line(
        &mut self,
        profile_id: &str,
        only_exact: bool,
    ) -> sqlx::Result<()> {
        self.lock_log_state().await?;
        // They are the same when nothing waits to be issued; without one there are no lines.
        let salt_keys = "select coalesce(log_issued.salt_key, ''), coalesce(log_state.salt_key, '')
            from log_state join log_issued on log_issued.id = log_state.id";
        let salt_keys = self.query(salt_keys, &[]).optional().await?;
        let Some((key, next_key)): Option<(String, String)> = salt_keys else {
            return Ok(());
        };
        let line = "select line from log_lines where profile_id = $1 and line is not null";
        let line: Option<String> = self.query(line, &[&profile_id]).scalar().await?;
        let next = "select profile_id, line, withdrawn from log_next_lines where profile_id = $1";
        let next: Option<LogLine> = self.query(next, &[&profile_id]).optional().await?;
        let next = next.map_or_else(|| line.clone(), |next| next.line);
        let applies = |line: &String| !only_exact || line.contains("\"shown_as\":\"exact\"");
        let stays = line.as_ref().is_some_and(|line| !applies(line));
        let line = line.filter(applies);
        let next = next.filter(|line| applies(line) && next_key != key);
        if line.is_none() && next.is_none() {
            return Ok(());
        }
        let prefix = self.prefix_of(profile_id).await?;
        if let Some(line) = next {
            let leaf = leaf_of(&line, profile_id, &next_key)?;
            let forget = "delete from log_next_lines where profile_id = $1";
            self.query(forget, &[&profile_id]).run().await?;
            if stays {
                let gone = "insert into log_next_lines (profile_id) values ($1)";
                self.query(gone, &[&profile_id]).run().await?;
            }
            let put = "insert into log_next_lines (profile_id, withdrawn) values ($1, $2)
                on conflict (profile_id) do update set withdrawn = excluded.withdrawn";
            self.query(put, &[&prefix, &leaf]).run().await?;
        }
        if let Some(line) = line {
            let leaf = leaf_of(&line, profile_id, &key)?;
            let withdraw = "update log_lines set profile_id = $2, line = null, withdrawn = $3 where profile_id = $1";
            self.query(withdraw, &[&profile_id, &prefix, &leaf])
                .run()
                .await?;
        }
        for count in [
            "update log_state set withdrawn = withdrawn + 1 where id = 1",
            "update log_issued set withdrawn = withdrawn + 1 where id = 1",
        ] {
            self.query(count, &[]).run().await?;
        }
        Ok(())
    }

    pub(super) async fn lock_log_state(&mut self) -> sqlx::Result<()> {
        let lock = self.query("select size from log_state where id = 1", &[]);
        lock.locking("for update").scalar::<i64>().await?;
        Ok(())
    }

    /// The shortest part of an id that gives the position of its row.
    async fn prefix_of(&mut self, profile_id: &str) -> sqlx::Result<String> {
        for length in PREFIXES {
            let Some(prefix) = profile_id.get(..length) else {
                break;
            };
            let length = i64::try_from(length).unwrap_or(i64::MAX);
            let other = "select profile_id from log_lines where substr(profile_id, 1, cast($2 as integer)) = $1 and profile_id <> $3
                union all
                select profile_id from log_next_lines where substr(profile_id, 1, cast($2 as integer)) = $1 and profile_id <> $3 limit 1";
            let other = self.query(other, &[&prefix, &length, &profile_id]);
            if other.scalar::<String>().await?.is_none() {
                return Ok(prefix.to_owned());
            }
        }
        Ok(profile_id.to_owned())
    }
}

/// The leaf hash of a row with its salt, hex.
fn leaf_of(line: &str, profile_id: &str, key: &str) -> sqlx::Result<String> {
    let mut bytes = SaltKey::default();
    hex::decode_to_slice(key, &mut bytes).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let line = salted(line, profile_id, &bytes);
    Ok(hex::encode(leaf(line.as_bytes())))
}

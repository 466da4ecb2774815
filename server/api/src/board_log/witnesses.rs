//! Witnesses (C2SP tlog-witness): each checkpoint is sent to them before it is issued, and issued with the cosignatures that they return in
//! time. A witness that does not respond causes no further delay. One that has seen another history of the log stops it. After `restore-log`
//! every witness must respond first, because any of them may know a longer log.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use reqwest::StatusCode;
use tokio::time::timeout;

use super::error::{BoardLogError, Result};
use super::room::{BoardLog, OUTSIDE};
use super::write::to_u64;
use crate::config::Witness;
use board_log::checkpoint::number;
use board_log::note::Note;
use chain::clock::UnixTime;
use outbound::fetch;
use store::board_log::{LogState, Restored};

/// After how many seconds a witness that has not cosigned the issued checkpoint is asked again.
const AGAIN: i64 = 10 * 60;

/// The time limit for all witnesses together.
pub(super) const ASKING: Duration = Duration::from_secs(15);

/// The largest response of a witness that is read, in bytes.
const MOST: usize = 64 * 1024;

const UNKNOWN: &str = "it does not know this log; register the log with it";

fn not_cosigned(witness: &Witness, why: &str) {
    let witness = witness.key.name();
    tracing::warn!(witness, why, "a witness has not cosigned the checkpoint");
}

/// A witness's response.
enum Answer {
    /// Signature lines, not checked yet.
    Cosigned(String),
    /// It has cosigned a checkpoint of another size, if it says which, or one that ours does not extend.
    Conflict(Option<u64>),
    /// It has never seen this log.
    Unknown,
    /// It has not cosigned, for this reason.
    Nothing(String),
}

impl BoardLog {
    /// Issues what is written, with the cosignatures of the witnesses that respond in time: checkpoint, snapshot and receipts together.
    pub(super) async fn issue(&self, state: &LogState) -> Result<()> {
        // No other replica asks while this one has the lease.
        if !self.store.take_lease("log").await? {
            return Ok(());
        }
        let checkpoint = self.cosigned(state).await?;
        let mut log = self.store.hold_log().await?;
        if log.state.as_ref().is_some_and(|it| it.is_same_size(state)) {
            log.issue(state, &checkpoint).await?;
            log.commit().await?;
        }
        Ok(())
    }

    /// The witnesses that have not cosigned this checkpoint.
    fn missing_in(&self, checkpoint: &str) -> Result<Vec<&Witness>> {
        let note: Note = checkpoint.parse().map_err(|_| BoardLogError::Broken)?;
        let missing = self.settings.witnesses.iter();
        Ok(missing
            .filter(|it| it.key.line_in(&note).is_none())
            .collect())
    }

    /// Whether some that have not cosigned the issued checkpoint are due to be asked again.
    pub(super) fn witnesses_are_due(&self, issued: &LogState, now: UnixTime) -> Result<bool> {
        if self.missing_in(&issued.checkpoint)?.is_empty() {
            return Ok(false);
        }
        let asked = self.asked.lock();
        let is_recent = |(log, size, at): &(i64, i64, UnixTime)| {
            (*log, *size) == (issued.number, issued.size) && (*at..at + AGAIN).contains(&now)
        };
        Ok(!asked.as_ref().is_some_and(is_recent))
    }

    /// Fails when a witness or the folder of a replica has stopped the log. Clears the alarm of a witness that is no longer on the list.
    pub(super) async fn stop_when_forked(&self) -> Result<()> {
        let Some(witness) = self.store.log_forked().await? else {
            return Ok(());
        };
        if witness == OUTSIDE {
            return Err(BoardLogError::Lost);
        }
        let mut list = self.settings.witnesses.iter();
        if list.any(|it| it.key.name() == witness) {
            return Err(BoardLogError::Forked { witness });
        }
        Ok(self.store.set_log_forked(None).await?)
    }

    /// The newest checkpoint with its existing cosignatures and those that it gets now.
    async fn cosigned(&self, state: &LogState) -> Result<String> {
        let issued = self.issued().await?;
        let mut checkpoint = if issued.is_same_size(state) {
            issued.checkpoint.clone()
        } else {
            state.checkpoint.clone()
        };
        let before: Note = (issued.checkpoint.parse()).map_err(|_| BoardLogError::Broken)?;
        let asked = self.missing_in(&checkpoint)?;
        if !asked.is_empty() {
            *self.asked.lock() = Some((state.number, state.size, self.clock.now()));
        }
        let asked = asked.into_iter().map(async |witness| {
            let knows = witness.key.line_in(&before).is_some();
            let old = match knows && issued.number == state.number {
                true => to_u64(issued.size)?,
                false => 0,
            };
            let late = |_| Ok(Answer::Nothing(format!("no answer within {ASKING:?}")));
            let answer = timeout(ASKING, self.ask(witness, state, old)).await;
            Ok::<_, BoardLogError>((witness, answer.unwrap_or_else(late)?))
        });
        let mut silent = None;
        for answer in join_all(asked).await {
            match answer? {
                (_, Answer::Cosigned(line)) => checkpoint.push_str(&line),
                (witness, Answer::Conflict(_)) => self.forked(witness, state).await?,
                (witness, Answer::Unknown) => not_cosigned(witness, UNKNOWN),
                (witness, Answer::Nothing(why)) => {
                    not_cosigned(witness, &why);
                    silent.get_or_insert((witness.key.name().to_owned(), why));
                }
            }
        }
        match silent {
            Some((witness, why)) if state.restored == Restored::Unconfirmed => {
                Err(BoardLogError::Silent { witness, why })
            }
            _ => Ok(checkpoint),
        }
    }

    /// Stops the log, unless the log has moved on in between and the witness has already seen that.
    async fn forked(&self, witness: &Witness, state: &LogState) -> Result<()> {
        let now = self.store.log_state().await?;
        if !now.is_some_and(|now| now.is_same_size(state)) {
            return Err(BoardLogError::Moved);
        }
        let witness = witness.key.name().to_owned();
        self.store.set_log_forked(Some(&witness)).await?;
        Err(BoardLogError::Forked { witness })
    }

    /// A witness's answer, its cosignature as a line of the note. `old` is the size that the witness should have seen.
    async fn ask(&self, witness: &Witness, state: &LogState, old: u64) -> Result<Answer> {
        let mut answer = self.send(witness, state, old).await?;
        if let Answer::Conflict(Some(known)) = answer
            && known != old
            && known <= to_u64(state.size)?
        {
            answer = self.send(witness, state, known).await?;
        }
        let Answer::Cosigned(lines) = answer else {
            return Ok(answer);
        };
        let note: Option<Note> = format!("{}{lines}", state.checkpoint).parse().ok();
        let line = note.and_then(|note| witness.key.line_in(&note));
        let unsigned = || Answer::Nothing("its cosignature is not valid".to_owned());
        Ok(line.map_or_else(unsigned, Answer::Cosigned))
    }

    async fn send(&self, witness: &Witness, state: &LogState, old: u64) -> Result<Answer> {
        let proof = self.proof_from(state, old).await?;
        let body = format!("old {old}\n{proof}\n{}", state.checkpoint);
        let address = witness.address.as_str().trim_end_matches('/');
        let client = &self.settings.client;
        let request = client.post(format!("{address}/add-checkpoint"));
        let answer = match fetch(request.body(body), MOST).await {
            Ok(answer) => answer,
            Err(error) => return Ok(Answer::Nothing(error.to_string())),
        };
        let text = String::from_utf8_lossy(answer.body()).into_owned();
        let nothing = |why: &str| Answer::Nothing(why.to_owned());
        Ok(match answer.status() {
            StatusCode::OK => Answer::Cosigned(text),
            StatusCode::CONFLICT => Answer::Conflict(text.strip_suffix('\n').and_then(number)),
            // Our proof is right, so the witness has another root for that size.
            StatusCode::UNPROCESSABLE_ENTITY => Answer::Conflict(None),
            StatusCode::NOT_FOUND => Answer::Unknown,
            StatusCode::FORBIDDEN => {
                nothing("it does not trust the key of this log; register the key with it")
            }
            status => nothing(status.as_str()),
        })
    }

    /// The proof that the log has only grown since that size (RFC 6962, section 2.1.2), one hash a line.
    async fn proof_from(&self, state: &LogState, old: u64) -> Result<String> {
        let size = to_u64(state.size)?;
        if old == 0 || old == size {
            return Ok(String::new());
        }
        let tree = self.trees.tree(state.number, state.size).await?;
        let hashes = tree.consistency(old, size);
        Ok(hashes
            .ok_or(BoardLogError::Broken)?
            .into_iter()
            .map(|hash| STANDARD.encode(hash) + "\n")
            .collect())
    }
}

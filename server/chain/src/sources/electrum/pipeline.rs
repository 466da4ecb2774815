//! Several questions under way at once on one connection.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::connection::{Connection, Failure};
use super::wire::{Message, Reply, line};
use crate::ChainError;
use crate::service::IN_FLIGHT;

/// The time until the first nudge; each further one after four times as long.
const FIRST_NUDGE: Duration = Duration::from_millis(50);

/// A time longer than any answer takes, for servers that need no nudge.
const NEVER: Duration = Duration::from_secs(24 * 60 * 60);

impl Connection {
    /// Asks the same with each of `params`, a bounded number of questions under way at once. What `read` makes
    /// of each reply, which it is given with the index of its question, is in the order of the questions. An
    /// answer has at most `limit` bytes.
    pub(super) async fn ask<T, R>(
        &mut self,
        method: &str,
        params: &[Value],
        limit: usize,
        read: &R,
    ) -> Result<Vec<T>, Failure>
    where
        T: Send,
        R: Fn(usize, Reply) -> Result<T, ChainError> + Send + Sync,
    {
        let first = self.take_ids(params.len());
        let mut results: Vec<Option<T>> = params.iter().map(|_| None).collect();
        let mut sent = 0;
        for answered in 0..params.len() {
            let until = params.len().min(answered + IN_FLIGHT);
            let lines: String = (first..)
                .zip(params)
                .take(until)
                .skip(sent)
                .map(|(id, params)| line(id, method, params))
                .collect();
            sent = until;
            let patience = self.service.timeout();
            let (id, reply) = timeout(patience, self.next_answer(&lines, limit))
                .await
                .map_err(|_| self.service.late())??;
            let index = id
                .checked_sub(first)
                .and_then(|index| usize::try_from(index).ok())
                .filter(|index| results.get(*index).is_some_and(Option::is_none))
                .ok_or_else(|| self.service.invalid("an answer to no question"))?;
            results[index] = Some(read(index, reply)?);
        }
        Ok(results.into_iter().flatten().collect())
    }

    /// Sends `lines` and reads until an answer comes.
    ///
    /// ElectrumX (seen on 1.20) makes all its packets about the same size: it keeps small answers for up to a
    /// second, in case more follow. To whoever waits for one of them alone, that is a second for each
    /// step of a look-up; a question with a long answer brings the others along.
    async fn next_answer(&mut self, lines: &str, limit: usize) -> Result<(u64, Reply), Failure> {
        let mut patience = if self.holds_back { FIRST_NUDGE } else { NEVER };
        if !lines.is_empty() {
            self.write(lines).await?;
        }
        loop {
            let Ok(line) = timeout(patience, self.read_line(limit)).await else {
                self.nudge().await?;
                patience *= 4;
                continue;
            };
            match Message::read(&line?) {
                Message::Answer(id, _) if self.unwanted.remove(&id) => {}
                Message::Answer(id, reply) => return Ok((id, reply)),
                Message::News => {}
                Message::Nonsense => {
                    let error = self.service.invalid("a line that is no JSON-RPC answer");
                    return Err(error.into());
                }
            }
        }
    }

    /// Asks for eight headers: longer than what the server waits for, a kibibyte.
    async fn nudge(&mut self) -> Result<(), Failure> {
        let id = self.take_ids(1);
        self.unwanted.insert(id);
        let headers = line(id, "blockchain.block.headers", &json!([0, 8]));
        self.write(&headers).await
    }
}

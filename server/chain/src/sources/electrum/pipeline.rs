//! Pipelined requests on one connection.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::connection::{Connection, Failure};
use super::messages::{Message, Reply, line};
use crate::ChainError;
use crate::service::IN_FLIGHT;

/// The time until the first nudge; the pauses between further ones quadruple.
const FIRST_NUDGE: Duration = Duration::from_millis(50);

/// Longer than any response takes, for servers that need no nudge.
const NEVER: Duration = Duration::from_secs(24 * 60 * 60);

impl Connection {
    /// Calls `method` with each of `params`, with a bounded number of requests at once. Returns what `read` makes of each reply, in the
    /// order of the requests; `read` also gets the index of the request. A response has at most `limit` bytes.
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
            let (id, reply) = timeout(self.service.timeout(), self.next_answer(&lines, limit))
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

    /// Sends `lines` and reads until a response comes.
    ///
    /// ElectrumX (seen on 1.20) makes all its packets about the same size: it delays small responses for up to a
    /// second, in case more follow. That would be a second for each step of a look-up. A request with a long response flushes the others.
    async fn next_answer(&mut self, lines: &str, limit: usize) -> Result<(u64, Reply), Failure> {
        let mut patience = match self.delays_responses {
            true => FIRST_NUDGE,
            false => NEVER,
        };
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
                Message::Response(id, _) if self.nudges.remove(&id) => {}
                Message::Response(id, reply) => return Ok((id, reply)),
                Message::Notification => {}
                Message::Invalid => {
                    let error = self.service.invalid("a line that is no JSON-RPC answer");
                    return Err(error.into());
                }
            }
        }
    }

    /// Requests eight headers: a response longer than the kibibyte that the server waits for.
    async fn nudge(&mut self) -> Result<(), Failure> {
        let id = self.take_ids(1);
        self.nudges.insert(id);
        let headers = line(id, "blockchain.block.headers", &json!([0, 8]));
        self.write(&headers).await
    }
}

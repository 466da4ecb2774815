//! Several questions under way at once on one connection.

use std::io;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use super::super::ChainError;
use super::super::service::IN_FLIGHT;
use super::connection::{Connection, LineError};
use super::server::Server;
use super::wire::{Call, Message, Reply};

/// When the first nudge is due; each further one after four times as long.
const FIRST_NUDGE: Duration = Duration::from_millis(50);

/// Longer than any answer takes, for servers that need no nudge.
const NEVER: Duration = Duration::from_secs(24 * 60 * 60);

/// Why an exchange ended early.
pub(super) struct Failure {
    pub(super) error: ChainError,
    /// Whether the connection itself ended, which it does when it was not used for long.
    pub(super) broken: bool,
}

impl From<ChainError> for Failure {
    fn from(error: ChainError) -> Self {
        Self {
            error,
            broken: false,
        }
    }
}

impl Server {
    /// Puts the calls through, as [`exchange`](Self::exchange) says, on this connection.
    pub(super) async fn pipeline<T, R>(
        &self,
        connection: &mut Connection,
        calls: &[Call],
        limit: usize,
        read: &R,
    ) -> Result<Vec<T>, Failure>
    where
        T: Send,
        R: Fn(usize, Reply) -> Result<T, ChainError> + Send + Sync,
    {
        let first = connection.take_ids(calls.len());
        let mut results: Vec<Option<T>> = calls.iter().map(|_| None).collect();
        let mut sent = 0;
        for answered in 0..calls.len() {
            let until = calls.len().min(answered + IN_FLIGHT);
            let lines: String = (first..)
                .zip(calls)
                .take(until)
                .skip(sent)
                .map(|(id, call)| call.line(id))
                .collect();
            sent = until;
            let answer = self.next_answer(connection, &lines, limit);
            let (id, reply) = timeout(self.service.timeout(), answer)
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
    async fn next_answer(
        &self,
        connection: &mut Connection,
        lines: &str,
        limit: usize,
    ) -> Result<(u64, Reply), Failure> {
        let broken = |error: io::Error| Failure {
            error: self.service.unreachable(error.to_string()),
            broken: true,
        };
        let mut patience = if connection.holds_back {
            FIRST_NUDGE
        } else {
            NEVER
        };
        if !lines.is_empty() {
            connection.write(lines).await.map_err(broken)?;
        }
        loop {
            let line = match timeout(patience, connection.read_line(limit)).await {
                Ok(Ok(line)) => line,
                Ok(Err(LineError::Broken(error))) => return Err(broken(error)),
                Ok(Err(LineError::TooLong)) => {
                    let error = self.service.invalid(format!("more than {limit} bytes"));
                    return Err(error.into());
                }
                Err(_) => {
                    // Eight headers are longer than what the server waits for, a kibibyte.
                    let nudge = Call::new("blockchain.block.headers", json!([0, 8]));
                    connection.ask_in_vain(&nudge).await.map_err(broken)?;
                    patience *= 4;
                    continue;
                }
            };
            match Message::read(&line) {
                Message::Answer { id, .. } if connection.is_unwanted(id) => {}
                Message::Answer { id, reply } => return Ok((id, reply)),
                Message::News => {}
                Message::Nonsense => {
                    let error = self.service.invalid("a line that is no JSON-RPC answer");
                    return Err(error.into());
                }
            }
        }
    }
}

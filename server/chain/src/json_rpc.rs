//! JSON-RPC as Bitcoin Core and Electrum servers speak it: what a response contains, borrowed from its bytes.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;

use super::ChainError;
use super::service::Service;

/// The most characters of a source's message that an error repeats.
const MESSAGE_CHARS: usize = 200;

/// The response to one call; a null result is `None`.
pub(super) type Reply<'a> = Result<Option<&'a RawValue>, RpcError>;

/// The refusal of one call: an object, or bare text from older Electrum servers.
#[derive(Debug, Deserialize)]
#[serde(from = "Value")]
pub(super) struct RpcError {
    pub(super) code: Option<i64>,
    pub(super) message: String,
}

impl From<Value> for RpcError {
    fn from(error: Value) -> Self {
        let message = error["message"].as_str().or(error.as_str());
        Self {
            code: error["code"].as_i64(),
            message: message.unwrap_or_default().to_owned(),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Envelope<'a> {
    pub(super) id: Option<usize>,
    /// Only a notification has one.
    pub(super) method: Option<IgnoredAny>,
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    error: Option<RpcError>,
}

impl<'a> Envelope<'a> {
    pub(super) fn reply(self) -> Reply<'a> {
        self.error.map_or(Ok(self.result), Err)
    }
}

impl Service {
    /// Decodes a reply that must be a result.
    pub(super) fn result<T: DeserializeOwned>(&self, reply: Reply<'_>) -> Result<T, ChainError> {
        let result = reply.map_err(|error| self.refusal(&error))?;
        let result = result.ok_or_else(|| self.invalid("no result"))?;
        self.json(result.get().as_bytes())
    }

    /// The error for a request that a source refuses (it is starting, or has pruned the block, …), with its message.
    pub(super) fn refusal(&self, RpcError { code, message }: &RpcError) -> ChainError {
        let message: String = message.chars().take(MESSAGE_CHARS).collect();
        self.unreachable(match code {
            Some(code) => format!("error {code}: {message}"),
            None => format!("error: {message}"),
        })
    }
}

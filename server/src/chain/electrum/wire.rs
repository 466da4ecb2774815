//! JSON-RPC 2.0 as Electrum servers speak it: one message a line, answers in any order.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Longest part of the server's own words that goes into an error.
const MESSAGE_CHARS: usize = 200;

/// One question.
pub(super) struct Call {
    method: &'static str,
    params: Value,
}

impl Call {
    pub(super) fn new(method: &'static str, params: Value) -> Self {
        Self { method, params }
    }

    /// The line that asks it.
    pub(super) fn line(&self, id: u64) -> String {
        let request = json!({
            "jsonrpc": "2.0",
            "id": id,
            "method": self.method,
            "params": self.params,
        });
        format!("{request}\n")
    }
}

/// What the server says to one call.
pub(super) type Reply = Result<Box<RawValue>, RpcError>;

/// The server's refusal of one call: an object, or with older servers bare text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RpcError {
    Coded { code: i64, message: String },
    Bare(String),
}

impl RpcError {
    /// Whether the server says that there is no such transaction. The protocol has no code for it:
    /// ElectrumX, electrs and Fulcrum repeat the node's words, Blockstream's electrs has its own.
    pub(super) fn is_unknown_transaction(&self) -> bool {
        let message = match self {
            Self::Coded { message, .. } | Self::Bare(message) => message.to_lowercase(),
        };
        message.contains("no such mempool") || message.contains("missing transaction")
    }

    /// Its words, not more than fit into a log line.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Coded { code, message } => format!("error {code}: {}", shortened(message)),
            Self::Bare(message) => format!("error: {}", shortened(message)),
        }
    }
}

fn shortened(message: &str) -> String {
    message.chars().take(MESSAGE_CHARS).collect()
}

/// A line of the server.
#[derive(Deserialize)]
struct Envelope {
    id: Option<u64>,
    method: Option<IgnoredAny>,
    result: Option<Box<RawValue>>,
    error: Option<RpcError>,
}

/// What a line of the server is.
pub(super) enum Message {
    /// The answer to the call with this id.
    Answer { id: u64, reply: Reply },
    /// News of a new block, because asking for the newest one subscribes to them. The next look-up asks
    /// anyway.
    News,
    /// Nothing that a server says.
    Nonsense,
}

impl Message {
    pub(super) fn read(line: &[u8]) -> Self {
        match serde_json::from_slice(line) {
            Ok(Envelope {
                method: Some(_),
                id: None,
                ..
            }) => Self::News,
            Ok(Envelope {
                id: Some(id),
                error: Some(error),
                ..
            }) => Self::Answer {
                id,
                reply: Err(error),
            },
            Ok(Envelope {
                id: Some(id),
                result: Some(result),
                ..
            }) => Self::Answer {
                id,
                reply: Ok(result),
            },
            _ => Self::Nonsense,
        }
    }
}

//! JSON-RPC 2.0 as Electrum servers speak it: one message a line, answers in any order.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The line that asks a question.
pub(super) fn line(id: u64, method: &str, params: &Value) -> String {
    let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    format!("{request}\n")
}

/// The server's answer to one question.
pub(super) type Reply = Result<Box<RawValue>, RpcError>;

/// The server's refusal of one question: an object, or with older servers bare text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RpcError {
    Coded { code: i64, message: String },
    Bare(String),
}

impl RpcError {
    pub(super) fn code(&self) -> Option<i64> {
        match self {
            Self::Coded { code, .. } => Some(*code),
            Self::Bare(_) => None,
        }
    }

    pub(super) fn message(&self) -> &str {
        match self {
            Self::Coded { message, .. } | Self::Bare(message) => message,
        }
    }

    /// Whether the server says that there is no such transaction. The protocol has no code for it:
    /// ElectrumX, electrs and Fulcrum repeat the node's words, Blockstream's electrs has its own.
    pub(super) fn is_unknown_transaction(&self) -> bool {
        let message = self.message().to_lowercase();
        message.contains("no such mempool") || message.contains("missing transaction")
    }
}

/// A line of the server.
#[derive(Deserialize)]
struct Envelope {
    id: Option<u64>,
    method: Option<IgnoredAny>,
    result: Option<Box<RawValue>>,
    error: Option<RpcError>,
}

/// A line of the server, read.
pub(super) enum Message {
    /// The answer to the question with this id.
    Answer(u64, Reply),
    /// News of a new block, because asking for the newest one subscribes to them. The next look-up asks
    /// anyway.
    News,
    /// Nothing that a server says.
    Nonsense,
}

impl Message {
    pub(super) fn read(line: &str) -> Self {
        let Ok(envelope) = serde_json::from_str::<Envelope>(line) else {
            return Self::Nonsense;
        };
        match (envelope.id, envelope.error, envelope.result) {
            (Some(id), Some(error), _) => Self::Answer(id, Err(error)),
            (Some(id), None, Some(result)) => Self::Answer(id, Ok(result)),
            (None, ..) if envelope.method.is_some() => Self::News,
            _ => Self::Nonsense,
        }
    }
}

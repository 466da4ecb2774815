//! JSON-RPC 2.0 as Electrum servers speak it: one message a line, responses in any order.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The line of a request.
pub(super) fn line(id: u64, method: &str, params: &Value) -> String {
    let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    format!("{request}\n")
}

/// The server's response to one request.
pub(super) type Reply = Result<Box<RawValue>, RpcError>;

/// The server's refusal of one request: an object, or bare text from older servers.
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

    /// Whether the server has no such transaction. The protocol has no code for it:
    /// ElectrumX, electrs and Fulcrum repeat the node's message, Blockstream's electrs has its own.
    pub(super) fn is_unknown_transaction(&self) -> bool {
        let message = self.message().to_lowercase();
        message.contains("no such mempool") || message.contains("missing transaction")
    }
}

/// A line from the server.
#[derive(Deserialize)]
struct Envelope {
    id: Option<u64>,
    method: Option<IgnoredAny>,
    result: Option<Box<RawValue>>,
    error: Option<RpcError>,
}

/// A parsed line from the server.
pub(super) enum Message {
    /// The response to the request with this id.
    Response(u64, Reply),
    /// A new block. Ignored: asking for the newest block subscribes to new ones, and every look-up asks anyway.
    Notification,
    Invalid,
}

impl Message {
    pub(super) fn read(line: &str) -> Self {
        let Ok(envelope) = serde_json::from_str::<Envelope>(line) else {
            return Self::Invalid;
        };
        match (envelope.id, envelope.error, envelope.result) {
            (Some(id), Some(error), _) => Self::Response(id, Err(error)),
            (Some(id), None, Some(result)) => Self::Response(id, Ok(result)),
            (None, ..) if envelope.method.is_some() => Self::Notification,
            _ => Self::Invalid,
        }
    }
}

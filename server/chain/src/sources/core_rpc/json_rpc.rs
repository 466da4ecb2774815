//! Bitcoin Core's JSON-RPC over HTTP, in batches.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{CoreRpc, Packing};
use crate::ChainError;
use crate::http::send;
use crate::service::{IN_FLIGHT, Service};

/// The most characters of the node's message that an error repeats.
const MESSAGE_CHARS: usize = 200;

/// The reply to one call, borrowed from the response; a null result is `None`.
pub(super) type Reply<'a> = Result<Option<&'a RawValue>, RpcError>;

/// The refusal of one call.
#[derive(Debug, Deserialize)]
pub(super) struct RpcError {
    pub(super) code: i64,
    pub(super) message: String,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<usize>,
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    error: Option<RpcError>,
}

impl CoreRpc {
    /// One call. A refusal is an error.
    pub(super) async fn call<T: DeserializeOwned + Send>(
        &self,
        method: &'static str,
        params: Value,
        limit: usize,
    ) -> Result<T, ChainError> {
        let packing = Packing { calls: 1, limit };
        let read = |_, reply: Reply<'_>| self.service.result(reply);
        let mut results = self.each(method, vec![params], packing, read).await?;
        results
            .pop()
            .ok_or_else(|| self.service.invalid("no answer"))
    }

    /// Calls `method` with each of `params`, with a bounded number of requests at once. Returns what `read` makes of each reply, in the
    /// order of the calls; `read` also gets the index of the call. Nothing else of a response is kept.
    pub(super) async fn each<T: Send>(
        &self,
        method: &'static str,
        params: Vec<Value>,
        packing: Packing,
        read: impl Fn(usize, Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        // The batches are owned by their futures: a stream over borrowed slices is not `Send`.
        let batches = params.chunks(packing.calls).map(<[Value]>::to_vec);
        let batches: Vec<(usize, Vec<Value>)> = batches.enumerate().collect();
        let read = &read;
        let ask = async |(number, batch): (usize, Vec<Value>)| {
            let (first, count) = (number * packing.calls, batch.len());
            let body = self.request(method, batch, packing.limit).await?;
            let results = (first..).zip(self.open(&body, count)?);
            results
                .map(|(index, reply)| read(index, reply))
                .collect::<Result<Vec<T>, ChainError>>()
        };
        let results: Vec<Vec<T>> = stream::iter(batches)
            .map(ask)
            .buffered(IN_FLIGHT)
            .try_collect()
            .await?;
        Ok(results.into_iter().flatten().collect())
    }

    async fn request(
        &self,
        method: &str,
        params: Vec<Value>,
        limit: usize,
    ) -> Result<Vec<u8>, ChainError> {
        let body: Vec<Value> = params
            .into_iter()
            .enumerate()
            .map(|(id, params)| {
                json!({"jsonrpc": "1.0", "id": id, "method": method, "params": params})
            })
            .collect();
        let request = self.client.post(self.url.clone()).json(&body);
        let body = send(&self.service, request, limit).await?;
        body.ok_or_else(|| self.service.unreachable("HTTP 404"))
    }

    /// Sorts the replies by their calls: the protocol leaves their order open.
    fn open<'a>(&self, body: &'a [u8], count: usize) -> Result<Vec<Reply<'a>>, ChainError> {
        let envelopes = serde_json::from_slice::<Vec<Envelope<'a>>>(body);
        let not_a_batch = |_| {
            self.service
                .invalid("an answer that is not a JSON-RPC batch")
        };
        let mut envelopes = envelopes.map_err(not_a_batch)?;
        envelopes.sort_by_key(|envelope| envelope.id);
        let ids = envelopes.iter().map(|envelope| envelope.id);
        if !ids.eq((0..count).map(Some)) {
            let reason = "not one answer to each question";
            return Err(self.service.invalid(reason));
        }
        let reply = |envelope: Envelope<'a>| envelope.error.map_or(Ok(envelope.result), Err);
        Ok(envelopes.into_iter().map(reply).collect())
    }
}

impl Service {
    /// Decodes a reply that must be a result.
    pub(super) fn result<T: DeserializeOwned>(&self, reply: Reply<'_>) -> Result<T, ChainError> {
        let result = reply.map_err(|error| self.refusal(&error))?;
        let result = result.ok_or_else(|| self.invalid("no result"))?;
        self.json(result.get().as_bytes())
    }

    /// The error for a request that the node refuses (it is starting, or has pruned the block, …), with its message.
    fn refusal(&self, RpcError { code, message }: &RpcError) -> ChainError {
        let message: String = message.chars().take(MESSAGE_CHARS).collect();
        self.unreachable(format!("error {code}: {message}"))
    }
}

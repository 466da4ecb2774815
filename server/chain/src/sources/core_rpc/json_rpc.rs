//! Bitcoin Core's JSON-RPC over HTTP, in batches.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::CoreRpc;
use crate::ChainError;
use crate::http::send;
use crate::json_rpc::{Envelope, Reply};
use crate::service::IN_FLIGHT;

/// Core's code for "no such transaction, block or entry" (`RPC_INVALID_ADDRESS_OR_KEY`).
pub(super) const NOT_FOUND: i64 = -5;

/// Core's code for a method that this version does not have (`RPC_METHOD_NOT_FOUND`).
pub(super) const UNKNOWN_METHOD: i64 = -32601;

/// The packing of calls into requests.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    /// Most calls in one request.
    pub(super) calls: usize,
    /// The most bytes in a response.
    pub(super) limit: usize,
}

impl CoreRpc {
    /// One call. A refusal is an error.
    pub(super) async fn call<T: DeserializeOwned + Send>(
        &self,
        method: &'static str,
        params: Value,
        limit: usize,
    ) -> Result<T, ChainError> {
        let read = |reply: Reply<'_>| self.service.result(reply);
        self.one(method, params, limit, read).await
    }

    /// What `read` makes of the reply to one call.
    pub(super) async fn one<T: Send>(
        &self,
        method: &'static str,
        params: Value,
        limit: usize,
        read: impl Fn(Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    ) -> Result<T, ChainError> {
        let packing = Packing { calls: 1, limit };
        let read = |_, reply: Reply<'_>| read(reply);
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
        let mut params = params.into_iter().peekable();
        let mut batches = Vec::new();
        while params.peek().is_some() {
            batches.push(params.by_ref().take(packing.calls).collect::<Vec<_>>());
        }
        let read = &read;
        let ask = async |(number, batch): (usize, Vec<Value>)| {
            let (first, count) = (number * packing.calls, batch.len());
            let body = self.request(method, batch, packing.limit).await?;
            let results = (first..).zip(self.open(&body, count)?);
            results
                .map(|(index, reply)| read(index, reply))
                .collect::<Result<Vec<T>, ChainError>>()
        };
        let results: Vec<Vec<T>> = stream::iter(batches.into_iter().enumerate())
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
        let envelopes: Vec<Envelope<'a>> = serde_json::from_slice(body).map_err(|_| {
            self.service
                .invalid("an answer that is not a JSON-RPC batch")
        })?;
        let mut replies: Vec<Option<Reply<'a>>> = (0..count).map(|_| None).collect();
        for envelope in envelopes {
            let id = envelope.id.and_then(|id| usize::try_from(id).ok());
            let reply = id.and_then(|id| replies.get_mut(id));
            let reply = reply.filter(|reply| reply.is_none());
            let reply = reply.ok_or_else(|| self.service.invalid("an answer to no question"))?;
            *reply = Some(envelope.reply());
        }
        replies
            .into_iter()
            .collect::<Option<Vec<Reply<'a>>>>()
            .ok_or_else(|| self.service.invalid("fewer answers than questions"))
    }
}

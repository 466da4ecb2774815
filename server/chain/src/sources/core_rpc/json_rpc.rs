//! Bitcoin Core's JSON-RPC over HTTP, in batches.

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::{Client, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::ChainError;
use crate::http::send;
use crate::service::{IN_FLIGHT, Service};

/// Core's code for "no such transaction, block or entry" (`RPC_INVALID_ADDRESS_OR_KEY`).
pub(super) const NOT_FOUND: i64 = -5;

/// Core's code for a method that this version does not have (`RPC_METHOD_NOT_FOUND`).
pub(super) const UNKNOWN_METHOD: i64 = -32601;

/// Core's code for a parameter that is out of its range (`RPC_INVALID_PARAMETER`).
pub(super) const OUT_OF_RANGE: i64 = -8;

/// A node and its credentials.
pub(super) struct JsonRpc {
    pub(super) service: Service,
    client: Client,
    /// May contain user and password: never shown.
    url: Url,
}

/// The packing of calls into requests.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    /// Most calls in one request.
    pub(super) calls: usize,
    /// The most bytes in a response.
    pub(super) limit: usize,
}

/// The node's response to one call, borrowed from the body; a null result is `None`.
pub(super) type Reply<'a> = Result<Option<&'a RawValue>, RpcError>;

/// The node's refusal of one call.
#[derive(Debug, Deserialize)]
pub(super) struct RpcError {
    pub(super) code: i64,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: usize,
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<RpcError>,
}

impl JsonRpc {
    pub(super) fn new(url: Url, service: Service, client: Client) -> Self {
        Self {
            service,
            client,
            url,
        }
    }

    /// One call. A refusal is an error.
    pub(super) async fn call<T: DeserializeOwned + Send>(
        &self,
        method: &'static str,
        params: Value,
        limit: usize,
    ) -> Result<T, ChainError> {
        let packing = Packing { calls: 1, limit };
        let read = |_, reply: Reply<'_>| self.result(method, reply);
        let mut results = self.each(method, vec![params], packing, read).await?;
        results
            .pop()
            .ok_or_else(|| self.service.invalid("no answer"))
    }

    /// Calls `method` with each of `params`, with a bounded number of requests at once. Returns what `read` makes of each reply, in the
    /// order of the calls; `read` also gets the index of the call. Nothing else of a response is kept.
    pub(super) async fn each<T, R>(
        &self,
        method: &'static str,
        params: Vec<Value>,
        packing: Packing,
        read: R,
    ) -> Result<Vec<T>, ChainError>
    where
        T: Send,
        R: Fn(usize, Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    {
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
        let answer = send(&self.service, request, limit).await?;
        match answer.status {
            StatusCode::OK => Ok(answer.body),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(self
                .service
                .unreachable("it refused the user name and password")),
            status => Err(self
                .service
                .unreachable(format!("HTTP {}", status.as_u16()))),
        }
    }

    /// Sorts the replies by their calls: the protocol leaves their order open.
    fn open<'a>(&self, body: &'a [u8], count: usize) -> Result<Vec<Reply<'a>>, ChainError> {
        let envelopes: Vec<Envelope<'a>> = serde_json::from_slice(body).map_err(|_| {
            self.service
                .invalid("an answer that is not a JSON-RPC batch")
        })?;
        let mut replies: Vec<Option<Reply<'a>>> = (0..count).map(|_| None).collect();
        for Envelope { id, result, error } in envelopes {
            let reply = replies
                .get_mut(id)
                .filter(|reply| reply.is_none())
                .ok_or_else(|| self.service.invalid("an answer to no question"))?;
            *reply = Some(error.map_or(Ok(result), Err));
        }
        replies
            .into_iter()
            .collect::<Option<Vec<Reply<'a>>>>()
            .ok_or_else(|| self.service.invalid("fewer answers than questions"))
    }

    /// Parses a reply that must be a result.
    pub(super) fn result<T: DeserializeOwned>(
        &self,
        method: &str,
        reply: Reply<'_>,
    ) -> Result<T, ChainError> {
        let result = reply.map_err(|error| self.refusal(&error))?;
        let result = result.ok_or_else(|| self.service.invalid(format!("nothing to {method}")))?;
        self.decode(result)
    }

    pub(super) fn decode<T: DeserializeOwned>(&self, result: &RawValue) -> Result<T, ChainError> {
        self.service.json(result.get().as_bytes())
    }

    /// The error for a refusal: the node is starting, or has pruned the block, …
    pub(super) fn refusal(&self, error: &RpcError) -> ChainError {
        self.service.refusal(Some(error.code), &error.message)
    }
}

//! Block headers: what the server says about blocks is recomputed from them.

use std::collections::{BTreeSet, HashMap};

use bitcoin::block::Header;
use bitcoin::{BlockHash, consensus};
use serde::Deserialize;
use serde_json::json;

use super::super::ChainError;
use super::super::service::{SMALL_ANSWER, Service};
use super::Electrum;
use super::wire::Call;

/// How many blocks the median time past looks at (BIP-0113).
pub(super) const MEDIAN_SPAN: u32 = 11;

/// Bytes of a header.
const HEADER_BYTES: usize = 80;

/// The answer of `blockchain.block.headers`: the headers one after the other.
#[derive(Deserialize)]
struct HeadersAnswer {
    hex: String,
}

impl Electrum {
    /// The last `count` headers up to the one at `height`, fewer near the genesis block, each of which
    /// names the one before.
    pub(super) async fn headers_up_to(
        &self,
        height: u32,
        count: u32,
    ) -> Result<Vec<Header>, ChainError> {
        let service = &self.server.service;
        let first = height.saturating_add(1).saturating_sub(count);
        let count = height.saturating_add(1) - first;
        let call = Call::new("blockchain.block.headers", json!([first, count]));
        let answer: HeadersAnswer = self.server.call(call, SMALL_ANSWER).await?;
        let bytes = hex::decode(&answer.hex).map_err(|_| service.invalid("headers not in hex"))?;
        let headers = bytes
            .chunks(HEADER_BYTES)
            .map(|bytes| header(service, bytes))
            .collect::<Result<Vec<_>, _>>()?;
        if headers.len() != count as usize {
            return Err(service.invalid("another number of headers than asked for"));
        }
        let linked = headers
            .windows(2)
            .all(|pair| pair[1].prev_blockhash == pair[0].block_hash());
        if !linked {
            return Err(service.invalid("headers that do not follow each other"));
        }
        Ok(headers)
    }

    /// Hashes of the blocks at these heights.
    pub(super) async fn block_hashes(
        &self,
        heights: Vec<u32>,
    ) -> Result<HashMap<u32, BlockHash>, ChainError> {
        let heights: Vec<u32> = BTreeSet::from_iter(heights).into_iter().collect();
        let calls: Vec<Call> = heights
            .iter()
            .map(|height| Call::new("blockchain.block.header", json!([height])))
            .collect();
        let read = |index: usize, reply| {
            let hex: String = self.server.result(reply)?;
            let header = read_header(&self.server.service, &hex)?;
            Ok((heights[index], header.block_hash()))
        };
        let hashes = self.server.exchange(&calls, SMALL_ANSWER, read).await?;
        Ok(hashes.into_iter().collect())
    }
}

/// Reads a header in hex.
pub(super) fn read_header(service: &Service, hex: &str) -> Result<Header, ChainError> {
    let bytes = hex::decode(hex).map_err(|_| service.invalid("a header not in hex"))?;
    header(service, &bytes)
}

/// A header whose hash meets the target that it claims: no more than that it was mined at all.
fn header(service: &Service, bytes: &[u8]) -> Result<Header, ChainError> {
    consensus::deserialize(bytes)
        .ok()
        .filter(|header: &Header| header.validate_pow(header.target()).is_ok())
        .ok_or_else(|| service.invalid("a header that is none"))
}

/// Median time past of the last of these blocks, unix seconds.
pub(super) fn median_time(headers: &[Header]) -> i64 {
    let mut times: Vec<u32> = headers.iter().map(|header| header.time).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0).into()
}

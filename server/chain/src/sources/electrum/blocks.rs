//! Requests for headers of blocks.

use std::collections::{BTreeSet, HashMap};

use bitcoin::BlockHash;
use bitcoin::block::Header;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Electrum;
use super::headers::{header, headers};
use crate::ChainError;
use crate::json_rpc::Reply;
use crate::service::SMALL_ANSWER;

/// The result of `blockchain.block.headers`: the concatenated headers.
#[derive(Deserialize)]
struct HeadersAnswer {
    hex: String,
}

impl Electrum {
    /// The last `count` headers up to the one at `height`, fewer near the genesis block. Checks that each links to the previous one.
    pub(super) async fn headers_up_to(
        &self,
        height: u32,
        count: u32,
    ) -> Result<Vec<Header>, ChainError> {
        let end = height.saturating_add(1);
        let first = end.saturating_sub(count);
        let count = end - first;
        let read = |reply: Reply<'_>| self.service.result(reply);
        let method = "blockchain.block.headers";
        let answer = self.one(method, json!([first, count]), SMALL_ANSWER, read);
        let answer: HeadersAnswer = answer.await?;
        let headers = headers(&self.service, &answer.hex)?;
        if headers.len() != count as usize {
            let reason = "another number of headers than asked for";
            return Err(self.service.invalid(reason));
        }
        let linked = headers
            .windows(2)
            .all(|pair| pair[1].prev_blockhash == pair[0].block_hash());
        if !linked {
            let reason = "headers that do not follow each other";
            return Err(self.service.invalid(reason));
        }
        Ok(headers)
    }

    /// As [`headers_up_to`](Self::headers_up_to), for the height of `block`, which must be the last of them.
    pub(super) async fn headers_to(
        &self,
        block: BlockHash,
        height: u32,
        count: u32,
    ) -> Result<Vec<Header>, ChainError> {
        let headers = self.headers_up_to(height, count).await?;
        match headers.last().is_some_and(|it| it.block_hash() == block) {
            true => Ok(headers),
            false => Err(self
                .service
                .unreachable(format!("it does not know the block {block}"))),
        }
    }

    /// Hashes of the blocks at these heights.
    pub(super) async fn block_hashes(
        &self,
        heights: BTreeSet<u32>,
    ) -> Result<HashMap<u32, BlockHash>, ChainError> {
        let params: Vec<Value> = heights.iter().map(|height| json!([height])).collect();
        let read = |_, reply: Reply<'_>| {
            let hex: String = self.service.result(reply)?;
            Ok(header(&self.service, &hex)?.block_hash())
        };
        let hashes = self
            .each("blockchain.block.header", &params, SMALL_ANSWER, read)
            .await?;
        Ok(heights.into_iter().zip(hashes).collect())
    }
}

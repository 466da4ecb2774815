//! Block headers, from which the server's statements about blocks are recomputed.

use bitcoin::block::Header;
use bitcoin::consensus;

use crate::ChainError;
use crate::service::Service;

/// The number of blocks in the median time past (BIP-0113).
pub(super) const MEDIAN_SPAN: u32 = 11;

const HEADER_BYTES: usize = 80;

/// Reads a header in hex.
pub(super) fn header(service: &Service, hex: &str) -> Result<Header, ChainError> {
    match *headers(service, hex)? {
        [header] => Ok(header),
        _ => Err(service.invalid("a header that is none")),
    }
}

/// Decodes headers and checks their proof of work against the targets that they state: only that they were mined at all.
pub(super) fn headers(service: &Service, hex: &str) -> Result<Vec<Header>, ChainError> {
    let bytes = hex::decode(hex).map_err(|_| service.invalid("headers not in hex"))?;
    let mined = |header: &Header| header.validate_pow(header.target()).is_ok();
    bytes
        .chunks(HEADER_BYTES)
        .map(|bytes| consensus::deserialize(bytes).ok().filter(mined))
        .collect::<Option<_>>()
        .ok_or_else(|| service.invalid("a header that is none"))
}

/// Median time past of the last of these blocks, unix seconds.
pub(super) fn median_time(headers: &[Header]) -> i64 {
    let mut times: Vec<u32> = headers.iter().map(|header| header.time).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0).into()
}

//! What Bitcoin makes of SHA-256 and RIPEMD-160, and the txids of many transactions at once.

pub(crate) mod txid;

use bitcoin_hashes::{Hash, ripemd160 as ripemd160s};
use sha2::{Digest, Sha256};

/// Engines of WebAssembly replace a function by a quicker one when it is called again, not while it runs.
const PORTION: usize = 4096;

/// SHA-256 of what the pieces make together.
#[inline(never)]
pub(crate) fn sha256(pieces: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for portion in pieces.iter().flat_map(|piece| piece.chunks(PORTION)) {
        hash.update(portion);
    }
    hash.finalize().into()
}

/// SHA-256 of the SHA-256 of what the pieces make together.
pub(crate) fn sha256d(pieces: &[&[u8]]) -> [u8; 32] {
    sha256(&[&sha256(pieces)])
}

pub(crate) fn ripemd160(bytes: &[u8]) -> [u8; 20] {
    ripemd160s::Hash::hash(bytes).to_byte_array()
}

/// RIPEMD-160 of the SHA-256.
pub(crate) fn hash160(bytes: &[u8]) -> [u8; 20] {
    ripemd160(&sha256(&[bytes]))
}

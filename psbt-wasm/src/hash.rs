//! What Bitcoin makes of SHA-256 and RIPEMD-160, and the txids of many transactions at once.

pub(crate) mod txid;

use bitcoin_hashes::{
    Hash, HashEngine, hash160 as hash160s, ripemd160 as ripemd160s, sha256 as sha256s,
};

/// SHA-256 of what the pieces make together.
#[inline(never)]
pub(crate) fn sha256(pieces: &[&[u8]]) -> [u8; 32] {
    let mut engine = sha256s::Hash::engine();
    for piece in pieces {
        engine.input(piece);
    }
    sha256s::Hash::from_engine(engine).to_byte_array()
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
    hash160s::Hash::hash(bytes).to_byte_array()
}

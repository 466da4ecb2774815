//! `readerStatement`.

use alloc::vec::Vec;

use super::frames::{read_array, read_text};
use crate::read::cursor::Cursor;
use crate::statement::{CoinNetwork, Person, block_hash};
use crate::{Error, Fault};

/// The statement for a reader, from the network, words, name, nonce and the header of the block.
pub(in crate::wasm) fn statement(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let network = CoinNetwork::from_name(read_text(&mut cursor)?);
    let network = network.ok_or(Fault::Invalid("network"))?;
    let (words, name) = (read_text(&mut cursor)?, read_text(&mut cursor)?);
    let (nonce, header) = (read_array(&mut cursor)?, read_array(&mut cursor)?);
    let line = Person::for_reader(network, words, name).statement(name, nonce, &block_hash(header));
    let line = line.map_err(|_| Fault::Invalid("statement"))?;
    Ok(line.into_bytes())
}

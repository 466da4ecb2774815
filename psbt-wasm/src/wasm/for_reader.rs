//! `readerStatement` and `extract`.

use alloc::string::String;

use super::frames::{read_array, read_text};
use crate::read::cursor::Cursor;
use crate::statement::{Person, block_hash};
use crate::{Error, Fault};

/// The statement for a reader, from words, name, nonce and the header of the block.
pub(super) fn statement(frames: &[u8]) -> Result<String, Error> {
    let mut cursor = Cursor::new(frames);
    let (words, name) = (read_text(&mut cursor)?, read_text(&mut cursor)?);
    let (nonce, header) = (read_array(&mut cursor)?, read_array(&mut cursor)?);
    let line = Person::for_reader(words, name).statement(name, nonce, &block_hash(header));
    line.map_err(|_| Fault::Invalid("statement").into())
}

#[cfg(psbt_wasm_package)]
mod exports {
    use alloc::{string::String, vec::Vec};

    use super::statement;
    use crate::extract;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_name = readerStatement)]
    pub fn reader_statement(frames: Vec<u8>) {
        answer(Kind::Bytes, statement(&frames).map(String::into_bytes));
    }

    #[wasm_bindgen(js_name = extract)]
    pub fn extract_transaction(bytes: Vec<u8>) {
        answer(Kind::Bytes, extract(&bytes));
    }
}

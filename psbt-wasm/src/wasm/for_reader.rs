//! `readerStatement` and `extract`.

use alloc::{string::String, vec::Vec};

use crate::read::cursor::Cursor;
use crate::statement::Person;
use crate::{Dated, Error, Fault, extract};

/// The statement for a reader. The frames are words, name, nonce and header, as `framed` of `js/made.js` writes them.
pub(super) fn statement(frames: &[u8]) -> Result<String, Error> {
    let mut cursor = Cursor::new(frames);
    let mut next = || {
        let length = u32::from_le_bytes(*cursor.array()?);
        cursor.take(usize::try_from(length).unwrap_or(usize::MAX))
    };
    let (words, name, nonce, header) = (next()?, next()?, next()?, next()?);
    let text = |bytes| core::str::from_utf8(bytes).map_err(|_| Fault::Invalid("text"));
    let (words, name) = (text(words)?, text(name)?);
    let nonce = nonce.try_into().map_err(|_| Fault::Invalid("nonce"))?;
    let header = header.try_into().map_err(|_| Fault::Invalid("header"))?;
    let hash = Dated { name, header }.hash();
    let line = Person::for_reader(words, name).statement(name, nonce, &hash);
    line.map_err(|_| Fault::Invalid("statement").into())
}

/// The final transaction of a signed file.
pub(super) fn extracted(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    extract(bytes)
}

#[cfg(psbt_wasm_package)]
mod exports {
    use alloc::{string::String, vec::Vec};

    use super::{extracted, statement};
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_name = readerStatement)]
    pub fn reader_statement(frames: Vec<u8>) {
        answer(Kind::Bytes, statement(&frames).map(String::into_bytes));
    }

    #[wasm_bindgen(js_name = extract)]
    pub fn extract_transaction(bytes: Vec<u8>) {
        answer(Kind::Bytes, extracted(&bytes));
    }
}

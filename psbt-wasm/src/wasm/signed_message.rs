//! `verifyMessage`. Address, message and signature cross the boundary one after the other, each after its length; the answer is JSON text.

use alloc::{format, string::String};

use super::signatures::quoted;
use crate::read::cursor::Cursor;
use crate::{Error, Fault, MessageReason, verify_message};

/// The frames are as `framed` of `js/made.js` writes them.
pub(super) fn verified(frames: &[u8]) -> Result<String, Error> {
    let mut cursor = Cursor::new(frames);
    let mut next = || {
        let length = u32::from_le_bytes(*cursor.array()?);
        cursor.take(usize::try_from(length).unwrap_or(usize::MAX))
    };
    let (address, message, signature) = (next()?, next()?, next()?);
    let text = |bytes| core::str::from_utf8(bytes).map_err(|_| Fault::Invalid("text"));
    let check = verify_message(text(address)?, message, text(signature)?);
    Ok(format!(
        r#"{{"status":{},"reason":{},"message":{},"format":{},"loose":{},"lockTime":{},"sequence":{},"lineEndings":{}}}"#,
        quoted(Some(check.status.into())),
        quoted(check.reason.map(MessageReason::code)),
        quoted(check.reason.map(MessageReason::message)),
        quoted(check.format.map(Into::into)),
        check.loose,
        check.lock_time,
        check.sequence,
        quoted(check.line_endings.map(Into::into)),
    ))
}

#[cfg(psbt_wasm_package)]
mod exports {
    use alloc::{string::String, vec::Vec};

    use super::verified;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_name = verifyMessage)]
    pub fn verify(frames: Vec<u8>) {
        answer(Kind::Bytes, verified(&frames).map(String::into_bytes));
    }
}

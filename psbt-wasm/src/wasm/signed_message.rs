//! `verifyMessage`. Address, message and signature cross the boundary one after the other, each after its length; the answer is JSON text.

use alloc::{format, string::String};

use super::frames::{framed, framed_text};
use super::signatures::quoted;
use crate::read::cursor::Cursor;
use crate::{Error, MessageReason, verify_message};

/// What is known of a signed message, as JSON text.
pub(super) fn verified(frames: &[u8]) -> Result<String, Error> {
    let mut cursor = Cursor::new(frames);
    let address = framed_text(&mut cursor)?;
    let message = framed(&mut cursor)?;
    let check = verify_message(address, message, framed_text(&mut cursor)?);
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

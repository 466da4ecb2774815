//! `verifyMessage`. Address, message and signature cross the boundary as frames, the result as JSON text.

use alloc::{format, string::String};

use super::frames::{read, read_text};
use super::json::text_or_null;
use crate::read::cursor::Cursor;
use crate::{Error, MessageReason, verify_message};

/// What is known of a signed message, as JSON text.
pub(super) fn verified(frames: &[u8]) -> Result<String, Error> {
    let mut cursor = Cursor::new(frames);
    let address = read_text(&mut cursor)?;
    let message = read(&mut cursor)?;
    let check = verify_message(address, message, read_text(&mut cursor)?);
    Ok(format!(
        r#"{{"status":"{}","reason":{},"message":{},"format":{},"loose":{},"lockTime":{},"sequence":{},"lineEndings":{}}}"#,
        <&str>::from(check.status),
        text_or_null(check.reason.map(MessageReason::code)),
        text_or_null(check.reason.map(MessageReason::message)),
        text_or_null(check.format.map(Into::into)),
        check.loose,
        check.lock_time,
        check.sequence,
        text_or_null(check.line_endings.map(Into::into)),
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

//! `verifyMessage`. Address, message and signature cross the boundary as frames, the result as JSON text.

use alloc::{format, vec::Vec};

use super::frames::{read, read_text};
use super::json::text_or_null;
use crate::read::cursor::Cursor;
use crate::{Error, MessageReason, verify_message};

/// What is known of a signed message, as JSON text.
pub(in crate::wasm) fn verified(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let address = read_text(&mut cursor)?;
    let message = read(&mut cursor)?;
    let check = verify_message(address, message, read_text(&mut cursor)?);
    let json = format!(
        r#"{{"status":"{}","reason":{},"message":{},"format":{},"loose":{},"lockTime":{},"sequence":{},"lineEndings":{}}}"#,
        <&str>::from(check.status),
        text_or_null(check.reason.map(MessageReason::code)),
        text_or_null(check.reason.map(MessageReason::message)),
        text_or_null(check.format.map(Into::into)),
        check.loose,
        check.lock_time,
        check.sequence,
        text_or_null(check.line_endings.map(Into::into)),
    );
    Ok(json.into_bytes())
}

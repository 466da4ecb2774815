//! `verifyMessage`. Address, message, signature, and the message in two normal forms cross the boundary as frames, the result as JSON text.

use alloc::{format, vec::Vec};

use bitcoin::consensus::deserialize;
use bitcoin::{Amount, OutPoint, TxOut};

use super::frames::{read, read_text};
use super::json::text_or_null;
use crate::read::cursor::Cursor;
use crate::{Error, Fault, MessageOptions, MessageReason, OtherText, verify_message_with};

/// Outpoint, value and script, as `js/message.js` encodes a coin.
fn coin(encoded: &[u8]) -> Result<(OutPoint, TxOut), Error> {
    let mut cursor = Cursor::new(encoded);
    let outpoint = deserialize(cursor.take(36)?).map_err(|_| Fault::Truncated)?;
    let coin = TxOut {
        value: Amount::from_sat(u64::from_le_bytes(*cursor.array()?)),
        script_pubkey: cursor.rest().to_vec().into(),
    };
    Ok((outpoint, coin))
}

/// What is known of a signed message, as JSON text.
pub(in crate::wasm) fn verified(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let address = read_text(&mut cursor)?;
    let message = read(&mut cursor)?;
    let signature = read_text(&mut cursor)?;
    let forms = [read(&mut cursor)?, read(&mut cursor)?];
    let mut coins = Vec::new();
    while cursor.remaining() > 0 {
        coins.push(coin(read(&mut cursor)?)?);
    }
    let is_normalized = forms.iter().any(|form| !form.is_empty());
    let options = MessageOptions {
        forms: is_normalized.then_some(forms),
        coins: &coins,
    };
    let check = verify_message_with(address, message, signature, &options);
    let json = format!(
        r#"{{"status":"{}","reason":{},"message":{},"format":{},"loose":{},"lockTime":{},"sequence":{},"amountSats":"{}","lineEndings":{},"otherText":{}}}"#,
        <&str>::from(check.status),
        text_or_null(check.reason.map(MessageReason::code)),
        text_or_null(check.message()),
        text_or_null(check.format.map(Into::into)),
        check.loose,
        check.lock_time,
        check.sequence,
        check.amount_sats,
        text_or_null(check.line_endings.map(Into::into)),
        text_or_null(check.other_text.map(OtherText::name)),
    );
    Ok(json.into_bytes())
}

//! `checkProof`. What is known of the proof crosses the boundary as JSON text, before the PSBT that the reader of the first module
//! shows.

use alloc::{format, string::String, vec::Vec};

use super::signatures::{Running, members, quoted};
use crate::proof::ProofChecks;
use crate::read::cursor::Cursor;
use crate::statement::Person;
use crate::{Carrier, Dated, Error, Fault, ProofCheck, ProofFault, PublishedCoin, PublishedProof};

/// A published proof as `js/proof.js` writes it. Texts and scripts come after their length in 4 bytes, little endian.
pub(super) fn running(published: &[u8], max_checks: u32) -> Result<Running, Error> {
    let mut cursor = Cursor::new(published);
    let [is_message] = *cursor.array()?;
    let nonce = *cursor.array()?;
    let [is_dated] = *cursor.array()?;
    let header = (is_dated == 1).then(|| cursor.array()).transpose()?;
    let mut texts = [""; 7];
    for text in &mut texts {
        let bytes = framed(&mut cursor)?;
        *text = core::str::from_utf8(bytes).map_err(|_| Fault::Invalid("text"))?;
    }
    let [asked, origin, provider, subject, account, statement, name] = texts;
    let transaction = framed(&mut cursor)?;
    let mut coins = Vec::new();
    while cursor.remaining() > 0 {
        coins.push(PublishedCoin {
            outpoint: cursor.array()?,
            value: u64::from_le_bytes(*cursor.array()?),
            script: framed(&mut cursor)?,
        });
    }
    let carrier = if is_message == 1 {
        Carrier::Message
    } else {
        Carrier::Transaction
    };
    let proof = PublishedProof {
        person: Person {
            origin,
            provider,
            subject,
            account,
        },
        nonce,
        dated: header.map(|header| Dated { name, header }),
        statement,
        carrier,
        transaction,
        coins,
    };
    let checks = ProofChecks::new(&proof, asked, max_checks)?;
    Ok(Running::Proof(checks))
}

#[inline(never)]
fn framed<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], Fault> {
    let length = u32::from_le_bytes(*cursor.array()?);
    cursor.take(usize::try_from(length).unwrap_or(usize::MAX))
}

/// The length of the JSON text in 4 bytes, little endian, the text, and the file.
pub(super) fn packed(check: &ProofCheck) -> Vec<u8> {
    let fault = |fault: Option<ProofFault>| quoted(fault.map(ProofFault::code));
    // The amount is text, because it may be above what a number in JSON can be in JavaScript.
    let block = check.block.map_or("null".into(), |(hash, time)| {
        format!(r#"{{"hash":"{}","time":{time}}}"#, hex(hash))
    });
    let json = format!(
        r#"{{"statement":{},"carrier":{},"block":{block},"amountSats":"{}",{}"#,
        fault(check.statement),
        fault(check.carrier),
        check.amount_sats,
        members(&check.signatures, check.is_complete())
    );
    let length = u32::try_from(json.len()).unwrap_or_default();
    [&length.to_le_bytes(), json.as_bytes(), &check.psbt].concat()
}

/// A hash as people write it.
fn hex(mut hash: [u8; 32]) -> String {
    hash.reverse();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(psbt_wasm_package)]
mod exports {
    use super::running;
    use crate::wasm::signatures::exports::begin;
    use wasm_bindgen::prelude::*;

    /// Begins, as `checkSignatures` does.
    #[wasm_bindgen(js_name = checkProof)]
    pub fn check(published: Vec<u8>, max_checks: u32) {
        begin(|| running(&published, max_checks));
    }
}

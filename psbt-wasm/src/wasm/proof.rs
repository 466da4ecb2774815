//! `checkProof`. What is known of the proof crosses the boundary as JSON text, before the PSBT that the reader of the first module
//! shows.

use alloc::{format, string::String, vec::Vec};

use super::frames::{framed, framed_text, packed};
use super::signatures::{Running, members, quoted};
use crate::proof::ProofChecks;
use crate::read::cursor::Cursor;
use crate::statement::Person;
use crate::{Carrier, Dated, Error, ProofCheck, ProofFault, PublishedCoin, PublishedProof};

/// A published proof as `js/proof.js` writes it. Texts and scripts come after their length in 4 bytes, little endian.
pub(super) fn running(published: &[u8], max_checks: u32) -> Result<Running, Error> {
    let mut cursor = Cursor::new(published);
    let [is_message] = *cursor.array()?;
    let nonce = *cursor.array()?;
    let [is_dated] = *cursor.array()?;
    let header = (is_dated == 1).then(|| cursor.array()).transpose()?;
    let mut texts = [""; 7];
    for text in &mut texts {
        *text = framed_text(&mut cursor)?;
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

/// The length of the JSON text in 4 bytes, little endian, the text, and the file.
pub(super) fn packed_check(check: &ProofCheck) -> Vec<u8> {
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
    packed(&json, &check.psbt)
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

//! `checkProof`. The result crosses the boundary as JSON text before the PSBT, which the first module reads.

use alloc::{format, vec::Vec};

use bitcoin::hex::DisplayHex;

use super::frames::{pack, read, read_array, read_text};
use super::json::{OrNull, text_or_null};
use super::signatures::Members;
use crate::proof::ProofChecks;
use crate::read::cursor::Cursor;
use crate::statement::Person;
use crate::{Carrier, Dated, Error, Fault, ProofCheck, ProofFault, PublishedCoin, PublishedProof};

/// The check of a published proof, as `js/proof.js` encodes it.
pub(super) fn checks(published: &[u8], max_checks: u32) -> Result<ProofChecks, Error> {
    let mut cursor = Cursor::new(published);
    let mut texts = [""; 8];
    for text in &mut texts {
        *text = read_text(&mut cursor)?;
    }
    let [
        asked,
        origin,
        provider,
        subject,
        account,
        statement,
        name,
        carrier,
    ] = texts;
    let nonce = *read_array(&mut cursor)?;
    let dated = match read(&mut cursor)? {
        [] => None,
        header => Some(Dated {
            name,
            header: header.try_into().map_err(|_| Fault::Invalid("header"))?,
        }),
    };
    let transaction = read(&mut cursor)?;
    let mut coins = Vec::new();
    while cursor.remaining() > 0 {
        let mut coin = Cursor::new(read(&mut cursor)?);
        coins.push(PublishedCoin {
            outpoint: coin.array()?,
            value: u64::from_le_bytes(*coin.array()?),
            script: coin.rest(),
        });
    }
    let carrier = if carrier == Carrier::Message.as_str() {
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
        dated,
        statement,
        carrier,
        transaction,
        coins,
    };
    ProofChecks::new(&proof, asked, max_checks)
}

/// JSON text and the PSBT. The amount is text, because it may be above what a number in JSON can be in JavaScript.
pub(super) fn packed(check: &ProofCheck) -> Vec<u8> {
    let code = |fault: Option<ProofFault>| text_or_null(fault.map(ProofFault::code));
    let block = check.block.map(|(mut hash, time)| {
        hash.reverse();
        format!(r#"{{"hash":"{}","time":{time}}}"#, hash.as_hex())
    });
    let json = format!(
        r#"{{"statement":{},"carrier":{},"block":{},"amountSats":"{}",{}}}"#,
        code(check.statement),
        code(check.carrier),
        OrNull(block),
        check.amount_sats,
        Members(&check.signatures, check.is_complete())
    );
    pack(&json, &check.psbt)
}

//! `readProof` and `checkProof`. The result crosses the boundary as JSON text before the PSBT, which the first module reads.

use alloc::{format, vec::Vec};
use core::fmt::{self, Formatter};

use bitcoin::hex::DisplayHex;

use super::frames::{pack, read, read_text};
use super::json::{List, OrNull, text_or_null};
use super::signatures::Members;
use crate::proof::ProofChecks;
use crate::read::cursor::Cursor;
use crate::{Error, FurtherFault, ProofCheck, ProofDocument, ProofFault, SpendingConditions};

/// The check of a proof file. The frames are the origin of the board that was asked, and the file.
pub(super) fn checks(frames: &[u8], max_checks: u32) -> Result<ProofChecks, Error> {
    let mut cursor = Cursor::new(frames);
    let asked = read_text(&mut cursor)?;
    let document = ProofDocument::read(read(&mut cursor)?)?;
    ProofChecks::new(&document.proof(), asked, max_checks)
}

/// Refuses what is no proof file. JavaScript then parses the text: it can be read in one way only.
pub(in crate::wasm) fn accept(file: &[u8]) -> Result<Vec<u8>, Error> {
    ProofDocument::read(file)?;
    Ok(Vec::new())
}

/// JSON text and the PSBT. The amount is text, because it may be above what a number in JSON can be in JavaScript.
pub(super) fn packed(check: &ProofCheck) -> Vec<u8> {
    let code = |fault: Option<ProofFault>| text_or_null(fault.map(ProofFault::code));
    let (mut hash, time) = check.block;
    hash.reverse();
    let json = format!(
        r#"{{"statement":{},"carrier":{},"block":{{"hash":"{}","time":{time}}},"transactionSha256":"{}","previousOutputsSha256":"{}","amountSats":"{}","further":{},"conditions":{},{}}}"#,
        code(check.statement),
        code(check.carrier),
        hash.as_hex(),
        check.transaction_hash.as_hex(),
        check.outputs_hash.as_hex(),
        check.amount_sats,
        text_or_null(check.further.map(FurtherFault::code)),
        List(&check.conditions, conditions),
        Members(&check.signatures, check.is_complete())
    );
    pack(&json, &check.psbt)
}

fn conditions(conditions: &Option<SpendingConditions>, f: &mut Formatter<'_>) -> fmt::Result {
    let Some(conditions) = conditions else {
        return f.write_str("null");
    };
    write!(
        f,
        r#"{{"needed":{},"of":{},"signed":{},"lockTime":{},"sequence":{},"hidden":{}}}"#,
        conditions.needed,
        conditions.of,
        List(&conditions.signed, |place, f| write!(f, "{place}")),
        OrNull(conditions.lock_time),
        OrNull(conditions.sequence),
        conditions.hidden
    )
}

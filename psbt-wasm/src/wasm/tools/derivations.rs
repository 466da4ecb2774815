//! `derivations`, whose result crosses the boundary as JSON text.

use alloc::{format, vec::Vec};
use core::fmt::{self, Display, Formatter};

use bitcoin::hex::DisplayHex;

use super::json::List;
use crate::{Derivation, Error, derivations};

pub(in crate::wasm) fn listed(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let found = derivations(bytes)?;
    let json = format!(
        r#"{{"accounts":{},"inputs":{},"outputs":{},"truncated":{}}}"#,
        List(&found.accounts, derivation),
        List(&found.inputs, list),
        List(&found.outputs, list),
        found.is_cut
    );
    Ok(json.into_bytes())
}

#[allow(clippy::ptr_arg, reason = "lists write items of their own type")]
fn list(derivations: &Vec<Derivation>, f: &mut Formatter<'_>) -> fmt::Result {
    List(derivations, derivation).fmt(f)
}

fn derivation(derivation: &Derivation, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(r#"{"key":""#)?;
    match derivation.key.len() {
        78 => f.write_str(&base58ck::encode_check(&derivation.key))?,
        _ => derivation.key.as_hex().fmt(f)?,
    }
    let fingerprint = derivation.fingerprint.as_hex();
    write!(f, r#"","fingerprint":"{fingerprint}","path":"m"#)?;
    for step in &derivation.path {
        let hardened = if step >> 31 == 1 { "'" } else { "" };
        write!(f, "/{}{hardened}", step & 0x7fff_ffff)?;
    }
    let hashes = List(&derivation.leaf_hashes, |hash, f| {
        write!(f, r#""{}""#, hash.as_hex())
    });
    write!(f, r#"","leafHashes":{hashes}}}"#)
}

//! `inspect` and `recognize`. Their results cross the boundary as JSON text.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{self, Display, Formatter};

use bitcoin::hex::DisplayHex;

use super::json::{List, OrNull, Quoted, text_or_null};
use crate::inspect::inspect_binary;
use crate::{Error, InspectedField, Inspection, Map, Problem, Recognized, decode};

/// The fields and their problems.
pub(in crate::wasm) fn inspected(
    bytes: Vec<u8>,
    network: usize,
    whole: bool,
) -> Result<Vec<u8>, Error> {
    let found = inspect_binary(&decode(bytes)?, crate::wasm::network(network), whole);
    Ok(json(&found).into_bytes())
}

pub(in crate::wasm) fn recognized(bytes: &[u8]) -> Vec<u8> {
    let found = crate::recognize(bytes).map(|found: Recognized| {
        format!(
            r#"{{"kind":"{}","secret":{},"message":"{}"}}"#,
            found.code(),
            found.is_secret(),
            found.message()
        )
    });
    format!("{}", OrNull(found)).into_bytes()
}

fn json(found: &Inspection) -> String {
    format!(
        r#"{{"format":"{}","version":{},"encoding":"{}","fields":{},"truncated":{},"problems":{}}}"#,
        if found.psbt_version.is_some() {
            "psbt"
        } else {
            "transaction"
        },
        OrNull(found.psbt_version),
        found.encoding.name(),
        List(&found.fields, field),
        found.is_cut,
        List(&found.problems, problem)
    )
}

fn field(field: &InspectedField, f: &mut Formatter<'_>) -> fmt::Result {
    write!(
        f,
        r#"{{{},"type":{},"name":"{}","key":"{}","value":"{}","valueBytes":{},"decoded":{{"#,
        Place(Some(field.map)),
        OrNull(field.number),
        field.name,
        field.key_data.as_hex(),
        field.value.as_hex(),
        field.value_bytes
    )?;
    for (at, (name, value)) in field.decoded.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        write!(f, r#"{comma}"{name}":{}"#, Quoted(value))?;
    }
    f.write_str("}}")
}

fn problem(problem: &Problem, f: &mut Formatter<'_>) -> fmt::Result {
    write!(
        f,
        r#"{{"code":"{}",{},"field":{},"message":{}}}"#,
        problem.code,
        Place(problem.map),
        text_or_null(problem.field),
        Quoted(&problem.message)
    )
}

/// The map, and its position.
struct Place(Option<Map>);

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            r#""map":{},"index":{}"#,
            text_or_null(self.0.map(Map::name)),
            OrNull(self.0.and_then(Map::index))
        )
    }
}

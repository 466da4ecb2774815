use std::path::Path;

use strum::VariantNames;

use super::*;
use crate::{Encoding, Network, ScriptType, Signatures, UtxoSource, WarningCode};

/// Between these lines.
const START: &str = "// <layout>\n";
const END: &str = "// </layout>\n";

/// `UPDATE_FIXTURES=1 cargo test -p psbt-wasm` rewrites the constants.
#[test]
fn the_constants_of_the_javascript_half_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/report.js");
    let script = std::fs::read_to_string(&path).expect("the other half");
    let (before, rest) = script.split_once(START).expect("where they start");
    let (_, after) = rest.split_once(END).expect("where they end");
    let expected = [before, START, &constants(), END, after].concat();
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, &expected).expect("writable");
    }
    let script = std::fs::read_to_string(&path).expect("readable");
    assert!(script == expected, "run with UPDATE_FIXTURES=1");
}

fn constants() -> String {
    let mut text = String::new();
    for (row, columns, bytes) in ROWS {
        let row = row.to_uppercase();
        for (column, place) in *columns {
            let column = column.to_uppercase();
            text += &format!("const {row}_{column} = {place};\n");
        }
        text += &format!("const {row}_BYTES = {bytes};\n");
    }
    text += &list("ENCODINGS", Encoding::VARIANTS);
    text += &list("SCRIPT_TYPES", ScriptType::VARIANTS);
    text += &list("SOURCES", UtxoSource::VARIANTS);
    text += &list("SIGNATURES", Signatures::VARIANTS);
    text += &list("WARNINGS", WarningCode::VARIANTS);
    text += &list("NETWORKS", Network::VARIANTS);
    text
}

fn list(name: &str, words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    format!("const {name} = [{}];\n", words.join(", "))
}

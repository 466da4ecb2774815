//! Bitcoin Core's notation of scripts in its vectors (its `core_read.cpp`).

use bitcoin::opcodes::{Opcode, all};
use bitcoin::script::PushBytesBuf;

use super::*;

/// Numbers are pushed, `0x…` is raw bytes, `'…'` pushes text, and everything else is
/// the name of an opcode, with or without `OP_`.
pub(super) fn parse(script: &str) -> ScriptBuf {
    let mut bytes = Vec::new();
    for word in script.split_ascii_whitespace() {
        if let Some(hex) = word.strip_prefix("0x") {
            bytes.extend(hex::decode(hex).expect("hex"));
        } else if let Ok(number) = word.parse::<i64>() {
            bytes.extend(Builder::new().push_int(number).into_bytes());
        } else if let Some(text) = word.strip_prefix('\'') {
            let text = text.strip_suffix('\'').expect("a closing quote");
            let push = PushBytesBuf::try_from(text.as_bytes().to_vec()).expect("short");
            bytes.extend(Builder::new().push_slice(push).into_bytes());
        } else {
            bytes.push(opcode(word).to_u8());
        }
    }
    ScriptBuf::from_bytes(bytes)
}

fn opcode(word: &str) -> Opcode {
    let name = word.strip_prefix("OP_").unwrap_or(word);
    match name {
        "CHECKLOCKTIMEVERIFY" => all::OP_CLTV,
        "CHECKSEQUENCEVERIFY" => all::OP_CSV,
        name => {
            let name = format!("OP_{name}");
            let mut opcodes = [0x50].into_iter().chain(0x61..=0xb9).map(Opcode::from);
            let opcode = opcodes.find(|opcode| opcode.to_string() == name);
            opcode.unwrap_or_else(|| panic!("no opcode {name}"))
        }
    }
}

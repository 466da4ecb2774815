//! Scripts whose signatures can be counted: so many of these keys.

use crate::script::{Instruction, instructions, small_number};

/// So many of these keys, in the order of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template<'a> {
    pub(super) needed: usize,
    pub(super) keys: Vec<&'a [u8]>,
}

const CHECKSIG: u8 = 0xac;
const CHECKSIGVERIFY: u8 = 0xad;
const CHECKMULTISIG: u8 = 0xae;
const CHECKSIGADD: u8 = 0xba;
const NUMEQUAL: u8 = 0x9c;
const CODESEPARATOR: u8 = 0xab;

fn parsed(script: &[u8]) -> Option<Vec<Instruction<'_>>> {
    instructions(script).collect()
}

/// A legacy or witness script: one key, or m of n keys.
pub(super) fn of_script(script: &[u8]) -> Option<Template<'_>> {
    use Instruction::{Op, Push};
    let script = parsed(script)?;
    match &script[..] {
        [Push(key), Op(CHECKSIG)] if is_key(key) => Some(Template {
            needed: 1,
            keys: vec![key],
        }),
        [Op(m), keys @ .., Op(n), Op(CHECKMULTISIG)] => {
            let keys: Option<Vec<&[u8]>> = keys
                .iter()
                .map(|key| match key {
                    Push(key) if is_key(key) => Some(*key),
                    _ => None,
                })
                .collect();
            let (needed, keys) = (small_number(*m)?.into(), keys?);
            (usize::from(small_number(*n)?) == keys.len() && needed <= keys.len())
                .then_some(Template { needed, keys })
        }
        _ => None,
    }
}

/// A tapscript: one key, all of some keys, or m of n keys (BIP-0342, BIP-0387).
pub(super) fn of_leaf(script: &[u8]) -> Option<Template<'_>> {
    use Instruction::{Op, Push};
    let script = parsed(script)?;
    let (pairs, rest) = script.as_chunks::<2>();
    let mut keys = Vec::with_capacity(pairs.len());
    let mut opcodes = Vec::with_capacity(pairs.len());
    let mut end = None;
    for pair in pairs {
        match *pair {
            [Push(key), Op(opcode)] if key.len() == 32 && end.is_none() => {
                keys.push(key);
                opcodes.push(opcode);
            }
            [Op(m), Op(NUMEQUAL)] if end.is_none() => end = Some(usize::from(small_number(m)?)),
            _ => return None,
        }
    }
    let (last, others) = opcodes.split_last()?;
    let needed = match end {
        // Each but the last verifies.
        None if *last == CHECKSIG && others.iter().all(|opcode| *opcode == CHECKSIGVERIFY) => {
            keys.len()
        }
        // The first counts, and the others add to it.
        Some(needed)
            if opcodes[0] == CHECKSIG
                && opcodes[1..].iter().all(|opcode| *opcode == CHECKSIGADD)
                && needed <= keys.len() =>
        {
            needed
        }
        _ => return None,
    };
    rest.is_empty().then_some(Template { needed, keys })
}

/// Every key that a script pushes, and whether the script signs itself only in part.
pub(super) fn keys_in(script: &[u8], length: fn(usize) -> bool) -> (Vec<&[u8]>, bool) {
    let mut separated = false;
    let keys = instructions(script)
        .map_while(|instruction| instruction)
        .filter_map(|instruction| match instruction {
            Instruction::Push(bytes) if length(bytes.len()) => Some(bytes),
            Instruction::Op(CODESEPARATOR) => {
                separated = true;
                None
            }
            _ => None,
        })
        .collect();
    (keys, separated)
}

/// By its form.
pub(super) fn is_key(bytes: &[u8]) -> bool {
    matches!(
        (bytes.len(), bytes.first()),
        (33, Some(2 | 3)) | (65, Some(4))
    )
}

//! Scripts whose signatures can be counted: so many of these keys, perhaps after a relative lock.

use alloc::{vec, vec::Vec};

use crate::script::{Instruction, instructions, number, small_number};

/// So many of these keys, in the order of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template<'a> {
    pub(crate) needed: usize,
    pub(crate) keys: Vec<&'a [u8]>,
    /// Whether OP_CHECKMULTISIG takes an element before the signatures.
    pub(crate) is_multisig: bool,
    /// What the script asks of the input's sequence; 0 is nothing.
    pub(crate) lock: u32,
}

const VERIFY: u8 = 0x69;
const DROP: u8 = 0x75;
const CHECKSEQUENCEVERIFY: u8 = 0xb2;
const CHECKSIG: u8 = 0xac;
const CHECKSIGVERIFY: u8 = 0xad;
const CHECKMULTISIG: u8 = 0xae;
const CHECKSIGADD: u8 = 0xba;
const NUMEQUAL: u8 = 0x9c;
pub(crate) const CODESEPARATOR: u8 = 0xab;

/// The instructions of a script without the relative lock that it begins or ends with (BIP-0112), the lock or 0, and what is added to
/// the opcode of a check: before a lock at the end, the check verifies. None for a lock that has no meaning.
fn unlocked(script: &[u8]) -> Option<(Vec<Instruction<'_>>, u32, u8)> {
    use Instruction::Op;
    // Here and below things are pushed in loops, because collecting options makes the module that is downloaded larger: 0.3 kB in all
    // (Brotli).
    let mut parsed = Vec::new();
    for instruction in instructions(script) {
        parsed.push(instruction?);
    }
    // Bit 31 turns a lock off, and nothing verifies 0.
    let meant = |lock| number(lock).filter(|lock| (1..1 << 31).contains(lock));
    match parsed[..] {
        [lock, Op(CHECKSEQUENCEVERIFY), Op(DROP | VERIFY), ..] => {
            Some((parsed.split_off(3), meant(lock)?, 0))
        }
        [.., lock, Op(CHECKSEQUENCEVERIFY)] => {
            parsed.truncate(parsed.len() - 2);
            Some((parsed, meant(lock)?, 1))
        }
        _ => Some((parsed, 0, 0)),
    }
}

/// A legacy or witness script: one key, or m of n keys.
pub(crate) fn of_script(script: &[u8]) -> Option<Template<'_>> {
    use Instruction::{Op, Push};
    let (script, lock, verify) = unlocked(script)?;
    match &script[..] {
        [Push(key), Op(end)] if is_key(key) && *end == CHECKSIG + verify => Some(Template {
            needed: 1,
            keys: vec![key],
            is_multisig: false,
            lock,
        }),
        [m, named @ .., n, Op(end)] if *end == CHECKMULTISIG + verify => {
            let mut keys = Vec::with_capacity(named.len());
            for key in named {
                match key {
                    Push(key) if is_key(key) => keys.push(*key),
                    _ => return None,
                }
            }
            let needed = count(m)?;
            (count(n)? == keys.len() && needed <= keys.len()).then_some(Template {
                needed,
                keys,
                is_multisig: true,
                lock,
            })
        }
        _ => None,
    }
}

/// A number of signatures or keys: from 17 to 20, the most of a multisig, it is pushed as a byte.
fn count(instruction: &Instruction<'_>) -> Option<usize> {
    match instruction {
        Instruction::Op(opcode) => small_number(*opcode).map(usize::from),
        Instruction::Push([number @ 17..=20]) => Some((*number).into()),
        Instruction::Push(_) => None,
    }
}

/// A tapscript: one key, all of some keys, or m of n keys (BIP-0342, BIP-0387).
pub(crate) fn of_leaf(script: &[u8]) -> Option<Template<'_>> {
    use Instruction::{Op, Push};
    let (script, lock, verify) = unlocked(script)?;
    let pairs = script.chunks_exact(2);
    let is_even = pairs.remainder().is_empty();
    let mut keys = Vec::with_capacity(pairs.len());
    let mut opcodes = Vec::with_capacity(pairs.len());
    let mut end = None;
    for pair in pairs {
        match *pair {
            [Push(key), Op(opcode)] if key.len() == 32 && end.is_none() => {
                keys.push(key);
                opcodes.push(opcode);
            }
            [Op(m), Op(opcode)] if opcode == NUMEQUAL + verify && end.is_none() => {
                end = Some(usize::from(small_number(m)?));
            }
            _ => return None,
        }
    }
    let (last, others) = opcodes.split_last()?;
    let needed = match end {
        // Each but the last verifies.
        None if *last == CHECKSIG + verify
            && others.iter().all(|opcode| *opcode == CHECKSIGVERIFY) =>
        {
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
    is_even.then_some(Template {
        needed,
        keys,
        is_multisig: false,
        lock,
    })
}

/// Every key that a script pushes, and whether the script signs itself only in part.
pub(super) fn keys_in(script: &[u8], length: fn(usize) -> bool) -> (Vec<&[u8]>, bool) {
    let mut separated = false;
    let mut keys = Vec::new();
    for instruction in instructions(script).flatten() {
        match instruction {
            Instruction::Push(bytes) if length(bytes.len()) => keys.push(bytes),
            Instruction::Op(CODESEPARATOR) => separated = true,
            _ => {}
        }
    }
    (keys, separated)
}

/// By its form.
pub(super) fn is_key(bytes: &[u8]) -> bool {
    matches!(
        (bytes.len(), bytes.first()),
        (33, Some(2 | 3)) | (65, Some(4))
    )
}

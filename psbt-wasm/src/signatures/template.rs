//! Scripts whose signatures can be counted: m of n keys, perhaps with locks, or a choice between two keys.

use alloc::{vec, vec::Vec};

use crate::script::{Instruction, instructions, number, small_number};

/// What a script asks of the transaction; 0 is nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ScriptLocks {
    /// Of the input's sequence (BIP-0112).
    pub(crate) relative: u32,
    /// Of the lock time (BIP-0065).
    pub(crate) absolute: u32,
}

/// `needed` of these keys, in the order of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template<'a> {
    pub(crate) needed: usize,
    pub(crate) keys: Vec<&'a [u8]>,
    /// Whether OP_CHECKMULTISIG takes an element before the signatures.
    pub(crate) is_multisig: bool,
    pub(crate) locks: ScriptLocks,
}

const VERIFY: u8 = 0x69;
const DROP: u8 = 0x75;
const IF: u8 = 0x63;
const ELSE: u8 = 0x67;
const ENDIF: u8 = 0x68;
const CHECKLOCKTIMEVERIFY: u8 = 0xb1;
const CHECKSEQUENCEVERIFY: u8 = 0xb2;
const CHECKSIG: u8 = 0xac;
const CHECKSIGVERIFY: u8 = 0xad;
const CHECKMULTISIG: u8 = 0xae;
const CHECKSIGADD: u8 = 0xba;
const NUMEQUAL: u8 = 0x9c;
pub(crate) const CODESEPARATOR: u8 = 0xab;

fn parsed(script: &[u8]) -> Option<Vec<Instruction<'_>>> {
    // Here and below things are pushed in loops, because collecting options makes the module that is downloaded larger: 0.3 kB in all
    // (Brotli).
    let mut parsed = Vec::new();
    for instruction in instructions(script) {
        parsed.push(instruction?);
    }
    Some(parsed)
}

/// The instructions of a script without the locks that it begins or ends with (BIP-0065, BIP-0112), the locks, and what is added to
/// the opcode of a check: before a lock at the end, the check verifies. None for a lock that has no meaning.
fn unlocked(mut script: Vec<Instruction<'_>>) -> Option<(Vec<Instruction<'_>>, ScriptLocks, u8)> {
    use Instruction::Op;
    let mut locks = ScriptLocks::default();
    let mut verify = 0;
    while let [lock, Op(check), Op(DROP | VERIFY), ..] = script[..] {
        if !locks.take(lock, check)? {
            break;
        }
        script = script.split_off(3);
    }
    let ends_locked = match script[..] {
        [.., lock, Op(check)] => locks.take(lock, check)?,
        _ => false,
    };
    if ends_locked {
        script.truncate(script.len() - 2);
        verify = 1;
    }
    Some((script, locks, verify))
}

impl ScriptLocks {
    /// Takes a lock, if these instructions are one; none for one without a meaning, or a second one of its kind.
    fn take(&mut self, lock: Instruction<'_>, check: u8) -> Option<bool> {
        let (place, most) = match check {
            // Bit 31 turns a lock off, and nothing verifies 0.
            CHECKSEQUENCEVERIFY => (&mut self.relative, (1 << 31) - 1),
            CHECKLOCKTIMEVERIFY => (&mut self.absolute, u32::MAX),
            _ => return Some(false),
        };
        let lock = number(lock).filter(|lock| (1..=most).contains(lock))?;
        (*place == 0).then(|| *place = lock)?;
        Some(true)
    }
}

/// A script of two branches, each of one key with or without a lock before it, that end in one check:
/// `IF <key> ELSE <lock> CHECKSEQUENCEVERIFY DROP <key> ENDIF CHECKSIG`. The first is run when 1 is on top of the stack, the other
/// one when nothing is.
pub(crate) fn branches(script: &[u8], is_key: fn(&[u8]) -> bool) -> Option<[Template<'_>; 2]> {
    use Instruction::Op;
    let script = parsed(script)?;
    let [Op(IF), inner @ .., Op(ENDIF), Op(CHECKSIG)] = &script[..] else {
        return None;
    };
    let middle = inner
        .iter()
        .position(|instruction| *instruction == Op(ELSE))?;
    let first = of_branch(&inner[..middle], is_key)?;
    Some([first, of_branch(&inner[middle + 1..], is_key)?])
}

fn of_branch<'a>(script: &[Instruction<'a>], is_key: fn(&[u8]) -> bool) -> Option<Template<'a>> {
    let (script, locks, verify) = unlocked(script.to_vec())?;
    match script[..] {
        [Instruction::Push(key)] if verify == 0 && is_key(key) => Some(Template {
            needed: 1,
            keys: vec![key],
            is_multisig: false,
            locks,
        }),
        _ => None,
    }
}

/// A legacy or witness script: one key, or m of n keys.
pub(crate) fn of_script(script: &[u8]) -> Option<Template<'_>> {
    use Instruction::{Op, Push};
    let (script, locks, verify) = unlocked(parsed(script)?)?;
    match &script[..] {
        [Push(key), Op(end)] if is_key(key) && *end == CHECKSIG + verify => Some(Template {
            needed: 1,
            keys: vec![key],
            is_multisig: false,
            locks,
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
                locks,
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
    let (script, locks, verify) = unlocked(parsed(script)?)?;
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
        locks,
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

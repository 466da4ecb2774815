//! The kinds of output scripts that have names, and the instructions of scripts.

use crate::hash::hash160;
use crate::read::cursor::Cursor;

/// The kind of an output script. Nested segwit is recognized if the redeem script is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum ScriptType {
    /// Pay to public key.
    P2pk,
    /// Pay to public key hash.
    P2pkh,
    /// Pay to script hash (BIP-0016).
    P2sh,
    /// Pay to witness public key hash (BIP-0141).
    P2wpkh,
    /// Pay to witness script hash (BIP-0141).
    P2wsh,
    /// Pay to witness public key hash, nested in pay to script hash.
    P2shP2wpkh,
    /// Pay to witness script hash, nested in pay to script hash.
    P2shP2wsh,
    /// Pay to taproot (BIP-0341).
    P2tr,
    /// Bare multisig.
    P2ms,
    /// Data that nobody can spend.
    OpReturn,
    /// Pay to anchor: anyone can spend it.
    P2a,
    /// Anything else.
    Unknown,
}

crate::facts::names!(ScriptType: name);

/// OP_1 and the two bytes 0x4e73.
const PAY_TO_ANCHOR: &[u8] = &[0x51, 0x02, 0x4e, 0x73];

/// The kind of an output script.
pub(crate) fn kind(script: &[u8]) -> ScriptType {
    match script {
        [0x76, 0xa9, 0x14, .., 0x88, 0xac] if script.len() == 25 => ScriptType::P2pkh,
        [0xa9, 0x14, .., 0x87] if script.len() == 23 => ScriptType::P2sh,
        [0x00, 0x14, ..] if script.len() == 22 => ScriptType::P2wpkh,
        [0x00, 0x20, ..] if script.len() == 34 => ScriptType::P2wsh,
        [0x51, 0x20, ..] if script.len() == 34 => ScriptType::P2tr,
        [0x6a, ..] => ScriptType::OpReturn,
        [65, .., 0xac] if script.len() == 67 => ScriptType::P2pk,
        [33, .., 0xac] if script.len() == 35 => ScriptType::P2pk,
        _ if multisig(script).is_some() => ScriptType::P2ms,
        PAY_TO_ANCHOR => ScriptType::P2a,
        _ => ScriptType::Unknown,
    }
}

/// The kind of an output script that a PSBT input spends, nested segwit told apart by the redeem script or,
/// in a finalized input, by the end of the script signature.
pub(crate) fn kind_spent(
    script: &[u8],
    redeem: Option<&[u8]>,
    script_sig: Option<&[u8]>,
) -> ScriptType {
    let kind = kind(script);
    if kind != ScriptType::P2sh {
        return kind;
    }
    let Some(redeem) = redeem.or_else(|| last_push(script_sig?)) else {
        return kind;
    };
    // A redeem script that the output does not commit to says nothing.
    if hash160(redeem) != script[2..22] {
        return kind;
    }
    match self::kind(redeem) {
        ScriptType::P2wpkh => ScriptType::P2shP2wpkh,
        ScriptType::P2wsh => ScriptType::P2shP2wsh,
        _ => kind,
    }
}

/// What a script is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instruction<'a> {
    Push(&'a [u8]),
    Op(u8),
}

impl<'a> Instruction<'a> {
    /// What it pushes; none for an opcode.
    pub(crate) fn pushed(self) -> Option<&'a [u8]> {
        match self {
            Self::Push(bytes) => Some(bytes),
            Self::Op(_) => None,
        }
    }
}

/// The instructions of a script; the last is none when a push goes past the end.
pub(crate) fn instructions(script: &[u8]) -> impl Iterator<Item = Option<Instruction<'_>>> {
    let mut rest = Cursor::new(script);
    core::iter::from_fn(move || {
        if rest.remaining() == 0 {
            return None;
        }
        let instruction = instruction(&mut rest);
        if instruction.is_none() {
            rest = Cursor::new(&[]);
        }
        Some(instruction)
    })
}

fn instruction<'a>(rest: &mut Cursor<'a>) -> Option<Instruction<'a>> {
    let [opcode] = *rest.array().ok()?;
    let length = match opcode {
        0..=75 => u32::from(opcode),
        76 => u32::from(rest.array::<1>().ok()?[0]),
        77 => u32::from(u16::from_le_bytes(*rest.array().ok()?)),
        78 => u32::from_le_bytes(*rest.array().ok()?),
        _ => return Some(Instruction::Op(opcode)),
    };
    let length = usize::try_from(length).ok()?;
    Some(Instruction::Push(rest.take(length).ok()?))
}

/// The last instruction of a script, when it is a push.
pub(crate) fn last_push(script: &[u8]) -> Option<&[u8]> {
    instructions(script).last()??.pushed()
}

/// How many bytes the shortest push of an element has beside it.
pub(crate) fn push_prefix(length: usize) -> usize {
    match length {
        0..=75 => 1,
        76..=255 => 2,
        256..=0xffff => 3,
        _ => 5,
    }
}

/// The number that OP_1 to OP_16 push.
pub(crate) fn small_number(opcode: u8) -> Option<u8> {
    (0x51..=0x60).contains(&opcode).then(|| opcode - 0x50)
}

/// A number as scripts push it, if a lock can be as large.
pub(crate) fn number(instruction: Instruction<'_>) -> Option<u32> {
    match instruction {
        Instruction::Op(opcode) => small_number(opcode).map(u32::from),
        // Little endian; the last bit is the sign.
        Instruction::Push(bytes @ [.., 0..=0x7f]) if bytes.len() <= 5 => {
            let digits = bytes.iter().rev();
            let number = digits.fold(0, |number, byte| number << 8 | u64::from(*byte));
            u32::try_from(number).ok()
        }
        Instruction::Push(_) => None,
    }
}

/// How many signatures a bare multisig wants: m, n pushes, n, OP_CHECKMULTISIG.
pub(crate) fn multisig(script: &[u8]) -> Option<u8> {
    const CHECKMULTISIG: Instruction<'_> = Instruction::Op(0xae);
    let mut instructions = instructions(script);
    let Some(Instruction::Op(opcode)) = instructions.next()? else {
        return None;
    };
    let required = small_number(opcode)?;
    let mut keys = 0_u8;
    while let Some(Some(instruction)) = instructions.next() {
        match instruction {
            Instruction::Push(_) => keys = keys.wrapping_add(1),
            Instruction::Op(opcode) => {
                if small_number(opcode).is_some_and(|number| number != keys) {
                    return None;
                }
                break;
            }
        }
    }
    let ends = instructions.next() == Some(Some(CHECKMULTISIG)) && instructions.next().is_none();
    (required <= keys && ends).then_some(required)
}

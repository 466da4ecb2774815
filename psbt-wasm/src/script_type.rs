//! The kinds of output scripts that people have names for.

use bitcoin::psbt::Input;
use bitcoin::script::Instruction;
use bitcoin::{Script, ScriptBuf};

/// The kind of an output script, nested segwit told apart where the redeem script shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

impl ScriptType {
    /// The name that the JavaScript API uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::P2pk => "p2pk",
            Self::P2pkh => "p2pkh",
            Self::P2sh => "p2sh",
            Self::P2wpkh => "p2wpkh",
            Self::P2wsh => "p2wsh",
            Self::P2shP2wpkh => "p2sh-p2wpkh",
            Self::P2shP2wsh => "p2sh-p2wsh",
            Self::P2tr => "p2tr",
            Self::P2ms => "p2ms",
            Self::OpReturn => "op-return",
            Self::P2a => "p2a",
            Self::Unknown => "unknown",
        }
    }

    /// The kind of an output script.
    pub fn of(script: &Script) -> Self {
        match script {
            _ if script.is_p2pkh() => Self::P2pkh,
            _ if script.is_p2sh() => Self::P2sh,
            _ if script.is_p2wpkh() => Self::P2wpkh,
            _ if script.is_p2wsh() => Self::P2wsh,
            _ if script.is_p2tr() => Self::P2tr,
            _ if script.is_op_return() => Self::OpReturn,
            _ if script.is_p2pk() => Self::P2pk,
            _ if script.is_multisig() => Self::P2ms,
            _ if script.as_bytes() == PAY_TO_ANCHOR => Self::P2a,
            _ => Self::Unknown,
        }
    }

    /// The kind of the output script that a PSBT input spends.
    pub(crate) fn of_input(script: &Script, input: &Input) -> Self {
        match Self::of(script) {
            Self::P2sh => match redeem_script(input) {
                // A redeem script that the output does not commit to says nothing.
                Some(redeem) if *redeem.to_p2sh() != *script => Self::P2sh,
                Some(redeem) if redeem.is_p2wpkh() => Self::P2shP2wpkh,
                Some(redeem) if redeem.is_p2wsh() => Self::P2shP2wsh,
                _ => Self::P2sh,
            },
            other => other,
        }
    }
}

/// OP_1 and the two bytes 0x4e73.
const PAY_TO_ANCHOR: &[u8] = &[0x51, 0x02, 0x4e, 0x73];

/// The redeem script, which a finaliser moves from its own field to the end of the script signature.
fn redeem_script(input: &Input) -> Option<ScriptBuf> {
    input.redeem_script.clone().or_else(|| {
        match input.final_script_sig.as_ref()?.instructions().last()? {
            Ok(Instruction::PushBytes(bytes)) => Some(ScriptBuf::from(bytes.as_bytes().to_vec())),
            _ => None,
        }
    })
}

//! The kinds of scripts that the `bitcoin` crate has parsed.

use bitcoin::psbt::Input;
use bitcoin::script::Instruction;
use bitcoin::{Script, ScriptBuf};

use super::ScriptType;

impl ScriptType {
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

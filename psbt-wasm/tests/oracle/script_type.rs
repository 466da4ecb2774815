//! The kinds of scripts that the `bitcoin` crate has parsed.

use bitcoin::psbt::Input;
use bitcoin::script::Instruction;
use bitcoin::{Script, ScriptBuf};

use psbt_wasm::ScriptType;

/// The kind of an output script.
pub(super) fn of(script: &Script) -> ScriptType {
    match script {
        _ if script.is_p2pkh() => ScriptType::P2pkh,
        _ if script.is_p2sh() => ScriptType::P2sh,
        _ if script.is_p2wpkh() => ScriptType::P2wpkh,
        _ if script.is_p2wsh() => ScriptType::P2wsh,
        _ if script.is_p2tr() => ScriptType::P2tr,
        _ if script.is_op_return() => ScriptType::OpReturn,
        _ if script.is_p2pk() => ScriptType::P2pk,
        _ if script.is_multisig() => ScriptType::P2ms,
        _ if script.as_bytes() == PAY_TO_ANCHOR => ScriptType::P2a,
        _ => ScriptType::Unknown,
    }
}

/// The kind of the output script that a PSBT input spends.
pub(super) fn of_input(script: &Script, input: &Input) -> ScriptType {
    match of(script) {
        ScriptType::P2sh => match redeem_script(input) {
            // A redeem script that the output does not commit to says nothing.
            Some(redeem) if *redeem.to_p2sh() != *script => ScriptType::P2sh,
            Some(redeem) if redeem.is_p2wpkh() => ScriptType::P2shP2wpkh,
            Some(redeem) if redeem.is_p2wsh() => ScriptType::P2shP2wsh,
            _ => ScriptType::P2sh,
        },
        other => other,
    }
}

/// OP_1 and the two bytes 0x4e73.
const PAY_TO_ANCHOR: &[u8] = &[0x51, 0x02, 0x4e, 0x73];

/// The redeem script, which a finalizer moves from its own field to the end of the script signature.
fn redeem_script(input: &Input) -> Option<ScriptBuf> {
    input.redeem_script.clone().or_else(|| {
        match input.final_script_sig.as_ref()?.instructions().last()? {
            Ok(Instruction::PushBytes(bytes)) => Some(ScriptBuf::from(bytes.as_bytes().to_vec())),
            _ => None,
        }
    })
}

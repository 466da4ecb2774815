//! Scripts in their containers.

use bitcoin::key::XOnlyPublicKey;
use bitcoin::opcodes::OP_0;
use bitcoin::opcodes::all::{OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_NUMEQUAL};
use bitcoin::psbt::Input;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::taproot::{ControlBlock, LeafVersion, TapLeafHash, TaprootBuilder, TaprootSpendInfo};
use bitcoin::{Script, ScriptBuf, TxIn, Witness, taproot};

use super::{Key, Sighash, der, schnorr, with_secp};

/// BIP-0341: a point without a known secret key.
const NOBODY: [u8; 32] = [
    0x50, 0x92, 0x9b, 0x74, 0xc1, 0xa0, 0x49, 0x54, 0xb7, 0x8b, 0x4b, 0x60, 0x35, 0xe9, 0x7a, 0x5e,
    0x07, 0x8a, 0x5a, 0x0f, 0x28, 0xec, 0x96, 0xd5, 0x47, 0xbf, 0xee, 0x9a, 0xce, 0x80, 0x3a, 0xc0,
];

/// Pushes elements in their shortest encoding.
pub(crate) fn push_all(elements: &[Vec<u8>]) -> Builder {
    let mut script = Builder::new();
    for element in elements {
        script = match element.as_slice() {
            [] => script.push_opcode(OP_0),
            [number @ 1..=16] => script.push_int(i64::from(*number)),
            _ => script.push_slice(PushBytesBuf::try_from(element.clone()).expect("short")),
        };
    }
    script
}

/// Spends a P2SH coin: the elements, then the script.
pub(crate) fn in_p2sh(input: &mut TxIn, elements: &[Vec<u8>], script: &Script) {
    let script = PushBytesBuf::try_from(script.to_bytes()).expect("short");
    input.script_sig = push_all(elements).push_slice(script).into_script();
}

/// Spends a P2WSH coin: the elements, then the script.
pub(crate) fn in_p2wsh(input: &mut TxIn, elements: &[Vec<u8>], script: &Script) {
    let mut witness = Witness::from_slice(elements);
    witness.push(script);
    input.witness = witness;
}

/// A Schnorr signature in the encoding of scripts.
pub(super) fn schnorr_from(signature: &[u8]) -> taproot::Signature {
    taproot::Signature::from_slice(signature).expect("a signature")
}

/// The container of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Bare,
    Sh,
    Wsh,
    ShWsh,
    Leaf,
}

impl Container {
    pub(crate) const ALL: [Self; 5] = [Self::Bare, Self::Sh, Self::Wsh, Self::ShWsh, Self::Leaf];
    pub(crate) const WRAPPED: [Self; 4] = [Self::Sh, Self::Wsh, Self::ShWsh, Self::Leaf];
    /// The containers with ECDSA signatures.
    pub(crate) const ECDSA: [Self; 4] = [Self::Bare, Self::Sh, Self::Wsh, Self::ShWsh];

    pub(crate) fn script_pubkey(self, script: &Script) -> ScriptBuf {
        match self {
            Self::Bare => script.to_owned(),
            Self::Sh => script.to_p2sh(),
            Self::Wsh => script.to_p2wsh(),
            Self::ShWsh => script.to_p2wsh().to_p2sh(),
            Self::Leaf => Leaf::new(script.to_owned()).script_pubkey(),
        }
    }

    pub(crate) fn push_key(self, script: Builder, key: &Key) -> Builder {
        match self {
            Self::Leaf => script.push_x_only_key(&key.x_only()),
            _ => script.push_key(&key.public()),
        }
    }

    /// A script that two keys must sign.
    pub(crate) fn multisig(self, keys: &[Key; 2]) -> ScriptBuf {
        let push = |script, key: usize| self.push_key(script, &keys[key]);
        let script = if self == Self::Leaf {
            let first = push(Builder::new(), 0).push_opcode(OP_CHECKSIG);
            let both = push(first, 1).push_opcode(OP_CHECKSIGADD);
            both.push_int(2).push_opcode(OP_NUMEQUAL)
        } else {
            let keys = push(push(Builder::new().push_int(2), 0), 1);
            keys.push_int(2).push_opcode(OP_CHECKMULTISIG)
        };
        script.into_script()
    }

    /// The signature of `key` for this script.
    pub(crate) fn signature(self, sighash: &Sighash<'_>, script: &Script, key: &Key) -> Vec<u8> {
        match self {
            Self::Bare | Self::Sh => der(sighash.legacy(script), key, sighash.byte),
            Self::Wsh | Self::ShWsh => der(sighash.segwit(script), key, sighash.byte),
            Self::Leaf => schnorr(sighash.taproot(Some(script)), &key.0, sighash.byte),
        }
    }

    /// Spends it: the elements, then the script or what reveals it.
    pub(crate) fn place(self, input: &mut TxIn, elements: &[Vec<u8>], script: &Script) {
        match self {
            Self::Bare => input.script_sig = push_all(elements).into_script(),
            Self::Sh => in_p2sh(input, elements, script),
            Self::Wsh => in_p2wsh(input, elements, script),
            Self::ShWsh => {
                in_p2sh(input, &[], &script.to_p2wsh());
                in_p2wsh(input, elements, script);
            }
            Self::Leaf => Leaf::new(script.to_owned()).place(input, elements),
        }
    }
}

/// The only leaf of a Taproot output without a key path.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) script: ScriptBuf,
    version: LeafVersion,
}

impl Leaf {
    /// A tapscript (BIP-0342).
    pub(crate) fn new(script: ScriptBuf) -> Self {
        Self::of_version(script, LeafVersion::TapScript)
    }

    pub(crate) fn of_version(script: ScriptBuf, version: LeafVersion) -> Self {
        Self { script, version }
    }

    pub(crate) fn script_pubkey(&self) -> ScriptBuf {
        ScriptBuf::new_p2tr_tweaked(self.spend_info().output_key())
    }

    /// Spends it: the elements, then the leaf and its control block.
    pub(crate) fn place(&self, input: &mut TxIn, elements: &[Vec<u8>]) {
        let mut witness = Witness::from_slice(elements);
        witness.push(&self.script);
        witness.push(self.control_block());
        input.witness = witness;
    }

    /// A signature of `key` for it, as left by a wallet that does not finalize (BIP-0371).
    pub(crate) fn place_in_fields(&self, fields: &mut Input, key: &Key, signature: &[u8]) {
        let hash = TapLeafHash::from_script(&self.script, self.version);
        let control_block = ControlBlock::decode(&self.control_block()).expect("its own");
        fields.tap_script_sigs = [((key.x_only(), hash), schnorr_from(signature))].into();
        fields.tap_scripts = [(control_block, (self.script.clone(), self.version))].into();
    }

    pub(crate) fn control_block(&self) -> Vec<u8> {
        let leaf = (self.script.clone(), self.version);
        let control_block = self.spend_info().control_block(&leaf);
        control_block.expect("the leaf is there").serialize()
    }

    fn spend_info(&self) -> TaprootSpendInfo {
        let nobody = XOnlyPublicKey::from_slice(&NOBODY).expect("a point");
        let tree = TaprootBuilder::new()
            .add_leaf_with_ver(0, self.script.clone(), self.version)
            .expect("one leaf");
        with_secp(|secp| tree.finalize(secp, nobody)).expect("a whole tree")
    }
}

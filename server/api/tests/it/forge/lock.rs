//! Coins of one key, of every kind.

use bitcoin::key::TapTweak;
use bitcoin::opcodes::all::OP_CHECKSIG;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::{ScriptBuf, Transaction, TxIn, Witness};

use super::script::{Leaf, in_p2sh, in_p2wsh, p2sh, p2wsh};
use super::{Coin, Key, Sighash, der, schnorr, with_secp};

/// How a key locks a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    Pk,
    Pkh,
    ShPk,
    ShWpkh,
    Wpkh,
    WshPk,
    TrKey,
    TrLeaf,
}

impl Lock {
    pub(crate) const ALL: [Self; 8] = [
        Self::Pk,
        Self::Pkh,
        Self::ShPk,
        Self::ShWpkh,
        Self::Wpkh,
        Self::WshPk,
        Self::TrKey,
        Self::TrLeaf,
    ];

    pub(crate) fn is_taproot(self) -> bool {
        matches!(self, Self::TrKey | Self::TrLeaf)
    }

    pub(crate) fn is_legacy(self) -> bool {
        matches!(self, Self::Pk | Self::Pkh | Self::ShPk)
    }
}

/// One key and how it locks its coins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single {
    pub(crate) lock: Lock,
    pub(crate) key: Key,
}

impl Single {
    pub(crate) fn new(lock: Lock) -> Self {
        Self {
            lock,
            key: Key::random(),
        }
    }

    /// One of each kind.
    pub(crate) fn all() -> [Self; 8] {
        Lock::ALL.map(Self::new)
    }

    pub(crate) fn script_pubkey(&self) -> ScriptBuf {
        let key = self.key.public();
        match self.lock {
            Lock::Pk => self.check(),
            Lock::Pkh => ScriptBuf::new_p2pkh(&key.pubkey_hash()),
            Lock::ShPk => p2sh(&self.check()),
            Lock::ShWpkh => p2sh(&self.p2wpkh()),
            Lock::Wpkh => self.p2wpkh(),
            Lock::WshPk => p2wsh(&self.check()),
            Lock::TrKey => with_secp(|secp| ScriptBuf::new_p2tr(secp, self.key.x_only(), None)),
            Lock::TrLeaf => self.leaf().script_pubkey(),
        }
    }

    /// The signature of `input`, of the type `byte`.
    pub(crate) fn signature(
        &self,
        transaction: &Transaction,
        coins: &[Coin],
        input: usize,
        byte: u8,
    ) -> Vec<u8> {
        let sighash = Sighash {
            transaction,
            coins,
            input,
            byte,
        };
        let script_code = ScriptBuf::new_p2pkh(&self.key.public().pubkey_hash());
        match self.lock {
            Lock::Pk | Lock::ShPk => der(sighash.legacy(&self.check()), &self.key, byte),
            Lock::Pkh => der(sighash.legacy(&script_code), &self.key, byte),
            Lock::ShWpkh | Lock::Wpkh => der(sighash.segwit(&script_code), &self.key, byte),
            Lock::WshPk => der(sighash.segwit(&self.check()), &self.key, byte),
            Lock::TrKey => {
                let key = with_secp(|secp| self.key.0.tap_tweak(secp, None).to_keypair());
                schnorr(sighash.taproot(None), &key, byte)
            }
            Lock::TrLeaf => {
                let leaf = self.leaf().script;
                schnorr(sighash.taproot(Some(&leaf)), &self.key.0, byte)
            }
        }
    }

    /// Puts a signature, whatever it is, in its place.
    pub(crate) fn place(&self, input: &mut TxIn, signature: Vec<u8>) {
        let key = self.key.public().to_bytes();
        match self.lock {
            Lock::Pk => input.script_sig = script_sig(&[signature]),
            Lock::Pkh => input.script_sig = script_sig(&[signature, key]),
            Lock::ShPk => in_p2sh(input, &[signature], &self.check()),
            Lock::ShWpkh => {
                input.script_sig = script_sig(&[self.p2wpkh().into_bytes()]);
                input.witness = Witness::from_slice(&[signature, key]);
            }
            Lock::Wpkh => input.witness = Witness::from_slice(&[signature, key]),
            Lock::WshPk => in_p2wsh(input, &[signature], &self.check()),
            Lock::TrKey => input.witness = Witness::from_slice(&[signature]),
            Lock::TrLeaf => self.leaf().place(input, &[signature]),
        }
    }

    /// Signs `input` with a signature of the type `byte`.
    pub(crate) fn sign(
        &self,
        transaction: &mut Transaction,
        coins: &[Coin],
        input: usize,
        byte: u8,
    ) {
        let signature = self.signature(transaction, coins, input, byte);
        self.place(&mut transaction.input[input], signature);
    }

    fn p2wpkh(&self) -> ScriptBuf {
        let hash = self.key.public().wpubkey_hash();
        ScriptBuf::new_p2wpkh(&hash.expect("a compressed key"))
    }

    fn check(&self) -> ScriptBuf {
        let key = self.key.public();
        Builder::new()
            .push_key(&key)
            .push_opcode(OP_CHECKSIG)
            .into_script()
    }

    fn leaf(&self) -> Leaf {
        let key = self.key.x_only();
        let script = Builder::new()
            .push_x_only_key(&key)
            .push_opcode(OP_CHECKSIG);
        Leaf::new(script.into_script())
    }
}

fn script_sig(elements: &[Vec<u8>]) -> ScriptBuf {
    let mut script = Builder::new();
    for element in elements {
        let push = PushBytesBuf::try_from(element.clone()).expect("short");
        script = script.push_slice(push);
    }
    script.into_script()
}

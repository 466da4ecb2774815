//! Single-key coins of every kind.

use bitcoin::key::TapTweak;
use bitcoin::opcodes::all::OP_CHECKSIG;
use bitcoin::psbt::Input;
use bitcoin::script::Builder;
use bitcoin::{ScriptBuf, Transaction, TxIn, Witness, ecdsa};

use super::script::{Container, Leaf, in_p2sh, push_all, schnorr_from};
use super::{Coin, Key, Sighash, der, schnorr, with_secp};

/// The script type of a single-key coin.
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
    pub(crate) fn is_taproot(self) -> bool {
        matches!(self, Self::TrKey | Self::TrLeaf)
    }

    pub(crate) fn is_legacy(self) -> bool {
        matches!(self, Self::Pk | Self::Pkh | Self::ShPk)
    }

    /// Where the script that checks the key is, if there is one.
    fn container(self) -> Option<Container> {
        match self {
            Self::Pk => Some(Container::Bare),
            Self::ShPk => Some(Container::Sh),
            Self::WshPk => Some(Container::Wsh),
            Self::TrLeaf => Some(Container::Leaf),
            Self::Pkh | Self::ShWpkh | Self::Wpkh | Self::TrKey => None,
        }
    }
}

/// A key and the script type of its coins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single {
    pub(crate) lock: Lock,
    pub(crate) key: Key,
}

impl Single {
    pub(crate) fn new(lock: Lock) -> Self {
        let key = Key::random();
        Self { lock, key }
    }

    /// One of each kind.
    pub(crate) fn all() -> [Self; 8] {
        use Lock::{Pk, Pkh, ShPk, ShWpkh, TrKey, TrLeaf, Wpkh, WshPk};
        [Pk, Pkh, ShPk, ShWpkh, Wpkh, WshPk, TrKey, TrLeaf].map(Self::new)
    }

    /// The types of signatures that commit to everything.
    pub(crate) fn good_types(&self) -> std::ops::RangeInclusive<u8> {
        u8::from(!self.lock.is_taproot())..=0x01
    }

    pub(crate) fn script_pubkey(&self) -> ScriptBuf {
        if let Some(container) = self.lock.container() {
            return container.script_pubkey(&self.check(container));
        }
        match self.lock {
            Lock::Pkh => ScriptBuf::new_p2pkh(&self.key.public().pubkey_hash()),
            Lock::ShWpkh => self.p2wpkh().to_p2sh(),
            Lock::Wpkh => self.p2wpkh(),
            _ => with_secp(|secp| ScriptBuf::new_p2tr(secp, self.key.x_only(), None)),
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
        let sighash = Sighash::new(transaction, coins, input, byte);
        if let Some(container) = self.lock.container() {
            return container.signature(&sighash, &self.check(container), &self.key);
        }
        let script_code = ScriptBuf::new_p2pkh(&self.key.public().pubkey_hash());
        match self.lock {
            Lock::Pkh => der(sighash.legacy(&script_code), &self.key, byte),
            Lock::ShWpkh | Lock::Wpkh => der(sighash.segwit(&script_code), &self.key, byte),
            _ => {
                let key = with_secp(|secp| self.key.0.tap_tweak(secp, None).to_keypair());
                schnorr(sighash.taproot(None), &key, byte)
            }
        }
    }

    /// Puts any signature in its place.
    pub(crate) fn place(&self, input: &mut TxIn, signature: Vec<u8>) {
        if let Some(container) = self.lock.container() {
            return container.place(input, &[signature], &self.check(container));
        }
        let key = self.key.public().to_bytes();
        match self.lock {
            Lock::Pkh => input.script_sig = push_all(&[signature, key]).into_script(),
            Lock::ShWpkh => {
                in_p2sh(input, &[], &self.p2wpkh());
                input.witness = Witness::from_slice(&[signature, key]);
            }
            Lock::Wpkh => input.witness = Witness::from_slice(&[signature, key]),
            _ => input.witness = Witness::from_slice(&[signature]),
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

    /// Puts a signature into the fields of an input, like a wallet that does not finalize.
    pub(crate) fn place_in_fields(&self, fields: &mut Input, signature: &[u8]) {
        match self.lock {
            Lock::TrKey => fields.tap_key_sig = Some(schnorr_from(signature)),
            Lock::TrLeaf => {
                let leaf = Leaf::new(self.check(Container::Leaf));
                leaf.place_in_fields(fields, &self.key, signature);
            }
            _ => {
                let signature = ecdsa::Signature::from_slice(signature).expect("a signature");
                fields.partial_sigs = [(self.key.public(), signature)].into();
            }
        }
        match self.lock {
            Lock::ShPk => fields.redeem_script = Some(self.check(Container::Sh)),
            Lock::ShWpkh => fields.redeem_script = Some(self.p2wpkh()),
            Lock::WshPk => fields.witness_script = Some(self.check(Container::Wsh)),
            _ => {}
        }
    }

    fn p2wpkh(&self) -> ScriptBuf {
        let hash = self.key.public().wpubkey_hash();
        ScriptBuf::new_p2wpkh(&hash.expect("a compressed key"))
    }

    fn check(&self, container: Container) -> ScriptBuf {
        let script = container.push_key(Builder::new(), &self.key);
        script.push_opcode(OP_CHECKSIG).into_script()
    }
}

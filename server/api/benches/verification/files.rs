//! Large files, well signed, of coins that are on no chain.

use std::num::NonZeroUsize;
use std::thread;

use bitcoin::absolute::LockTime;
use bitcoin::ecdsa;
use bitcoin::hashes::Hash;
use bitcoin::key::{Keypair, TapTweak};
use bitcoin::opcodes::all::{OP_CHECKMULTISIG, OP_PUSHNUM_2, OP_PUSHNUM_3};
use bitcoin::script::Builder;
use bitcoin::secp256k1::{
    self, All, Message, Secp256k1, SecretKey, VerifyOnly, XOnlyPublicKey, schnorr,
};
use bitcoin::sighash::{EcdsaSighashType, Prevouts, SighashCache, TapSighashType};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, PublicKey, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid,
    Witness, taproot,
};
use psbt_wasm::ProofFile;

/// What the coins of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    P2pkh,
    P2wpkh,
    /// Two of three keys.
    P2wshMultisig,
    P2trKey,
}

/// A check as libsecp256k1 takes it: bytes of the key and of the signature, and what was signed.
struct Check {
    key: Vec<u8>,
    signature: Vec<u8>,
    message: Message,
}

/// A file, final and only signed, and the bare checks that are in it.
pub(crate) struct File {
    pub(crate) kind: Kind,
    pub(crate) transaction: Transaction,
    pub(crate) coins: Vec<TxOut>,
    pub(crate) signed: ProofFile,
    checks: Vec<Check>,
}

impl File {
    /// With a key of its own, or three, for every input.
    pub(crate) fn new(kind: Kind, inputs: usize) -> Self {
        let secp = Secp256k1::new();
        let keys: Vec<[Keypair; 3]> = (0..inputs).map(|input| keys(&secp, input)).collect();
        let coins: Vec<TxOut> = keys.iter().map(|keys| coin(&secp, kind, keys)).collect();
        let unsigned = unsigned(&coins);
        let mut psbt = Psbt::from_unsigned_tx(unsigned).expect("unsigned");
        let mut checks = Vec::new();
        for (input, keys) in keys.iter().enumerate() {
            sign(&secp, kind, keys, &coins, &mut psbt, input, &mut checks);
        }
        let signed = psbt_wasm::read(&psbt.serialize()).expect("well-formed");
        let transaction = verify::finalize::finalize(&signed, &coins).expect("complete");
        Self {
            kind,
            transaction,
            coins,
            signed,
            checks,
        }
    }

    /// How many inputs it has.
    pub(crate) fn inputs(&self) -> u32 {
        u32::try_from(self.coins.len()).expect("few")
    }

    /// What no verifier can do without: keys and signatures from bytes, and the equation. Spread
    /// over threads it shows what the machine's processors are worth at the moment.
    pub(crate) fn bare_checks(&self, secp: &Secp256k1<VerifyOnly>, threads: NonZeroUsize) {
        let share = self.checks.len().div_ceil(threads.get());
        let mut shares = self.checks.chunks(share);
        let own = shares.next().unwrap_or_default();
        thread::scope(|scope| {
            for share in shares {
                scope.spawn(|| self.bare_share(secp, share));
            }
            self.bare_share(secp, own);
        });
    }

    fn bare_share(&self, secp: &Secp256k1<VerifyOnly>, share: &[Check]) {
        for check in share {
            let verdict = if self.kind == Kind::P2trKey {
                let key = XOnlyPublicKey::from_slice(&check.key).expect("a key");
                let signature = schnorr::Signature::from_slice(&check.signature).expect("64 bytes");
                secp.verify_schnorr(&signature, &check.message, &key)
            } else {
                let key = secp256k1::PublicKey::from_slice(&check.key).expect("a key");
                let signature =
                    secp256k1::ecdsa::Signature::from_der(&check.signature).expect("DER");
                secp.verify_ecdsa(&check.message, &signature, &key)
            };
            verdict.expect("well signed");
        }
    }
}

fn keys(secp: &Secp256k1<All>, input: usize) -> [Keypair; 3] {
    std::array::from_fn(|index| {
        let number = u64::try_from(input * 3 + index + 1).expect("few");
        let mut secret = [7; 32];
        secret[..8].copy_from_slice(&number.to_be_bytes());
        Keypair::from_secret_key(secp, &SecretKey::from_slice(&secret).expect("a key"))
    })
}

fn public(key: &Keypair) -> PublicKey {
    PublicKey::new(key.public_key())
}

fn coin(secp: &Secp256k1<All>, kind: Kind, keys: &[Keypair; 3]) -> TxOut {
    let key = public(&keys[0]);
    let script_pubkey = match kind {
        Kind::P2pkh => ScriptBuf::new_p2pkh(&key.pubkey_hash()),
        Kind::P2wpkh => ScriptBuf::new_p2wpkh(&key.wpubkey_hash().expect("compressed")),
        Kind::P2wshMultisig => multisig(keys).to_p2wsh(),
        Kind::P2trKey => ScriptBuf::new_p2tr(secp, keys[0].x_only_public_key().0, None),
    };
    TxOut {
        value: Amount::from_sat(100_000),
        script_pubkey,
    }
}

fn multisig(keys: &[Keypair; 3]) -> ScriptBuf {
    let mut script = Builder::new().push_opcode(OP_PUSHNUM_2);
    for key in keys {
        script = script.push_key(&public(key));
    }
    script
        .push_opcode(OP_PUSHNUM_3)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script()
}

fn unsigned(coins: &[TxOut]) -> Transaction {
    let outpoints = (0..)
        .zip(coins)
        .map(|(vout, _)| OutPoint::new(Txid::hash(b"no chain"), vout));
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: outpoints
            .map(|previous_output| TxIn {
                previous_output,
                script_sig: ScriptBuf::new(),
                sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
                witness: Witness::new(),
            })
            .collect(),
        output: vec![TxOut {
            value: Amount::from_sat(1_000),
            ..coins[0].clone()
        }],
    }
}

fn sign(
    secp: &Secp256k1<All>,
    kind: Kind,
    keys: &[Keypair; 3],
    coins: &[TxOut],
    psbt: &mut Psbt,
    input: usize,
    checks: &mut Vec<Check>,
) {
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    let (coin, fields) = (&coins[input], &mut psbt.inputs[input]);
    if kind == Kind::P2trKey {
        let prevouts = Prevouts::All(coins);
        let digest =
            cache.taproot_key_spend_signature_hash(input, &prevouts, TapSighashType::Default);
        let message = Message::from_digest(digest.expect("the input is there").to_byte_array());
        let key = keys[0].tap_tweak(secp, None).to_keypair();
        let signature = secp.sign_schnorr_no_aux_rand(&message, &key);
        fields.tap_key_sig = Some(taproot::Signature {
            signature,
            sighash_type: TapSighashType::Default,
        });
        checks.push(Check {
            key: key.x_only_public_key().0.serialize().to_vec(),
            signature: signature.serialize().to_vec(),
            message,
        });
        return;
    }
    let all = EcdsaSighashType::All;
    let digest = match kind {
        Kind::P2pkh => cache
            .legacy_signature_hash(input, &coin.script_pubkey, all.to_u32())
            .map(Hash::to_byte_array)
            .expect("the input is there"),
        Kind::P2wshMultisig => {
            let script = multisig(keys);
            let digest = cache.p2wsh_signature_hash(input, &script, coin.value, all);
            fields.witness_script = Some(script);
            digest.expect("the input is there").to_byte_array()
        }
        _ => cache
            .p2wpkh_signature_hash(input, &coin.script_pubkey, coin.value, all)
            .expect("a P2WPKH script")
            .to_byte_array(),
    };
    let message = Message::from_digest(digest);
    // The last keys: a multisig is checked from its end, so that no key is tried in vain.
    let signers = if kind == Kind::P2wshMultisig {
        &keys[1..]
    } else {
        &keys[..1]
    };
    for key in signers {
        let signature = secp.sign_ecdsa(&message, &key.secret_key());
        fields.partial_sigs.insert(
            public(key),
            ecdsa::Signature {
                signature,
                sighash_type: all,
            },
        );
        checks.push(Check {
            key: public(key).to_bytes(),
            signature: signature.serialize_der().to_vec(),
            message,
        });
    }
}

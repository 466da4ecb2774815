//! Files as wallets make them, built with the `bitcoin` crate. Signatures are well-formed, not valid.

use bitcoin::absolute::LockTime;
use bitcoin::bip32::{DerivationPath, Fingerprint, KeySource, Xpriv, Xpub};
use bitcoin::key::{PublicKey, TapTweak, XOnlyPublicKey};
use bitcoin::psbt::raw::{Key, ProprietaryKey};
use bitcoin::psbt::{Input, Output};
use bitcoin::secp256k1::{All, Keypair, Message, Secp256k1, SecretKey};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, Network, OutPoint, Psbt, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, Witness,
    ecdsa, taproot,
};
use bitcoin::{hashes::Hash, script::PushBytesBuf};

/// The index of each input of [`mixed`].
pub(crate) const P2WPKH: usize = 0;
pub(crate) const P2PKH: usize = 1;
pub(crate) const P2SH_P2WPKH: usize = 2;
pub(crate) const P2TR: usize = 3;

/// Keys of the fields that the `bitcoin` crate does not know.
pub(crate) const SIGNED_MESSAGE: u8 = 0x09;
pub(crate) const FROM_THE_FUTURE: u8 = 0x77;

/// One input of each common kind, two outputs, and every kind of private field.
///
/// Values in satoshis: 50,000,000 + 30,000,000 + 20,000,000 + 10,000 in, 99,000,000 out.
pub(crate) fn mixed() -> Psbt {
    let legacy = previous(30_000_000, key(2).legacy());
    let nested = previous(20_000_000, key(3).nested());
    let outpoints = [
        OutPoint::new(txid(1), 7),
        OutPoint::new(legacy.compute_txid(), 1),
        OutPoint::new(nested.compute_txid(), 1),
        OutPoint::new(txid(4), 0),
    ];
    let message = PushBytesBuf::try_from(b"hello".to_vec()).expect("short");
    let outputs = vec![
        TxOut {
            value: Amount::from_sat(99_000_000),
            script_pubkey: key(9).taproot(),
        },
        TxOut {
            value: Amount::ZERO,
            script_pubkey: ScriptBuf::new_op_return(message),
        },
    ];
    let mut psbt = Psbt::from_unsigned_tx(spending(&outpoints, outputs)).expect("unsigned");
    psbt.inputs = vec![
        segwit_input(),
        legacy_input(legacy),
        nested_input(nested),
        taproot_input(),
    ];
    psbt.outputs = vec![output_with_origins(), Output::default()];
    psbt.xpub
        .insert(Xpub::from_priv(&Secp256k1::new(), &master()), origin());
    psbt.proprietary.insert(proprietary(), b"vendor".to_vec());
    psbt.unknown
        .insert(unknown(FROM_THE_FUTURE), b"future".to_vec());
    psbt.unknown
        .insert(unknown(SIGNED_MESSAGE), b"message".to_vec());
    psbt
}

fn segwit_input() -> Input {
    Input {
        witness_utxo: Some(TxOut {
            value: Amount::from_sat(50_000_000),
            script_pubkey: key(1).segwit(),
        }),
        partial_sigs: [(key(1).public(), key(1).ecdsa())].into(),
        bip32_derivation: [(key(1).public().inner, origin())].into(),
        ..Input::default()
    }
}

fn legacy_input(previous: Transaction) -> Input {
    Input {
        non_witness_utxo: Some(previous),
        bip32_derivation: [(key(2).public().inner, origin())].into(),
        proprietary: [(proprietary(), b"vendor".to_vec())].into(),
        unknown: [
            (unknown(FROM_THE_FUTURE), b"future".to_vec()),
            (unknown(SIGNED_MESSAGE), b"proof".to_vec()),
        ]
        .into(),
        ..Input::default()
    }
}

fn nested_input(previous: Transaction) -> Input {
    let redeem = PushBytesBuf::try_from(key(3).segwit().into_bytes()).expect("short");
    Input {
        witness_utxo: Some(previous.output[1].clone()),
        non_witness_utxo: Some(previous),
        final_script_sig: Some(ScriptBuf::builder().push_slice(redeem).into_script()),
        final_script_witness: Some(Witness::p2wpkh(&key(3).ecdsa(), &key(3).public().inner)),
        ..Input::default()
    }
}

fn taproot_input() -> Input {
    let internal = key(4).x_only();
    Input {
        witness_utxo: Some(TxOut {
            value: Amount::from_sat(10_000),
            script_pubkey: key(4).taproot(),
        }),
        tap_key_sig: Some(key(4).schnorr()),
        tap_internal_key: Some(internal),
        tap_key_origins: [(internal, (Vec::new(), origin()))].into(),
        ..Input::default()
    }
}

fn output_with_origins() -> Output {
    Output {
        tap_internal_key: Some(key(9).x_only()),
        tap_key_origins: [(key(9).x_only(), (Vec::new(), origin()))].into(),
        proprietary: [(proprietary(), b"vendor".to_vec())].into(),
        unknown: [(unknown(FROM_THE_FUTURE), b"future".to_vec())].into(),
        ..Output::default()
    }
}

/// A signed transaction with one input and one output.
pub(crate) fn final_transaction() -> Transaction {
    let output = TxOut {
        value: Amount::from_sat(1_000),
        script_pubkey: key(1).segwit(),
    };
    let mut transaction = spending(&[OutPoint::new(txid(1), 0)], vec![output]);
    transaction.input[0].witness = Witness::p2wpkh(&key(1).ecdsa(), &key(1).public().inner);
    transaction
}

/// An unsigned transaction with these inputs and outputs.
pub(crate) fn spending(outpoints: &[OutPoint], output: Vec<TxOut>) -> Transaction {
    let input = |outpoint: &OutPoint| TxIn {
        previous_output: *outpoint,
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        ..TxIn::default()
    };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::from_consensus(840_000),
        input: outpoints.iter().map(input).collect(),
        output,
    }
}

/// A PSBT with one segwit input of this value, and one output of that value.
pub(crate) fn simple(input_sats: u64, output_sats: u64) -> Psbt {
    let output = TxOut {
        value: Amount::from_sat(output_sats),
        script_pubkey: key(9).segwit(),
    };
    let transaction = spending(&[OutPoint::new(txid(1), 0)], vec![output]);
    let mut psbt = Psbt::from_unsigned_tx(transaction).expect("unsigned");
    psbt.inputs[0].witness_utxo = Some(TxOut {
        value: Amount::from_sat(input_sats),
        script_pubkey: key(1).segwit(),
    });
    psbt
}

/// A transaction whose output 1 has this value and script.
fn previous(sats: u64, script_pubkey: ScriptBuf) -> Transaction {
    let other = TxOut {
        value: Amount::from_sat(5),
        script_pubkey: key(8).segwit(),
    };
    let spent = TxOut {
        value: Amount::from_sat(sats),
        script_pubkey,
    };
    spending(&[OutPoint::new(txid(5), 0)], vec![other, spent])
}

pub(crate) fn txid(number: u8) -> Txid {
    Txid::from_byte_array([number; 32])
}

pub(crate) fn unknown(type_value: u8) -> Key {
    Key {
        type_value,
        key: Vec::new(),
    }
}

fn proprietary() -> ProprietaryKey {
    ProprietaryKey {
        prefix: b"VENDOR".to_vec(),
        subtype: 1,
        key: b"key".to_vec(),
    }
}

pub(crate) fn master() -> Xpriv {
    Xpriv::new_master(Network::Bitcoin, &[7; 32]).expect("a valid seed")
}

fn origin() -> KeySource {
    let path: DerivationPath = "m/84h/0h/0h/0/5".parse().expect("a valid path");
    (Fingerprint::from([0xde, 0xad, 0xbe, 0xef]), path)
}

/// A key pair from a number.
pub(crate) fn key(number: u8) -> TestKey {
    let secret = SecretKey::from_slice(&[number; 32]).expect("a valid key");
    let secp = Secp256k1::new();
    TestKey {
        pair: Keypair::from_secret_key(&secp, &secret),
        secp,
    }
}

/// A key pair and the scripts that pay to it.
pub(crate) struct TestKey {
    secp: Secp256k1<All>,
    pair: Keypair,
}

impl TestKey {
    pub(crate) fn public(&self) -> PublicKey {
        PublicKey::new(self.pair.public_key())
    }

    pub(crate) fn x_only(&self) -> XOnlyPublicKey {
        self.pair.x_only_public_key().0
    }

    pub(crate) fn legacy(&self) -> ScriptBuf {
        ScriptBuf::new_p2pkh(&self.public().pubkey_hash())
    }

    pub(crate) fn segwit(&self) -> ScriptBuf {
        ScriptBuf::new_p2wpkh(&self.public().wpubkey_hash().expect("compressed"))
    }

    pub(crate) fn nested(&self) -> ScriptBuf {
        self.segwit().to_p2sh()
    }

    pub(crate) fn taproot(&self) -> ScriptBuf {
        ScriptBuf::new_p2tr_tweaked(self.x_only().tap_tweak(&self.secp, None).0)
    }

    pub(crate) fn ecdsa(&self) -> ecdsa::Signature {
        let message = Message::from_digest([1; 32]);
        ecdsa::Signature::sighash_all(self.secp.sign_ecdsa(&message, &self.pair.secret_key()))
    }

    pub(crate) fn schnorr(&self) -> taproot::Signature {
        let message = Message::from_digest([1; 32]);
        taproot::Signature {
            signature: self.secp.sign_schnorr_no_aux_rand(&message, &self.pair),
            sighash_type: bitcoin::TapSighashType::Default,
        }
    }
}

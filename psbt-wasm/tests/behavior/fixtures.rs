//! Files as wallets make them, built with the `bitcoin` crate. Signatures are well-formed, not valid.

use super::*;

/// The index of each input of [`mixed`].
pub(crate) const P2WPKH: usize = 0;
pub(crate) const P2PKH: usize = 1;
pub(crate) const P2SH_P2WPKH: usize = 2;
pub(crate) const P2TR: usize = 3;

/// Keys of the fields that the `bitcoin` crate does not know.
pub(crate) const SIGNED_MESSAGE: u8 = 0x09;
const FROM_THE_FUTURE: u8 = 0x77;

/// One input of each common kind, two outputs, and every kind of private field.
///
/// Values in satoshis: 50,000,000 + 30,000,000 + 20,000,000 + 10,000 in, 99,000,000 out.
pub(crate) fn mixed() -> Psbt {
    let legacy = previous(output(30_000_000, key(2).legacy()));
    let nested = previous(output(20_000_000, key(3).nested()));
    let [one, two] = [&legacy, &nested].map(Transaction::compute_txid);
    let outpoints = [(txid(1), 7), (one, 1), (two, 1), (txid(4), 0)];
    let outpoints = outpoints.map(|(txid, vout)| OutPoint { txid, vout });
    let hello = output(0, ScriptBuf::new_op_return(*b"hello"));
    let outputs = vec![output(99_000_000, key(9).taproot()), hello];
    let mut psbt = unsigned(&outpoints, outputs);
    let proprietary = ProprietaryKey {
        prefix: b"VENDOR".to_vec(),
        subtype: 1,
        key: b"key".to_vec(),
    };
    let proprietary = (proprietary, b"vendor".to_vec());
    let future = (unknown(FROM_THE_FUTURE), b"future".to_vec());

    let input = &mut psbt.inputs[P2WPKH];
    input.witness_utxo = Some(output(50_000_000, key(1).segwit()));
    input.partial_sigs = [(key(1).public(), key(1).ecdsa())].into();
    input.bip32_derivation = [(key(1).public().inner, origin())].into();

    let input = &mut psbt.inputs[P2PKH];
    input.non_witness_utxo = Some(legacy);
    input.bip32_derivation = [(key(2).public().inner, origin())].into();
    input.proprietary = [proprietary.clone()].into();
    let signed = (unknown(SIGNED_MESSAGE), b"proof".to_vec());
    input.unknown = [future.clone(), signed].into();

    let input = &mut psbt.inputs[P2SH_P2WPKH];
    input.witness_utxo = Some(nested.output[1].clone());
    input.non_witness_utxo = Some(nested);
    input.final_script_sig = Some(pushes(vec![key(3).segwit().into_bytes()]));
    input.final_script_witness = Some(Witness::p2wpkh(&key(3).ecdsa(), &key(3).public().inner));

    let input = &mut psbt.inputs[P2TR];
    input.witness_utxo = Some(output(10_000, key(4).taproot()));
    input.tap_key_sig = Some(key(4).schnorr());
    input.tap_internal_key = Some(key(4).x_only());
    input.tap_key_origins = [(key(4).x_only(), (Vec::new(), origin()))].into();

    psbt.outputs[0] = Output {
        tap_internal_key: Some(key(9).x_only()),
        tap_key_origins: [(key(9).x_only(), (Vec::new(), origin()))].into(),
        proprietary: [proprietary.clone()].into(),
        unknown: [future.clone()].into(),
        ..Output::default()
    };
    let account = Xpub::from_priv(&secp(), &master());
    psbt.xpub.insert(account, origin());
    psbt.proprietary = [proprietary].into();
    let signed = (unknown(SIGNED_MESSAGE), b"message".to_vec());
    psbt.unknown = [future, signed].into();
    psbt
}

/// A signed transaction with one input and one output.
pub(crate) fn final_transaction() -> Transaction {
    let output = output(1_000, key(1).segwit());
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

/// Its PSBT.
pub(crate) fn unsigned(outpoints: &[OutPoint], outputs: Vec<TxOut>) -> Psbt {
    Psbt::from_unsigned_tx(spending(outpoints, outputs)).expect("unsigned")
}

/// A PSBT with one segwit input of this value, and one output of that value.
pub(crate) fn simple(input_sats: u64, output_sats: u64) -> Psbt {
    let paid = output(output_sats, key(9).segwit());
    let mut psbt = unsigned(&[OutPoint::new(txid(1), 0)], vec![paid]);
    psbt.inputs[0].witness_utxo = Some(output(input_sats, key(1).segwit()));
    psbt
}

/// A transaction with this as output 1.
fn previous(spent: TxOut) -> Transaction {
    let other = output(5, key(8).segwit());
    spending(&[OutPoint::new(txid(5), 0)], vec![other, spent])
}

pub(crate) fn output(sats: u64, script_pubkey: ScriptBuf) -> TxOut {
    TxOut {
        value: Amount::from_sat(sats),
        script_pubkey,
    }
}

pub(crate) fn txid(number: u8) -> Txid {
    Txid::from_byte_array([number; 32])
}

pub(crate) fn unknown(type_value: u8) -> Key {
    let key = Vec::new();
    Key { type_value, key }
}

pub(crate) fn master() -> Xpriv {
    Xpriv::new_master(bitcoin::Network::Bitcoin, &[7; 32]).expect("a valid seed")
}

fn origin() -> KeySource {
    let path: DerivationPath = "m/84h/0h/0h/0/5".parse().expect("a valid path");
    (Fingerprint::from([0xde, 0xad, 0xbe, 0xef]), path)
}

/// A key pair from a number.
pub(crate) fn key(number: u8) -> TestKey {
    let pair = Keypair::from_seckey_slice(&secp(), &[number; 32]);
    TestKey(pair.expect("a valid key"))
}

/// A key pair and the scripts that pay to it.
#[derive(Clone)]
pub(crate) struct TestKey(pub(crate) Keypair);

impl TestKey {
    pub(crate) fn public(&self) -> PublicKey {
        PublicKey::new(self.0.public_key())
    }

    pub(crate) fn x_only(&self) -> XOnlyPublicKey {
        self.0.x_only_public_key().0
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
        ScriptBuf::new_p2tr(&secp(), self.x_only(), None)
    }

    /// Of the wrong message.
    fn ecdsa(&self) -> ecdsa::Signature {
        let message = Message::from_digest([1; 32]);
        ecdsa::Signature::sighash_all(secp().sign_ecdsa(&message, &self.0.secret_key()))
    }

    pub(crate) fn schnorr(&self) -> taproot::Signature {
        let message = Message::from_digest([1; 32]);
        taproot::Signature {
            signature: secp().sign_schnorr_no_aux_rand(&message, &self.0),
            sighash_type: TapSighashType::Default,
        }
    }
}

/// A signed file over coins of these kinds, each with its previous transaction.
pub(crate) fn file(kinds: &[Kind], inputs: u32) -> Psbt {
    wallet::make(&Wanted {
        kinds: kinds.to_vec(),
        inputs,
        previous: Some(0),
        derivations: true,
        signed: true,
    })
}

/// A script of so many signatures by these keys.
pub(crate) fn multisig(needed: i64, keys: &[PublicKey]) -> ScriptBuf {
    let script = Builder::new().push_int(needed);
    let script = keys.iter().fold(script, Builder::push_key);
    let script = script.push_int(keys.len().try_into().expect("few"));
    script.push_opcode(OP_CHECKMULTISIG).into_script()
}

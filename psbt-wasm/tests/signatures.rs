//! Which inputs are validly signed: really signed files of every kind, whole and damaged.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::key::{Keypair, TapTweak};
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_CSV, OP_DROP, OP_NUMEQUAL,
};
use bitcoin::psbt::Input;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::secp256k1::{All, Message, Secp256k1, SecretKey};
use bitcoin::sighash::{EcdsaSighashType, Prevouts, SighashCache, TapSighashType};
use bitcoin::taproot::{LeafVersion, TapLeafHash, TaprootBuilder, TaprootSpendInfo};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, PublicKey, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid,
    Witness, ecdsa, taproot,
};
use psbt_wasm::light::{self, Keys};
use psbt_wasm::{InputSignatures, Reason, SignatureReport, SignatureStatus, check_signatures};

/// The inputs of [`unsigned`].
const P2PKH: usize = 0;
const P2WPKH: usize = 1;
const NESTED: usize = 2;
const MULTISIG: usize = 3;
const LEGACY_MULTISIG: usize = 4;
const KEY_PATH: usize = 5;
const LEAF: usize = 6;
const LEAF_MULTISIG: usize = 7;
const UNUSUAL: usize = 8;
const COUNT: usize = 9;

fn secp() -> Secp256k1<All> {
    Secp256k1::new()
}

fn pair(number: usize) -> Keypair {
    let number = u8::try_from(number + 1).expect("small");
    let secret = SecretKey::from_slice(&[number; 32]).expect("a key");
    Keypair::from_secret_key(&secp(), &secret)
}

fn public(number: usize) -> PublicKey {
    PublicKey::new(pair(number).public_key())
}

/// Two of the keys 10, 11 and 12.
fn multisig() -> ScriptBuf {
    let builder = Builder::new().push_int(2);
    let builder = (10..13).fold(builder, |builder, number| builder.push_key(&public(number)));
    builder
        .push_int(3)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script()
}

/// A key after some blocks: nothing that has a template.
fn unusual() -> ScriptBuf {
    Builder::new()
        .push_int(5)
        .push_opcode(OP_CSV)
        .push_opcode(OP_DROP)
        .push_key(&public(UNUSUAL))
        .push_opcode(OP_CHECKSIG)
        .into_script()
}

fn single_leaf() -> ScriptBuf {
    Builder::new()
        .push_x_only_key(&pair(LEAF).x_only_public_key().0)
        .push_opcode(OP_CHECKSIG)
        .into_script()
}

fn multisig_leaf() -> ScriptBuf {
    let mut builder = Builder::new();
    for number in 10..13 {
        let opcode = if number == 10 {
            OP_CHECKSIG
        } else {
            OP_CHECKSIGADD
        };
        builder = builder
            .push_x_only_key(&pair(number).x_only_public_key().0)
            .push_opcode(opcode);
    }
    builder.push_int(2).push_opcode(OP_NUMEQUAL).into_script()
}

/// The two leaves under a key.
fn tree() -> TaprootSpendInfo {
    let builder = TaprootBuilder::new()
        .add_leaf(1, single_leaf())
        .and_then(|builder| builder.add_leaf(1, multisig_leaf()))
        .expect("in order");
    let internal = pair(20).x_only_public_key().0;
    builder.finalize(&secp(), internal).expect("a whole tree")
}

fn output_scripts() -> [ScriptBuf; COUNT] {
    let key = public(P2PKH);
    let nested = ScriptBuf::new_p2wpkh(&public(NESTED).wpubkey_hash().expect("compressed"));
    let taproot = ScriptBuf::new_p2tr_tweaked(tree().output_key());
    let (internal, _) = pair(KEY_PATH).x_only_public_key();
    [
        ScriptBuf::new_p2pkh(&key.pubkey_hash()),
        ScriptBuf::new_p2wpkh(&public(P2WPKH).wpubkey_hash().expect("compressed")),
        nested.to_p2sh(),
        multisig().to_p2wsh(),
        multisig().to_p2sh(),
        ScriptBuf::new_p2tr(&secp(), internal, None),
        taproot.clone(),
        taproot,
        unusual().to_p2wsh(),
    ]
}

/// A PSBT with an input of each kind, and the scripts that its inputs need.
fn unsigned() -> Psbt {
    let input = |index: usize| TxIn {
        previous_output: OutPoint::new(
            Txid::from_byte_array([9; 32]),
            index.try_into().expect("small"),
        ),
        sequence: Sequence::from_height(5),
        ..TxIn::default()
    };
    let output = TxOut {
        value: Amount::from_sat(1_000),
        script_pubkey: output_scripts()[P2WPKH].clone(),
    };
    let transaction = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: (0..COUNT).map(input).collect(),
        output: vec![output],
    };
    let mut psbt = Psbt::from_unsigned_tx(transaction).expect("unsigned");
    for (index, script_pubkey) in output_scripts().into_iter().enumerate() {
        psbt.inputs[index].witness_utxo = Some(TxOut {
            value: Amount::from_sat(10_000 + index as u64),
            script_pubkey,
        });
    }
    psbt.inputs[NESTED].redeem_script = Some(ScriptBuf::new_p2wpkh(
        &public(NESTED).wpubkey_hash().expect("compressed"),
    ));
    psbt.inputs[MULTISIG].witness_script = Some(multisig());
    psbt.inputs[LEGACY_MULTISIG].redeem_script = Some(multisig());
    psbt.inputs[UNUSUAL].witness_script = Some(unusual());
    for (index, script) in [(LEAF, single_leaf()), (LEAF_MULTISIG, multisig_leaf())] {
        let leaf = (script, LeafVersion::TapScript);
        let control = tree().control_block(&leaf).expect("a leaf of the tree");
        psbt.inputs[index].tap_scripts = [(control, leaf)].into();
    }
    psbt
}

fn ecdsa_signature(
    psbt: &Psbt,
    index: usize,
    signer: usize,
    sighash: EcdsaSighashType,
) -> ecdsa::Signature {
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    let spent = psbt.inputs[index].witness_utxo.clone().expect("stated");
    let script = &spent.script_pubkey;
    let digest = match index {
        P2PKH => cache
            .legacy_signature_hash(index, script, sighash.to_u32())
            .expect("in range")
            .to_byte_array(),
        LEGACY_MULTISIG => cache
            .legacy_signature_hash(index, &multisig(), sighash.to_u32())
            .expect("in range")
            .to_byte_array(),
        MULTISIG => cache
            .p2wsh_signature_hash(index, &multisig(), spent.value, sighash)
            .expect("in range")
            .to_byte_array(),
        UNUSUAL => cache
            .p2wsh_signature_hash(index, &unusual(), spent.value, sighash)
            .expect("in range")
            .to_byte_array(),
        _ => {
            let script = psbt.inputs[index].redeem_script.as_ref().unwrap_or(script);
            cache
                .p2wpkh_signature_hash(index, script, spent.value, sighash)
                .expect("in range")
                .to_byte_array()
        }
    };
    let message = Message::from_digest(digest);
    ecdsa::Signature {
        signature: secp().sign_ecdsa(&message, &pair(signer).secret_key()),
        sighash_type: sighash,
    }
}

fn schnorr_signature(
    psbt: &Psbt,
    index: usize,
    signer: usize,
    sighash: TapSighashType,
) -> taproot::Signature {
    let spent: Vec<TxOut> = psbt
        .inputs
        .iter()
        .map(|input| input.witness_utxo.clone().expect("stated"))
        .collect();
    let prevouts = Prevouts::All(&spent);
    let leaf = match index {
        LEAF => Some(single_leaf()),
        LEAF_MULTISIG => Some(multisig_leaf()),
        _ => None,
    };
    let leaf = leaf.map(|leaf| {
        (
            TapLeafHash::from_script(&leaf, LeafVersion::TapScript),
            u32::MAX,
        )
    });
    let hash = SighashCache::new(&psbt.unsigned_tx)
        .taproot_signature_hash(index, &prevouts, None, leaf, sighash)
        .expect("in range");
    let key = if index == KEY_PATH {
        pair(signer).tap_tweak(&secp(), None).to_keypair()
    } else {
        pair(signer)
    };
    let message = Message::from_digest(hash.to_byte_array());
    taproot::Signature {
        signature: secp().sign_schnorr_no_aux_rand(&message, &key),
        sighash_type: sighash,
    }
}

fn sign_leaf(psbt: &mut Psbt, index: usize, signer: usize) {
    let signature = schnorr_signature(psbt, index, signer, TapSighashType::Default);
    let script = if index == LEAF {
        single_leaf()
    } else {
        multisig_leaf()
    };
    let leaf = TapLeafHash::from_script(&script, LeafVersion::TapScript);
    let key = pair(signer).x_only_public_key().0;
    psbt.inputs[index]
        .tap_script_sigs
        .insert((key, leaf), signature);
}

fn sign(psbt: &mut Psbt, index: usize, signer: usize) {
    let signature = ecdsa_signature(psbt, index, signer, EcdsaSighashType::All);
    psbt.inputs[index]
        .partial_sigs
        .insert(public(signer), signature);
}

/// Every input signed by as many as it needs, nothing finalised.
fn signed() -> Psbt {
    let mut psbt = unsigned();
    for index in [P2PKH, P2WPKH, NESTED, UNUSUAL] {
        sign(&mut psbt, index, index);
    }
    for index in [MULTISIG, LEGACY_MULTISIG] {
        sign(&mut psbt, index, 10);
        sign(&mut psbt, index, 12);
    }
    let signature = schnorr_signature(&psbt, KEY_PATH, KEY_PATH, TapSighashType::Default);
    psbt.inputs[KEY_PATH].tap_key_sig = Some(signature);
    sign_leaf(&mut psbt, LEAF, LEAF);
    sign_leaf(&mut psbt, LEAF_MULTISIG, 11);
    sign_leaf(&mut psbt, LEAF_MULTISIG, 12);
    psbt
}

/// The same, finalised: scripts and signatures where a transaction has them.
fn finalised() -> Psbt {
    let psbt = signed();
    let push = |bytes: &[u8]| PushBytesBuf::try_from(bytes.to_vec()).expect("short");
    let mut done = psbt.clone();
    for (index, input) in done.inputs.iter_mut().enumerate() {
        let signatures: Vec<Vec<u8>> = input
            .partial_sigs
            .values()
            .map(|one| one.to_vec())
            .collect();
        // In the order of the keys of the script, not of the map.
        let by_key = |signer: usize| input.partial_sigs[&public(signer)].to_vec();
        let taproot: Vec<Vec<u8>> = (10..13)
            .rev()
            .map(|signer| {
                let key = pair(signer).x_only_public_key().0;
                let mut signatures = input.tap_script_sigs.iter();
                let own = signatures.find(|((signer, _), _)| *signer == key);
                own.map(|(_, signature)| signature.to_vec())
                    .unwrap_or_default()
            })
            .collect();
        let leaf = input
            .tap_scripts
            .iter()
            .next()
            .map(|(control, (script, _))| [script.to_bytes(), control.serialize()]);
        let mut last = Input {
            witness_utxo: input.witness_utxo.clone(),
            ..Input::default()
        };
        match index {
            P2PKH => {
                last.final_script_sig = Some(
                    Builder::new()
                        .push_slice(push(&signatures[0]))
                        .push_key(&public(P2PKH))
                        .into_script(),
                );
            }
            P2WPKH | NESTED => {
                let elements = [signatures[0].clone(), public(index).to_bytes()];
                last.final_script_witness = Some(Witness::from_slice(&elements));
                last.final_script_sig = input.redeem_script.as_ref().map(|redeem| {
                    Builder::new()
                        .push_slice(push(redeem.as_bytes()))
                        .into_script()
                });
            }
            MULTISIG => {
                let elements = [vec![], by_key(10), by_key(12), multisig().into_bytes()];
                last.final_script_witness = Some(Witness::from_slice(&elements));
            }
            LEGACY_MULTISIG => {
                last.final_script_sig = Some(
                    Builder::new()
                        .push_int(0)
                        .push_slice(push(&by_key(10)))
                        .push_slice(push(&by_key(12)))
                        .push_slice(push(multisig().as_bytes()))
                        .into_script(),
                );
            }
            KEY_PATH => {
                let signature = input.tap_key_sig.expect("signed").to_vec();
                last.final_script_witness = Some(Witness::from_slice(&[signature]));
            }
            LEAF => {
                let signature = input
                    .tap_script_sigs
                    .values()
                    .next()
                    .expect("signed")
                    .to_vec();
                let [script, control] = leaf.expect("a leaf");
                last.final_script_witness =
                    Some(Witness::from_slice(&[signature, script, control]));
            }
            LEAF_MULTISIG => {
                let elements = taproot.into_iter().chain(leaf.expect("a leaf"));
                last.final_script_witness =
                    Some(Witness::from_slice(&elements.collect::<Vec<_>>()));
            }
            _ => {
                let elements = [signatures[0].clone(), unusual().into_bytes()];
                last.final_script_witness = Some(Witness::from_slice(&elements));
            }
        }
        *input = last;
    }
    done
}

fn check(psbt: &Psbt) -> SignatureReport {
    let bytes = psbt.serialize();
    let binary = light::decode(bytes.as_slice()).expect("a PSBT");
    check_signatures(&binary.read(Keys::Curve).expect("well-formed")).expect("checked")
}

fn statuses(psbt: &Psbt) -> Vec<SignatureStatus> {
    check(psbt)
        .inputs
        .iter()
        .map(|input| input.status)
        .collect()
}

fn input(psbt: &Psbt, index: usize) -> InputSignatures {
    check(psbt).inputs.swap_remove(index)
}

/// All valid, and the input whose script nobody can count.
fn all_valid() -> Vec<SignatureStatus> {
    let mut statuses = vec![SignatureStatus::Valid; COUNT];
    statuses[UNUSUAL] = SignatureStatus::Inconclusive;
    statuses
}

#[test]
fn signed_inputs_are_valid_before_and_after_finalising() {
    assert_eq!(statuses(&signed()), all_valid());
    assert_eq!(statuses(&finalised()), all_valid());
    let unusual = input(&signed(), UNUSUAL);
    assert_eq!(unusual.reason, Some(Reason::UnknownScript));
    assert_eq!(unusual.signatures[0].valid, Some(true));
    assert_eq!(input(&finalised(), UNUSUAL).signatures.len(), 1);
}

#[test]
fn inputs_without_signatures_are_missing_them() {
    assert_eq!(statuses(&unsigned()), vec![SignatureStatus::Missing; COUNT]);
    assert_eq!(input(&unsigned(), P2WPKH).reason, Some(Reason::NoSignature));
}

#[test]
fn another_transaction_makes_every_signature_wrong() {
    for mut psbt in [signed(), finalised()] {
        psbt.unsigned_tx.output[0].value += Amount::from_sat(1);
        for (index, status) in statuses(&psbt).into_iter().enumerate() {
            let expected = match index {
                // Of a finalised script that cannot be read, nothing is known.
                UNUSUAL if psbt.inputs[UNUSUAL].final_script_witness.is_some() => {
                    SignatureStatus::Inconclusive
                }
                _ => SignatureStatus::Invalid,
            };
            assert_eq!(status, expected, "input {index}");
        }
    }
}

/// Segwit signatures commit to the value, taproot's to all values.
#[test]
fn another_value_makes_signatures_wrong() {
    let mut psbt = signed();
    let utxo = psbt.inputs[P2WPKH].witness_utxo.as_mut().expect("stated");
    utxo.value += Amount::from_sat(1);
    let statuses = statuses(&psbt);
    for index in [P2WPKH, KEY_PATH, LEAF, LEAF_MULTISIG] {
        assert_eq!(statuses[index], SignatureStatus::Invalid, "input {index}");
    }
    for index in [P2PKH, NESTED, MULTISIG, LEGACY_MULTISIG] {
        assert_eq!(statuses[index], SignatureStatus::Valid, "input {index}");
    }
}

#[test]
fn one_of_two_signatures_is_incomplete() {
    let mut psbt = signed();
    for index in [MULTISIG, LEGACY_MULTISIG] {
        psbt.inputs[index].partial_sigs.remove(&public(12));
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Incomplete);
        assert_eq!(input.reason, Some(Reason::MoreSignaturesNeeded));
        assert_eq!((input.signatures.len(), input.needed), (1, Some(2)));
        assert_eq!(input.signatures[0].key, Some(public(10).to_bytes()));
    }
    psbt.inputs[LEAF_MULTISIG].tap_script_sigs.pop_first();
    let input = input(&psbt, LEAF_MULTISIG);
    assert_eq!(input.status, SignatureStatus::Incomplete);
    assert_eq!(input.needed, Some(2));
}

#[test]
fn too_few_signatures_in_a_final_input_are_wrong() {
    let mut psbt = finalised();
    let elements: Vec<Vec<u8>> = [vec![]]
        .into_iter()
        .chain([signed().inputs[MULTISIG].partial_sigs[&public(10)].to_vec()])
        .chain([multisig().into_bytes()])
        .collect();
    psbt.inputs[MULTISIG].final_script_witness = Some(Witness::from_slice(&elements));
    assert_eq!(input(&psbt, MULTISIG).status, SignatureStatus::Invalid);
}

#[test]
fn a_key_that_the_script_does_not_name() {
    let mut psbt = unsigned();
    for index in [P2WPKH, MULTISIG] {
        sign(&mut psbt, index, 15);
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Invalid);
        assert_eq!(input.reason, Some(Reason::WrongKey));
    }
}

#[test]
fn signatures_that_leave_parts_open_are_told() {
    let mut psbt = signed();
    assert!(!check(&psbt).is_complete(), "one input is inconclusive");
    let open = EcdsaSighashType::SinglePlusAnyoneCanPay;
    let signature = ecdsa_signature(&psbt, P2PKH, P2PKH, open);
    psbt.inputs[P2PKH]
        .partial_sigs
        .insert(public(P2PKH), signature);
    let signature = schnorr_signature(&psbt, KEY_PATH, KEY_PATH, TapSighashType::None);
    psbt.inputs[KEY_PATH].tap_key_sig = Some(signature);
    for (index, sighash) in [(P2PKH, 0x83), (KEY_PATH, 2)] {
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Valid);
        assert_eq!(input.signatures[0].sighash, sighash);
        assert!(!input.signatures[0].commits_to_all());
    }
}

#[test]
fn what_is_spent_must_be_stated() {
    let mut psbt = signed();
    psbt.inputs[P2PKH].witness_utxo = None;
    let report = check(&psbt);
    // Taproot signatures commit to what every input spends.
    for index in [P2PKH, KEY_PATH, LEAF, LEAF_MULTISIG] {
        assert_eq!(
            report.inputs[index].reason,
            Some(Reason::UnknownUtxo),
            "input {index}"
        );
        assert_eq!(report.inputs[index].status, SignatureStatus::Inconclusive);
    }
    assert_eq!(report.inputs[P2WPKH].status, SignatureStatus::Valid);
}

#[test]
fn scripts_that_are_absent_or_other_ones() {
    let mut psbt = signed();
    psbt.inputs[MULTISIG].witness_script = None;
    assert_eq!(input(&psbt, MULTISIG).reason, Some(Reason::ScriptMissing));
    psbt.inputs[MULTISIG].witness_script = Some(unusual());
    let other = input(&psbt, MULTISIG);
    assert_eq!(other.status, SignatureStatus::Invalid);
    assert_eq!(other.reason, Some(Reason::WrongScript));
}

/// BIP-0341: 65 bytes that end in 0 are no signature of the type DEFAULT.
#[test]
fn a_taproot_signature_with_a_superfluous_byte() {
    let mut psbt = finalised();
    let mut signature = signed().inputs[KEY_PATH]
        .tap_key_sig
        .expect("signed")
        .to_vec();
    signature.push(0);
    psbt.inputs[KEY_PATH].final_script_witness = Some(Witness::from_slice(&[signature]));
    assert_eq!(input(&psbt, KEY_PATH).status, SignatureStatus::Invalid);
}

#[test]
fn a_final_transaction_does_not_state_what_it_spends() {
    let psbt = finalised();
    let transaction = psbt.extract_tx_unchecked_fee_rate();
    let bytes = bitcoin::consensus::encode::serialize(&transaction);
    let binary = light::decode(bytes).expect("a transaction");
    let report = check_signatures(&binary.read(Keys::Form).expect("well-formed")).expect("checked");
    for input in report.inputs {
        assert_eq!(input.reason, Some(Reason::UnknownUtxo));
    }
}

/// Whatever a byte is changed to: no panic, and no input that was wrong becomes right.
#[test]
fn any_damaged_byte() {
    let bytes = finalised().serialize();
    for at in 5..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let Ok(binary) = light::decode(damaged) else {
            continue;
        };
        if let Ok(file) = binary.read(Keys::Form) {
            let report = check_signatures(&file).expect("checked");
            let valid = |input: &&InputSignatures| input.status == SignatureStatus::Valid;
            // The redeem script of a nested input may be damaged where nothing reads it again.
            assert!(
                report.inputs.iter().filter(valid).count() < COUNT,
                "byte {at}"
            );
        }
    }
}

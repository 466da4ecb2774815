//! PSBT version 2 (BIP-0370) → the equal version 0.
//!
//! Version 2 spreads the unsigned transaction over the maps. This module collects it, writes it as version 0
//! states it, and copies every other field as it is; the `bitcoin` crate then reads the result, so that both
//! versions go through one parser.
//!
//! The crate `psbt-v2` 0.3 is not used for this: it allocates whatever number of inputs a file claims to have,
//! reads an absent sequence number as 0, takes bytes after the end, and panics when its errors are shown.
//! Tests compare with it.

use bitcoin::absolute::LockTime;
use bitcoin::consensus::{Encodable, encode};
use bitcoin::hashes::Hash;
use bitcoin::transaction::Version;
use bitcoin::{Amount, OutPoint, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, Witness};

use super::MAGIC;
use super::lock_time;
use super::maps::{Malformed, Pair, next_pair, number};
use super::reader::GLOBAL_VERSION;

const UNSIGNED_TX: u8 = 0x00;
const TX_VERSION: u8 = 0x02;
const FALLBACK_LOCKTIME: u8 = 0x03;
const INPUT_COUNT: u8 = 0x04;
const OUTPUT_COUNT: u8 = 0x05;
const TX_MODIFIABLE: u8 = 0x06;

const PREVIOUS_TXID: u8 = 0x0e;
const OUTPUT_INDEX: u8 = 0x0f;
const SEQUENCE: u8 = 0x10;
const REQUIRED_TIME_LOCKTIME: u8 = 0x11;
const REQUIRED_HEIGHT_LOCKTIME: u8 = 0x12;

const AMOUNT: u8 = 0x03;
const SCRIPT: u8 = 0x04;

/// Global fields that only version 2 has.
pub(super) const GLOBAL_FIELDS: [u8; 5] = [
    TX_VERSION,
    FALLBACK_LOCKTIME,
    INPUT_COUNT,
    OUTPUT_COUNT,
    TX_MODIFIABLE,
];
/// Input fields that only version 2 has.
pub(super) const INPUT_FIELDS: [u8; 5] = [
    PREVIOUS_TXID,
    OUTPUT_INDEX,
    SEQUENCE,
    REQUIRED_TIME_LOCKTIME,
    REQUIRED_HEIGHT_LOCKTIME,
];
/// Output fields that only version 2 has.
pub(super) const OUTPUT_FIELDS: [u8; 2] = [AMOUNT, SCRIPT];

/// Converts the maps of a version 2 PSBT (all that follows the magic number) to a whole version 0 file.
pub(super) fn to_v0(maps: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut maps = maps;
    let global = Global::read(&mut maps)?;
    let mut inputs = Vec::new();
    let mut outputs = Vec::new();
    let mut lock_times = Vec::new();
    let mut transaction = Transaction {
        version: global.version,
        lock_time: LockTime::ZERO,
        input: Vec::new(),
        output: Vec::new(),
    };
    for _ in 0..global.inputs {
        let (input, lock_time) = read_input(&mut maps, &mut inputs)?;
        transaction.input.push(input);
        lock_times.push(lock_time);
    }
    for _ in 0..global.outputs {
        transaction
            .output
            .push(read_output(&mut maps, &mut outputs)?);
    }
    if !maps.is_empty() {
        return Err(Malformed);
    }
    transaction.lock_time = lock_time::determine(&lock_times, global.fallback_lock_time)?;

    let mut file = MAGIC.to_vec();
    write_unsigned(&transaction, &mut file);
    file.extend(global.others);
    file.push(0);
    file.extend(inputs);
    file.extend(outputs);
    Ok(file)
}

/// The global map: what the transaction needs, and all other fields as they are.
struct Global {
    version: Version,
    fallback_lock_time: u32,
    inputs: usize,
    outputs: usize,
    others: Vec<u8>,
}

impl Global {
    fn read(maps: &mut &[u8]) -> Result<Self, Malformed> {
        let (mut version, mut fallback, mut inputs, mut outputs) = (None, None, None, None);
        let (mut modifiable, mut psbt_version, mut others) = (None, None, Vec::new());
        while let Some(pair) = next_pair(maps)? {
            match pair.key {
                [UNSIGNED_TX] => return Err(Malformed),
                [TX_VERSION] => {
                    let value = i32::from_le_bytes(pair.array()?);
                    once(&mut version, Version(value))?;
                }
                [FALLBACK_LOCKTIME] => once(&mut fallback, pair.u32()?)?,
                [INPUT_COUNT] => once(&mut inputs, count(&pair)?)?,
                [OUTPUT_COUNT] => once(&mut outputs, count(&pair)?)?,
                [TX_MODIFIABLE] => once(&mut modifiable, pair.array::<1>()?)?,
                [GLOBAL_VERSION] => once(&mut psbt_version, ())?,
                key => keep(key, &pair, &GLOBAL_FIELDS, &mut others)?,
            }
        }
        Ok(Self {
            version: version.ok_or(Malformed)?,
            fallback_lock_time: fallback.unwrap_or(0),
            inputs: inputs.ok_or(Malformed)?,
            outputs: outputs.ok_or(Malformed)?,
            others,
        })
    }
}

fn read_input(
    maps: &mut &[u8],
    others: &mut Vec<u8>,
) -> Result<(TxIn, lock_time::Required), Malformed> {
    let (mut txid, mut vout, mut sequence) = (None, None, None);
    let mut required = lock_time::Required::default();
    while let Some(pair) = next_pair(maps)? {
        match pair.key {
            [PREVIOUS_TXID] => once(&mut txid, pair.array()?)?,
            [OUTPUT_INDEX] => once(&mut vout, pair.u32()?)?,
            [SEQUENCE] => once(&mut sequence, pair.u32()?)?,
            [REQUIRED_TIME_LOCKTIME] => required.set_time(&pair)?,
            [REQUIRED_HEIGHT_LOCKTIME] => required.set_height(&pair)?,
            key => keep(key, &pair, &INPUT_FIELDS, others)?,
        }
    }
    others.push(0);
    let input = TxIn {
        previous_output: OutPoint {
            txid: Txid::from_byte_array(txid.ok_or(Malformed)?),
            vout: vout.ok_or(Malformed)?,
        },
        script_sig: ScriptBuf::new(),
        // BIP-0370: "If omitted, the sequence number is assumed to be the final sequence number".
        sequence: sequence.map_or(Sequence::MAX, Sequence),
        witness: Witness::new(),
    };
    Ok((input, required))
}

fn read_output(maps: &mut &[u8], others: &mut Vec<u8>) -> Result<TxOut, Malformed> {
    let (mut amount, mut script) = (None, None);
    while let Some(pair) = next_pair(maps)? {
        match pair.key {
            [AMOUNT] => once(&mut amount, u64::from_le_bytes(pair.array()?))?,
            [SCRIPT] => once(&mut script, ScriptBuf::from(pair.value.to_vec()))?,
            key => keep(key, &pair, &OUTPUT_FIELDS, others)?,
        }
    }
    others.push(0);
    Ok(TxOut {
        value: Amount::from_sat(amount.ok_or(Malformed)?),
        script_pubkey: script.ok_or(Malformed)?,
    })
}

fn count(pair: &Pair<'_>) -> Result<usize, Malformed> {
    let mut value = pair.value;
    let count = number(&mut value)?;
    require(value.is_empty())?;
    usize::try_from(count).map_err(|_| Malformed)
}

/// BIP-0174: no key may appear twice in a map.
pub(super) fn once<T>(field: &mut Option<T>, value: T) -> Result<(), Malformed> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(Malformed),
    }
}

/// Copies a field that both versions have; the crate looks for duplicates among them.
fn keep(
    key: &[u8],
    pair: &Pair<'_>,
    v2_fields: &[u8],
    others: &mut Vec<u8>,
) -> Result<(), Malformed> {
    // Fields of version 2 have no key data, and the exact key was not among the match arms above.
    require(key.first().is_none_or(|field| !v2_fields.contains(field)))?;
    others.extend(pair.raw);
    Ok(())
}

pub(super) fn require(holds: bool) -> Result<(), Malformed> {
    if holds { Ok(()) } else { Err(Malformed) }
}

/// Writes the field `PSBT_GLOBAL_UNSIGNED_TX`. BIP-0174 wants the serialization without witness even when
/// there are no inputs, where the crate's own would use the other one.
fn write_unsigned(transaction: &Transaction, file: &mut Vec<u8>) {
    let mut bytes = encode::serialize(&transaction.version);
    bytes.extend(encode::serialize(&transaction.input));
    bytes.extend(encode::serialize(&transaction.output));
    bytes.extend(encode::serialize(&transaction.lock_time));
    file.extend([1, UNSIGNED_TX]);
    bytes
        .consensus_encode(file)
        .expect("a vector takes every write");
}

//! PSBT version 2 (BIP-0370) → the equal version 0.
//!
//! Version 2 spreads the unsigned transaction over the maps. This module collects it, writes it as version 0
//! states it, and leaves every other field as it is; the `bitcoin` crate then reads the result, so that both
//! versions go through one parser.
//!
//! The crate `psbt-v2` 0.3 is not used for this: it allocates whatever number of inputs a file claims to have,
//! reads an absent sequence number as 0, takes bytes after the end, and panics when its errors are shown.
//! Tests compare with it.

use bitcoin::absolute::{LOCK_TIME_THRESHOLD, LockTime};
use bitcoin::consensus::encode::{VarInt, deserialize, serialize};
use bitcoin::hashes::Hash;
use bitcoin::{Amount, OutPoint, ScriptBuf, Sequence, TxIn, TxOut, Txid};

use super::maps::Field;

/// Global fields that only version 2 has: transaction version, fallback lock time, counts of inputs and of outputs, what may be modified.
pub(super) const GLOBAL: [u8; 5] = [0x02, 0x03, 0x04, 0x05, 0x06];
/// Those of inputs: previous txid, output index, sequence, required time and height.
pub(super) const INPUT: [u8; 5] = [0x0e, 0x0f, 0x10, 0x11, 0x12];
/// Those of outputs: amount and script.
pub(super) const OUTPUT: [u8; 2] = [0x03, 0x04];

/// Takes the values of these fields out of a map. They have no key data, and BIP-0174 wants each key once.
fn take<const N: usize>(map: &mut Vec<Field>, fields: [u8; N]) -> Option<[Option<Vec<u8>>; N]> {
    let mut values = std::array::from_fn(|_| None);
    for (key, value) in std::mem::take(map) {
        match fields.iter().position(|field| key[0] == *field) {
            Some(at) if key.len() > 1 || values[at].is_some() => return None,
            Some(at) => values[at] = Some(value),
            None => map.push((key, value)),
        }
    }
    Some(values)
}

fn number(value: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(value.try_into().ok()?))
}

/// The number in a field that may be absent; `None` when it is malformed.
fn optional(value: Option<Vec<u8>>) -> Option<Option<u32>> {
    value.map_or(Some(None), |value| number(&value).map(Some))
}

/// Converts the maps of a version 2 PSBT.
pub(super) fn to_version_0(mut maps: Vec<Vec<Field>>) -> Option<Vec<Vec<Field>>> {
    let (global, rest) = maps.split_first_mut()?;
    let [version, fallback, inputs, outputs, modifiable] = take(global, GLOBAL)?;
    // Version 0 has the transaction in one field, and states no version.
    let [None, Some(_)] = take(global, [0x00, 0xfb])? else {
        return None;
    };
    if modifiable.is_some_and(|value| value.len() != 1) {
        return None;
    }
    let [inputs, outputs] = [inputs, outputs].map(|count| deserialize::<VarInt>(&count?).ok());
    let (inputs, outputs) = (usize::try_from(inputs?.0).ok()?, outputs?.0);
    let (inputs, rest) = rest.split_at_mut_checked(inputs)?;
    (u64::try_from(rest.len()) == Ok(outputs)).then_some(())?;
    let required: Vec<_> = inputs.iter_mut().map(read_input).collect::<Option<_>>()?;
    let outputs: Vec<_> = rest.iter_mut().map(read_output).collect::<Option<_>>()?;
    let (inputs, locks): (Vec<TxIn>, Vec<_>) = required.into_iter().unzip();
    let lock_time = lock_time(&locks, optional(fallback)?.unwrap_or(0))?;
    // BIP-0174 wants the serialization without witness even when there are no inputs, where the crate's own would use the other one.
    let mut transaction = number(&version?)?.to_le_bytes().to_vec();
    transaction.extend([serialize(&inputs), serialize(&outputs)].concat());
    transaction.extend(serialize(&lock_time));
    global.insert(0, (vec![0x00], transaction));
    Some(maps)
}

/// The lock times that an input requires: a time and a height.
type Required = (Option<u32>, Option<u32>);

fn read_input(map: &mut Vec<Field>) -> Option<(TxIn, Required)> {
    let [txid, vout, sequence, time, height] = take(map, INPUT)?;
    let (time, height) = (optional(time)?, optional(height)?);
    // BIP-0370: "greater than or equal to 500000000", and "greater than 0 and less than 500000000".
    let is_time = time.is_none_or(|time| time >= LOCK_TIME_THRESHOLD);
    let is_height = height.is_none_or(|height| (1..LOCK_TIME_THRESHOLD).contains(&height));
    let input = TxIn {
        previous_output: OutPoint {
            txid: Txid::from_byte_array(txid?.try_into().ok()?),
            vout: number(&vout?)?,
        },
        // BIP-0370: "If omitted, the sequence number is assumed to be the final sequence number".
        sequence: optional(sequence)?.map_or(Sequence::MAX, Sequence),
        ..TxIn::default()
    };
    (is_time && is_height).then_some((input, (time, height)))
}

fn read_output(map: &mut Vec<Field>) -> Option<TxOut> {
    let [amount, script] = take(map, OUTPUT)?;
    Some(TxOut {
        value: Amount::from_sat(u64::from_le_bytes(amount?.try_into().ok()?)),
        script_pubkey: ScriptBuf::from(script?),
    })
}

/// BIP-0370, "Determining Lock Time": a height if every input that requires anything can live with one,
/// else a time; of the chosen kind the largest.
fn lock_time(required: &[Required], fallback: u32) -> Option<LockTime> {
    let demands = |required: &&Required| **required != (None, None);
    let demanding = required.iter().filter(demands);
    let heights: Option<Vec<u32>> = demanding.clone().map(|(_, height)| *height).collect();
    let times = || demanding.map(|(time, _)| *time).collect();
    let largest = heights.or_else(times)?.into_iter().max();
    Some(LockTime::from_consensus(largest.unwrap_or(fallback)))
}

//! Transactions, walked over without copying. What is refused is what `bitcoin::Transaction` refuses.

use super::cursor::{Cursor, LENGTH};
use crate::Fault;

/// What the `bitcoin` crate takes at most for one value, or one witness, in bytes.
pub(crate) const MAX_VEC_BYTES: usize = 4_000_000;

/// Where the parts of a transaction are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tx<'a> {
    pub(crate) version: i32,
    pub(crate) lock_time: u32,
    pub(crate) input_count: usize,
    pub(crate) output_count: usize,
    /// The inputs, without their count.
    inputs: &'a [u8],
    /// The outputs, without their count.
    outputs: &'a [u8],
    /// The witnesses, one per input; none when the serialization has no witnesses.
    witnesses: Option<&'a [u8]>,
    /// Inputs and outputs with their counts: what is between version and lock time in a txid.
    body: &'a [u8],
    bytes: &'a [u8],
}

/// One input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TxIn<'a> {
    /// Txid and index as they are in the transaction.
    pub(crate) outpoint: &'a [u8; 36],
    pub(crate) script_sig: &'a [u8],
    pub(crate) sequence: u32,
}

impl TxIn<'_> {
    pub(crate) fn vout(&self) -> u32 {
        let [.., a, b, c, d] = *self.outpoint;
        u32::from_le_bytes([a, b, c, d])
    }
}

/// One output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TxOut<'a> {
    pub(crate) value: u64,
    pub(crate) script: &'a [u8],
}

impl<'a> TxOut<'a> {
    #[inline]
    pub(crate) fn read(cursor: &mut Cursor<'a>) -> Result<Self, Fault> {
        let value = u64::from_le_bytes(*cursor.array()?);
        let script = cursor.bytes()?;
        Ok(Self { value, script })
    }
}

#[cfg(feature = "tools")]
impl From<TxOut<'_>> for bitcoin::TxOut {
    fn from(TxOut { value, script }: TxOut<'_>) -> Self {
        Self {
            value: bitcoin::Amount::from_sat(value),
            script_pubkey: script.to_vec().into(),
        }
    }
}

impl<'a> Tx<'a> {
    /// A transaction with or without witnesses (BIP-0144).
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        if bytes.get(4) == Some(&0) {
            return Self::read_segwit(bytes);
        }
        Self::read_unsigned(bytes)
    }

    /// A transaction without witnesses, even when it has no inputs (BIP-0174, `PSBT_GLOBAL_UNSIGNED_TX`).
    pub(crate) fn read_unsigned(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(bytes);
        let version = i32::from_le_bytes(*cursor.array()?);
        let mut tx = Self::read_body(&mut cursor, version, bytes)?;
        tx.finish(cursor)?;
        Ok(tx)
    }

    fn read_segwit(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(bytes);
        let version = i32::from_le_bytes(*cursor.array()?);
        if cursor.array()? != &[0, 1] {
            return Err(Fault::Invalid("transaction"));
        }
        let mut tx = Self::read_body(&mut cursor, version, bytes)?;
        let start = cursor.rest();
        let mut empty = true;
        for _ in 0..tx.input_count {
            empty &= walk_witness(&mut cursor)? == 0;
        }
        if empty && tx.input_count > 0 {
            return Err(Fault::Invalid("witness"));
        }
        tx.witnesses = Some(&start[..start.len() - cursor.remaining()]);
        tx.finish(cursor)?;
        Ok(tx)
    }

    fn read_body(cursor: &mut Cursor<'a>, version: i32, bytes: &'a [u8]) -> Result<Self, Fault> {
        let start = cursor.rest();
        let input_count = count(cursor)?;
        let inputs = cursor.rest();
        for _ in 0..input_count {
            read_input(cursor)?;
        }
        let inputs = &inputs[..inputs.len() - cursor.remaining()];
        let output_count = count(cursor)?;
        let outputs = cursor.rest();
        for _ in 0..output_count {
            TxOut::read(cursor)?;
        }
        let outputs = &outputs[..outputs.len() - cursor.remaining()];
        Ok(Self {
            version,
            lock_time: 0,
            input_count,
            output_count,
            inputs,
            outputs,
            witnesses: None,
            body: &start[..start.len() - cursor.remaining()],
            bytes,
        })
    }

    fn finish(&mut self, mut cursor: Cursor<'a>) -> Result<(), Fault> {
        self.lock_time = u32::from_le_bytes(*cursor.array()?);
        if cursor.remaining() > 0 {
            return Err(LENGTH);
        }
        Ok(())
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = TxIn<'a>> + use<'a> {
        let mut cursor = Cursor::new(self.inputs);
        // They have been walked over, so there is no error that could end them early.
        core::iter::from_fn(move || read_input(&mut cursor).ok())
    }

    pub(crate) fn outputs(&self) -> impl Iterator<Item = TxOut<'a>> + use<'a> {
        let mut cursor = Cursor::new(self.outputs);
        core::iter::from_fn(move || TxOut::read(&mut cursor).ok())
    }

    /// For each input, whether it has a script signature or a witness.
    pub(crate) fn signed_inputs(&self) -> impl Iterator<Item = bool> + use<'a> {
        let mut witnesses = self.witness_lengths();
        self.inputs().map(move |input| {
            let has_witness = witnesses.next().is_some_and(|elements| elements > 0);
            has_witness || !input.script_sig.is_empty()
        })
    }

    /// For each input, how many elements its witness has.
    fn witness_lengths(&self) -> impl Iterator<Item = usize> + use<'a> {
        let mut cursor = Cursor::new(self.witnesses.unwrap_or_default());
        core::iter::from_fn(move || walk_witness(&mut cursor).ok())
    }

    /// Four times its length without witnesses, and the witnesses (BIP-0141).
    pub(crate) fn weight(&self) -> usize {
        4 * (8 + self.body.len()) + self.witnesses.map_or(0, |witnesses| 2 + witnesses.len())
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// What the txid hashes, in three pieces.
    #[inline(never)]
    pub(crate) fn without_witness(&self) -> [&'a [u8]; 3] {
        let (version, rest) = self.bytes.split_at(4);
        let lock_time = &rest[rest.len() - 4..];
        [version, self.body, lock_time]
    }
}

fn count(cursor: &mut Cursor<'_>) -> Result<usize, Fault> {
    let count = usize::try_from(cursor.compact_size()?).map_err(|_| Fault::Truncated)?;
    // Each takes at least 9 bytes; without this a loop could be long, though it would end in an error.
    if count > cursor.remaining() {
        return Err(Fault::Truncated);
    }
    Ok(count)
}

fn read_input<'a>(cursor: &mut Cursor<'a>) -> Result<TxIn<'a>, Fault> {
    Ok(TxIn {
        outpoint: cursor.array()?,
        script_sig: cursor.bytes()?,
        sequence: u32::from_le_bytes(*cursor.array()?),
    })
}

/// Walks over a witness; how many elements it has.
pub(crate) fn walk_witness(cursor: &mut Cursor<'_>) -> Result<usize, Fault> {
    let elements = usize::try_from(cursor.compact_size()?).map_err(|_| Fault::Truncated)?;
    if elements > MAX_VEC_BYTES {
        return Err(LENGTH);
    }
    let start = cursor.remaining();
    for _ in 0..elements {
        cursor.bytes()?;
        if start - cursor.remaining() > MAX_VEC_BYTES {
            return Err(LENGTH);
        }
    }
    Ok(elements)
}

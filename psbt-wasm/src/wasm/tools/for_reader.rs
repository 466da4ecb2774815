//! `readerStatement` and `readerProof`.

use alloc::{format, vec::Vec};
use core::fmt::{self, Formatter};

use bitcoin::hex::DisplayHex;

use super::frames::{read_array, read_text};
use super::json::List;
use crate::read::cursor::Cursor;
use crate::statement::{CoinNetwork, Person, block_hash};
use crate::{Error, Fault, Keys, MakeError, decode};

/// The statement for a reader, from the network, words, name, nonce and the header of the block.
pub(in crate::wasm) fn statement(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let network = CoinNetwork::from_name(read_text(&mut cursor)?);
    let network = network.ok_or(Fault::Invalid("network"))?;
    let (words, name) = (read_text(&mut cursor)?, read_text(&mut cursor)?);
    let (nonce, header) = (read_array(&mut cursor)?, read_array(&mut cursor)?);
    let line = Person::for_reader(network, words, name).statement(name, nonce, &block_hash(header));
    let line = line.map_err(|_| Fault::Invalid("statement"))?;
    Ok(line.into_bytes())
}

/// One coin of a proof file: txid, vout, value and script.
type Coin<'a> = ([u8; 32], u32, u64, &'a [u8]);

/// What the file that was signed spends, as the members `binding` and `inputs` of a proof file.
pub(in crate::wasm) fn coins(bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let binary = decode(bytes)?;
    let file = binary.read(Keys::Form)?;
    let is_message = (file.psbt.as_ref()).is_some_and(|psbt| psbt.message().is_some());
    let tx = file.transaction()?;
    let mut coins: Vec<Coin<'_>> = Vec::new();
    for (input, (txin, (spent, ..))) in tx.inputs().zip(file.inputs()?).enumerate() {
        let spent = spent.ok_or(MakeError::UnknownUtxo { input })?;
        let mut txid = [0; 32];
        txid.copy_from_slice(&txin.outpoint[..32]);
        txid.reverse();
        coins.push((txid, txin.vout(), spent.value, spent.script));
    }
    let binding = if is_message { "message" } else { "transaction" };
    let json = format!(
        r#"{{"binding":"{binding}","inputs":{}}}"#,
        List(&coins, coin)
    );
    Ok(json.into_bytes())
}

fn coin((txid, vout, value, script): &Coin<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (txid, script) = (txid.as_hex(), script.as_hex());
    write!(
        f,
        r#"{{"txid":"{txid}","vout":{vout},"value_sats":{value},"script_pubkey":"{script}"}}"#
    )
}

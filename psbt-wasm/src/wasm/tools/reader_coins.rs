//! What `readerProof` needs of the file that was signed. The package alone has that function: it is put together in `js/tools.js`.

use alloc::{format, vec::Vec};
use core::fmt::{self, Formatter};

use bitcoin::hex::DisplayHex;

use super::frames::read;
use super::json::List;
use crate::read::cursor::Cursor;
use crate::{Error, FurtherSignature, Keys, MakeError, decode, further_signatures};

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

/// The valid signatures beyond those that the scripts need, as the member `further_signatures` of a proof file. The frames are the file that
/// was signed, and what came back.
pub(in crate::wasm) fn further(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let (to_sign, signed) = (read(&mut cursor)?, read(&mut cursor)?);
    let further = further_signatures(to_sign, signed)?;
    Ok(format!("{}", List(&further, signature)).into_bytes())
}

fn signature(further: &FurtherSignature, f: &mut Formatter<'_>) -> fmt::Result {
    let (key, signature) = (further.key.as_hex(), further.signature.as_hex());
    let input = further.input;
    write!(
        f,
        r#"{{"input":{input},"public_key":"{key}","signature":"{signature}"}}"#
    )
}

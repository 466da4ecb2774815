//! `joinProofs`.

use alloc::{format, vec::Vec};
use core::fmt::{self, Formatter};

use super::frames::{read, read_text};
use super::json::{List, OrNull, Quoted};
use crate::joined::{JoinedCoin, JoinedFile, NamedSum, ProofStatus, join_proofs};
use crate::read::cursor::Cursor;
use crate::statement::CoinNetwork;
use crate::{Error, Fault};

/// As `js/joined.js` encodes them: whether they are one client, and for each file its network and status, its hash, request, name and coins.
pub(in crate::wasm) fn joined(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let cursor = &mut Cursor::new(frames);
    let one_client = read(cursor)? == [1];
    let mut files = Vec::new();
    while cursor.remaining() > 0 {
        let network = CoinNetwork::from_name(read_text(cursor)?);
        let status = match read_text(cursor)? {
            "right" => ProofStatus::Right,
            "false" => ProofStatus::False,
            _ => ProofStatus::Unchecked,
        };
        files.push(JoinedFile {
            network: network.ok_or(Fault::Invalid("network"))?,
            status,
            sha256: read(cursor)?,
            request: read_text(cursor)?,
            name: read_text(cursor)?,
            coins: coins(read(cursor)?)?,
        });
    }
    let joint = join_proofs(&files, one_client);
    let names: Vec<(&str, &NamedSum)> = (joint.names.iter())
        .map(|named| (files[named.files[0]].name, named))
        .collect();
    let (reason, file) = match joint.reason {
        Some((reason, file)) => (Some(reason), file),
        None => (None, None),
    };
    let json = format!(
        r#"{{"status":"{}","reason":{},"file":{},"names":{},"total":{},"shared":{}}}"#,
        joint.status.code(),
        OrNull(reason.map(|reason| Quoted(reason.code()))),
        OrNull(file),
        List(&names, name),
        Sats(joint.amount_sats),
        List(&joint.shared, |(files, at), f| write!(
            f,
            r#"{{"files":{},"coin":{at}}}"#,
            List(files, |file, f| write!(f, "{file}"))
        )),
    );
    Ok(json.into_bytes())
}

/// A coin is its outpoint, its value in 8 bytes and whether it counts.
fn coins(mut rest: &[u8]) -> Result<Vec<JoinedCoin<'_>>, Error> {
    let mut coins = Vec::new();
    while let Some((outpoint, more)) = rest.split_at_checked(36) {
        let cursor = &mut Cursor::new(more);
        coins.push(JoinedCoin {
            outpoint,
            value: u64::from_le_bytes(*cursor.array()?),
            counts: cursor.array()? == &[1],
        });
        rest = cursor.rest();
    }
    Ok(coins)
}

/// Text, because a number in JSON cannot be as large in JavaScript.
struct Sats(Option<u64>);

impl fmt::Display for Sats {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(sats) => write!(f, r#""{sats}""#),
            None => f.write_str("null"),
        }
    }
}

fn name((name, named): &(&str, &NamedSum), f: &mut Formatter<'_>) -> fmt::Result {
    write!(
        f,
        r#"{{"name":{},"files":{},"coinCount":{},"amountSats":{}}}"#,
        Quoted(name),
        List(&named.files, |file, f| write!(f, "{file}")),
        named.coins,
        Sats(named.amount_sats)
    )
}

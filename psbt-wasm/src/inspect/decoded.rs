//! What a field says, as texts for people.

use alloc::{format, string::String, string::ToString, vec, vec::Vec};

use bitcoin::hex::DisplayHex;

use crate::error::Map;
use crate::hash::txid::txid;
use crate::read::cursor::{Cursor, Pair};
use crate::read::fields::{Check, Field, global, input, output};
use crate::read::transaction::{Tx, TxOut};
use crate::{Keys, Network, address, is_key, script};

/// Names and texts.
type Decoded = Vec<(&'static str, String)>;

/// None when a key or the length of the value is not what the field demands; what [`check`](crate::read::checks::check) finds is not looked for again.
pub(super) fn decode_field(
    map: Map,
    field: &Field,
    pair: &Pair<'_>,
    network: Network,
) -> Option<Decoded> {
    let (key, value) = (pair.key_data(), pair.value);
    let decoded = match field.check {
        Check::UnsignedTransaction => return Some(transaction(Tx::read_unsigned(value).ok())),
        Check::Transaction => return Some(transaction(Tx::read(value).ok())),
        Check::Output => output_of(value, network),
        Check::Bytes => vec![("scriptType", script::kind(value).name().into())],
        Check::Witness => vec![("elements", number(Cursor::new(value).compact_size().ok()?))],
        Check::SighashType => vec![("sighash", sighash(pair.u32().ok()?))],
        Check::Count => vec![("count", number(Cursor::new(value).compact_size().ok()?))],
        Check::Exactly(1) => vec![("flags", format!("{:08b}", value.first()?))],
        Check::Exactly(8) => vec![("sats", number(u64::from_le_bytes(pair.array().ok()?)))],
        Check::Exactly(32) => {
            let mut bytes = value.to_vec();
            if field.name == "PSBT_IN_PREVIOUS_TXID" {
                bytes.reverse();
            }
            vec![("hash", hex(&bytes))]
        }
        Check::Exactly(_) | Check::LockTime | Check::LockHeight => {
            vec![("number", number(pair.u32().ok()?))]
        }
        Check::PartialSignature => {
            let kind = value.last().copied().unwrap_or_default();
            vec![("publicKey", hex(key)), ("sighash", sighash(kind.into()))]
        }
        Check::Derivation => origin(vec![("publicKey", hex(key))], value)?,
        Check::ExtendedKey => {
            let key = base58ck::encode_check(key);
            origin(vec![("extendedPublicKey", key)], value)?
        }
        Check::Ripemd160 | Check::Sha256 | Check::Hash160 | Check::Hash256 => {
            vec![("hash", hex(key))]
        }
        Check::TapKeySignature => vec![("sighash", schnorr_sighash(value))],
        Check::TapScriptSignature => {
            let (public, leaf) = key.split_at_checked(32)?;
            let sighash = schnorr_sighash(value);
            vec![
                ("publicKey", hex(public)),
                ("leafHash", hex(leaf)),
                ("sighash", sighash),
            ]
        }
        Check::TapLeafScript => {
            let (version, script) = value.split_last()?;
            vec![
                ("internalKey", hex(key.get(1..33)?)),
                ("leafVersion", format!("{version:#04x}")),
                ("script", hex(script)),
            ]
        }
        Check::TapDerivation => {
            let mut cursor = Cursor::new(value);
            let leaves = usize::try_from(cursor.compact_size().ok()?).ok()?;
            cursor.take(leaves.checked_mul(32)?).ok()?;
            let decoded = vec![("publicKey", hex(key)), ("leaves", number(leaves))];
            origin(decoded, cursor.rest())?
        }
        Check::XOnlyKey => vec![("publicKey", hex(value))],
        Check::TapTree => vec![("leaves", number(leaves(value)))],
        Check::Proprietary => {
            let mut cursor = Cursor::new(key);
            let prefix = cursor.bytes().ok()?;
            let subtype = cursor.compact_size().ok()?;
            vec![("prefix", text(prefix)), ("subtype", number(subtype))]
        }
        Check::Anything => return of_other_bips(map, field, pair, network),
    };
    Some(decoded)
}

/// Fields that the `bitcoin` crate does not know: MuSig2 (BIP-0373), silent payments (BIP-0375, BIP-0376), and messages.
fn of_other_bips(map: Map, field: &Field, pair: &Pair<'_>, network: Network) -> Option<Decoded> {
    let (key, value) = (pair.key_data(), pair.value);
    let of_length = |length: usize| (value.len() == length).then(|| hex(value));
    let one_key = |name| is_point(key).then(|| (name, hex(key)));
    Some(match (map, field.number) {
        (Map::Global, global::SP_ECDH_SHARE) | (Map::Input(_), input::SP_ECDH_SHARE) => {
            vec![one_key("scanKey")?, ("share", of_length(33)?)]
        }
        (Map::Global, global::SP_DLEQ) | (Map::Input(_), input::SP_DLEQ) => {
            vec![one_key("scanKey")?, ("proof", of_length(64)?)]
        }
        (Map::Input(_), input::SP_SPEND_BIP32_DERIVATION) => {
            origin(vec![one_key("spendKey")?], value)?
        }
        (Map::Input(_), input::SP_TWEAK) => vec![("tweak", of_length(32)?)],
        (Map::Output(_), output::SP_V0_INFO) => {
            let mut address = Vec::new();
            address::silent_address(value.try_into().ok()?, network, &mut address);
            vec![
                ("scanKey", hex(&value[..33])),
                ("spendKey", hex(&value[33..])),
                ("address", text(&address)),
            ]
        }
        (Map::Output(_), output::SP_V0_LABEL) => {
            vec![("label", number(pair.u32().ok()?))]
        }
        (Map::Input(_), input::MUSIG2_PARTICIPANT_PUBKEYS)
        | (Map::Output(_), output::MUSIG2_PARTICIPANT_PUBKEYS) => {
            let keys = value.chunks(33).map(|key| is_point(key).then(|| hex(key)));
            let keys: Vec<String> = keys.collect::<Option<_>>()?;
            vec![one_key("aggregateKey")?, ("participants", keys.join(" "))]
        }
        (Map::Input(_), input::MUSIG2_PUB_NONCE) => musig2_signer(key, ("nonce", of_length(66)?))?,
        (Map::Input(_), input::MUSIG2_PARTIAL_SIG) => {
            musig2_signer(key, ("partialSignature", of_length(32)?))?
        }
        (Map::Global, global::GENERIC_SIGNED_MESSAGE) | (Map::Input(_), input::POR_COMMITMENT) => {
            vec![("message", text(value))]
        }
        _ => Vec::new(),
    })
}

/// The participant and the aggregate key, the leaf that is signed, if it is one, and what the participant says.
fn musig2_signer(key: &[u8], said: (&'static str, String)) -> Option<Decoded> {
    let (participant, rest) = key.split_at_checked(33)?;
    let (aggregate, leaf) = rest.split_at_checked(33)?;
    if !is_point(participant) || !is_point(aggregate) {
        return None;
    }
    let mut decoded = vec![
        ("participant", hex(participant)),
        ("aggregateKey", hex(aggregate)),
    ];
    match leaf.len() {
        0 => {}
        32 => decoded.push(("leafHash", hex(leaf))),
        _ => return None,
    }
    decoded.push(said);
    Some(decoded)
}

/// Whether it is a compressed key.
fn is_point(key: &[u8]) -> bool {
    key.len() == 33 && is_key(key, Keys::Curve)
}

fn transaction(tx: Option<Tx<'_>>) -> Decoded {
    tx.as_ref().map(decode_transaction).unwrap_or_default()
}

/// A transaction by itself, which should be signed.
pub(super) fn decode_raw_transaction(tx: &Tx<'_>) -> Decoded {
    let mut decoded = decode_transaction(tx);
    let signed = tx.signed_inputs().filter(|is_signed| *is_signed).count();
    decoded.push(("signed", format!("{signed} of {} inputs", tx.input_count)));
    decoded
}

fn decode_transaction(tx: &Tx<'_>) -> Decoded {
    let mut id = txid(tx);
    id.reverse();
    vec![
        ("txid", hex(&id)),
        ("version", number(tx.version)),
        ("lockTime", number(tx.lock_time)),
        ("inputs", number(tx.input_count)),
        ("outputs", number(tx.output_count)),
    ]
}

fn output_of(value: &[u8], network: Network) -> Decoded {
    let Ok(TxOut { value, script }) = TxOut::read(&mut Cursor::new(value)) else {
        return Vec::new();
    };
    let kind = script::kind(script).name();
    let mut decoded = vec![("sats", number(value)), ("scriptType", kind.into())];
    let mut address = Vec::new();
    address::address(script, network, &mut address);
    if !address.is_empty() {
        decoded.push(("address", text(&address)));
    }
    decoded
}

/// Adds a fingerprint and a path.
fn origin(mut decoded: Decoded, value: &[u8]) -> Option<Decoded> {
    let (fingerprint, steps) = value.split_first_chunk::<4>()?;
    if steps.len() % 4 != 0 {
        return None;
    }
    let mut path = String::from("m");
    // A path of BIP-0032 has at most 255 steps.
    for step in steps.chunks(4).take(255) {
        let step = u32::from_le_bytes(step.try_into().ok()?);
        let hardened = if step >> 31 == 1 { "'" } else { "" };
        path += &format!("/{}{hardened}", step & 0x7fff_ffff);
    }
    decoded.extend([("fingerprint", hex(fingerprint)), ("path", path)]);
    Some(decoded)
}

fn leaves(tree: &[u8]) -> usize {
    let mut cursor = Cursor::new(tree);
    let mut leaves = 0;
    while cursor.take(2).is_ok() && cursor.bytes().is_ok() {
        leaves += 1;
    }
    leaves
}

fn schnorr_sighash(signature: &[u8]) -> String {
    sighash(signature.get(64).copied().unwrap_or_default().into())
}

fn sighash(kind: u32) -> String {
    let name = match kind & !0x80 {
        0 => "DEFAULT",
        1 => "ALL",
        2 => "NONE",
        3 => "SINGLE",
        _ => return format!("{kind:#x}"),
    };
    let alone = kind & 0x80 != 0;
    format!("{name}{}", if alone { "|ANYONECANPAY" } else { "" })
}

fn number(number: impl ToString) -> String {
    number.to_string()
}

/// Long ones are cut: the bytes are beside it.
fn hex(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(super::MAX_SHOWN_BYTES)].to_lower_hex_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(super::MAX_SHOWN_BYTES)]).into_owned()
}

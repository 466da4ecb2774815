//! Damages proof files.

use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

/// Damage that only the chain can find: a stated height, and a value to which signatures of old scripts do not commit.
pub(crate) const OF_THE_CHAIN: [&str; 2] = [HEIGHT, VALUE];
const HEIGHT: &str = "height";
const VALUE: &str = "value";

/// A damaged file, and what was done to it.
pub(crate) fn damaged(file: &Value, random: &mut StdRng) -> (&'static str, Vec<u8>) {
    loop {
        let mut changed = file.clone();
        let how = change(&mut changed, random);
        if let Some(how) = how {
            if changed != *file {
                return (how, changed.to_string().into_bytes());
            }
            let text = file.to_string();
            return ("text", text_of(&text, random).into_bytes());
        }
    }
}

/// A text that other readers might take.
fn text_of(text: &str, random: &mut StdRng) -> String {
    let end = text.len();
    match random.random_range(0..5) {
        0 => text[..end - 1 - random.random_range(0..end / 2)].to_owned(),
        1 => text.replacen('{', r#"{"network":"mainnet","#, 1),
        2 => text.replacen(r#""height":1"#, r#""height":1.0"#, 1),
        3 => text.replacen(r#""height":1"#, r#""height":"1""#, 1),
        _ => format!("{text}{{}}"),
    }
}

/// Changes one thing; `None` when the file has no such thing.
fn change(file: &mut Value, random: &mut StdRng) -> Option<&'static str> {
    let inputs = file["inputs"].as_array()?.len();
    let at = random.random_range(0..inputs);
    Some(match random.random_range(0..16) {
        0..=3 => {
            flip(&mut file["transaction"], random)?;
            "transaction"
        }
        4 => {
            file["inputs"][at]["value_sats"] = json!(random.random_range(0..1_000_000));
            VALUE
        }
        5 => {
            flip(&mut file["inputs"][at]["script_pubkey"], random)?;
            "script"
        }
        6 => {
            flip(&mut file["inputs"][at]["txid"], random)?;
            "txid"
        }
        7 => {
            file["inputs"].as_array_mut()?.remove(at);
            "inputs"
        }
        8 => {
            let member = ["text", "subject", "name", "account_id", "provider"].choose(random)?;
            let text = format!("{}x", file["statement"][member].as_str()?);
            file["statement"][member] = text.into();
            "statement"
        }
        9 => {
            let bytes = match random.random_bool(0.5) {
                true => &mut file["statement"]["nonce"],
                false => &mut file["statement"]["block"]["header"],
            };
            flip(bytes, random)?;
            "code"
        }
        10 => {
            file["statement"]["block"]["height"] = json!(random.random_range(0..900_000));
            HEIGHT
        }
        11 => {
            let other = ["mainnet", "testnet4", "regtest", "bitcoin"].choose(random)?;
            file["network"] = json!(other);
            "network"
        }
        12 => {
            let is_message = file["binding"] == "message";
            file["binding"] = json!(if is_message { "transaction" } else { "message" });
            "binding"
        }
        13 => "text",
        _ => further(file, random)?,
    })
}

/// Changes a further signature.
fn further(file: &mut Value, random: &mut StdRng) -> Option<&'static str> {
    let all = file.get_mut("further_signatures")?.as_array_mut()?;
    let at = random.random_range(0..all.len());
    let one = all[at].clone();
    match random.random_range(0..7) {
        0 => flip(&mut all[at]["signature"], random)?,
        1 => flip(&mut all[at]["public_key"], random)?,
        2 => all.push(one),
        3 => all[at]["input"] = json!(one["input"].as_u64()? + 1),
        4 => {
            let signature = one["signature"].as_str()?;
            let (signature, _) = signature.split_at(signature.len() - 2);
            let kind = ["02", "03", "81", "00"].choose(random)?;
            all[at]["signature"] = format!("{signature}{kind}").into();
        }
        5 => all[at]["signature"] = json!(""),
        _ => all[at]["more"] = json!(1),
    }
    Some("further")
}

/// Flips one bit of a hexadecimal text.
fn flip(text: &mut Value, random: &mut StdRng) -> Option<()> {
    let mut bytes = hex::decode(text.as_str()?).ok()?;
    let at = random.random_range(0..bytes.len().max(1));
    *bytes.get_mut(at)? ^= 1 << random.random_range(0..8);
    *text = hex::encode(bytes).into();
    Some(())
}

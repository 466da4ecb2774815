//! One proof in every form in which it can arrive.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use bitcoin::Transaction;
use bitcoin::consensus::encode::serialize;
use verify::{Refusal, Verified};

use super::v2::as_v2;
use crate::support::node::{Node, SomePsbt};
use crate::verdict::{assert_accepted, verdict, verdict_of_bytes};

/// Asserts that a signed PSBT is accepted as version 0 and as version 2, whole and stripped; returns
/// the transaction that it proves with.
pub(crate) async fn accepted(node: &Node, psbt: &SomePsbt, what: &str) -> Transaction {
    let whole = accept(verdict(node, psbt.base64()).await, what);
    for file in [psbt.binary(), as_v2(&psbt.binary())] {
        let transaction = accept(verdict_of_bytes(node, &file).await, what);
        assert_eq!(transaction, whole, "{what}");
        let stripped = psbt_wasm::strip(&file).expect("well-formed");
        let transaction = accept(verdict_of_bytes(node, &stripped).await, what);
        assert_eq!(transaction, whole, "{what}, stripped");
    }
    // What Electrum and Coldcard export once a transaction is complete.
    let transaction = accept(verdict_of_bytes(node, &serialize(&whole)).await, what);
    assert_eq!(transaction, whole, "{what}, as a transaction");
    whole
}

/// The transaction of an accepted file.
#[track_caller]
fn accept(verdict: Result<Verified, Refusal>, what: &str) -> Transaction {
    assert_accepted(&verdict, what);
    verdict.expect("just asserted").transaction
}

/// Text in lines, as mail programs and shells leave it.
fn wrapped(text: &str, width: usize, line_end: &str) -> String {
    let lines = text.as_bytes().chunks(width);
    lines
        .map(|line| String::from_utf8_lossy(line) + line_end)
        .collect()
}

#[tokio::test]
async fn every_encoding_is_accepted() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let kinds = crate::support::node::AddressType::ALL;
    let coins = wallet
        .fund_all(&kinds.map(|kind| (kind, bitcoin::Amount::ONE_BTC)))
        .await;
    let psbt = wallet.proof(&coins, true).await;
    let transaction = psbt.transaction();
    let contents = [
        ("version 0", psbt.binary()),
        ("version 2", as_v2(&psbt.binary())),
        ("transaction", serialize(&transaction)),
    ];
    for (content, bytes) in contents {
        let base64 = STANDARD.encode(&bytes);
        let hex = hex::encode(&bytes);
        let utf16: Vec<u8> = [0xfeff]
            .into_iter()
            .chain(base64.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let files: [(&str, Vec<u8>); 14] = [
            ("binary", bytes.clone()),
            ("base64", base64.clone().into()),
            (
                "base64 without padding",
                STANDARD_NO_PAD.encode(&bytes).into(),
            ),
            ("base64 and a newline", format!("{base64}\n").into()),
            ("base64 and CRLF", format!("{base64}\r\n").into()),
            ("base64 within spaces", format!("  {base64}\t ").into()),
            ("base64 in lines", wrapped(&base64, 64, "\n").into()),
            (
                "base64 in lines with CRLF",
                wrapped(&base64, 76, "\r\n").into(),
            ),
            (
                "base64 after a byte order mark",
                format!("\u{feff}{base64}").into(),
            ),
            ("base64 in UTF-16", utf16),
            ("hex", hex.clone().into()),
            (
                "HEX and a newline",
                format!("{}\n", hex.to_uppercase()).into(),
            ),
            ("hex in lines with CRLF", wrapped(&hex, 80, "\r\n").into()),
            (
                "hex after a byte order mark",
                format!("\u{feff}{hex}\r\n").into(),
            ),
        ];
        for (encoding, file) in files {
            let what = format!("{content} as {encoding}");
            let verified = verdict_of_bytes(node, &file).await;
            assert_eq!(accept(verified, &what), transaction, "{what}");
            // A script may send the text as it is, without encoding it once more.
            if let Ok(text) = String::from_utf8(file) {
                let verified = verdict(node, &text).await;
                assert_eq!(accept(verified, &what), transaction, "{what}, as text");
            }
        }
    }
}

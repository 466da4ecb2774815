//! Headers that do not hold: what is said about blocks is recomputed from them.

use chain::ChainError;
use serde_json::json;

use super::lies::{Change, asked, invalid, liar};

#[tokio::test]
async fn headers_that_do_not_hold() {
    invalid(
        asked(|method, _, result| {
            if method == "blockchain.block.header" {
                *result = json!("00");
            }
        })
        .await,
        "a header that is none",
    );
    for (change, told) in [
        (
            (|method, _, result| {
                if method == "blockchain.block.headers" {
                    result["hex"] = json!("");
                }
            }) as Change,
            "another number of headers than asked for",
        ),
        (
            |method, _, result| {
                if method == "blockchain.block.headers" {
                    // The first one twice, the second one not at all.
                    let hex = result["hex"].as_str().expect("hex").to_owned();
                    result["hex"] = json!(format!("{}{}{}", &hex[..160], &hex[..160], &hex[320..]));
                }
            },
            "headers that do not follow each other",
        ),
        (
            |method, _, result| {
                if method == "blockchain.headers.subscribe" {
                    // A target that the hash does not meet.
                    let hex = result["hex"].as_str().expect("hex").to_owned();
                    result["hex"] = json!(format!("{}ffff001d{}", &hex[..144], &hex[152..]));
                }
            },
            "a header that is none",
        ),
    ] {
        invalid(liar(change).await.tip().await, told);
    }
}

/// A newest block that is none of the headers at its height.
#[tokio::test]
async fn a_newest_block_elsewhere_is_taken_for_a_move() {
    let answer = liar(|method, _, result| {
        if method == "blockchain.headers.subscribe" {
            result["height"] = json!(result["height"].as_u64().expect("a height") - 1);
        }
    })
    .await
    .tip()
    .await;
    assert_eq!(answer, Err(ChainError::Moved));
}

//! Proofs that were published before statements were dated.

use super::*;
use crate::audit::{audit, codes};
use crate::binding::files::{signed_still, undated_statement};

/// Every checker accepts them, and shows no date.
#[tokio::test]
async fn a_proof_from_before_statements_were_dated_stays_right() {
    let node = Node::shared().await;
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let wallet = node.wallet().await;
    let person = app.sign_in().await;
    let coins = [wallet.fund(AddressType::Bech32, COIN).await];
    let file = bound(&app, &person, &wallet, &coins).await;
    let id = published(node, &person, &file).await;
    // The rows of a board that published it then.
    let (line, nonce) = undated_statement(&app, &person).await;
    let old = signed_still(&app, &wallet, &coins, &line)
        .await
        .transaction();
    let store::Database::Sqlite(pool) = app.state.store.database() else {
        panic!("not SQLite");
    };
    sqlx::query(
        "update published_proofs set final_transaction = $1, statement = $2, nonce = $3, statement_name = null,
           block_height = null, block_header = null",
    )
    .bind(bitcoin::consensus::encode::serialize_hex(&old))
    .bind(&line)
    .bind(hex::encode(nonce))
    .execute(pool)
    .await
    .unwrap();
    let said = &proof(&app, &id).await.body["statement"];
    assert_eq!(
        (&said["text"], &said["block"]),
        (&json!(line), &Value::Null)
    );
    let report = audit(&app, node).await;
    assert_eq!(codes(&report), [""; 0]);
    assert_eq!(report.checked.proofs, 1);
}

//! Proofs that were published before statements were dated.

use super::*;
use crate::audit::{audit, codes};
use crate::binding::files::{signed_still, undated_statement};

/// Every checker accepts them, and shows no date.
#[tokio::test]
async fn a_proof_from_before_statements_were_dated_stays_right() {
    let scene = Scene::new().await;
    let app = &scene.app;
    let Shown {
        person, coins, id, ..
    } = Shown::new(&scene, 1).await;
    // The rows of a board that published it then.
    let (line, nonce) = undated_statement(app, &person).await;
    let old = signed_still(app, &scene.wallet, &coins, &line).await;
    let old = serialize_hex(&old.transaction());
    let nonce = hex::encode(nonce);
    let then = format!(
        "update published_proofs set final_transaction = '{old}', statement = '{line}', nonce = '{nonce}',
           statement_name = null, block_height = null, block_header = null"
    );
    run(app.state.store.database(), then).await.unwrap();
    let said = &proof(app, &id).await.body["statement"];
    assert_eq!(
        (&said["text"], &said["block"]),
        (&json!(line), &Value::Null)
    );
    let report = audit(app, scene.node).await;
    assert_eq!(codes(&report), [""; 0]);
    assert_eq!(report.checked.proofs, 1);
}

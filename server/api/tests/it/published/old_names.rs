//! Proofs that were published with a name of the form before December 2026.

use super::*;
use crate::audit::{audit, codes};
use crate::binding::files::{old_statement, signed_still};

/// Every checker accepts them.
#[tokio::test]
async fn a_proof_with_an_old_name_stays_right() {
    let node = Node::shared().await;
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let wallet = node.wallet().await;
    let person = app.sign_in().await;
    for kind in ["transaction", "message"] {
        let line = old_statement(&app, &person).await;
        assert!(line.contains(" user_"), "{line}");
        let coins = [wallet.fund(AddressType::Bech32, COIN).await];
        let file = match kind {
            "message" => message(&wallet, &line, &coins).await.serialize(),
            _ => signed_still(&app, &wallet, &coins, &line).await.binary(),
        };
        let id = published(node, &person, &file).await;
        let said = &proof(&app, &id).await.body["statement"];
        assert_eq!(said["text"], line);
        assert!(line.ends_with(&code(said)));
    }
    let report = audit(&app, node).await;
    assert_eq!(codes(&report), [""; 0]);
    assert_eq!(report.checked.proofs, 2);
}

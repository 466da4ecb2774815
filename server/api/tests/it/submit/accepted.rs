//! What honest wallets make is accepted.

use super::{COIN, app_on, app_with_chain, some_proof, submit};
use crate::support::esplora::EsploraServer;
use crate::support::node::{AddressType, Node};

#[tokio::test]
async fn every_kind_of_wallet_proves_what_it_holds() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let mut total = 0;
    for kind in AddressType::ALL {
        for finalize in [true, false] {
            let coin = wallet.fund(kind, COIN).await;
            let file = wallet.proof(&[coin], finalize).await;
            // A file as the wallet saves it, and as text inside a .psbt file.
            let bytes = if finalize {
                file.binary()
            } else {
                file.base64().as_bytes().to_vec()
            };
            let answer = submit(node, &person, &bytes).await;
            total += COIN.to_sat();
            assert_eq!(
                answer.status, 200,
                "{kind:?} finalised: {finalize}: {answer:?}"
            );
            assert_eq!(answer.body["status"], "success");
            assert_eq!(answer.body["amount_sats"], COIN.to_sat());
            assert_eq!(answer.body["total_sats"], total);
        }
    }
    let profile = person.profile().await;
    assert_eq!(profile["bitcoin_holdings"], 2.4);
    assert_eq!(profile["rank"], 1);
    assert_eq!(profile["verified"], true);
}

#[tokio::test]
async fn esplora_serves_as_well_as_a_node() {
    let node = Node::shared().await;
    let esplora = EsploraServer::start(node).await;
    let app = app_with_chain(&format!("esplora:{esplora}")).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let answer = submit(node, &person, &some_proof(&wallet).await.binary()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

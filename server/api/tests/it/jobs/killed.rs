//! A server that is killed in the middle of the daily look-up holds nobody up.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::Amount;
use futures_util::FutureExt;
use futures_util::future::pending;
use serde_json::json;
use tokio::sync::oneshot;

use super::{execute, set_tier};
use crate::support::app::{answer, sign_in_at};
use crate::support::database::{TestDatabase, on_both};
use crate::support::node::{AddressType, Node};
use crate::support::process::ServerProcess;
use crate::support::rpc_proxy::RpcProxy;
use crate::support::{http_client, until};

on_both!(whom_a_killed_server_looked_up_another_looks_up_within_half_a_minute);

/// How long somebody may wait for the next server after a kill.
const PATIENCE: Duration = Duration::from_secs(30);

const COIN: Amount = Amount::from_sat(30_000_000);

async fn whom_a_killed_server_looked_up_another_looks_up_within_half_a_minute(
    database: TestDatabase,
) {
    let node = Node::start().await;
    let proxy = RpcProxy::start(node.url()).await;
    let chain = format!("--chain=bitcoind:{}", proxy.url);
    let arguments = [&*chain, "--network=regtest", "--proof-binding=optional"];
    let mut doomed = ServerProcess::start(&database.url, &arguments).await;
    let session = sign_in_at(&doomed.origin).await;
    let id = session["user"]["id"].as_str().expect("an id");
    let token = session["access_token"].as_str().expect("a token");
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await.binary();
    let submit = http_client()
        .post(format!("{}/api/functions/v1/submit-proof", doomed.origin))
        .bearer_auth(token)
        .json(&json!({"psbtBase64": STANDARD.encode(file), "utxos": [], "file_name": "a.psbt"}));
    let proven = answer(submit).await;
    assert_eq!(proven.body["status"], "success", "{proven:?}");

    // Its next question about coins is never answered.
    let (asked, hears) = oneshot::channel();
    proxy.interrupt("gettxout", move || {
        async move {
            let _ = asked.send(());
            pending::<()>().await;
        }
        .boxed()
    });
    let store = database.store().await;
    set_tier(&store, id, "premium").await;
    let yesterday = "update profiles set last_verified = last_verified - 2 * 86400";
    execute(&store, yesterday).await;
    hears.await.expect("the look-up begins");
    doomed.kill();

    let begin = Instant::now();
    let _other = ServerProcess::start(&database.url, &arguments).await;
    until("verifying again", async || {
        let proofs = store.proofs(id, 1, 0).await.expect("a database");
        (proofs[0].status == "reverified").then_some(())
    })
    .await;
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}

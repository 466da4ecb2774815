//! Statements that do not count for this account now (rules C1, C2, C4, C5, C9 and C11): refused on both kinds of boards, and never
//! accepted as unbound. The exact rules have unit tests next to the verifier.

use psbt_wasm::statement::Person as Code;

use super::files::{message, signed_still, statement, still, unsigned};
use super::*;

/// A file is useless to anyone who finds it, on any site, and stays as useful to its owner as before.
#[tokio::test]
async fn a_found_file_counts_only_for_its_owner() {
    for fixture in [Fixture::new().await, Fixture::optional().await] {
        let (app, wallet) = (&fixture.app, &fixture.wallet);
        let (hal, eve) = (app.sign_in().await, app.sign_in().await);
        let line = statement(&hal).await;
        let coins = fixture.coins(2).await;
        let own = fixture.bound_by("transaction", &hal, &coins[..1]).await;
        let signed = fixture.bound_by("message", &hal, &coins[1..]).await;
        let files = [own, signed];
        for file in &files {
            let said = fixture.refuses(&eve, file, "other-statement").await;
            assert!(said.contains("another account or another site"), "{said}");
        }
        nothing_recorded(&eve).await;
        let mut payment = still(app, &coins[..1], &line).await;
        payment.output[0].value -= Amount::ONE_SAT;
        let payment = wallet.sign(&unsigned(payment), true).await.binary();
        let said = fixture.refuses(&hal, &payment, "not-still").await;
        assert!(said.contains("your statement"), "{said}");
        nothing_recorded(&hal).await;
        for (file, binding) in files.iter().zip(["transaction", "message"]) {
            fixture.takes(&hal, file, "success", binding).await;
            fixture.refuses(&eve, file, "other-statement").await;
        }
        assert_eq!(hal.profile().await["bitcoin_holdings"], 0.6);
    }
}

/// A clone can show its visitors the statement that the real site gave to the clone's owner. The user's wallet then shows that name.
/// This test covers the rest: a statement for another site is refused.
#[tokio::test]
async fn a_statement_of_another_site_is_refused() {
    let (real, clone) = (Fixture::new().await, Fixture::new().await);
    let coins = [real.coin().await];
    let (hal, at_clone) = (real.app.sign_in().await, clone.app.sign_in().await);
    for (fixture, from, to) in [(&real, &at_clone, &hal), (&clone, &hal, &at_clone)] {
        let file = real.still(&coins, &statement(from).await).await;
        fixture.refuses(to, &file, "other-statement").await;
    }
}

/// Rule C11, on a board that requires bound files and on one that does not.
#[tokio::test]
async fn no_board_counts_a_proof_for_one_reader() {
    let hash = genesis_block(Network::Regtest).block_hash();
    let line = Code::for_reader(
        psbt_wasm::statement::CoinNetwork::Regtest,
        "Acme Bank, loan 4711 k3v9q2",
        "@satoshi",
    )
    .statement("@satoshi", &[7; 16], hash.as_ref())
    .expect("it fits");
    for fixture in [Fixture::new().await, Fixture::optional().await] {
        let person = fixture.app.sign_in().await;
        let coin = [fixture.coin().await];
        let still = signed_still(&fixture.app, &fixture.wallet, &coin, &line).await;
        let signed = message(&fixture.wallet, &line, &coin).await;
        for file in [still.binary(), signed.serialize()] {
            fixture.refuses(&person, &file, "other-statement").await;
        }
        nothing_recorded(&person).await;
    }
}

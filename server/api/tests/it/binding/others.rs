//! Statements that do not count for this account now (rules C1, C2, C4, C5 and C9): refused on both kinds of boards, and never
//! accepted as unbound. The exact rules have unit tests next to the verifier.

use bitcoin::{Amount, ScriptBuf, Transaction};

use super::files::{
    COIN, message, output, pay, signed_still, statement, still, transaction, unsigned,
};
use super::*;
use crate::support::node::{AddressType, Wallet};

async fn signed(wallet: &Wallet<'_>, transaction: Transaction) -> Vec<u8> {
    wallet.sign(&unsigned(transaction), true).await.binary()
}

/// A file is useless to anyone who finds it, on any site, and stays as useful to its owner as before.
#[tokio::test]
async fn a_found_file_is_its_owners_alone() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    for app in [app(node).await, optional_app(node).await] {
        let (hal, eve) = (app.sign_in().await, app.sign_in().await);
        let line = statement(&hal).await;
        let coins = wallet.fund_all(&[(AddressType::Bech32m, COIN); 2]).await;
        let by_transaction = signed_still(&app, &wallet, &coins[..1], &line).await;
        let by_message = message(&wallet, &line, &coins[1..]).await;
        let files = [by_transaction.binary(), by_message.serialize()];
        for file in &files {
            let said = refuses(node, &eve, file, "other-statement").await;
            assert!(said.contains("another account or another site"), "{said}");
        }
        nothing_recorded(&eve).await;
        let mut payment = still(&app, &coins[..1], &line).await;
        payment.output[0].value -= Amount::ONE_SAT;
        let payment = signed(&wallet, payment).await;
        let said = refuses(node, &hal, &payment, "not-still").await;
        assert!(said.contains("your statement"), "{said}");
        nothing_recorded(&hal).await;
        for (file, binding) in files.iter().zip(["transaction", "message"]) {
            accepted(&submit(node, &hal, file).await, "success", binding);
            refuses(node, &eve, file, "other-statement").await;
        }
        assert_eq!(hal.profile().await["bitcoin_holdings"], 0.6);
    }
}

/// A clone can show its visitors the statement that the real site gave to the clone's owner. The user's wallet then shows that name.
/// This test covers the rest: a statement for another site is refused.
#[tokio::test]
async fn a_statement_of_another_site_is_worth_nothing_here() {
    let node = Node::shared().await;
    let (real, clone) = (app(node).await, app(node).await);
    let wallet = node.wallet().await;
    let coins = [wallet.fund(AddressType::Bech32, COIN).await];
    let (hal, at_clone) = (real.sign_in().await, clone.sign_in().await);
    for (from, to) in [(&at_clone, &hal), (&hal, &at_clone)] {
        let line = statement(from).await;
        let file = signed_still(&real, &wallet, &coins, &line).await.binary();
        refuses(node, to, &file, "other-statement").await;
    }
}

/// A note about something else is no statement; without a statement, the usual rule for lock times applies (rule B4).
#[tokio::test]
async fn a_file_without_a_statement_is_bound_to_nobody() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    for (app, required) in [(app(node).await, true), (optional_app(node).await, false)] {
        let person = app.sign_in().await;
        let mut silent = still(&app, &[coin], "a statement").await;
        silent.output.pop();
        let answer = submit(node, &person, &signed(&wallet, silent).await).await;
        refused(&answer, 422, if required { "not-bound" } else { "locked" });
        nothing_recorded(&person).await;

        let own = output(&app, coin).await.script_pubkey;
        let note = ScriptBuf::new_op_return(*b"Proof of existence");
        let outputs = vec![pay(COIN / 2, &own), pay(Amount::ZERO, &note)];
        let transfer = signed(&wallet, transaction(&[coin], outputs)).await;
        let answer = submit(node, &person, &transfer).await;
        if required {
            let said = refused(&answer, 422, "not-bound");
            let what_to_do = "The upload page makes a file over the same coins";
            assert!(said.contains(what_to_do), "{said}");
        } else {
            accepted(&answer, "success", "unbound");
        }
    }
}

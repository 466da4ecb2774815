//! Statements that are not this account's, here and now (rules C4, C5 and C9): refused on both kinds of boards, and never
//! taken as bound to nobody.

use bitcoin::{ScriptBuf, Transaction};

use super::files::{COIN, message, statement, still, unsigned};
use super::*;
use crate::support::node::{AddressType, SomePsbt, Wallet};

/// `text` with another letter in place of the one at `at`.
fn misspelt(text: &str, at: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
    String::from_utf8(bytes).expect("ASCII")
}

/// Lines that a person could be brought to sign and that are not theirs.
fn not(line: &str, others: &str) -> Vec<(&'static str, String)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [.., site, name, code] = words[..] else {
        panic!("{line}");
    };
    let at = |word: &str| line.find(word).expect("a word of it");
    vec![
        ("another account's", others.to_owned()),
        ("another site", misspelt(line, at(site) + 3)),
        ("another name", misspelt(line, at(name) + 6)),
        ("another code", misspelt(line, at(code) + 10)),
        ("another account's code", {
            let (_, other) = others.rsplit_once(' ').expect("a code");
            line.replace(code, other)
        }),
        ("its end missing", line[..line.len() - 1].to_owned()),
        // SeedSigner 0.8 leaves the first letter out.
        ("its first letter missing", line[1..].to_owned()),
        ("in capitals", line.to_uppercase()),
    ]
}

async fn signed(wallet: &Wallet<'_>, transaction: Transaction) -> SomePsbt {
    wallet.sign(&unsigned(transaction), true).await
}

/// A still transaction with any text in place of the statement.
async fn saying(
    app: &TestApp,
    wallet: &Wallet<'_>,
    coin: bitcoin::OutPoint,
    text: &str,
) -> Vec<u8> {
    let mut still = still(app, &[coin], "a statement").await;
    let push = bitcoin::script::PushBytesBuf::try_from(text.as_bytes().to_vec());
    still.output[1].script_pubkey = ScriptBuf::new_op_return(push.expect("short"));
    signed(wallet, still).await.binary()
}

#[tokio::test]
async fn no_other_line_counts_in_either_carrier() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    for app in [app(node).await, optional_app(node).await] {
        let (hal, eve) = (app.sign_in().await, app.sign_in().await);
        let (line, others) = (statement(&hal).await, statement(&eve).await);
        for (what, text) in not(&line, &others) {
            // Refusals are limited for each account, and a new one has another line.
            let file = saying(&app, &wallet, coin, &text).await;
            let answer = submit(node, &hal, &file).await;
            assert_eq!(answer.body["code"], "other-statement", "{what}: {answer:?}");
            refused(&answer, 422, "other-statement");
        }
        app.state.clock.advance(HOUR);
        let hal = app.still_signed_in(&hal).await;
        assert_eq!(statement(&hal).await, line, "it is the same period");
        for (what, text) in not(&line, &others) {
            let file = message(&wallet, &text, &[coin]).await.serialize();
            let answer = submit(node, &hal, &file).await;
            assert_eq!(answer.body["code"], "other-statement", "{what}: {answer:?}");
        }
        nothing_recorded(&hal).await;
        let file = saying(&app, &wallet, coin, &line).await;
        accepted(&submit(node, &hal, &file).await, "success", "transaction");
    }
}

/// What somebody finds is of no use to them, wherever they send it, and of the same use to its owner as before.
#[tokio::test]
async fn a_found_file_is_its_owners_alone() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    for app in [app(node).await, optional_app(node).await] {
        let (hal, eve) = (app.sign_in().await, app.sign_in().await);
        let line = statement(&hal).await;
        let coins = wallet.fund_all(&[(AddressType::Bech32m, COIN); 2]).await;
        let by_transaction = saying(&app, &wallet, coins[0], &line).await;
        let by_message = message(&wallet, &line, &coins[1..]).await.serialize();
        for file in [&by_transaction, &by_message] {
            refused(&submit(node, &eve, file).await, 422, "other-statement");
        }
        nothing_recorded(&eve).await;
        let answer = submit(node, &hal, &by_transaction).await;
        accepted(&answer, "success", "transaction");
        let answer = submit(node, &hal, &by_message).await;
        accepted(&answer, "success", "message");
        assert_eq!(hal.profile().await["bitcoin_holdings"], 0.6);
    }
}

/// A clone shows its visitors what the real site shows to the clone's owner. Whoever signs it is asked by their device whether they
/// are that person; here the site is told apart, which is another one's.
#[tokio::test]
async fn a_statement_of_another_site_is_worth_nothing_here() {
    let node = Node::shared().await;
    let (real, clone) = (app(node).await, app(node).await);
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let (hal, at_clone) = (real.sign_in().await, clone.sign_in().await);
    let file = saying(&clone, &wallet, coin, &statement(&at_clone).await).await;
    refused(&submit(node, &hal, &file).await, 422, "other-statement");
    let file = saying(&real, &wallet, coin, &statement(&hal).await).await;
    let answer = submit(node, &at_clone, &file).await;
    refused(&answer, 422, "other-statement");
}

/// Other words are nobody's statement: the file is bound to nobody.
#[tokio::test]
async fn a_note_about_something_else_is_no_statement() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let note = bitcoin::script::PushBytesBuf::from(*b"Proof of existence");
    let note = ScriptBuf::new_op_return(note);
    for (app, binding) in [
        (app(node).await, None),
        (optional_app(node).await, Some("unbound")),
    ] {
        let person = app.sign_in().await;
        let own = super::files::output(&app, coin).await.script_pubkey;
        let outputs = vec![
            super::files::pay(COIN / 2, &own),
            super::files::pay(bitcoin::Amount::ZERO, &note),
        ];
        let transfer = super::files::transaction(&[coin], outputs);
        let answer = submit(node, &person, &signed(&wallet, transfer).await.binary()).await;
        match binding {
            None => drop(refused(&answer, 422, "not-bound")),
            Some(binding) => accepted(&answer, "success", binding),
        }
    }
}

/// Without a statement a lock time is what it is for everybody: the coins cannot be spent with this transaction (rule B4).
#[tokio::test]
async fn a_still_transaction_that_says_nothing_is_locked() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    for (app, code) in [
        (app(node).await, "not-bound"),
        (optional_app(node).await, "locked"),
    ] {
        let person = app.sign_in().await;
        let mut silent = still(&app, &[coin], "a statement").await;
        silent.output.pop();
        let file = signed(&wallet, silent).await.binary();
        refused(&submit(node, &person, &file).await, 422, code);
        nothing_recorded(&person).await;
    }
}

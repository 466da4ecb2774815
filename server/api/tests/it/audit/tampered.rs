//! Boards that lie.

use super::*;

#[tokio::test]
async fn an_honest_board_passes() {
    let fixture = Fixture::new().await;
    let (node, app) = (fixture.node, &fixture.app);
    let wallet = node.wallet().await;
    fixture.expect_pass(&[]).await;
    let (hal, _, _) = fixture.publisher(&wallet, "transaction").await;
    let (_, _, coins) = fixture.publisher(&wallet, "message").await;
    // A private row, and a spent coin.
    let private = app.sign_in().await;
    for person in [&hal, &private] {
        let coin = wallet.fund(AddressType::P2shSegwit, COIN).await;
        let file = bound(app, person, &wallet, &[coin]).await;
        assert_eq!(upload(node, person, &file, false).await.status, 200);
    }
    wallet.spend_in_block(&coins[..1]).await;
    fixture.log_newest().await;
    let report = fixture.expect_pass(&["--json"]).await;
    let report: Value = serde_json::from_str(&report).unwrap();
    let sats = |coins: u64| json!(coins * COIN.to_sat());
    let checked = json!({"proofs": 2, "coins": 3, "sats": sats(3), "coins_over": 1, "rows_whole": 1, "rows_in_part": 1});
    let rest = json!({"rows": 1, "rows_of_ranges": 0, "rows_not_compared": 0, "sats": sats(2), "coins": [], "not_dated": [], "unlogged": [],
        "entries": [], "log": null});
    let said = [&report["false"], &report["checked"], &report["not_checked"]];
    assert_eq!(said, [&json!([]), &checked, &rest]);
    let report = fixture.expect_pass(&[]).await;
    let money = "0.60000000 BTC on the board without";
    let parts = ["2 published proofs", "3 coins", money];
    has(&report, &parts);
    has(&report, &["False\n  nothing"]);
    assert!(!report.contains(node.url()), "no passwords");
}

/// An operator's lies, and the code of each finding.
#[tokio::test]
async fn every_change_by_an_operator_is_found() {
    let fixture = Fixture::new().await;
    let app = &fixture.app;
    let wallet = fixture.node.wallet().await;
    let (hal, proof, _) = fixture.publisher(&wallet, "transaction").await;
    let (eve, other, _) = fixture.publisher(&wallet, "message").await;
    nothing(&fixture.report().await);
    let (hal, eve) = (&hal.id, &eve.id);
    let of_hal = format!("where id = '{hal}'");
    let published = format!("where proof_id = '{proof}'");
    // The script and the value of the first coin, and a byte of its signature.
    let column = async |name: &str| {
        let column = format!("select {name} from published_proofs {published}");
        text(app, &column).await
    };
    let prevouts = column("previous_outputs").await;
    let signed = column("final_transaction").await;
    let another_value = prevouts.replacen(&prevouts[2..4], "01", 1);
    let byte = ["00", "01"][usize::from(&prevouts[24..26] == "00")];
    let script = format!("{}{byte}{}", &prevouts[..24], &prevouts[26..]);
    let at = signed.len() - 60;
    let flipped = ["0", "1"][usize::from(&signed[at..=at] == "0")];
    let signature = format!("{}{flipped}{}", &signed[..at], &signed[at + 1..]);
    let update = "update published_proofs set";
    let of_other = format!("from published_proofs where proof_id = '{other}') {published}");
    let lies = format!(
        "update profiles set published_sats = published_sats + 1 {of_hal} | sum
         update profiles set holdings_sats = holdings_sats + 5, published_sats = published_sats + 5 {of_hal} | sum
         update profiles set holdings_sats = published_sats - 1 {of_hal} | holdings
         update profiles set published_sats = null {of_hal} | sum
         {update} (statement, nonce, subject) = (select statement, nonce, subject {of_other} | statement
         {update} statement = (select statement {of_other} | statement
         {update} nonce = (select nonce {of_other} | statement
         {update} (final_transaction, previous_outputs) = (select final_transaction, previous_outputs {of_other} | engine
         {update} origin = 'https://other.example' {published} | origin
         {update} provider = 'twitter' {published} | account
         {update} network = 'test' {published} | network
         {update} previous_outputs = '{another_value}' {published} | value
         {update} previous_outputs = '{script}' {published} | script
         {update} final_transaction = '{signature}' {published} | engine
         {update} user_id = '{eve}' {published} | statement
         update proofs set binding = 'message' where id = '{proof}' | binding"
    );
    for [lie, word] in table(&lies) {
        let before = saved(app).await;
        execute(&app.state.store, lie).await;
        let report = fixture.report().await;
        let found = report.findings.iter().find(|it| it.code == word);
        let said = found.is_some_and(|it| it.sentence.contains(' '));
        assert!(said, "{lie}: {report:?}");
        execute(&app.state.store, before).await;
        nothing(&fixture.report().await);
    }
}

async fn text(app: &TestApp, sql: &str) -> String {
    texts(app.state.store.database(), sql).await.remove(0)
}

/// Statements that restore every row.
async fn saved(app: &TestApp) -> String {
    let mut statements = Vec::new();
    for [table, key, columns] in table(
        "profiles | id | holdings_sats published_sats
         proofs | id | binding
         published_proofs | proof_id | user_id network final_transaction previous_outputs statement origin provider subject nonce",
    ) {
        let sets = columns.split(' ');
        let sets = sets.map(|column| format!("{column} = ' || quote({column}) || '"));
        let sets = sets.collect::<Vec<_>>().join(", ");
        let sql = format!(
            "select group_concat('update {table} set {sets} where {key} = ' || quote({key}), ';') from {table}"
        );
        statements.push(text(app, &sql).await);
    }
    statements.join(";")
}

/// The board does not follow the chain, and keeps counting a spent coin.
#[tokio::test]
async fn a_spent_coin_that_counts_is_found_and_the_command_fails() {
    let fixture = Fixture::new().await;
    let wallet = fixture.node.wallet().await;
    let (_, id, coins) = fixture.publisher(&wallet, "transaction").await;
    let spender = wallet.spend(&coins[..1]).await.compute_txid();
    // A transaction in the mempool ends nothing, and its coin does not count as checked.
    let report = fixture.report().await;
    nothing(&report);
    assert_eq!(report.not_checked.coins, [coins[0].to_string()]);
    fixture.node.confirm(&[spender]).await;
    assert_eq!(codes(&fixture.report().await), ["spent"]);
    let said = fixture
        .expect_failure(&format!("proof {id} of user_"))
        .await;
    assert!(said.contains("is spent or has never been"), "{said}");
}

/// One coin counted for two users, or twice for one.
#[tokio::test]
async fn a_coin_that_counts_twice_is_found() {
    let fixture = Fixture::new().await;
    let wallet = fixture.node.wallet().await;
    fixture.publisher(&wallet, "transaction").await;
    let lies = "
        insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at, statement_height, statement_name)
          select $other, user_id, 'again', file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at, statement_height, statement_name from proofs;
        insert into published_proofs select $other, user_id, published_at, network, final_transaction, previous_outputs, statement, origin, provider, subject, nonce, statement_name, block_height, block_header from published_proofs;
        insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, funding_height, bound, ordinal)
          select id || '2', $other, user_id, 'signet', txid, vout, value_sats, funding_block, funding_height, bound, ordinal from claims;
        update profiles set holdings_sats = 2 * holdings_sats, published_sats = 2 * published_sats";
    let lies = lies.replace("$other", "'ffffffff-0000-7000-8000-000000000001'");
    execute(&fixture.app.state.store, lies).await;
    assert_eq!(codes(&fixture.report().await), ["twice", "twice"]);
}

#[tokio::test]
async fn an_audit_of_no_board_or_another_network_fails() {
    let fixture = Fixture::new().await;
    let nobody = crate::support::faults::nobody().await;
    let chain = format!("--chain=bitcoind:{}", fixture.node.url());
    let board = &fixture.app.origin;
    let elsewhere = format!("{board}/leaderboard");
    for (url, network, part) in [
        (&elsewhere, "regtest", "is not the address of a board"),
        (&nobody, "regtest", "cannot read"),
        (board, "signet", "cannot use the chain sources"),
    ] {
        let network = format!("--network={network}");
        let mut program = audit_program();
        program.env("HOME", fixture.home.path());
        program.args([url, &chain, &network]);
        let ended = tokio::task::spawn_blocking(move || ended(&mut program));
        let said = ended.await.unwrap().failed();
        assert!(said.contains(part), "{part}: {said}");
    }
}

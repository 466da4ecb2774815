//! Publishing an active proof later, with the same file.

use chain::clock::DAY;

use super::*;

#[tokio::test]
async fn the_same_file_publishes_later_however_late() {
    let node = Node::shared().await;
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let wallet = node.wallet().await;
    for kind in ["transaction", "message"] {
        let person = app.sign_in().await;
        let line = statement(&person).await;
        let coin = wallet.fund(AddressType::Bech32, COIN).await;
        let file = match kind {
            "message" => message(&wallet, &line, &[coin]).await.serialize(),
            _ => bound(&app, &person, &wallet, &[coin]).await,
        };
        let first = upload(node, &person, &file, false).await;
        assert_eq!(first.body["published"], false, "{first:?}");
        let id = id_of(&first);
        assert_eq!(proof(&app, &id).await.status, 404);
        // The statement changed long ago, and so did the name.
        app.state.clock.advance(60 * DAY);
        rename(&app, &person).await;
        let person = app.still_signed_in(&person).await;
        assert_ne!(statement(&person).await, line);
        let again = upload(node, &person, &file, false).await;
        assert_eq!(again.body["published"], false, "{again:?}");
        let again = upload(node, &person, &file, true).await;
        assert_eq!(again.body["status"], "already-verified", "{again:?}");
        assert_eq!(again.body["published"], true);
        assert_eq!(id_of(&again), id);
        let shown = proof(&app, &id).await.body;
        assert_eq!(shown["statement"]["text"], line, "{kind}");
        assert_eq!(line_of(&shown["statement"]), line);
        assert_eq!(published_sats(&app, &person).await, COIN.to_sat());
        // Publishing it again changes nothing.
        let once_more = upload(node, &person, &file, true).await;
        assert_eq!(once_more.body["published"], true);
        assert_eq!(proof(&app, &id).await.body, shown);
        // A default name is not a name at the provider.
        assert_eq!(shown["profile"]["named"], true);
        let stand_in = store::profiles::default_username(&person.id);
        call(&app, &person, &stand_in).await;
        let shown = proof(&app, &id).await.body;
        assert_eq!(shown["profile"]["username"], stand_in);
        assert_eq!(shown["profile"]["named"], false);
    }
}

async fn rename(app: &TestApp, person: &Person<'_>) {
    call(app, person, &format!("renamed_{}", &person.id[..4])).await;
}

/// Renames a user, as a sign-in would.
async fn call(app: &TestApp, person: &Person<'_>, name: &str) {
    let store::Database::Sqlite(pool) = app.state.store.database() else {
        panic!("not SQLite");
    };
    sqlx::query("update profiles set username = $2, named = true where id = $1")
        .bind(&person.id)
        .bind(name)
        .execute(pool)
        .await
        .unwrap();
}

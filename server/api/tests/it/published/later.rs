//! Publishing an active proof later, with the same file.

use super::*;
use crate::binding::rename;

#[tokio::test]
async fn the_same_file_publishes_later_however_late() {
    let fixture = Fixture::new().await;
    let (app, node) = (&fixture.app, fixture.node);
    for kind in ["transaction", "message"] {
        let person = app.sign_in().await;
        let line = statement(&person).await;
        let file = fixture
            .bound_by(kind, &person, &[fixture.coin().await])
            .await;
        let first = upload(node, &person, &file, false).await;
        assert_eq!(first.body["published"], false, "{first:?}");
        let id = id_of(&first);
        assert_eq!(proof(app, &id).await.status, 404);
        // The statement changed long ago, and so did the name.
        app.state.clock.advance(60 * DAY);
        rename(app, &person, &format!("renamed_{}", &person.id[..4])).await;
        let person = app.still_signed_in(&person).await;
        assert_ne!(statement(&person).await, line);
        for (publish, status) in [(false, 404), (true, 200), (true, 200)] {
            let again = upload(node, &person, &file, publish).await;
            assert_eq!(again.body["status"], "already-verified", "{again:?}");
            assert_eq!(again.body["published"], publish);
            assert_eq!(id_of(&again), id);
            assert_eq!(proof(app, &id).await.status, status);
        }
        let shown = proof(app, &id).await.body;
        assert_eq!(shown["statement"]["text"], line, "{kind}");
        assert_eq!(line_of(&shown["statement"]), line);
        assert_eq!(published_sats(app, &person).await, COIN.to_sat());
        assert_eq!(shown["profile"]["named"], true);
        // A default name is not a name at the provider.
        let stand_in = store::profiles::default_username(&person.id);
        rename(app, &person, &stand_in).await;
        let shown = proof(app, &id).await.body;
        assert_eq!(shown["profile"]["username"], stand_in);
        assert_eq!(shown["profile"]["named"], false);
    }
}

//! Lists of published proofs.

use super::*;

on_both!(come_by_page_and_by_person);

async fn come_by_page_and_by_person(database: TestDatabase) {
    let scene = scene(database).await;
    let (app, node) = (&scene.app, scene.node);
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let mut ids = Vec::new();
    for person in [&hal, &eve, &hal] {
        let file = scene.bound(person, &[scene.coin().await]).await;
        ids.push(published(node, person, &file).await);
        // A proof that is not public.
        let file = scene.bound(person, &[scene.coin().await]).await;
        let hidden = upload(node, person, &file, false).await;
        assert_eq!(hidden.body["published"], false);
    }
    assert_eq!(walk(app, "limit=2").await, ids);
    assert_eq!(walk(app, "limit=1").await, ids);
    assert_eq!(walk(app, "").await, ids);
    let of_hal = format!("limit=1&profile_id={}", hal.id);
    assert_eq!(walk(app, &of_hal).await, [ids[0].as_str(), &ids[2]]);
    let first = &app.get(PROOFS).await.body["proofs"][0];
    assert_eq!(first["profile_id"], hal.id);
    assert_eq!(first["amount_sats"], COIN.to_sat());
    let profile = hal.profile().await;
    for shown in ["username", "provider", "named"] {
        assert_eq!(first[shown], profile[shown], "{shown}");
    }
    let wrong = "limit=0 limit=1001 after=x profile_id=1 order=id after=%00";
    for wrong in wrong.split(' ') {
        let refused = app.get(&format!("{PROOFS}?{wrong}")).await;
        assert_eq!(refused.status, 400, "{wrong}");
    }
    for nothing in ["x", "%00", "0190d0c2-0000-7000-8000-000000000001"] {
        assert_eq!(proof(app, nothing).await.status, 404, "{nothing}");
    }
}

/// The ids of all pages.
async fn walk(app: &TestApp, query: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut after = String::new();
    loop {
        let page = app.get(&format!("{PROOFS}?{query}{after}")).await.body;
        let proofs = page["proofs"].as_array().unwrap().iter();
        ids.extend(proofs.map(|it| text(&it["id"])));
        let Some(next) = page["next"].as_str() else {
            return ids;
        };
        after = format!("&after={next}");
    }
}

//! A published proof shows its coins, and a range hides them: users must choose (decisions, D17).

use super::*;

on_both!(a_range_and_a_published_proof_exclude_each_other);

async fn show_as(person: &Person<'_>, shown_as: &str) -> (u16, Value) {
    let mut answer = person.change(json!({ "shown_as": shown_as })).await;
    (answer.status.as_u16(), answer.body["code"].take())
}

async fn a_range_and_a_published_proof_exclude_each_other(database: TestDatabase) {
    let scene = scene(database).await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let file = scene.bound(&person, &[scene.coin().await]).await;

    assert_eq!(show_as(&person, "range").await, (204, Value::Null));
    let refused = upload(node, &person, &file, true).await;
    assert_eq!(refused.problem(), (422, "range-shown"));
    assert_eq!(person.proofs().await, json!([]));
    // Not later either, while the range is shown.
    let id = id_of(&upload(node, &person, &file, false).await);
    let refused = upload(node, &person, &file, true).await;
    assert_eq!(refused.body["code"], "range-shown");
    assert_eq!(proof(&scene.app, &id).await.status, 404);

    assert_eq!(show_as(&person, "exact").await.0, 204);
    assert_eq!(published(node, &person, &file).await, id);
    let refused = show_as(&person, "range").await;
    assert_eq!(refused, (409, json!("proofs-published")));
    assert_eq!(person.profile().await["shown_as"], "exact");
    let withdrawn = person.delete(&format!("{PROOFS}/{id}")).await;
    assert_eq!(withdrawn.status, 204);
    assert_eq!(show_as(&person, "range").await.0, 204);
    assert_eq!(person.profile().await["shown_as"], "range");
}

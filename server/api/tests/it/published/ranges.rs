//! A published proof shows its coins, and a range hides them: users must choose (decisions, D17).

use super::*;

on_both!(a_range_and_a_published_proof_exclude_each_other);

async fn show_as(person: &Person<'_>, shown_as: &str) -> (u16, Value) {
    let path = format!("/api/rest/v1/profiles?id=eq.{}", person.id);
    let change = json!({ "shown_as": shown_as });
    let mut answer = answer(person.request(Method::PATCH, &path).json(&change)).await;
    (answer.status.as_u16(), answer.body["code"].take())
}

async fn a_range_and_a_published_proof_exclude_each_other(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = bound(&app, &person, &wallet, &[coin]).await;

    assert_eq!(show_as(&person, "range").await, (204, Value::Null));
    let refused = upload(node, &person, &file, true).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["code"]),
        (422, &json!("range-shown"))
    );
    assert_eq!(person.proofs().await, json!([]));
    // Not later either, while the range is shown.
    let id = id_of(&upload(node, &person, &file, false).await);
    let refused = upload(node, &person, &file, true).await;
    assert_eq!(refused.body["code"], "range-shown");
    assert_eq!(proof(&app, &id).await.status, 404);

    assert_eq!(show_as(&person, "exact").await.0, 204);
    assert_eq!(published(node, &person, &file).await, id);
    assert_eq!(
        show_as(&person, "range").await,
        (409, json!("proofs-published"))
    );
    assert_eq!(person.profile().await["shown_as"], "exact");
    let withdrawn = person.request(Method::DELETE, &format!("{PROOFS}/{id}"));
    assert_eq!(answer(withdrawn).await.status, 204);
    assert_eq!(show_as(&person, "range").await.0, 204);
    assert_eq!(person.profile().await["shown_as"], "range");
}

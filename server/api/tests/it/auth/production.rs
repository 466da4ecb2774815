//! Production: every mock is refused, and cookies have the strictest attributes.

use super::*;

const ORIGIN: &str = "https://reserves.example";

/// A server in production mode, and its response to a user who has just signed in.
async fn production() -> (TestApp, Answer) {
    let database = TestDatabase::sqlite().await;
    let (listener, _) = port().await;
    let app = TestApp::production(listener, ORIGIN, &database, Clock::manual(NOW), &[]).await;
    let satoshi = identity("github", "satoshi");
    let signed_in = app.enter(&satoshi, Some(ORIGIN)).await;
    (app.keeping(database), signed_in)
}

#[tokio::test]
async fn production_refuses_the_mock() {
    let (site, satoshi) = production().await;
    let answer = site.begin("mock", &verifier()).await;
    let target = answer.header("location");
    assert!(target.starts_with(&format!("{ORIGIN}/auth/callback?")));
    let sentence = "Mock login is only available in development mode.";
    assert_eq!(location(&answer)["error_description"], sentence);
    assert_eq!(site.people().await, 1);
    let settings = site.get("/api/auth/v1/settings").await.body;
    assert_eq!(settings["development"], false);
    assert_eq!(settings["external"]["mock"], false);

    // Nor are there a development wallet and sample holders.
    let satoshi = signed(&satoshi);
    let user = site.person(&satoshi.user_id, &satoshi.access);
    let samples = user.get("/api/functions/v1/development-samples").await;
    let holders = user.get("/api/functions/v1/sample-holders").await;
    let file = json!({ "psbt_base64": "" });
    let signed = user.post("/api/functions/v1/development-sign", file).await;
    for answer in [samples, holders, signed] {
        assert_eq!(answer.problem(), (404, "not-found"));
    }
}

#[tokio::test]
async fn production_sets_a_host_cookie() {
    let (site, answer) = production().await;
    let session = signed(&answer);
    let value = session.cookie.unwrap();
    let attributes = "HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=7776000";
    let cookie = format!("__Host-por-refresh={value}; {attributes}");
    assert_eq!(answer.header("set-cookie"), cookie);
    assert_eq!(answer.body["user"]["user_metadata"]["user_name"], "satoshi");

    // A cookie without the prefix could have been planted by another host of the same domain.
    for (name, expected) in [("por-refresh", 400), ("__Host-por-refresh", 200)] {
        let cookie = format!("{name}={value}");
        let headers = [("origin", ORIGIN), ("cookie", cookie.as_str())];
        let body = Some(json!({ "refresh_token": session.refresh }));
        let path = "token?grant_type=refresh_token";
        let answer = site.auth("POST", path, &headers, body).await;
        assert_eq!(answer.status, expected, "{name}");
    }
}

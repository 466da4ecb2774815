//! The OpenAPI document lists every response that clients can get. All other tests check their responses against it as well, in `answer`.

use crate::support::document::expects;
use crate::support::prelude::*;

const PROFILES: &str = "/api/rest/v1/profiles";
const PSBTS: &str = "/api/rest/v1/psbts";

#[test]
fn the_document_is_asked_at_all() {
    assert!(expects("GET", PROFILES, 200));
    assert!(!expects("GET", PROFILES, 418));
    let rank = "/api/functions/v1/getUserRank/satoshi";
    assert!(!expects("GET", rank, 418));
    assert!(expects("GET", "/leaderboard", 418), "a page");
    // A body that is read in portions may time out.
    for (method, path) in [
        ("POST", "/api/auth/v1/token"),
        ("POST", "/api/functions/v1/submit-proof"),
        ("PATCH", PROFILES),
    ] {
        assert!(expects(method, path, 408), "{path}");
    }
}

#[tokio::test]
async fn what_is_answered_beside_the_usual_is_in_it() {
    let app = TestApp::development().await;
    let (hal, _other) = (app.sign_in().await, app.sign_in().await);
    for sample in ["self-transfer.psbt", "cold-storage-multisig.psbt"] {
        let submitted = hal.upload(&hal.sample(sample).await, true).await;
        assert_eq!(submitted.status, 200);
    }
    let proofs = "/api/functions/v1/proofs";
    let listed = app.get(proofs).await.body;
    let one = format!("{proofs}/{}", text(&listed["proofs"][0]["id"]));
    for path in [PROFILES, proofs, &one] {
        let tag = app.get(path).await.header("etag").to_owned();
        let again = app.get_with(path, &[("if-none-match", &tag)]).await;
        assert_eq!(again.status, 304, "{path}");
    }
    let single =
        |request: RequestBuilder| request.header("accept", "application/vnd.pgrst.object+json");
    let write = || {
        let request = hal.request(Method::PATCH, &hal.row());
        let request = request.json(&json!({"shown_as": "exact"}));
        request.header("prefer", "return=representation")
    };
    let upsert = hal
        .request(Method::POST, PROFILES)
        .json(&json!({"id": hal.id}));
    let ended = app.person(&hal.id, "e30.e30.e30");
    let counted = |request: RequestBuilder| request.header("prefer", "count=exact");
    let visitor = |path: &str| app.request(Method::GET, path);
    let one = "/api/rest/v1/psbts?limit=1";
    for (request, status) in [
        (counted(visitor("/api/rest/v1/profiles?limit=1")), 206),
        (single(visitor(PROFILES)), 406),
        (ended.request(Method::GET, PROFILES), 401),
        (counted(hal.request(Method::GET, one)), 206),
        (single(hal.request(Method::GET, PSBTS)), 406),
        (single(hal.request(Method::GET, one)), 200),
        (ended.request(Method::GET, PSBTS), 401),
        (write(), 200),
        (single(write()), 200),
        (upsert.header("prefer", "return=representation"), 200),
    ] {
        assert_eq!(answer(request).await.status, status);
    }
}

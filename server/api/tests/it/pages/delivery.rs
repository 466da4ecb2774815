//! Delivery of pages: scripts and compression. `exchanges/visitors.txt` has their titles.

use super::{until, visit};
use crate::support::prelude::*;

#[tokio::test]
async fn pages_run_no_script_of_their_own_load_nothing_from_elsewhere_and_come_compressed() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 1).await;
    let page = visit(&app, "/leaderboard").await.text();
    for script in page.split("<script").skip(1) {
        let tag = script.split_once('>').unwrap().0;
        let allowed = ["src=\"/", "type=\"application/json\""];
        assert!(allowed.iter().any(|it| tag.contains(it)), "{tag}");
    }
    assert!(!page.contains("style=\"") && !page.contains(" onclick"));
    for source in page.split("src=\"").skip(1) {
        assert!(source.starts_with('/'), "{}", &source[..40]);
    }
    // Files are compressed, and sent again only after a change.
    let path = "/leaderboard";
    let plain = until(&app, path, |page| page.contains(">0.00000001<")).await;
    for encoding in ["br", "gzip", ""] {
        let accepts = ("accept-encoding", encoding);
        let page = app.get_with(path, &[accepts]).await;
        assert_eq!(page.header("content-encoding"), encoding);
        assert_eq!(page.header("vary"), "accept-encoding");
        assert_eq!(page.header("cache-control"), "no-cache");
        assert_eq!(page.text() == plain, encoding.is_empty());
        assert!(encoding.is_empty() || page.bytes.len() < plain.len() / 2);
        let tag = page.header("etag");
        let again = app.get_with(path, &[accepts, ("if-none-match", tag)]).await;
        assert_eq!((again.status.as_u16(), again.header("etag")), (304, tag));
    }
    let first = visit(&app, path).await;
    prove(&app.state, &person, 2).await;
    until(&app, path, |page| page.contains(">0.00000002<")).await;
    let known = [("if-none-match", first.header("etag"))];
    assert_eq!(app.get_with(path, &known).await.status, 200);
}

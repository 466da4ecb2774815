//! The download of the board, and responses that are cached. `exchanges/board.txt` has its sums and rows.

use super::visit;
use crate::exchanges::board;

const FUNCTIONS: &str = "/api/functions/v1";

#[tokio::test]
async fn the_whole_board_is_a_file_for_everybody() {
    let app = board().await;
    app.state.board_log.step().await.unwrap();
    let path = format!("{FUNCTIONS}/board.csv");
    let encoded = app.get_with(&path, &[("accept-encoding", "br")]).await;
    assert_eq!(encoded.header("content-encoding"), "br");
    let csv = visit(&app, &path).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let name = csv.header("content-disposition");
    assert!(
        name.starts_with("attachment; filename=\"board-block-"),
        "{name}"
    );
    let csv = csv.text();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 6);
    for (line, begin) in [
        (0, "rank,provider,username,bitcoin,"),
        (1, r#"1,twitter,"whale",100.00000000,exact,true,2026-"#),
        (3, r#"3,github,"'=octo,""2""",1.50000000,exact,true,"#),
        (5, r#",twitter,"nobody",,exact,false,,"#),
    ] {
        let end = if line == 0 { ",id,named" } else { ",true" };
        let line = lines[line];
        assert!(line.starts_with(begin) && line.ends_with(end), "{line}");
    }
}

/// A browser may cache a response for this site, and serve it to a page of another site.
#[tokio::test]
async fn a_cached_answer_has_the_headers_of_a_fresh_one() {
    let app = board().await;
    let path = "/api/rest/v1/profiles?limit=7";
    let ask = async |tag: &str| {
        let mut answer = app.get_with(path, &[("if-none-match", tag)]).await;
        for each_time in ["date", "x-request-id"] {
            answer.headers.remove(each_time);
        }
        (answer.status.as_u16(), answer.headers)
    };
    let (status, fresh) = ask("\"none\"").await;
    assert_eq!(status, 200);
    assert_eq!(ask("\"none\"").await, (200, fresh.clone()));
    let (status, known) = ask(fresh["etag"].to_str().unwrap()).await;
    assert_eq!(status, 304);
    for name in ["allow-origin", "expose-headers"].map(|it| format!("access-control-{it}")) {
        assert_eq!(known[&name], fresh[&name]);
    }
}

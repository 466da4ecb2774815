//! People who have changed something see it on the board from then on.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::board::Board;
use crate::http::headers::BOARD_NUMBER;

/// Answers a request that may have changed something once the board of this replica shows what was committed, with the board's number:
/// another replica may be behind it. Should that take long, because the database has gone, the answer goes out anyway.
pub async fn before_answering(
    State(board): State<Arc<Board>>,
    request: Request,
    next: Next,
) -> Response {
    let writes = !request.method().is_safe();
    let mut response = next.run(request).await;
    if writes && response.status().is_success() && board.subscribe().borrow().is_some() {
        let _ = board.catch_up().await;
        if let Some(seen) = &*board.subscribe().borrow() {
            let headers = response.headers_mut();
            headers.insert(BOARD_NUMBER, seen.number.into());
        }
    }
    response
}

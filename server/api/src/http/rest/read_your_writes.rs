//! Read your own writes: a response to a write waits until the board of this replica includes it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::board::Board;
use crate::http::headers::BOARD_NUMBER;

/// Sends the response to a write once the board of this replica shows what was committed, with the board's number: another replica may be
/// behind it. When that takes too long, because the database does not answer, sends the response anyway.
pub async fn wait_for_board(
    State(board): State<Arc<Board>>,
    request: Request,
    next: Next,
) -> Response {
    let writes = !request.method().is_safe();
    let mut response = next.run(request).await;
    let is_read = board.subscribe().borrow().is_some();
    if writes
        && is_read
        && response.status().is_success()
        && let Ok(board) = board.catch_up().await
    {
        let headers = response.headers_mut();
        headers.insert(BOARD_NUMBER, board.number.into());
    }
    response
}

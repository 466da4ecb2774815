//! Whoever has changed something sees it on the board from then on.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::board::Board;

/// Answers a request that may have changed something once the board of this replica shows what was committed. Should that take
/// long, because the database has gone, the answer goes out all the same.
pub async fn before_answering(
    State(board): State<Arc<Board>>,
    request: Request,
    next: Next,
) -> Response {
    let writes = !request.method().is_safe();
    let response = next.run(request).await;
    if writes && response.status().is_success() && board.newest().borrow().is_some() {
        let _ = board.caught_up().await;
    }
    response
}

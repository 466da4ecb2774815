//! Servers that fail in various ways.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use tokio::net::TcpListener;

/// Serves `router` on a free port of this machine until the test's runtime ends.
pub(crate) async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Answers everything with this status and body.
pub(crate) async fn always(status: StatusCode, body: &'static [u8]) -> String {
    let router = Router::new().fallback(move || async move { (status, body).into_response() });
    format!("http://{}", serve(router).await)
}

/// Answers everything with bytes that never end.
pub(crate) async fn endless() -> String {
    let router = Router::new().fallback(|| async {
        let chunk = || async { Some((Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]), ())) };
        Body::from_stream(futures_util::stream::unfold((), move |()| chunk()))
    });
    format!("http://{}", serve(router).await)
}

/// Accepts every connection and never responds.
pub(crate) async fn silent() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((connection, _)) = listener.accept().await {
            open.push(connection);
        }
    });
    format!("http://{address}")
}

/// A port of this machine without a listener.
pub(crate) async fn nobody() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .expect("a free port");
    format!("http://{}", listener.local_addr().expect("a bound port"))
}

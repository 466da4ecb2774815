//! A stand-in for a board, which forwards the board's responses, except for its lies.

use std::sync::{Arc, Mutex, OnceLock};

use axum::Router;
use axum::http::{HeaderMap, Uri};
use futures_util::future::BoxFuture;

use super::faults::serve;
use super::http_client;

/// Changes a response. It gets the path with the query, and the body.
pub(crate) type Lie = Arc<dyn Fn(String, Vec<u8>) -> BoxFuture<'static, Vec<u8>> + Send + Sync>;

/// The stand-in, at the board's public address.
pub(crate) struct StandIn {
    pub(crate) origin: String,
    board: Arc<OnceLock<String>>,
    lie: Arc<Mutex<Option<Lie>>>,
}

/// The headers that are forwarded.
const HEADERS: [&str; 3] = ["board-number", "content-range", "content-type"];

impl StandIn {
    pub(crate) async fn start() -> Self {
        let board = Arc::new(OnceLock::<String>::new());
        let lie = Arc::new(Mutex::<Option<Lie>>::default());
        let (there, lying) = (Arc::clone(&board), Arc::clone(&lie));
        let router = Router::new().fallback(move |uri: Uri, headers: HeaderMap| async move {
            let path = uri
                .path_and_query()
                .map_or("/", |it| it.as_str())
                .to_owned();
            let board = there.get().expect("a board behind it");
            let mut request = http_client().get(format!("{board}{path}"));
            if let Some(prefer) = headers.get("prefer") {
                request = request.header("prefer", prefer);
            }
            let answer = request.send().await.expect("an answer");
            let status = answer.status();
            let mut said = HeaderMap::new();
            for name in HEADERS {
                said.extend(answer.headers().get(name).map(|it| {
                    let name = name.parse().expect("a name");
                    (Some(name), it.clone())
                }));
            }
            let mut bytes = answer.bytes().await.expect("a body").to_vec();
            let lie = lying.lock().expect("no panic").clone();
            if let Some(lie) = lie.filter(|_| status.is_success()) {
                bytes = lie(path, bytes).await;
            }
            (status, said, bytes)
        });
        let origin = format!("http://{}", serve(router).await);
        Self { origin, board, lie }
    }

    /// Sets the board behind it, whose public address is this one's.
    pub(crate) fn stand_before(&self, origin: &str) {
        self.board.set(origin.to_owned()).expect("once");
    }

    /// Lies like this from now on.
    pub(crate) fn tell(&self, lie: Lie) {
        *self.lie.lock().expect("no panic") = Some(lie);
    }

    /// Lies about these paths from now on.
    pub(crate) fn tell_at(&self, path: &'static str, text: String) {
        self.tell(Arc::new(move |asked, honest| {
            let lie = text.clone().into_bytes();
            Box::pin(async move { if asked == path { lie } else { honest } })
        }));
    }

    /// Is honest from now on.
    pub(crate) fn be_honest(&self) {
        *self.lie.lock().expect("no panic") = None;
    }
}

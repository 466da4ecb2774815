//! A proxy in front of a board or of a node's RPC: it can be down, lie, or run code before a response goes out.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use futures_util::future::{BoxFuture, ready};

use super::prelude::*;

/// Changes the body of a response. It gets the path with the query, the body of the request, and the honest body.
type Lie = Arc<dyn Fn(String, Bytes, Vec<u8>) -> BoxFuture<'static, Vec<u8>> + Send + Sync>;

/// Runs once, before the response to a call of this method goes out.
type Interruption = (
    &'static str,
    Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>,
);

pub(crate) struct Proxy {
    /// Its own address, with the credentials of the node behind it.
    pub(crate) url: String,
    behind: OnceLock<Url>,
    client: reqwest::Client,
    down: AtomicBool,
    lie: Mutex<Option<Lie>>,
    interruption: Mutex<Option<Interruption>>,
}

/// The headers that are forwarded, of requests and of responses.
const ASKED: [&str; 3] = ["authorization", "content-type", "prefer"];
const SAID: [&str; 3] = ["board-number", "content-range", "content-type"];

impl Proxy {
    /// Starts one at the public address of a board that starts later.
    pub(crate) async fn start() -> Arc<Self> {
        Self::at(None).await
    }

    /// Starts one in front of the node at `url`.
    pub(crate) async fn to(url: &str) -> Arc<Self> {
        Self::at(Some(url.parse().unwrap())).await
    }

    async fn at(node: Option<Url>) -> Arc<Self> {
        let (listener, mut url) = port().await;
        let mut client = lasting_client();
        if let Some(mut own) = node.clone() {
            let port = listener.local_addr().unwrap().port();
            own.set_port(Some(port)).expect("an address with a port");
            // No idle connections, because nodes close them.
            (url, client) = (own.into(), http_client());
        }
        let proxy = Arc::new(Self {
            url,
            behind: node.map_or_else(OnceLock::new, OnceLock::from),
            client,
            down: AtomicBool::default(),
            lie: Mutex::default(),
            interruption: Mutex::default(),
        });
        let router = Router::new().fallback(forward);
        let router = router.with_state(Arc::clone(&proxy));
        tokio::spawn(async move { axum::serve(listener, router).await });
        proxy
    }

    /// Sets the board behind it, whose public address is this one's.
    pub(crate) fn stand_before(&self, origin: &str) {
        self.behind.set(origin.parse().unwrap()).expect("once");
    }

    /// Whether it answers everything with an error.
    pub(crate) fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }

    /// Runs `what` once, before the next response to `method` goes out.
    pub(crate) fn interrupt(
        &self,
        method: &'static str,
        what: impl FnOnce() -> BoxFuture<'static, ()> + Send + 'static,
    ) {
        *self.interruption.lock().unwrap() = Some((method, Box::new(what)));
    }

    /// Lies like this from now on: gets the path with the query, and the honest body.
    pub(crate) fn tell(
        &self,
        lie: impl Fn(String, Vec<u8>) -> BoxFuture<'static, Vec<u8>> + Send + Sync + 'static,
    ) {
        *self.lie.lock().unwrap() = Some(Arc::new(move |path, _, honest| lie(path, honest)));
    }

    /// The same for some requests only: without a lie the body stays honest.
    pub(crate) fn change(
        &self,
        lie: impl Fn(&str, &[u8]) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) {
        self.tell(move |path, honest| ready(lie(&path, &honest).unwrap_or(honest)).boxed());
    }

    /// Answers like the board at `origin` at these paths from now on.
    pub(crate) fn tell_like(&self, origin: &str, at: fn(&str) -> bool) {
        let origin = origin.to_owned();
        self.tell(move |path, honest| {
            let theirs = http_client().get(format!("{origin}{path}"));
            let answer = async move {
                match at(&path) {
                    true => Answer::read(theirs.send().await.unwrap()).await.bytes,
                    false => honest,
                }
            };
            answer.boxed()
        });
    }

    /// Lies about this path from now on.
    pub(crate) fn tell_at(&self, at: &'static str, text: String) {
        self.change(move |path, _| (path == at).then(|| text.clone().into()));
    }

    /// Changes the results of calls to the node from now on: gets each call and its result.
    pub(crate) fn lie(&self, lie: impl Fn(&Value, &mut Value) + Send + Sync + 'static) {
        let lie: Lie = Arc::new(move |_, calls, honest| {
            let calls: Value = serde_json::from_slice(&calls).unwrap();
            let mut results: Value = serde_json::from_slice(&honest).unwrap();
            let calls = calls.as_array().into_iter().flatten();
            for (call, result) in calls.zip(results.as_array_mut().into_iter().flatten()) {
                lie(call, &mut result["result"]);
            }
            ready(results.to_string().into_bytes()).boxed()
        });
        *self.lie.lock().unwrap() = Some(lie);
    }

    /// Forwards honestly again.
    pub(crate) fn be_honest(&self) {
        *self.lie.lock().unwrap() = None;
    }

    /// The interruption, if the request calls its method.
    fn interrupted(&self, calls: &[u8]) -> Option<Interruption> {
        let calls: Value = serde_json::from_slice(calls).unwrap_or_default();
        let mut methods = calls.as_array().into_iter().flatten();
        let mut armed = self.interruption.lock().unwrap();
        armed.take_if(|(method, _)| methods.any(|call| call["method"] == *method))
    }
}

async fn forward(
    State(proxy): State<Arc<Proxy>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    calls: Bytes,
) -> Response {
    if proxy.down.load(Ordering::SeqCst) {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    let path = uri.path_and_query().map_or("/", |it| it.as_str());
    let behind = proxy.behind.get().expect("a server behind it");
    let mut request = proxy.client.request(method, behind.join(path).unwrap());
    for name in ASKED {
        if let Some(value) = headers.get(name) {
            request = request.header(name, value);
        }
    }
    let answer = request.body(calls.clone()).send().await;
    let answer = answer.expect("the server behind it answers");
    let (mut status, all) = (answer.status(), answer.headers());
    let said = all.iter().filter(|(name, _)| SAID.contains(&name.as_str()));
    let said = said.map(|(name, value)| (name.clone(), value.clone()));
    let said: HeaderMap = said.collect();
    let mut body = answer.bytes().await.unwrap().to_vec();
    let lie = proxy.lie.lock().unwrap().clone();
    let missing = status == StatusCode::NOT_FOUND;
    if let Some(lie) = lie.filter(|_| status.is_success() || missing) {
        let said = lie(path.to_owned(), calls.clone(), body.clone()).await;
        // A lie about an address that the board does not have.
        if said != body {
            (status, body) = (StatusCode::OK, said);
        }
    }
    if let Some((_, what)) = proxy.interrupted(&calls) {
        what().await;
    }
    (status, said, body).into_response()
}

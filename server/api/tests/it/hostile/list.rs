//! The requests: hostile values in every place that takes a value.

use std::fmt;

use super::{Fixture, User};

use crate::support::prelude::*;

/// One request. `{me}`, `{other}` and `{token}` are replaced when it is sent.
#[derive(Default)]
pub(super) struct Request {
    pub(super) method: &'static str,
    target: String,
    headers: Vec<String>,
    body: Vec<u8>,
    /// Whether the request carries a session.
    pub(super) signed_in: bool,
    /// Whether the request may end its session or account, so that it needs a user of its own.
    pub(super) alone: bool,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (headers, body) = (self.headers.join(", "), String::from_utf8_lossy(&self.body));
        write!(
            f,
            "{} {:.120} {headers:.300} {body:.120}",
            self.method, self.target
        )
    }
}

impl Request {
    fn new(method: &'static str, target: impl Into<String>) -> Self {
        let mut request = Self::default();
        (request.method, request.target) = (method, target.into());
        request
    }

    fn header(mut self, line: impl Into<String>) -> Self {
        self.headers.push(line.into());
        self
    }

    fn json(self, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let request = self.header("content-type: application/json");
        Self { body, ..request }
    }

    pub(super) fn calls(&self, function: &str) -> bool {
        let path = self.target.strip_prefix("/api/functions/v1/");
        path.is_some_and(|path| path.starts_with(function))
    }

    /// The path, as it is written here.
    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// What is sent for this user, as the request of this number.
    pub(super) fn bytes(&self, fixture: &Fixture, (me, token): &User, number: usize) -> Vec<u8> {
        let fill = |text: &str| {
            let text = text.replace("{me}", me).replace("{token}", token);
            text.replace("{other}", &fixture.other)
        };
        let body = match std::str::from_utf8(&self.body) {
            Ok(text) => fill(text).into_bytes(),
            Err(_) => self.body.clone(),
        };
        let from = format!("x-forwarded-for: 10.{}.{}.1", number / 250, number % 250);
        let first = format!("{} {} HTTP/1.1", self.method, self.target);
        let mut head = vec![first, "connection: close".to_owned(), from];
        if !self.headers.iter().any(|it| it.starts_with("host")) {
            head.push(format!("host: {}", fixture.address));
        }
        if self.signed_in {
            head.push("authorization: Bearer {token}".to_owned());
        }
        if !body.is_empty() {
            head.push(format!("content-length: {}", body.len()));
        }
        head.extend(self.headers.iter().cloned());
        let head = fill(&head.join("\r\n")) + "\r\n\r\n";
        [head.into_bytes(), body].concat()
    }
}

/// Values for addresses; empty and very long ones are added.
const VALUES: &str = include_str!("values.txt");

/// Who sends a request, and where. An address with brackets gets each value in their place, and succeeds with what is in them. One with
/// `{}` gets each value too, and succeeds with none: it lacks a session, a code, or a second log. Others get each body.
const ROUTES: &str = include_str!("routes.txt");

/// JSON bodies; empty, deep, long and non-text ones are added.
const BODIES: &str = include_str!("bodies.txt");

/// Additional header lines; long ones are added.
const HEADERS: &str = include_str!("headers.json");

fn values() -> Vec<String> {
    let mut values = vec![String::new()];
    values.extend(VALUES.split_ascii_whitespace().map(str::to_owned));
    let long = "x 300 x 8000 * 50001 %25 5000 _ 50001 %e2%82%ac 2000 ( 2000 a, 5000";
    let long: Vec<&str> = long.split(' ').collect();
    let long = long.chunks(2);
    values.extend(long.map(|it| it[0].repeat(it[1].parse().unwrap())));
    values
}

fn bodies() -> Vec<Vec<u8>> {
    let bodies = BODIES.split_ascii_whitespace().map(str::to_owned);
    let deep = |open: &str, close: &str| [open.repeat(5_000), close.repeat(5_000)].concat();
    let long = "x".repeat(100_000);
    let files = [&b"psbt\xff"[..], b"psbt\xff\x00", &[0xff; 300], &[0; 300]];
    let files = files.map(|file| {
        let file = STANDARD.encode(file);
        format!("{{\"psbtBase64\":\"{file}\",\"utxos\":[],\"file_name\":\"a.psbt\"}}")
    });
    let more = [
        String::new(),
        deep("[", "]"),
        deep("{\"a\":", "}"),
        format!("{{\"message\":\"{long}\",\"level\":\"warn\"}}"),
        format!("{{\"id\":\"{long}\"}}"),
        " ".repeat(3 * 1024 * 1024),
    ];
    let texts = bodies.chain(files).chain(more).map(String::into_bytes);
    let mark = &b"\xef\xbb\xbf{}"[..];
    let bytes = [mark, b"\xff\xfe{\0}\0", b"{\"id\":\"\xff\"}"];
    texts.chain(bytes.map(<[u8]>::to_vec)).collect()
}

fn headers() -> Vec<String> {
    let mut lines: Vec<String> = serde_json::from_str(HEADERS).unwrap();
    let long = [1, 128, 129, 8_000, 60_000];
    lines.extend(long.map(|long| format!("x-request-id: {}", "x".repeat(long))));
    lines.push(format!("cookie: {}", "a=b; ".repeat(5_000)));
    lines.push(format!("authorization: Bearer {}", "a".repeat(30_000)));
    lines.push("x-many: 1\r\n".repeat(200) + "x-many: 1");
    lines
}

/// An address with this value in all its places, or with what is in their brackets.
fn fill(target: &str, value: Option<&str>) -> String {
    let mut parts = target.split(['[', ']']);
    let mut filled = parts.next().unwrap().replace("{}", value.unwrap_or("{}"));
    while let (Some(ordinary), Some(rest)) = (parts.next(), parts.next()) {
        filled += value.unwrap_or(ordinary);
        filled += rest;
    }
    filled
}

/// Each address with brackets as an ordinary client sends it: whether it is signed in, the method and the target.
pub(super) fn ordinary() -> impl Iterator<Item = (bool, &'static str, String)> {
    let lines = ROUTES.lines().filter(|line| line.contains('['));
    lines.map(|line| {
        let [who, method, target] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        (who == "user", method, fill(target, None))
    })
}

/// Every request of the list.
pub(super) fn requests() -> Vec<Request> {
    const TARGETS: &str =
        "/ /api /api/rest/v1/profiles /api/auth/v1/token * http://a/ // /.git/config /%2e%2e/";
    const METHODS: &str = "PUT DELETE OPTIONS HEAD TRACE CONNECT PURGE get \u{0}";
    const WITH_HEADERS: &str = "/leaderboard /api/rest/v1/profiles?limit=1 /api/rest/v1/profiles/changes /api/auth/v1/user";
    const DELETE: &str = "/api/functions/v1/delete-account";
    let mut requests = Vec::new();
    for line in ROUTES.lines() {
        let [who, method, target] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let at = |target: &str| Request {
            signed_in: who == "user",
            ..Request::new(method, target)
        };
        if target.contains("{}") || target.contains('[') {
            let filled = values().into_iter();
            let filled = filled.map(|value| at(&fill(target, Some(&value))));
            requests.extend(filled.map(|request| match method {
                "POST" | "PATCH" => request.json("{\"id\":\"{me}\"}"),
                _ => request,
            }));
        } else {
            requests.extend(bodies().into_iter().map(|body| at(target).json(body)));
            let mut form = Request::new(method, target).header("content-type: text/plain");
            form.body = b"{}".to_vec();
            requests.push(form);
        }
    }
    for line in headers() {
        let targets = WITH_HEADERS.split(' ');
        requests.extend(targets.map(|it| Request::new("GET", it).header(line.clone())));
    }
    for method in METHODS.split(' ') {
        let targets = TARGETS.split(' ');
        requests.extend(targets.map(|target| Request::new(method, target)));
    }
    // These may end the account.
    let delete = |query: &str| Request::new("POST", format!("{DELETE}{query}"));
    let with_queries = values().into_iter();
    let with_queries = with_queries.map(|value| delete(&format!("?{value}")));
    let with_bodies = bodies().into_iter().map(|body| delete("").json(body));
    requests.extend(with_queries.chain(with_bodies).map(|request| Request {
        signed_in: true,
        alone: true,
        ..request
    }));
    requests
}

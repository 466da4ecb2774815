//! The requests: hostile values in every place that takes a value.

use std::fmt;

use super::Stage;

use crate::support::prelude::*;

/// One request. `{me}`, `{other}` and `{token}` are replaced when it is sent.
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
        let short = |text: &str| -> String { text.chars().take(120).collect() };
        let headers: Vec<String> = self.headers.iter().map(|it| short(it)).collect();
        write!(
            f,
            "{} {} {headers:?} {:?}{}",
            self.method,
            short(&self.target),
            short(&String::from_utf8_lossy(&self.body)),
            if self.signed_in { ", signed in" } else { "" }
        )
    }
}

impl Request {
    fn new(method: &'static str, target: impl Into<String>) -> Self {
        Self {
            method,
            target: target.into(),
            headers: Vec::new(),
            body: Vec::new(),
            signed_in: false,
            alone: false,
        }
    }

    fn header(mut self, line: impl Into<String>) -> Self {
        self.headers.push(line.into());
        self
    }

    fn json(self, body: impl Into<Vec<u8>>) -> Self {
        let request = self.header("content-type: application/json");
        Self {
            body: body.into(),
            ..request
        }
    }

    pub(super) fn names(&self, path: &str) -> bool {
        self.target.starts_with(path)
    }

    /// The path, as it is written here.
    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub(super) fn bytes(
        &self,
        stage: &Stage,
        (me, token): &(String, String),
        number: usize,
    ) -> Vec<u8> {
        let fill = |text: &str| {
            text.replace("{me}", me)
                .replace("{other}", &stage.other)
                .replace("{token}", token)
        };
        let body = match std::str::from_utf8(&self.body) {
            Ok(text) => fill(text).into_bytes(),
            Err(_) => self.body.clone(),
        };
        let mut head = vec![
            format!("{} {} HTTP/1.1", self.method, self.target),
            format!(
                "connection: close\r\nx-forwarded-for: 10.{}.{}.1",
                number / 250,
                number % 250
            ),
        ];
        if !self.headers.iter().any(|it| it.starts_with("host")) {
            head.push(format!("host: {}", stage.address));
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
const VALUES: &str = "
    %00 a%00b % %zz %2 %ff %c3%28 %ed%a0%80 %ef%bf%bf %f0%9f%92%a9 %u0000 %2e%2e%2f%2e%2e%2fetc%2fpasswd %2f %5c
    %27%20or%201%3d1%20-- %22 %3cscript%3e %0d%0aset-cookie:%20x=1 %25%25 %5c%5c%5c %7b%7d 0 -1 1e999 9223372036854775807
    9223372036854775808 99999999999999999999999999 -9223372036854775809 0x10 1.5 NaN null true undefined * a,b,c (select%201)
    eq.eq.eq. {me}%00 {me}%20 {other} 00000000-0000-0000-0000-000000000000 %d9%a1%d9%a2 %e2%80%ae a+b a;b a&a=a %26%3d%23
";

fn values() -> Vec<String> {
    let mut values = vec![String::new()];
    values.extend(VALUES.split_ascii_whitespace().map(str::to_owned));
    let long = [
        ("x", 300),
        ("x", 8_000),
        ("*", 50_001),
        ("%25", 5_000),
        ("_", 50_001),
    ];
    let more = [("%e2%82%ac", 2_000), ("(", 2_000), ("a,", 5_000)];
    let long = long.into_iter().chain(more);
    values.extend(long.map(|(text, times)| text.repeat(times)));
    values
}

/// Addresses with a value; `{}` is replaced.
const PLACES: &str = "
    GET /{}
    GET /assets/{}
    GET /profile/{}
    GET /leaderboard?u={}
    GET /leaderboard?q={}&page={}&verified={}
    GET /card.png?u={}
    GET /card/{}
    GET /badge/{}
    GET /badge/{}.svg
    GET /embed?u={}
    GET /verify/{}
    GET /log/{}
    GET /log/{}/checkpoint
    GET /log/2/tile/{}
    GET /log/checkpoint?{}
    GET /log/tile/{}
    GET /log/tile/{}/000.p/1
    GET /log/tile/0/{}
    GET /log/tile/0/000.p/{}
    GET /log/tile/entries/{}
    GET /api/{}
    GET /api/rest/v1/{}
    GET /api/rest/v1/profiles?{}
    GET /api/rest/v1/profiles?{}=eq.1
    GET /api/rest/v1/profiles?id={}
    GET /api/rest/v1/profiles?id=eq.{}
    GET /api/rest/v1/profiles?username=eq.{}
    GET /api/rest/v1/profiles?username=ilike.{}
    GET /api/rest/v1/profiles?username=ilike.*{}*&verified=is.true
    GET /api/rest/v1/profiles?provider=eq.{}
    GET /api/rest/v1/profiles?verified=is.{}
    GET /api/rest/v1/profiles?bitcoin_holdings={}
    GET /api/rest/v1/profiles?bitcoin_holdings=gte.{}
    GET /api/rest/v1/profiles?bitcoin_holdings=gte.0&bitcoin_holdings=lt.{}
    GET /api/rest/v1/profiles?select={}
    GET /api/rest/v1/profiles?order={}
    GET /api/rest/v1/profiles?limit={}
    GET /api/rest/v1/profiles?offset={}
    GET /api/rest/v1/profiles?columns={}
    GET /api/rest/v1/profiles/changes?{}
    GET /api/functions/v1/proofs/{}
    GET /api/functions/v1/proofs?limit={}&after={}
    GET /api/functions/v1/proofs?profile_id={}
    GET /api/functions/v1/board-summary?{}
    GET /api/functions/v1/board.csv?{}
    GET /api/functions/v1/board.json?{}
    GET /api/storage/v1/{}
    GET /api/storage/v1/avatar/{}
    GET /api/storage/v1/avatar/{other}?width={}&height={}&format={}
    GET /api/storage/v1/object/public/{}/{}
    GET /api/storage/v1/render/image/public/avatars/{}?resize={}
    GET /api/auth/v1/authorize?provider={}
    GET /api/auth/v1/authorize?provider=mock&redirect_to={}
    GET /api/auth/v1/authorize?provider=mock&code_challenge={}&code_challenge_method=s256
    GET /api/auth/v1/callback/{}?state=1&code=1
    GET /api/auth/v1/callback/twitter?state={}&code={}&error={}
    POST /api/auth/v1/token?grant_type={}
    POST /api/functions/v1/delete-account?{}
";

/// The same, signed in.
const OWN_PLACES: &str = "
    PATCH /api/rest/v1/profiles?id=eq.{}
    POST /api/rest/v1/profiles?on_conflict={}
    GET /api/rest/v1/psbts?user_id=eq.{}
    GET /api/rest/v1/psbts?user_id=eq.{me}&select={}
    GET /api/rest/v1/psbts?user_id=eq.{me}&verified=eq.{}
    GET /api/rest/v1/psbts?user_id=eq.{me}&limit={}&offset={}
    DELETE /api/rest/v1/psbts?user_id=eq.{me}&file_name=eq.{}
    GET /api/functions/v1/{}
    GET /api/functions/v1/getUserRank/{}
    DELETE /api/functions/v1/proofs/{}
    GET /api/functions/v1/receipt?{}
    GET /api/functions/v1/holdings-history?{}
    GET /api/functions/v1/proof-challenge?{}
    GET /api/functions/v1/export-account?{}
    GET /api/auth/v1/user?{}
    POST /api/auth/v1/logout?scope={}
";

/// Values for JSON bodies; empty, deep, long and non-text ones are added.
const BODIES: &str = r#"
    null true 0 "text" [] [[]] [null] [{}] [{},{}] ["{me}","free"] {} { } {"a":1} {"id":null} {"id":{}} {"id":[]} {"id":1}
    {"id":"\u0000"} {"id":"\ud800"} {"id":"{other}"} {"id":"{me}","id":"{other}"} {"id":"{me}","tier":"gold"}
    {"id":"{me}","tier":null} {"id":"{me}","tier":"premium"} {"id":"{me}","tier":["free"]}
    {"id":"{me}","verified":true,"bitcoin_holdings":1e400} {"id":"{me}","bitcoin_holdings":99999999999999999999999}
    {"id":"{me}","shown_as":"range"} {"id":"{me}","shown_as":"gold"} {"id":"{me}","shown_as":"\u0000"}
    {"id":"{me}","shown_as":["range"]} {"id":"{me}","shown_as":{"range":null}} {"id":"{me}","shown_as":1}
    {"id":"{me}","shown_as":"range","shown_as":"exact"} {"id":"{other}","shown_as":"range"}
    {"id":"{me}","shown_as":null,"tier":"free"} {"psbtBase64":"","utxos":[],"file_name":""}
    {"psbtBase64":null,"utxos":null,"file_name":null} {"psbtBase64":"cHNidP8=","utxos":{},"file_name":"a.psbt"}
    {"psbtBase64":"cHNidP8=","utxos":[[]],"file_name":"a.psbt"} {"psbtBase64":"cHNidP8=","utxos":[],"file_name":"\u0000.psbt"}
    {"psbtBase64":"cHNidP8=","utxos":[],"file_name":"../../a.psbt"} {"psbtBase64":"\u0000","utxos":[],"file_name":"a.psbt"}
    {"psbtBase64":"cHNidP8=","utxos":[{"txid":"zz","vout":-1,"value":1e30}],"file_name":"a.psbt"} ["cHNidP8=",[],"a.psbt"]
    {"auth_code":"\u0000","code_verifier":"\u0000"} {"auth_code":"a","code_verifier":"b"} ["a","b"] {"refresh_token":"\u0000"}
    {"refresh_token":"a.b.c"} {"refresh_token":1} ["a"] {"level":"warn","message":"\u0000\u001b[31m"}
    {"level":"gold","message":"a"} ["warn","a"] {"psbt_base64":"\u0000"} {"psbt_base64":"cHNidP8="} ["cHNidP8="]
    {"psbtBase64":"cHNidP8=","file_name":"a.psbt","publish":"true"} {"psbtBase64":"cHNidP8=","file_name":"a.psbt","publish":null}
    {"psbtBase64":"cHNidP8=","file_name":"a.psbt","publish":true,"publish":false}
"#;

fn bodies() -> Vec<Vec<u8>> {
    let mut bodies = vec![Vec::new()];
    bodies.extend(
        BODIES
            .split_ascii_whitespace()
            .map(|it| it.as_bytes().to_vec()),
    );
    let deep = |open: &str, close: &str| [open.repeat(5_000), close.repeat(5_000)].concat();
    let long = "x".repeat(100_000);
    bodies.extend([
        b"\xef\xbb\xbf{}".to_vec(),
        b"\xff\xfe{\0}\0".to_vec(),
        b"{\"id\":\"\xff\"}".to_vec(),
        deep("[", "]").into_bytes(),
        deep("{\"a\":", "}").into_bytes(),
        format!("{{\"message\":\"{long}\",\"level\":\"warn\"}}").into_bytes(),
        format!("{{\"id\":\"{long}\"}}").into_bytes(),
        vec![b' '; 3 * 1024 * 1024],
    ]);
    let files = [&b"psbt\xff"[..], b"psbt\xff\x00", &[0xff; 300], &[0; 300]];
    bodies.extend(files.map(|file| {
        let file = STANDARD.encode(file);
        format!("{{\"psbtBase64\":\"{file}\",\"utxos\":[],\"file_name\":\"a.psbt\"}}").into_bytes()
    }));
    bodies
}

/// Routes that take a body.
const TAKES_BODIES: &str = "
    POST /api/functions/v1/submit-proof
    POST /api/functions/v1/client-log
    POST /api/functions/v1/stripe-webhook
    POST /api/auth/v1/token?grant_type=pkce
    POST /api/auth/v1/token?grant_type=refresh_token
    POST /api/functions/v1/delete-account
";

/// The same, signed in.
const TAKES_OWN_BODIES: &str = "
    POST /api/rest/v1/profiles?on_conflict=id
    PATCH /api/rest/v1/profiles?id=eq.{me}
    POST /api/functions/v1/submit-proof
    POST /api/functions/v1/create-stripe-session
    POST /api/functions/v1/development-sign
";

/// Additional header lines.
const HEADERS: &str = r#"
    host:
    host: a b
    x-request-id:
    authorization: Bearer
    authorization: Bearer a.b.c
    authorization: Basic YTpi
    authorization: Bearer {token}x
    accept: application/vnd.pgrst.object+json
    prefer: count=exact, return=representation, handling=strict
    prefer: ,,,;=
    range: 0-
    range: bytes=99-1
    if-none-match: *
    if-none-match: "
    if-match: *
    last-event-id: -1
    last-event-id: 99999999999999999999999999
    cookie: por=%00; __Host-por=a; ;;;=
    origin: null
    origin: https://evil.example
    content-encoding: gzip
    content-type: application/json; charset=utf-16
    expect: 100-continue
    transfer-encoding: gzip
    content-length: 5
    content-length: -1
    x-forwarded-for: nonsense
    x-forwarded-host: evil.example
    x-http-method-override: DELETE
    accept-encoding: br;q=2, *;q=nonsense
"#;

/// Header lines with escapes.
const ODD_HEADERS: [&str; 9] = [
    "host: a\r\nhost: b",
    "host: 127.0.0.1\r\nhost: 127.0.0.1",
    "x-request-id: a b\tc",
    "x-request-id: \u{e9}",
    "authorization: Bearer {token}\r\nauthorization: Bearer a",
    "accept: \u{0}",
    "content-length: 0\r\ncontent-length: 1",
    "x-client-info: \u{1f4a9}",
    "upgrade: h2c\r\nconnection: upgrade",
];

fn headers() -> Vec<String> {
    let lines = text_lines(HEADERS).chain(ODD_HEADERS);
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines.extend(
        [1, 128, 129, 8_000, 60_000].map(|long| format!("x-request-id: {}", "x".repeat(long))),
    );
    lines.push(format!("cookie: {}", "a=b; ".repeat(5_000)));
    lines.push(format!("authorization: Bearer {}", "a".repeat(30_000)));
    lines.push("x-many: 1\r\n".repeat(200) + "x-many: 1");
    lines
}

/// The lines of a text, without the empty ones around it.
fn text_lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.trim_matches('\n').lines().map(str::trim_start)
}

/// Every request of the list.
pub(super) fn requests() -> Vec<Request> {
    const TARGETS: &str =
        "/ /api /api/rest/v1/profiles /api/auth/v1/token * http://a/ // /.git/config /%2e%2e/";
    const METHODS: &str = "PUT DELETE OPTIONS HEAD TRACE CONNECT PURGE get \u{0}";
    const DELETE: &str = "/api/functions/v1/delete-account";
    let mut requests = Vec::new();
    for (list, signed_in) in [(PLACES, false), (OWN_PLACES, true)] {
        for (line, value) in
            text_lines(list).flat_map(|line| values().into_iter().map(move |it| (line, it)))
        {
            let (method, place) = line.split_once(' ').expect("a method and an address");
            let mut request = Request::new(method, place.replace("{}", &value));
            if matches!(method, "POST" | "PATCH") {
                request = request.json("{}");
            }
            requests.push(Request {
                signed_in,
                ..request
            });
        }
    }
    for (list, signed_in) in [(TAKES_BODIES, false), (TAKES_OWN_BODIES, true)] {
        for line in text_lines(list) {
            let (method, target) = line.split_once(' ').expect("a method and an address");
            requests.extend(bodies().into_iter().map(|body| Request {
                signed_in,
                ..Request::new(method, target).json(body)
            }));
            let mut form = Request::new(method, target).header("content-type: text/plain");
            form.body = b"{}".to_vec();
            requests.push(form);
        }
    }
    for line in headers() {
        for target in [
            "/leaderboard",
            "/api/rest/v1/profiles?limit=1",
            "/api/rest/v1/profiles/changes",
            "/api/auth/v1/user",
        ] {
            requests.push(Request::new("GET", target).header(line.clone()));
        }
    }
    for method in METHODS.split(' ') {
        requests.extend(
            TARGETS
                .split(' ')
                .map(|target| Request::new(method, target)),
        );
    }
    // These may end the account.
    let asked = values()
        .into_iter()
        .map(|value| Request::new("POST", format!("{DELETE}?{value}")));
    let told = bodies()
        .into_iter()
        .map(|body| Request::new("POST", DELETE).json(body));
    requests.extend(asked.chain(told).map(|request| Request {
        signed_in: true,
        alone: true,
        ..request
    }));
    requests
}

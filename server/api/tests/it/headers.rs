//! Headers of every response, and which routes read cookies.

use reqwest::Response;

use crate::support::prelude::*;

/// At least one address of every route group, with the status of its response.
const ADDRESSES: &str = include_str!("headers.txt");

async fn ask(app: &TestApp, method: &str, path: &str, status: u16) -> Response {
    let mut request = app.request(method.parse().unwrap(), path);
    if status == 413 {
        let message = "x".repeat(17 * 1024);
        request = request.json(&json!({"level": "warn", "message": message}));
    }
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), status, "{method} {path}");
    response
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let app = TestApp::with(&["--public-url=https://localhost"]).await;
    for line in ADDRESSES.trim().lines() {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        let (method, path, status) = (words[0], words[1], words[2].parse().unwrap());
        let response = ask(&app, method, path, status).await;
        let header = |name: &str| {
            let value = response.headers().get(name);
            let value = value.unwrap_or_else(|| panic!("{method} {path}: no {name}"));
            value.to_str().unwrap().to_owned()
        };
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"));
        let unsafe_one = ["unsafe-inline", "'unsafe-eval'"].map(|it| policy.contains(it));
        assert_eq!(unsafe_one, [false; 2], "{policy}");
        has(&policy, &["frame-ancestors 'none'", "base-uri 'none'"]);
        for [name, value] in table(
            "strict-transport-security | max-age=63072000
             x-content-type-options | nosniff
             referrer-policy | no-referrer
             cross-origin-opener-policy | same-origin
             cross-origin-resource-policy | same-origin",
        ) {
            assert_eq!(header(name), value);
        }
        assert!(!header("x-request-id").is_empty());
        for name in "server x-powered-by set-cookie access-control-allow-credentials".split(' ') {
            assert!(!response.headers().contains_key(name), "{name}");
        }
        if path.starts_with("/api") {
            has(&header("permissions-policy"), &["camera=()"]);
            has(&header("cache-control"), &["no-"]);
        }
        if path.starts_with("/api/") && status >= 400 && !path.ends_with("submit-proof") {
            let kind = header("content-type");
            assert_eq!(kind, "application/problem+json", "{method} {path}");
            if path.starts_with("/api/rest/") {
                let problem: Value = response.json().await.unwrap();
                assert_eq!(problem["status"], status);
                let detail = [&problem["message"], &problem["error"]];
                assert_eq!(detail, [&problem["detail"]; 2], "{problem}");
            }
        }
    }
}

/// A cookie travels with every request that another site can make a browser send. Only the sign-in routes
/// may read it, and they have their own tests.
#[tokio::test]
async fn only_sign_in_routes_read_cookies() {
    let app = TestApp::development().await;
    let session = sign_in_from(&app.origin, &app.site()).await;
    let cookie = session.header("set-cookie").split(';').next().unwrap();
    let id = text(&session.body["user"]["id"]);
    let document = app.get("/api/openapi.json").await.body;
    let mut tried = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        if path.starts_with("/api/auth/") {
            continue;
        }
        let parts = path.split('/');
        let parts = parts.map(|part| if part.starts_with('{') { &id } else { part });
        let path = parts.collect::<Vec<_>>().join("/");
        // A path can have a description and parameters in addition to its methods.
        let methods = ["get", "post", "patch", "put", "delete"];
        let operations = operations.as_object().unwrap();
        for method in methods.iter().filter(|it| operations.contains_key(**it)) {
            let method: Method = method.to_uppercase().parse().unwrap();
            let ask = async |cookie: &[(&str, &str)]| {
                let request = app.request(method.clone(), &path);
                let request = request.header("origin", "https://evil.example");
                let mut request = with_headers(request, cookie);
                if method != Method::GET {
                    request = request.json(&json!({"user_id": id, "id": id, "tier": "free"}));
                }
                let response = request.send().await.unwrap();
                for forbidden in ["set-cookie", "access-control-allow-credentials"] {
                    let has = response.headers().contains_key(forbidden);
                    assert!(!has, "{method} {path}");
                }
                response.status()
            };
            let with = ask(&[("cookie", cookie)]).await;
            assert_eq!(ask(&[]).await, with, "{method} {path}");
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried}");
    let profile = app.state.store.profile(&id).await.unwrap();
    assert_eq!(profile.expect("the account").tier, None);
}

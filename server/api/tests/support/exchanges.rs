//! Requests and the responses that they must get, as text.
//!
//! An empty line separates cases. A case begins with its requests, which all get the same response. Lines after `>` are their headers, or
//! their JSON body. All other lines are about the response: its status with the code of a refusal, a header (`name: value`) or a part
//! of one (`name ~ part`), its JSON (`= …`) or some members of it (`{…}`), a part of its text (`has`, `lacks`), and the status of
//! a second request with its tag (`again`).

use crate::support::prelude::*;

/// Plays all cases, with these names in braces replaced.
pub(crate) async fn exchange(app: &TestApp, cases: &str, names: &[(&str, &str)]) {
    app.caught_up().await;
    let own = [("origin", app.origin.as_str())];
    let names = names.iter().chain(&own);
    let replaced = names.fold(cases.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    });
    for case in replaced.split("\n\n").filter(|it| !it.trim().is_empty()) {
        play(app, case).await;
    }
}

async fn play(app: &TestApp, case: &str) {
    let (mut requests, mut sent, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for line in case.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ') {
            Some((">", line)) => sent.push(line),
            Some((method, path)) if is_request(method, path) => requests.push((method, path)),
            _ => expected.push(line),
        }
    }
    assert!(!requests.is_empty() && !expected.is_empty(), "{case}");
    for (method, path) in requests {
        let ask = async |more: &[(&str, &str)]| {
            let address = format!("{}{path}", app.origin);
            let request = direct_client().request(method.parse().unwrap(), address);
            let is_json = |line: &str| line.starts_with(['{', '[']);
            let sent = sent.iter();
            let request = sent.fold(request, |request, line| match line.split_once(':') {
                Some((name, value)) if !is_json(line) => request.header(name, value.trim()),
                _ => request.json(&serde_json::from_str::<Value>(line).expect(line)),
            });
            answer(with_headers(request, more)).await
        };
        let response = ask(&[]).await;
        for line in &expected {
            let fits = match line.strip_prefix("again ") {
                Some(status) => {
                    let known = [("if-none-match", response.header("etag"))];
                    ask(&known).await.status.as_str() == status
                }
                None => is_said(&response, line),
            };
            let headers = &response.headers;
            assert!(fits, "{method} {path}: {line}\n{headers:?}\n{response:?}");
        }
    }
}

fn is_request(method: &str, path: &str) -> bool {
    path.starts_with('/') && method.chars().all(|it| it.is_ascii_uppercase())
}

/// Whether a response has what a line says.
fn is_said(response: &Answer, line: &str) -> bool {
    let json = |text: &str| serde_json::from_str::<Value>(text).expect(line);
    match line.split_once(' ') {
        Some(("has", part)) => return response.text().contains(part),
        Some(("lacks", part)) => return !response.text().contains(part),
        Some(("=", whole)) => return response.body == json(whole),
        _ if line.starts_with(['{', '[']) => return includes(&response.body, &json(line)),
        _ => {}
    }
    if let Some((name, part)) = line.split_once(" ~ ") {
        return response.header(name).contains(part);
    }
    if let Some((name, value)) = line.split_once(':') {
        return response.header(name) == value.trim();
    }
    let (status, code) = line.split_once(' ').unwrap_or((line, ""));
    response.status.as_str() == status && (code.is_empty() || response.problem().1 == code)
}

/// Whether all members of `part` are in `whole`, and arrays are as long.
fn includes(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (_, Value::Object(members)) => members.iter().all(|(name, it)| includes(&whole[name], it)),
        (Value::Array(whole), Value::Array(part)) => {
            let mut pairs = whole.iter().zip(part);
            whole.len() == part.len() && pairs.all(|(whole, part)| includes(whole, part))
        }
        _ => whole == part,
    }
}

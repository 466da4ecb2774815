//! Every address that others than a row's owner can read, and the questions asked there. A new one must be added: a test compares this
//! list with the document of the API and with the routes in the sources.

use super::side::{PEOPLE, Side, VIEWER, id};
use crate::support::prelude::*;
use crate::support::sign_in::signed_in;

/// Addresses with data about other users, and the questions to ask there: `-` is the address alone. `{id}` and `{name}` are replaced
/// by each user's. The key and the salts of both boards are the same here.
const PUBLIC: &str = include_str!("public.txt");

/// Each address and its questions.
fn public() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    PUBLIC.trim().lines().map(|line| {
        let mut words = line.split_ascii_whitespace();
        let address = words.next().unwrap();
        (address, words.map(|it| it.trim_start_matches('-')))
    })
}

/// Paths below `/log/tile`: entries and hashes. The root in the checkpoint is over all of them.
fn tiles() -> impl Iterator<Item = String> {
    [1, 2, 5, 10, 20]
        .into_iter()
        .flat_map(|width| ["entries", "0"].map(|what| format!("{what}/000.p/{width}")))
}

/// Addresses that reveal nothing about any user, or only to that user: leads to a provider or to another page, texts and pages that
/// ask the API, one's own account, and what only takes. The pictures are at another address too, and metrics at one for operators.
const APART: &str = include_str!("apart.txt");

/// Routes that take files: they answer about the sender's own coins, and reveal of others' at most that they are claimed (D3).
const OF_FILES: [&str; 2] = [
    "/api/functions/v1/submit-proof",
    "/api/functions/v1/development-sign",
];

/// Headers that depend on the moment and the connection.
const VOLATILE_HEADERS: [&str; 2] = ["date", "x-request-id"];

/// A question at an address.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    target: String,
    signed_in: bool,
    accept: &'static str,
}

impl Asked {
    pub(super) fn visitor(target: impl Into<String>) -> Self {
        Self {
            target: target.into(),
            signed_in: false,
            accept: "*/*",
        }
    }

    /// Status with headers, and a body: as text, or in hexadecimal digits.
    pub(super) async fn ask(&self, side: &Side, token: &str) -> String {
        let request = side.app.request(Method::GET, &self.target);
        let request = request.header("accept", self.accept);
        let mut request = request.header("prefer", "count=exact");
        if self.signed_in {
            request = request.bearer_auth(token);
        }
        let mut response = request.send().await.unwrap();
        let headers = response.headers().iter();
        let headers = headers.filter(|(name, _)| !VOLATILE_HEADERS.contains(&name.as_str()));
        let headers = headers.map(|(name, value)| format!("{name}: {value:?}"));
        let said = format!("{} {:?}", response.status(), headers.collect::<Vec<_>>());
        let body = if self.target.ends_with("/changes") {
            // It never ends: its first bytes have the number of the newest change.
            response.chunk().await.unwrap().expect("its first words")
        } else {
            response.bytes().await.unwrap()
        };
        let body = String::from_utf8(body.to_vec());
        let body = body.unwrap_or_else(|bytes| hex::encode(bytes.as_bytes()));
        format!("{said}\n{body}")
    }
}

/// Every question of the list, for every user.
fn questions() -> Vec<Asked> {
    let mut all = Vec::new();
    for (address, questions) in public() {
        for question in questions {
            let template = format!("{address}{question}")
                .replace("{user_id}", "{id}")
                .replace("{profile_id}", "{id}")
                .replace("{file}", "{name}.png");
            if let Some(log) = template.strip_suffix("{*path}") {
                all.extend(tiles().map(|path| Asked::visitor(format!("{log}{path}"))));
                continue;
            }
            // Cards are slow to draw: one is enough.
            let all_people = template.contains('{') && !template.starts_with("/card");
            let people = if all_people { PEOPLE.len() } else { 1 };
            for (who, name) in PEOPLE.iter().enumerate().take(people) {
                let target = template.replace("{id}", &id(who)).replace("{name}", name);
                let asked = Asked::visitor(target);
                let own = ["/api/rest", "getUserRank", "receipt"];
                let signed_in = own.iter().any(|it| address.contains(it));
                all.extend(signed_in.then(|| Asked {
                    signed_in,
                    ..asked.clone()
                }));
                all.extend(question.starts_with("?id").then(|| Asked {
                    accept: "application/vnd.pgrst.object+json",
                    ..asked.clone()
                }));
                all.push(asked);
            }
        }
    }
    all
}

/// All answers of a board, to visitors and to a signed-in user.
pub(super) async fn ask_everything(side: &Side) -> Vec<(Asked, String)> {
    let (_, token) = signed_in(&side.app.state.sign_in, VIEWER).await;
    side.caught_up().await;
    // The stream gets changes a moment later.
    wait_until("the stream", async || {
        let newest = side.app.state.board.subscribe();
        let number = newest.borrow().as_ref().map(|seen| seen.number);
        side.app.state.live.sequence() == number
    })
    .await;
    let mut said = Vec::new();
    for asked in questions() {
        let answer = asked.ask(side, &token).await;
        said.push((asked, answer));
    }
    said
}

/// The paths of routes that the sources have and the document does not.
fn routes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            routes(&path, found);
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source");
        let (before, log) = source
            .split_once("fn board_log_routes(")
            .unwrap_or((&source, ""));
        let (log, after) = log.split_once("\n}\n").unwrap_or((log, ""));
        for (source, prefix) in [(before, ""), (log, "/log"), (after, "")] {
            for rest in source.split(".route").skip(1) {
                let path = rest.trim_start_matches("_with_tsr").trim_start_matches('(');
                let path = path.trim_start().strip_prefix('"');
                let path = path.and_then(|rest| rest.split('"').next());
                found.extend(path.map(|path| format!("{prefix}{path}")));
            }
        }
    }
}

#[test]
fn every_address_is_listed() {
    let document: Value = serde_json::from_str(include_str!("../../../openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut there: BTreeSet<String> = paths.keys().cloned().collect();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http");
    routes(&sources, &mut there);
    let listed = public().map(|(address, _)| address);
    let listed = listed.chain(APART.split_ascii_whitespace());
    let listed: BTreeSet<String> = listed.chain(OF_FILES).map(str::to_owned).collect();
    assert_eq!(
        there, listed,
        "a new address belongs in PUBLIC here, with questions, unless it reveals nothing about users other than the one who asks"
    );
}

//! PostgreSQL loses its host while users work at two replicas, and its standby takes over behind the same address. `.scripts/standby.sh`
//! builds both with the files of OPERATIONS.md.

use std::fs;
use std::process::Command;

use board_log::check;
use board_log::checkpoint::Checkpoint;
use board_log::note::VerifierKey;

use crate::binding::files;
use crate::board_log as log;
use crate::support::prelude::*;
use crate::support::process::run as run_program;

const COIN: Amount = Amount::from_sat(1_000_000);
const DELETE: &str = "/api/functions/v1/delete-account";

/// How soon everything works again.
const BACK: Duration = Duration::from_secs(30);

/// The primary, the standby and their address.
struct Pair {
    folder: TempDir,
    url: String,
}

impl Pair {
    async fn start(kind: &'static str) -> Self {
        let starting = tokio::task::spawn_blocking(move || {
            let folder = tempfile::tempdir().unwrap();
            let url = run(&["start"], folder.path(), &[kind]);
            Self { folder, url }
        });
        starting.await.unwrap()
    }

    /// A step of the script.
    async fn does(&self, step: &'static str) {
        let folder = self.folder.path().to_owned();
        let done = tokio::task::spawn_blocking(move || run(&[step], &folder, &[]));
        done.await.unwrap();
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        run(&["stop"], self.folder.path(), &[]);
    }
}

/// A step of the script, and its output.
fn run(step: &[&str], folder: &Path, more: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.scripts/standby.sh");
    let mut command = Command::new(script);
    let output = command.args(step).arg(folder).args(more).output().unwrap();
    assert!(output.status.success(), "{step:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Two replicas, each with its own PUBLISHED_LOG.
struct Replicas {
    servers: Vec<ServerProcess>,
    folders: Vec<TempDir>,
}

impl Replicas {
    async fn start(pair: &Pair, node: &Node) -> Self {
        let mut arguments = vec![format!("--chain=bitcoind:{}", node.url())];
        arguments.push("--network=regtest".to_owned());
        let (mut servers, mut folders) = (Vec::<ServerProcess>::new(), Vec::new());
        for _ in 0..2 {
            let folder = tempfile::tempdir().unwrap();
            let setting = format!("--published-log={}", folder.path().display());
            let mut borrowed: Vec<&str> = arguments.iter().map(String::as_str).collect();
            borrowed.push(&setting);
            let server = ServerProcess::start(&pair.url, &borrowed).await;
            if servers.is_empty() {
                arguments.push(format!("--public-url={}", server.origin));
            }
            servers.push(server);
            folders.push(folder);
        }
        Self { servers, folders }
    }

    /// The checkpoint at the first one, by its key.
    async fn checkpoint(&self, key: &VerifierKey) -> Checkpoint {
        let note = log::text(&self.servers[0].origin, "checkpoint").await;
        check::checkpoint(&note, std::slice::from_ref(key)).unwrap()
    }
}

/// What was answered to one user.
struct Done {
    id: String,
    token: String,
    file: Vec<u8>,
    submitted: bool,
    published: bool,
    deleted: bool,
}

#[tokio::test]
async fn a_database_whose_host_is_lost_goes_on_at_its_standby() {
    let pair = Pair::start("synchronous").await;
    let node = Node::start().await;
    let wallet = node.wallet().await;
    let replicas = Replicas::start(&pair, &node).await;
    let site = replicas.servers[0].origin.clone();
    let origins: Vec<_> = replicas
        .servers
        .iter()
        .map(|it| it.origin.clone())
        .collect();
    let coins = vec![(AddressType::Bech32, COIN); size(12, 120)];
    let coins = wallet.fund_all(&coins).await;
    let key = log::key(&site).await;
    let before = replicas.checkpoint(&key).await;
    let mut page = lasting_client()
        .get(format!("{}/api/rest/v1/profiles/changes", origins[1]))
        .send()
        .await
        .unwrap();
    page.chunk().await.unwrap().expect("the opening");

    // One user after the other signs in, submits a file, every third with its publication, and every other one deletes the account. A user
    // who is refused tries to sign in again.
    let working = join_all(coins.iter().enumerate().map(|(number, coin)| {
        let (origin, site, wallet) = (&origins[number % 2], &site, &wallet);
        async move {
            tokio::time::sleep(Duration::from_millis(200) * u32::try_from(number).unwrap()).await;
            let (id, token) = until("a sign-in", async || enter(origin, site).await).await;
            let line = until("a statement", async || statement(origin, &token).await).await;
            let file = files::message(wallet, &line, &[*coin]).await.serialize();
            let body = body(&file, number % 3 == 0);
            let submitted = ask(origin, SUBMIT, &token, &body).await;
            let deleted = match number % 2 == 1 {
                true => ask(origin, DELETE, &token, &json!({})).await,
                false => None,
            };
            Done {
                id,
                token,
                file,
                published: submitted
                    .as_ref()
                    .is_some_and(|it| it.body["published"] == true),
                submitted: submitted.is_some(),
                deleted: deleted.is_some(),
            }
        }
    }));
    let losing = async {
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        pair.does("lose").await;
        let lost = Instant::now();
        pair.does("promote").await;
        for origin in &origins {
            until("a sign-in", async || enter(origin, &site).await).await;
        }
        lost.elapsed()
    };
    let (done, took) = tokio::join!(working, losing);
    assert!(took < BACK, "{took:?}");

    // What was answered is there, once; what was not may be.
    let store = Store::connect(&pair.url).await.unwrap();
    for (number, user) in done.iter().enumerate() {
        if store.profile(&user.id).await.unwrap().is_none() {
            assert!(number % 2 == 1, "{number} has not deleted the account");
            continue;
        }
        assert!(!user.deleted, "{number} has deleted the account");
        assert!(replicas.servers[0].is_in(&user.token).await, "{number}");
        let proofs = store.proof_count(&user.id).await.unwrap();
        assert!(
            proofs <= 1 && proofs >= i64::from(user.submitted),
            "{number}: {proofs}"
        );
        let shown = store.published_proofs(Some(&user.id), "", 10).await;
        assert!(
            shown.unwrap().len() >= usize::from(user.published),
            "{number}"
        );
        // Once more, at the other replica.
        let body = body(&user.file, false);
        let again = ask(&origins[(number + 1) % 2], SUBMIT, &user.token, &body).await;
        assert!(again.is_some(), "{number}");
        assert_eq!(store.proof_count(&user.id).await.unwrap(), 1, "{number}");
    }
    // Open pages hear of it, and the log has only grown.
    wait_until("a change", async || page.chunk().await.unwrap().is_some()).await;
    wallet.fund(AddressType::Bech32, COIN).await;
    let now = until("an entry of the log", async || {
        let now = replicas.checkpoint(&key).await;
        (now.size > before.size).then_some(now)
    })
    .await;
    assert!(log::extends(&origins[1], &before, &now).await);
}

/// An asynchronous standby lacks the newest seconds. The folder of one replica has what the log said in them, and the other replica must not
/// say something else.
#[tokio::test]
async fn what_an_asynchronous_standby_lacks_is_noticed_and_the_log_goes_on_without_a_restart() {
    let pair = Pair::start("asynchronous").await;
    let node = Node::start().await;
    let wallet = node.wallet().await;
    let replicas = Replicas::start(&pair, &node).await;
    let [here, other] = &replicas.servers[..] else {
        unreachable!("two replicas");
    };
    let key = log::key(&here.origin).await;
    let [staying, leaving] = [here.sign_in().await, here.sign_in().await];
    wallet.fund(AddressType::Bech32, COIN).await;
    log::grows_to(&here.origin, "", 3).await;
    let before = replicas.checkpoint(&key).await;

    other.signal("STOP");
    pair.does("part").await;
    let lost = here.sign_in().await;
    assert_eq!(leaving.delete_account().await.status, 200);
    wallet.fund(AddressType::Bech32, COIN).await;
    let seen = until("an entry that is lost", async || {
        let now = replicas.checkpoint(&key).await;
        (now.size > before.size).then_some(now)
    })
    .await;
    pair.does("lose").await;
    pair.does("promote").await;
    other.signal("CONT");

    for server in [here, other] {
        let said = async || {
            let ready = http_client().get(format!("{}/readyz", server.origin));
            let Ok(ready) = ready.send().await else {
                return false;
            };
            let ready = Answer::try_read(ready).await;
            ready.is_some_and(|it| it.body["troubles"][0]["code"] == "log-forked")
        };
        wait_until("noticing", said).await;
        let waits = server.get("/log/checkpoint").await;
        assert_eq!(waits.problem(), (503, "log-restored"));
        // Everything else goes on.
        assert!(server.is_in(&staying.token).await);
        assert!(!server.is_in(&lost.token).await);
    }
    let store = Store::connect(&pair.url).await.unwrap();
    let state = store.log_state().await.unwrap().unwrap();
    assert_eq!(u64::try_from(state.size), Ok(before.size));

    let url = format!("--database-url={}", pair.url);
    let folders = replicas
        .folders
        .iter()
        .map(|it| it.path().to_str().unwrap());
    let command = ["--app-env=development", &url, "restore-log"];
    let said = run_program(&command.into_iter().chain(folders).collect::<Vec<_>>()).done();
    let lacked = format!("the database lacked {}.", seen.size - before.size);
    has(
        &said,
        &[&lacked, "What users did between", "Removed again: 1"],
    );
    assert!(!here.is_in(&leaving.token).await);
    wallet.fund(AddressType::Bech32, COIN).await;
    let now = until("the next entry", async || {
        let answer = here.get("/log/checkpoint").await;
        let now = check::checkpoint(&answer.text(), std::slice::from_ref(&key)).ok()?;
        (now.size > seen.size).then_some(now)
    })
    .await;
    for server in [here, other] {
        assert!(log::extends(&server.origin, &seen, &now).await);
        let ok = async || server.get("/readyz").await.body["status"] == "ok";
        wait_until("being well", ok).await;
    }
    for folder in &replicas.folders {
        let has_it = async || {
            let head = fs::read_to_string(folder.path().join("1/head.json"));
            head.is_ok_and(|head| head.contains(&format!("\\n{}\\n", now.size)))
        };
        wait_until("the folder", has_it).await;
    }
}

/// A new user: the id and the token. `None` when the server or its database is away.
pub(crate) async fn enter(origin: &str, site: &str) -> Option<(String, String)> {
    let verifier = verifier();
    let challenge = challenge(&verifier);
    let begin = format!(
        "{origin}/api/auth/v1/authorize?provider=mock&code_challenge={challenge}&code_challenge_method=s256"
    );
    let begun = Answer::try_read(direct_client().get(begin).send().await.ok()?).await?;
    let code = location(&begun).remove("code")?;
    let token = format!("{origin}/api/auth/v1/token?grant_type=pkce");
    let token = direct_client().post(token).header("origin", site);
    let token = token.json(&json!({"auth_code": code, "code_verifier": verifier}));
    let session = Answer::try_read(token.send().await.ok()?).await?;
    let token = session.body["access_token"].as_str()?.to_owned();
    Some((text(&session.body["user"]["id"]), token))
}

/// What this user signs.
async fn statement(origin: &str, token: &str) -> Option<String> {
    let challenge = http_client().get(format!("{origin}/api/functions/v1/proof-challenge"));
    let answer = challenge.bearer_auth(token).send().await.ok()?;
    let answer = Answer::try_read(answer).await?;
    Some(answer.body["statement"].as_str()?.to_owned())
}

pub(crate) fn body(file: &[u8], publish: bool) -> Value {
    json!({"psbtBase64": STANDARD.encode(file), "utxos": [], "file_name": "wallet.psbt", "publish": publish})
}

/// The answer of a request that succeeded.
async fn ask(origin: &str, path: &str, token: &str, body: &Value) -> Option<Answer> {
    let request = http_client().post(format!("{origin}{path}"));
    let request = request.bearer_auth(token).json(body);
    let answer = Answer::try_read(request.send().await.ok()?).await?;
    answer.status.is_success().then_some(answer)
}

//! PostgreSQL loses its host while users work at two replicas, and its standby takes over behind the same address. `.scripts/standby.sh`
//! builds both with the settings of OPERATIONS.md.

use std::process::Command;

use board_log::check;

use crate::support::prelude::*;

const COIN: Amount = Amount::from_sat(1_000_000);

/// How soon everything works again.
const BACK: Duration = Duration::from_secs(30);

/// The primary, the standby and their address.
struct Pair {
    folder: TempDir,
    url: String,
}

impl Pair {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = run("start", folder.path());
        Self { folder, url }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        run("stop", self.folder.path());
    }
}

/// A step of the script, and its output.
fn run(step: &str, folder: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.scripts/standby.sh");
    let output = Command::new(script).arg(step).arg(folder).output().unwrap();
    assert!(output.status.success(), "{step}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[tokio::test]
async fn a_database_whose_host_is_lost_goes_on_at_its_standby() {
    let pair = tokio::task::spawn_blocking(Pair::start).await.unwrap();
    let node = Node::start().await;
    let wallet = node.wallet().await;
    let mut arguments = vec![format!("--chain=bitcoind:{}", node.url())];
    arguments.push("--network=regtest".to_owned());
    arguments.push("--proof-binding=optional".to_owned());
    let mut servers = Vec::new();
    for _ in 0..2 {
        let borrowed: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let server = ServerProcess::start(&pair.url, &borrowed).await;
        arguments.push(format!("--public-url={}", server.origin));
        servers.push(server);
    }
    let count = size(12, 120);
    let coins = vec![(AddressType::Bech32, COIN); count];
    let mut work = Vec::new();
    for (number, coin) in wallet.fund_all(&coins).await.into_iter().enumerate() {
        let file = wallet.proof(&[coin], true).await;
        let person = servers[number % 2].sign_in().await;
        work.push((number, person.id.clone(), person.token.clone(), file));
    }
    let (key, before) = (
        crate::board_log::key(&servers[0].origin).await,
        checkpoint(&servers[0]).await,
    );
    let mut page = lasting_client()
        .get(format!(
            "{}/api/rest/v1/profiles/changes",
            servers[1].origin
        ))
        .send()
        .await
        .unwrap();
    page.chunk().await.unwrap().expect("the opening");

    // Each user submits a file and every other one deletes the account, one after the other, across the loss.
    let origins: Vec<String> = servers.iter().map(|it| it.origin.clone()).collect();
    let working = join_all(work.iter().map(|(number, _, token, file)| {
        let origin = &origins[number % 2];
        async move {
            tokio::time::sleep(Duration::from_millis(200) * u32::try_from(*number).unwrap()).await;
            let body = json!({"psbtBase64": STANDARD.encode(file.binary()), "utxos": [], "file_name": "wallet.psbt"});
            let submitted = ask(origin, SUBMIT, token, &body).await;
            let deleted = match number % 2 == 1 {
                true => ask(origin, "/api/functions/v1/delete-account", token, &json!({})).await,
                false => None,
            };
            (submitted.is_some(), deleted.is_some())
        }
    }));
    let folder = pair.folder.path().to_owned();
    let losing = tokio::task::spawn_blocking(move || {
        std::thread::sleep(Duration::from_millis(1_200));
        run("lose", &folder);
        let lost = Instant::now();
        run("promote", &folder);
        lost
    });
    let (answers, lost) = tokio::join!(working, losing);
    let lost = lost.unwrap();
    for server in &mut servers {
        server.answers().await;
        let person = server.sign_in().await;
        assert!(server.is_in(&person.token).await);
    }
    assert!(lost.elapsed() < BACK, "{:?}", lost.elapsed());

    // Every acknowledged write exists, once; unacknowledged ones may exist.
    let store = Store::connect(&pair.url).await.unwrap();
    for ((number, id, token, file), (submitted, deleted)) in work.iter().zip(answers) {
        let there = store.profile(id).await.unwrap().is_some();
        if !there {
            assert!(number % 2 == 1, "{number} has not deleted the account");
            continue;
        }
        assert!(!deleted, "{number} has deleted the account");
        let proofs = store.proof_count(id).await.unwrap();
        assert!(
            proofs <= 1 && proofs >= i64::from(submitted),
            "{number}: {proofs}"
        );
        assert!(servers[0].is_in(token).await, "{number}");
        // Repeats this at the other replica.
        let body = json!({"psbtBase64": STANDARD.encode(file.binary()), "utxos": [], "file_name": "wallet.psbt"});
        let again = ask(&servers[(number + 1) % 2].origin, SUBMIT, token, &body).await;
        assert!(again.is_some(), "{number}");
        assert_eq!(store.proof_count(id).await.unwrap(), 1, "{number}");
    }
    // Open pages get the changes, and the log has only grown.
    wait_until("a change", async || page.chunk().await.unwrap().is_some()).await;
    wallet.fund(AddressType::Bech32, COIN).await;
    let origin = &servers[1].origin;
    let grown = until("an entry of the log", async || {
        let now =
            check::checkpoint(&checkpoint(&servers[1]).await, std::slice::from_ref(&key)).ok()?;
        let before = check::checkpoint(&before, std::slice::from_ref(&key)).unwrap();
        (now.size > before.size).then_some((before, now))
    })
    .await;
    assert!(crate::board_log::extends(origin, &grown.0, &grown.1).await);
}

async fn checkpoint(server: &ServerProcess) -> String {
    crate::board_log::text(&server.origin, "checkpoint").await
}

/// The answer of a request that succeeded.
async fn ask(origin: &str, path: &str, token: &str, body: &Value) -> Option<Answer> {
    let request = http_client().post(format!("{origin}{path}"));
    let request = request.bearer_auth(token).json(body);
    let answer = Answer::try_read(request.send().await.ok()?).await?;
    answer.status.is_success().then_some(answer)
}

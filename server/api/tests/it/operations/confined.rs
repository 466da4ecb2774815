//! The server under the restrictions of its unit and its container: every kind of request works there.

use std::env;

use super::*;

const UNIT: &str = "../../.deploy/proof-of-reserves.service";

/// A holder whose picture is on a host of the test.
const HOLDER: &str = "00000001-0000-4000-8000-000000000000";

/// A folder for the server's files, and the shell command that runs the server in a sandbox: with an unknown user, without
/// capabilities, and with no other writable folder. `None`, with a message, where the machine cannot.
fn sandbox(folders: &[&Path], filters: bool) -> Option<(TempDir, String)> {
    let python = env::var("SANDBOX_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".to_owned());
    if python.is_empty() {
        println!("skipped: SANDBOX_PYTHON is empty");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().display();
    let bwrap = "bwrap --die-with-parent --unshare-user --uid 61234 --gid 61234 --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --chdir /";
    let mut writable = format!("--bind '{at}' '{at}'");
    for folder in folders {
        writable.push_str(&format!(" --bind '{0}' '{0}'", folder.display()));
    }
    let words = if filters {
        let top = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (script, unit) = (top.join("tests/sandbox/filters.py"), top.join(UNIT));
        let mut filters = Command::new(&python);
        ended(filters.arg(script).arg(unit).arg(folder.path())).done();
        format!(
            "exec 3<'{at}/calls.bpf' 4<'{at}/restrictions.bpf' && exec {bwrap} --tmpfs /tmp --tmpfs /var/tmp --ro-bind \"$0\" \"$0\" \
             {writable} --add-seccomp-fd 3 --add-seccomp-fd 4 -- \"$0\" \"$@\""
        )
    } else {
        format!("exec {bwrap} {writable} -- \"$0\" \"$@\"")
    };
    Some((folder, words))
}

/// The stand-ins for pictures and prices.
async fn world() -> String {
    let picture = crate::pictures::picture([0; 3]);
    let picture = get(|| async { ([("content-type", "image/jpeg")], picture) });
    let router = Router::new()
        .route("/holder.jpg", picture)
        .route("/price", get(|| async { "{\"USD\": 70000}" }));
    serve(router).await
}

/// Sends every kind of request, and stops the server in the end.
async fn everything_is_answered(database: TestDatabase, folder: TempDir, words: &str) {
    let world = world().await;
    let store = database.store().await;
    let now = Clock::System.now();
    let profile = format!(
        "insert into profiles (id, provider, subject, username, username_folded, named, avatar_url, holdings_sats, last_verified,
           created_at, updated_at)
         values ('{HOLDER}', 'github', 's', 'holder', 'holder', true, '{world}/holder.jpg', 1000000, {now}, {now}, {now})"
    );
    execute(&store, profile).await;
    store.close().await;
    let log = folder.path().join("log");
    // By name, which needs the system's resolver.
    let named = world.replace("127.0.0.1", "localhost");
    let hosts = format!("--avatar-hosts={world}");
    let price = format!("--price-url={named}/price");
    let published = format!("--published-log={}", log.display());
    let arguments = [&*hosts, &*price, &*published, "--log=debug,sqlx=warn"];
    let mut server = ServerProcess::start_after(words, &database.url, &arguments).await;
    let (person, another) = (server.sign_in().await, server.sign_in().await);
    let request = |method: Method, path: &str| {
        let request = person.request(method, path);
        let request = request.header("origin", &server.origin);
        request.header("accept-encoding", "br")
    };
    let submit = async |name: &str| {
        let file = STANDARD.encode(person.sample(name).await);
        let file = json!({"psbtBase64": file, "utxos": [], "file_name": name});
        request(Method::POST, SUBMIT).json(&file)
    };
    let (functions, id) = ("/api/functions/v1", &person.id);
    let picture = format!("/api/storage/v1/render/image/public/avatars/{HOLDER}");
    let visits = format!(
        "/healthz /readyz /leaderboard /verify /prove /log/checkpoint /log/key /api/openapi.json
         /card/github:holder.png {picture} {picture}?width=96&height=96
         /api/rest/v1/profiles?limit=50 /api/rest/v1/profiles?username=ilike.*old*&limit=50
         {functions}/board.csv {functions}/proofs {functions}/bitcoin-price
         {functions}/proof-challenge {functions}/export-account {functions}/getUserRank/{id}"
    );
    let report = json!({"level": "warn", "message": "a report"});
    let mut asked: Vec<(u16, RequestBuilder)> = vec![
        (200, submit("cold-storage-multisig.psbt").await),
        (200, submit("self-transfer.psbt").await),
        (422, submit("unbound.psbt").await),
    ];
    let visits = visits.split_whitespace();
    asked.extend(visits.map(|path| (200, request(Method::GET, path))));
    let client_log = request(Method::POST, &format!("{functions}/client-log"));
    let log_out = another.request(Method::POST, "/api/auth/v1/logout");
    let delete = request(Method::POST, &format!("{functions}/delete-account"));
    asked.push((204, client_log.json(&report)));
    asked.extend([(204, log_out), (200, delete.json(&json!({})))]);
    for (status, request) in asked {
        let what = format!("{request:?}");
        let answer = request.send().await;
        let answer = answer.unwrap_or_else(|error| panic!("{error}: {what}: {}", server.log()));
        let answer = Answer::read(answer).await;
        let said = server.log();
        assert_eq!(answer.status, status, "{what}: {answer:?}: {said}");
    }
    let page = server.metrics().await;
    assert!(page.contains("\nready 1\n"), "{page}");
    // The sandbox does not forward signals.
    let id = server.id();
    let inside = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    tell_to_stop(inside.trim().parse().expect("one child"));
    server.stopped().await;
    assert!(
        fs::read(log.join("1/head.json")).is_ok(),
        "{}",
        server.log()
    );
}

#[tokio::test]
async fn every_request_is_answered_under_the_filter_of_the_unit_and_in_a_read_only_container() {
    for (database, filters) in [
        (TestDatabase::sqlite().await, true),
        (TestDatabase::postgres().await, true),
        (TestDatabase::sqlite().await, false),
    ] {
        let file = database.url.strip_prefix("sqlite:").map(Path::new);
        let folders: Vec<_> = file.and_then(Path::parent).into_iter().collect();
        if let Some((folder, words)) = sandbox(&folders, filters) {
            everything_is_answered(database, folder, &words).await;
        }
    }
}

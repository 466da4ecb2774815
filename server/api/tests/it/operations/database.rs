//! The SQLite file: its permissions, and conflicting servers.

use store::schema::SQLITE;
use store::sqlite_file::SqliteLock;

use super::*;
use crate::store::migrations::at_version;
use crate::support::sign_in::code_at;

/// Every command that works on the database of a service.
const COMMANDS: &str = "rotate-keys|rotate-log-key|restore-log nowhere|new-log --because=Lost.|export @satoshi|erase @satoshi|block @satoshi|\
    unblock @satoshi|backup --to=copy.sqlite|move --to=postgres://localhost/nowhere";

#[tokio::test]
async fn a_second_server_on_one_sqlite_file_is_refused_until_the_first_has_ended() {
    let database = TestDatabase::sqlite().await;
    let mut first = ServerProcess::start(&database.url, &[]).await;
    let said = refused_to_serve(&database.url);
    has(&said, &["another server is using the SQLite database"]);
    assert!(said.starts_with("The server cannot start: "), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    // The lock is released however the server ends.
    first.kill();
    let mut again = ServerProcess::start(&database.url, &[]).await;
    // Even if its name or the lock file changes: a server locks the file itself.
    if cfg!(target_os = "linux") {
        let file = &database.files()[0];
        let renamed = file.with_file_name("renamed.sqlite");
        let serve = |file: &Path| refused_to_serve(&format!("sqlite:{}", file.display()));
        fs::remove_file(format!("{}.lock", file.display())).unwrap();
        has(&serve(file), &["another server is using"]);
        fs::rename(file, &renamed).unwrap();
        has(&serve(&renamed), &["another server is using"]);
        assert!(!renamed.with_extension("sqlite-wal").exists());
    }
    again.kill();
}

/// Another name would have its own lock and its own -wal file.
#[tokio::test]
async fn a_sqlite_file_with_two_names_is_refused_and_left_alone() {
    let database = TestDatabase::sqlite().await;
    let mut first = ServerProcess::start(&database.url, &[]).await;
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.sqlite");
    fs::hard_link(&database.files()[0], &other).unwrap();
    let has_another_name = |said: String| {
        has(&said, &["has a second name (a hard link)", "find"]);
        assert_eq!(entries(folder.path()), 1);
    };
    let url = format!("sqlite:{}", other.display());
    let copy = format!("--to={}", folder.path().join("copy").display());
    has_another_name(refused_to_serve(&url));
    has_another_name(run_command(&url, &["backup", &copy]).failed());
    has_another_name(run_command(&url, &["rotate-keys"]).failed());
    // The next server refuses the first name too, as long as there is a second one.
    first.kill();
    has_another_name(refused_to_serve(&database.url));
    fs::remove_file(other).unwrap();
    ServerProcess::start(&database.url, &[]).await;
}

/// Another name would have its own -wal file, unknown to the first server.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_sqlite_file_that_is_a_mount_point_is_refused_by_every_command() {
    let database = TestDatabase::sqlite().await;
    let _first = ServerProcess::start(&database.url, &[]).await;
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.sqlite");
    fs::File::create(&other).unwrap();
    let mount = |words: &str| {
        let from = database.files()[0].display().to_string();
        let script = format!("mount --bind '{from}' '{}' && {words}", other.display());
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", &script]);
        command
    };
    if !mount("true").status().is_ok_and(|status| status.success()) {
        println!("skipped: this machine lets nobody bind a file in a namespace (unshare -rm)");
        return;
    }
    let url = format!("--database-url=sqlite:{}", other.display());
    let serve = "--app-env=development --listen=127.0.0.1:0";
    for arguments in COMMANDS.split('|').chain([serve]) {
        let mut command = mount("exec timeout 60 \"$0\" \"$@\"");
        let program = program();
        command.arg(program.get_program()).arg(&url);
        command.args(arguments.split(' '));
        let said = ended(command.current_dir("/")).failed();
        has(&said, &["is itself a mount point"]);
        assert_eq!(entries(folder.path()), 1, "{arguments}");
    }
}

/// The server would keep writing into the deleted file.
#[tokio::test]
async fn readyz_is_503_when_the_database_file_was_replaced() {
    let database = TestDatabase::sqlite().await;
    let app = TestApp::start(database.again(), &[]).await;
    let file = &database.files()[0];
    let away = file.with_file_name("away.sqlite");
    for replaced in [false, true] {
        fs::rename(file, &away).unwrap();
        if replaced {
            fs::copy(&away, file).unwrap();
        }
        let ready = app.get("/readyz").await;
        assert_eq!(ready.status, 503, "{ready:?}");
        let reasons = &ready.body["reasons"];
        assert_eq!(reasons[0]["code"], "database-replaced", "{reasons}");
        fs::rename(&away, file).unwrap();
        assert_eq!(app.get("/readyz").await.status, 200);
    }
}

/// A newer release would migrate the database under the running one.
#[tokio::test]
async fn a_second_server_leaves_an_older_database_as_it_is() {
    let database = TestDatabase::sqlite().await;
    let newest = SQLITE.iter().last().unwrap().version;
    at_version(newest - 1, &database).await.close().await;
    let _first = SqliteLock::take(&database.url).unwrap();
    let files = database.files();
    let before = fs::read(&files[0]).unwrap();
    let said = refused_to_serve(&database.url);
    has(&said, &["another server is using"]);
    assert!(before == fs::read(&files[0]).unwrap());
    let log = fs::metadata(&files[1]).map_or(0, |log| log.len());
    assert_eq!(log, 0, "nothing is on its way into it");
}

/// A killed server releases nothing. On SQLite no other server can have its leases.
#[tokio::test]
async fn leases_of_a_dead_server_on_sqlite_end_at_start() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    // A job that no server of today takes.
    let held = "insert into leases (name, holder, expires_at) values ('a job', 'a dead server', 1)";
    execute(&store, held).await;
    let _server = ServerProcess::start(&database.url, &[]).await;
    let left = "select count(*) from leases where holder = 'a dead server'";
    assert_eq!(number(store.database(), left).await, 0);
}

/// Locks the database as an operator's tool does within a transaction.
#[tokio::test]
async fn writes_are_503_within_ten_seconds_while_sqlite_is_locked() {
    let database = TestDatabase::sqlite().await;
    let server = ServerProcess::start(&database.url, &[]).await;
    let person = server.sign_in().await;
    let (verifier, origin) = (verifier(), server.origin.as_str());
    let code = code_at(origin, &verifier).await;
    let mut other = sqlx::SqliteConnection::connect(&database.url)
        .await
        .unwrap();
    let begin = sqlx::raw_sql("begin immediate");
    begin.execute(&mut other).await.unwrap();
    let challenge = challenge(&verifier);
    let begins = format!(
        "{origin}/api/auth/v1/authorize?provider=mock&code_challenge={challenge}&code_challenge_method=s256"
    );
    let begins = direct_client().get(begins);
    let token = format!("{origin}/api/auth/v1/token?grant_type=pkce");
    let exchange = json!({"auth_code": code, "code_verifier": verifier});
    let exchanges = direct_client().post(token).header("origin", origin);
    let exchanges = exchanges.json(&exchange);
    let begun = Instant::now();
    let (began, exchanged) = tokio::join!(begins.send(), exchanges.send());
    let took = begun.elapsed();
    assert!(took <= Duration::from_secs(10), "{took:?}");
    let began = Answer::read(began.unwrap()).await;
    let exchanged = Answer::read(exchanged.unwrap()).await;
    assert_eq!(location(&began)["error_code"], "database_unavailable");
    assert_eq!(exchanged.status, 503, "{exchanged:?}");
    assert_eq!(exchanged.header("retry-after"), "5");
    // Reads continue meanwhile.
    assert_eq!(person.get(USER).await.status, 200);
    let end = sqlx::raw_sql("rollback");
    end.execute(&mut other).await.unwrap();
    server.sign_in().await;
}

/// It contains the keys that sign access tokens, and all identities.
#[tokio::test]
async fn only_the_owner_can_read_the_sqlite_files() {
    for umask in ["umask 022", "umask 0"] {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("reserves.sqlite").display());
        let read = || fs::read_dir(folder.path()).unwrap();
        let files = || read().map(|it| it.unwrap().path());
        for loose in [false, true] {
            // Everyone may read these files, as after a careless copy.
            for file in files().filter(|_| loose) {
                fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
            }
            let mut server = ServerProcess::start_after(umask, &url, &[]).await;
            let open = files().filter(|file| mode(file) != 0o600);
            let open = open.filter(|it| !it.ends_with("reserves.sqlite.lock"));
            let open: Vec<_> = open.collect();
            assert!(open.is_empty() && files().count() >= 3, "{open:?}");
            server.kill();
        }
    }
}

/// Run without the service's settings, these commands would otherwise work on a new, empty database.
#[test]
fn commands_do_not_create_a_database() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in COMMANDS.split('|') {
        let mut program = program();
        let program = program.args(arguments.split(' '));
        let said = ended(program.current_dir(folder.path())).failed();
        has(&said, &["there is no database at /", "DATABASE_URL"]);
        assert_eq!(entries(folder.path()), 0, "{arguments}");
    }
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

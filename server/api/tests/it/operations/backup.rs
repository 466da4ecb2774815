//! Backups are taken while the server works, and a server that starts on one goes on from there.

use std::fs;
use std::path::Path;
use std::process::Command;

use futures_util::future::join_all;

use crate::support::app::{answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::http_client;
use crate::support::process::{ServerProcess, program, refusal};

/// Whether somebody is signed in at a server.
async fn signed_in(server: &ServerProcess, session: &serde_json::Value) -> bool {
    let token = session["access_token"].as_str().expect("a token");
    let user = http_client().get(format!("{}/api/auth/v1/user", server.origin));
    answer(user.bearer_auth(token)).await.status == 200
}

#[tokio::test]
async fn a_copy_of_sqlite_is_a_whole_database() {
    let database = TestDatabase::sqlite().await;
    let mut server = ServerProcess::start(&database.url, &[]).await;
    let session = sign_in_at(&server.origin).await;
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.sqlite");
    let url = format!("--database-url={}", database.url);
    let to = format!("--to={}", copy.display());

    // While others write.
    let writing = join_all((0..8).map(|_| sign_in_at(&server.origin)));
    let mut command = program();
    command.args([&url, "backup", &to]);
    let copying = tokio::task::spawn_blocking(move || command.status());
    let (_, copied) = tokio::join!(writing, copying);
    assert!(copied.expect("a thread").expect("the program").success());
    // It has the keys that sign access tokens.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&copy).expect("a copy").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    // Nothing is written over.
    let said = refusal(&[&url, "backup", &to]);
    assert!(said.contains("is there already"), "{said}");

    server.kill();
    let url = format!("sqlite:{}", copy.display());
    let restored = ServerProcess::start_at(server.address, &url).await;
    assert!(signed_in(&restored, &session).await);
}

#[tokio::test]
async fn restoring_is_putting_the_copy_in_place_of_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("reserves.sqlite");
    let copy = folder.path().join("copy.sqlite");
    let url = format!("sqlite:{}", file.display());
    let mut server = ServerProcess::start(&url, &[]).await;
    let before = sign_in_at(&server.origin).await;
    let database_url = format!("--database-url={url}");
    let to = format!("--to={}", copy.display());
    let copied = program().args([&database_url, "backup", &to]).status();
    assert!(copied.expect("the program").success());
    let after = sign_in_at(&server.origin).await;
    // As after a power cut, with what SQLite keeps beside the file.
    server.kill();
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", file.display()));
    }
    fs::copy(&copy, &file).expect("a copy");
    let server = ServerProcess::start_at(server.address, &url).await;
    assert!(signed_in(&server, &before).await);
    assert!(!signed_in(&server, &after).await);
}

#[test]
fn what_cannot_be_copied_is_said() {
    let said = refusal(&[
        "--database-url=sqlite:/nowhere/at/all.sqlite",
        "backup",
        "--to=/tmp/never.sqlite",
    ]);
    assert!(
        said.contains("there is no database at /nowhere/at/all.sqlite"),
        "{said}"
    );
    assert!(!Path::new("/tmp/never.sqlite").exists());
    let said = refusal(&[
        "--database-url=postgres://localhost/x",
        "backup",
        "--to=/tmp/never.sqlite",
    ]);
    assert!(said.contains("pg_dump"), "{said}");
}

/// The two commands of `.github/OPERATIONS.md`.
#[tokio::test]
async fn a_dump_of_postgresql_is_a_whole_database() {
    let (database, empty) = (
        TestDatabase::postgres().await,
        TestDatabase::postgres().await,
    );
    let mut server = ServerProcess::start(&database.url, &[]).await;
    let session = sign_in_at(&server.origin).await;
    let folder = tempfile::tempdir().expect("a folder");
    let dump = folder.path().join("reserves.dump");
    let file = format!("--file={}", dump.display());
    let dumped = postgres_program("pg_dump")
        .args(["--format=custom", &file, &database.url])
        .status();
    assert!(dumped.expect("pg_dump").success());
    let target = format!("--dbname={}", empty.url);
    let restored = postgres_program("pg_restore")
        .args(["--no-owner", "--exit-on-error", &target])
        .arg(&dump)
        .status();
    assert!(restored.expect("pg_restore").success());
    server.kill();
    let restored = ServerProcess::start_at(server.address, &empty.url).await;
    assert!(signed_in(&restored, &session).await);
    // Changes are noted there as well.
    sign_in_at(&restored.origin).await;
}

/// A program of PostgreSQL: on the path, or where Debian keeps the newest.
fn postgres_program(name: &str) -> Command {
    let versions = fs::read_dir("/usr/lib/postgresql");
    let newest = versions
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin").join(name))
        .filter(|program| program.is_file())
        .max();
    newest.map_or_else(|| Command::new(name), Command::new)
}

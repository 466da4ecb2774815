//! Backups are taken while the server runs, and a server starts on one.

use super::*;
use crate::support::database::dump_into;

#[tokio::test]
async fn a_copy_of_sqlite_is_a_whole_database_and_is_restored_by_putting_it_in_its_place() {
    let database = TestDatabase::sqlite().await;
    let (url, file) = (&database.url, &database.files()[0]);
    let backups = tempfile::tempdir().unwrap();
    let copy = backups.path().join("copy.sqlite");
    let mut server = ServerProcess::start(url, &[]).await;
    let before = server.sign_in().await.token;
    let at = format!("--database-url={url}");
    let to = format!("--to={}", copy.display());

    // The backup is taken while users write.
    let writing = join_all((0..8).map(|_| server.sign_in()));
    let mut command = program();
    command.args([&at, "backup", &to]);
    let copying = tokio::task::spawn_blocking(move || command.status());
    let (_, copied) = tokio::join!(writing, copying);
    assert!(copied.unwrap().unwrap().success());
    // It contains the keys that sign access tokens.
    assert_eq!(mode(&copy), 0o600);
    assert_eq!(fs::read_dir(backups.path()).unwrap().count(), 1);
    // An existing file is not overwritten.
    has(&refusal(&[&at, "backup", &to]), &["already exists"]);

    // As after a power cut, with SQLite's -wal file.
    let after = server.sign_in().await.token;
    server.kill();
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", file.display()));
    }
    fs::copy(&copy, file).unwrap();
    let server = ServerProcess::start_again(server.address, url, &[]).await;
    assert!(server.is_in(&before).await && !server.is_in(&after).await);
}

#[test]
fn backup_names_why_it_fails() {
    let to = Path::new("/tmp/never.sqlite");
    for [url, words] in table(
        "sqlite:/nowhere/at.sqlite | there is no database at /nowhere/at.sqlite
         postgres://localhost/x | pg_dump",
    ) {
        let url = format!("--database-url={url}");
        let said = refusal(&[&url, "backup", &format!("--to={}", to.display())]);
        has(&said, &[words]);
        assert!(!to.exists());
    }
}

#[tokio::test]
async fn a_dump_of_postgresql_is_a_whole_database() {
    let database = TestDatabase::postgres().await;
    let empty = TestDatabase::postgres().await;
    let mut server = ServerProcess::start(&database.url, &[]).await;
    let token = server.sign_in().await.token;
    dump_into(&database.url, &empty.url);
    server.kill();
    let restored = ServerProcess::start_again(server.address, &empty.url, &[]).await;
    assert!(restored.is_in(&token).await);
    // The restored database notes changes as well.
    restored.sign_in().await;
}

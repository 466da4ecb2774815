//! The SQLite file: whose it is, and what finds it.

use std::fs;
use std::path::Path;

use crate::support::database::TestDatabase;
use crate::support::process::{ServerProcess, program, refusal};

#[tokio::test]
async fn a_second_server_on_one_sqlite_file_is_refused_until_the_first_has_ended() {
    let database = TestDatabase::sqlite().await;
    let mut first = ServerProcess::start(&database.url, &[]).await;
    let url = format!("--database-url={}", database.url);
    let said = refusal(&["--app-env=development", "--listen=127.0.0.1:0", &url]);
    assert!(
        said.contains("another server is using the SQLite database"),
        "{said}"
    );
    assert!(said.starts_with("The server cannot start: "), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    // However it ends.
    first.kill();
    ServerProcess::start(&database.url, &[]).await;
}

/// It has the keys that sign access tokens, and who everybody is.
#[cfg(unix)]
#[tokio::test]
async fn nobody_but_its_owner_reads_it_and_what_is_beside_it() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("reserves.sqlite");
    for loose in [false, true] {
        if loose {
            // As an earlier release has left them.
            for it in fs::read_dir(folder.path()).expect("a folder") {
                let all = fs::Permissions::from_mode(0o666);
                fs::set_permissions(it.expect("a file").path(), all).expect("permissions");
            }
        }
        let mut server = ServerProcess::start(&format!("sqlite:{}", file.display()), &[]).await;
        let files = fs::read_dir(folder.path()).expect("a folder");
        let files: Vec<_> = files.map(|it| it.expect("a file").path()).collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in files
            .iter()
            .filter(|file| !file.ends_with("reserves.sqlite.lock"))
        {
            let mode = fs::metadata(file).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file:?}");
        }
        server.kill();
    }
}

/// Whoever runs these without the settings of the service would otherwise have done something to nothing.
#[test]
fn commands_for_the_database_of_a_service_make_none() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [
        &["rotate-keys"][..],
        &["export", "@satoshi"],
        &["erase", "@satoshi"],
        &["block", "@satoshi"],
        &["unblock", "@satoshi"],
        &["backup", "--to=copy.sqlite"],
        &["move", "--to=postgres://localhost/nowhere"],
    ] {
        let output = program()
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .expect("the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(said.contains("there is no database at /"), "{said}");
        assert!(said.contains("DATABASE_URL"), "{said}");
        assert_eq!(entries(folder.path()), 0, "{arguments:?}");
    }
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder").count()
}

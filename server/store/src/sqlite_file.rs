//! A SQLite database is for one server at a time, because a second one would not be notified of changes.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;

/// The mode of files that only the server's user may read.
const PRIVATE: u32 = 0o600;

/// Why a SQLite database's file is refused.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Another server has the database open.
    #[error(
        "another server is using the SQLite database in DATABASE_URL, which allows only one; stop that server first, or use PostgreSQL"
    )]
    InUse,
    /// There is no file, for commands that need one.
    #[error(
        "there is no database at {}; set DATABASE_URL as for the service, or run this command in the service's folder", .0.display()
    )]
    Nowhere(PathBuf),
    /// The file has a hard link. SQLite's write-ahead log and our lock belong to a name; the other name would have others.
    #[error(
        "the SQLite database at {} has a second name (a hard link), which would have another write-ahead log; remove one of the names, \
         which `find / -samefile {}` shows",
        .0.display(), .0.display()
    )]
    Linked(PathBuf),
    /// The file is a bind mount, so it has another name elsewhere, which would have another write-ahead log and lock.
    #[error(
        "the SQLite database at {} is itself a mount point, so the same file may be in use elsewhere with another write-ahead log; mount its folder \
         instead of the file",
        .0.display()
    )]
    Mounted(PathBuf),
    /// The lock file cannot be created.
    #[error("cannot open the database in DATABASE_URL: {0}")]
    Beside(#[source] io::Error),
    /// The address is invalid.
    #[error("cannot open the database in DATABASE_URL: {0}")]
    Address(#[source] sqlx::Error),
}

/// A lock that makes this the only server on a database, until it is dropped or the process ends in any way.
///
/// Holds the database's file open. Closing it while SQLite has the file open would release SQLite's own locks (fcntl), so a server never
/// drops this lock.
#[derive(Debug)]
#[must_use]
pub struct SqliteLock {
    _locks: Vec<File>,
}

impl SqliteLock {
    /// Locks the database at `url`. Does nothing for PostgreSQL, which is for any number of servers.
    ///
    /// # Errors
    /// When another server has locked it, or could have it open under another name.
    pub fn take(url: &str) -> Result<Self, FileError> {
        let Some(path) = file(url)? else {
            return Ok(Self { _locks: Vec::new() });
        };
        expect_one_name(&path)?;
        make_file(&path);
        // All symbolic links lead to the same lock. A file that cannot be created fails when it is opened.
        let path = path.canonicalize().unwrap_or(path);
        let mut beside = path.clone().into_os_string();
        beside.push(".lock");
        let mut locks = vec![lock(Path::new(&beside))?];
        // Locks the file as well, because it may be renamed or its lock file deleted. Only where flock is independent of fcntl's locks, or SQLite
        // would wait for our lock.
        if cfg!(target_os = "linux") {
            locks.push(lock(&path)?);
        }
        Ok(Self { _locks: locks })
    }
}

fn lock(path: &Path) -> Result<File, FileError> {
    let file = private_file().create(true).truncate(false).open(path);
    let file = file.map_err(FileError::Beside)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FileError::InUse),
        Err(TryLockError::Error(error)) => Err(FileError::Beside(error)),
    }
}

/// Device and inode, which identify a file; none if there is no file.
pub(super) type Identity = (u64, u64);

pub(super) fn identity(path: &Path) -> Option<Identity> {
    let file = path.metadata().ok()?;
    Some((file.dev(), file.ino()))
}

/// Checks that there is a database at `url`, for commands that must not create one.
///
/// # Errors
/// When there is no file for a SQLite database, or it has several names.
pub fn expect_there(url: &str) -> Result<(), FileError> {
    match file(url)? {
        Some(path) if !path.exists() => Err(FileError::Nowhere(
            std::path::absolute(&path).unwrap_or(path),
        )),
        Some(path) => expect_one_name(&path),
        None => Ok(()),
    }
}

/// Refuses a file with several names: hard links, or a bind mount of the file. Symbolic links are fine, because they lead to one name.
fn expect_one_name(path: &Path) -> Result<(), FileError> {
    let Ok(path) = path.canonicalize() else {
        return Ok(());
    };
    if path.metadata().is_ok_and(|file| file.nlink() > 1) {
        return Err(FileError::Linked(path));
    }
    #[cfg(target_os = "linux")]
    if let Some(folder) = path.parent()
        && let (Some(file), Some(folder)) = (mount(&path), mount(folder))
        && file != folder
    {
        return Err(FileError::Mounted(path));
    }
    Ok(())
}

/// The id of the mount that a file is on; none before Linux 5.8.
#[cfg(target_os = "linux")]
fn mount(path: &Path) -> Option<u64> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
    let found = statx(CWD, path, AtFlags::empty(), StatxFlags::MNT_ID).ok()?;
    (found.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(found.stx_mnt_id)
}

/// The path of a SQLite database; none if it is in memory, or `url` is of another database.
pub(super) fn file(url: &str) -> Result<Option<PathBuf>, FileError> {
    if !url.starts_with("sqlite:") || url.contains(":memory:") || url.contains("mode=memory") {
        return Ok(None);
    }
    let options = SqliteConnectOptions::from_str(url).map_err(FileError::Address)?;
    Ok(Some(options.get_filename().to_owned()))
}

/// Creates the SQLite file with mode 0600 (-wal and -shm inherit it): it contains the signing keys.
pub(super) fn make_private(url: &str) -> Result<(), FileError> {
    let Some(path) = file(url)? else {
        return Ok(());
    };
    expect_one_name(&path)?;
    make_file(&path);
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        let _ = std::fs::set_permissions(name, Permissions::from_mode(PRIVATE));
    }
    Ok(())
}

/// Creates the file and its folder, if they are missing. Ignores errors, because opening the database reports them. Does not open an existing
/// file, because closing it again would release the locks that SQLite may have on it in this process.
fn make_file(path: &Path) {
    if let Some(folder) = path.parent()
        && folder != Path::new("")
    {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = private_file().create_new(true).open(path);
}

/// Options that make a file with mode 0600.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(PRIVATE);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lock_per_database_file_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
        std::os::unix::fs::symlink("data/reserves.sqlite", folder.path().join("link")).unwrap();
        // The folder of both does not exist yet.
        let claim = SqliteLock::take(&url("data/reserves.sqlite")).unwrap();
        for name in [
            "data/reserves.sqlite",
            "link",
            "data/../data/./reserves.sqlite",
        ] {
            let second = SqliteLock::take(&url(name));
            assert!(
                matches!(second, Err(FileError::InUse)),
                "{name}: {second:?}"
            );
        }
        drop(claim);
        let claim = SqliteLock::take(&url("link")).unwrap();
        assert!(SqliteLock::take(&url("data/reserves.sqlite")).is_err());
        drop(claim);
        // A hard link has its own lock.
        let (one, other) = ("data/reserves.sqlite", "other");
        std::fs::hard_link(folder.path().join(one), folder.path().join(other)).unwrap();
        for name in [one, other, "link"] {
            let refused = SqliteLock::take(&url(name));
            assert!(matches!(refused, Err(FileError::Linked(_))), "{refused:?}");
        }
        std::fs::remove_file(folder.path().join(other)).unwrap();
        drop(SqliteLock::take(&url(one)).unwrap());
    }
}

//! SQLite is for one server at a time: two would not hear of each other's changes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;

/// Why the file of a SQLite database is not touched.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A second server, where there may be one.
    #[error(
        "another server is using the SQLite database in DATABASE_URL, which is for one; stop that one first, or use PostgreSQL for several"
    )]
    InUse,
    /// There is nothing where the database of a service would be.
    #[error(
        "there is no database at {}; set DATABASE_URL as it is set for the service, or run this in the folder that the service runs in", .0.display()
    )]
    Nowhere(PathBuf),
    /// SQLite's log and our lock belong to a name: whoever came by the other one would have others.
    #[error(
        "the SQLite database at {} has another name, a hard link, and whoever used that would not see what is done by this one; remove \
         one of the names, which `find / -samefile {}` shows",
        .0.display(), .0.display()
    )]
    Linked(PathBuf),
    /// Another name leads to the file, by which others would get another log and another lock.
    #[error(
        "the SQLite database at {} is itself a mount point, so the same file may be in use under another name, with another log beside \
         it; mount its folder instead of the file",
        .0.display()
    )]
    Mounted(PathBuf),
    /// One beside it cannot be made.
    #[error("the database in DATABASE_URL cannot be opened: {0}")]
    Beside(#[source] io::Error),
    /// The address makes no sense.
    #[error("the database in DATABASE_URL cannot be opened: {0}")]
    Address(#[source] sqlx::Error),
}

/// A claim to be the only server on a database, until it is dropped or the process ends, however it does.
///
/// It holds the database's file open. To close it while SQLite has the file open would drop SQLite's own locks (fcntl), so a server never
/// drops its claim.
#[derive(Debug)]
#[must_use]
pub struct Sole {
    _locks: Vec<File>,
}

impl Sole {
    /// Claims the database at `url`. PostgreSQL is for any number of servers.
    ///
    /// # Errors
    /// When another server has it, or could have it by another name.
    pub fn claim(url: &str) -> Result<Self, FileError> {
        let Some(path) = file(url)? else {
            return Ok(Self { _locks: Vec::new() });
        };
        expect_one_name(&path)?;
        make_file(&path);
        // Whatever it is called, it is the same file; what cannot be made shows on opening.
        let path = path.canonicalize().unwrap_or(path);
        let mut beside = path.clone().into_os_string();
        beside.push(".lock");
        let mut locks = vec![lock(Path::new(&beside))?];
        // The file itself too: it may be renamed, or its lock deleted. Only where flock knows nothing of fcntl's locks, or SQLite would
        // wait for ours.
        if cfg!(target_os = "linux") {
            locks.push(lock(&path)?);
        }
        Ok(Self { _locks: locks })
    }
}

fn lock(path: &Path) -> Result<File, FileError> {
    let file = open_private(path).map_err(FileError::Beside)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FileError::InUse),
        Err(TryLockError::Error(error)) => Err(FileError::Beside(error)),
    }
}

/// What tells a file from another one in its place: device and inode; none where there is no file, or no inode.
pub(super) type Identity = (u64, u64);

pub(super) fn identity(path: &Path) -> Option<Identity> {
    #[cfg(unix)]
    if let Ok(file) = std::fs::metadata(path) {
        use std::os::unix::fs::MetadataExt;
        return Some((file.dev(), file.ino()));
    }
    let _ = path;
    None
}

/// Whether there is a database at `url`, for commands that work on the one of a service: they make none.
///
/// # Errors
/// When there is no file where a SQLite database would be, or one with several names.
pub fn expect_there(url: &str) -> Result<(), FileError> {
    match file(url)? {
        Some(path) if !path.exists() => Err(FileError::Nowhere(
            std::path::absolute(&path).unwrap_or(path),
        )),
        Some(path) => expect_one_name(&path),
        None => Ok(()),
    }
}

/// Refuses a file that has several names: hard links, or a bind mount of the file (a symbolic link leads to the one there is).
fn expect_one_name(path: &Path) -> Result<(), FileError> {
    let Ok(path) = path.canonicalize() else {
        return Ok(());
    };
    #[cfg(unix)]
    if let Ok(file) = std::fs::metadata(&path)
        && std::os::unix::fs::MetadataExt::nlink(&file) > 1
    {
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

/// The mount that a file is in; none before Linux 5.8.
#[cfg(target_os = "linux")]
fn mount(path: &Path) -> Option<u64> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
    let found = statx(CWD, path, AtFlags::empty(), StatxFlags::MNT_ID).ok()?;
    (found.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(found.stx_mnt_id)
}

/// Where the SQLite database is that `url` names; none when it is in memory, or of another kind.
pub(super) fn file(url: &str) -> Result<Option<PathBuf>, FileError> {
    if !url.starts_with("sqlite:") || url.contains(":memory:") || url.contains("mode=memory") {
        return Ok(None);
    }
    let options = SqliteConnectOptions::from_str(url).map_err(FileError::Address)?;
    Ok(Some(options.get_filename().to_owned()))
}

/// Makes the SQLite database's file, if there is none, and sees to it that nobody but its owner reads it and what SQLite keeps beside it,
/// which takes over the file's permissions: it has the keys that sign access tokens.
pub(super) fn make_private(url: &str) -> Result<(), FileError> {
    let Some(path) = file(url)? else {
        return Ok(());
    };
    expect_one_name(&path)?;
    make_file(&path);
    #[cfg(unix)]
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(suffix);
        let _ = std::fs::set_permissions(name, std::os::unix::fs::PermissionsExt::from_mode(0o600));
    }
    Ok(())
}

/// Makes the file and its folder, if they are missing; what cannot be made shows on opening. A file that is there is not opened: to close
/// it again would drop the locks that SQLite may have on it in this process.
fn make_file(path: &Path) {
    if let Some(folder) = path.parent()
        && folder != Path::new("")
    {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = private().create_new(true).open(path);
}

fn open_private(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_database_has_one_claim_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
        std::os::unix::fs::symlink("data/reserves.sqlite", folder.path().join("link")).unwrap();
        // There is no folder yet for either.
        let claim = Sole::claim(&url("data/reserves.sqlite")).unwrap();
        for name in [
            "data/reserves.sqlite",
            "link",
            "data/../data/./reserves.sqlite",
        ] {
            let second = Sole::claim(&url(name));
            assert!(
                matches!(second, Err(FileError::InUse)),
                "{name}: {second:?}"
            );
        }
        drop(claim);
        let claim = Sole::claim(&url("link")).unwrap();
        assert!(Sole::claim(&url("data/reserves.sqlite")).is_err());
        drop(claim);
        // A hard link has a lock of its own.
        let (one, other) = ("data/reserves.sqlite", "other");
        std::fs::hard_link(folder.path().join(one), folder.path().join(other)).unwrap();
        for name in [one, other, "link"] {
            let refused = Sole::claim(&url(name));
            assert!(matches!(refused, Err(FileError::Linked(_))), "{refused:?}");
        }
        std::fs::remove_file(folder.path().join(other)).unwrap();
        drop(Sole::claim(&url(one)).unwrap());
    }
}

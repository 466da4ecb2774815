//! Small files that are replaced atomically, because a truncated one is worthless.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::Builder;

/// Replaces the file's content atomically: a concurrent reader, or one after a kill, finds either the old or the new text.
///
/// # Errors
/// When it cannot be written: then the old content stays.
pub fn put(file: &Path, text: &str) -> io::Result<()> {
    // As of any new file, apart from the umask.
    put_with(file, text, 0o666)
}

/// The same, for a file that nobody but its owner may read.
///
/// # Errors
/// As [`put`].
pub fn put_private(file: &Path, text: &str) -> io::Result<()> {
    put_with(file, text, 0o600)
}

fn put_with(file: &Path, text: &str, mode: u32) -> io::Result<()> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut new = Builder::new()
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    // Without this a power cut could lose the file's name.
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_and_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (file, old) = (folder.path().join("file"), folder.path().join("old"));
        put(&file, "old").unwrap();
        // A hard link to the old file: writing into the old file would show there.
        fs::hard_link(&file, &old).unwrap();
        put(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        // A folder has that name: no temporary file is left behind.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        put(&taken, "new").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}

//! Small files that are replaced atomically, because a truncated one is worthless.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// Replaces the file's content atomically: a concurrent reader, or one after a kill, finds either the old or the new text.
///
/// # Errors
/// When it cannot be written: then the old content stays.
pub fn put(file: &Path, text: &str) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{}", Uuid::new_v4().simple()));
    let beside = PathBuf::from(beside);
    let written = write(&beside, text).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // The original error matters; an error of the cleanup does not.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut new = File::create(file)?;
    new.write_all(text.as_bytes())?;
    new.sync_all()
}

#[cfg(test)]
mod tests {
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

//! Small files that are whole at every moment: one that is cut off is worth nothing.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// Replaces the file's content atomically: a concurrent reader, or one after a kill, finds either the old or the new text.
///
/// # Errors
/// When it cannot be written: then what was there is there still.
pub fn put(file: &Path, text: &str) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{}", Uuid::new_v4().simple()));
    let beside = PathBuf::from(beside);
    let written = write(&beside, text).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // What is missing is said by the error; what is half written is of no use.
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
        // Another name of what is there now: writing into it would show.
        fs::hard_link(&file, &old).unwrap();
        put(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        // A folder is in the way: nothing is left beside it.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        put(&taken, "new").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}

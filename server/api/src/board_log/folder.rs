//! The folder outside the database (`PUBLISHED_LOG`) with the entries of the log and the list of what must not come back with a restored
//! database (decisions, D24). Each replica has its own, and shows nobody a checkpoint that its folder lacks.
//!
//! `1/entries` has an entry on each line, `1/head.json` the newest checkpoint and the keys; a later log is in `2`, and so on, beside the last
//! `head.json` of each earlier one. These are public. [`super::removals`] writes the list.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::error::{BoardLogError, Result};
use super::trees::Trees;
use super::write::to_u64;
use board_log::check;
use board_log::checkpoint::Checkpoint;
use board_log::tree::{Tree, leaf};
use board_log::whole_file;
use store::Store;
use store::board_log::LogState;

/// How many entries are read from the database at a time.
const PORTION: i64 = 10_000;

/// The newest checkpoint in a folder, and the keys that check it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// Signed by the log.
    pub(super) checkpoint: String,
    /// The newest verifier key.
    pub(super) key: String,
    /// The notes that announce the keys after the first one, oldest first.
    pub(super) rotations: Vec<String>,
}

/// The folder; none unless set. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    pub(super) path: Option<PathBuf>,
    /// Held while this process writes.
    pub(super) writing: Arc<tokio::sync::Mutex<()>>,
    written: Arc<Mutex<Option<Written>>>,
    /// The list as this process has written it last.
    pub(super) list: Arc<Mutex<Option<String>>>,
}

/// What this process has written last.
#[derive(Clone, Copy, Debug)]
struct Written {
    log: i64,
    size: i64,
    /// The length of the file of entries, in bytes.
    length: u64,
}

/// How much of a file of entries is right.
struct Sound {
    size: i64,
    length: u64,
}

impl Folder {
    pub fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            ..Self::default()
        }
    }

    pub(super) fn is_set(&self) -> bool {
        self.path.is_some()
    }

    /// The newest log in the folder and its checkpoint; `None` when there is none, or no folder.
    ///
    /// # Errors
    /// When its files cannot be read, or contain something else.
    pub(super) fn head(&self) -> Result<Option<(i64, Head, Checkpoint)>> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        Ok(heads(path)?.pop())
    }

    /// The state of the log in the database; `None` when it has no log yet. Refuses a database that lacks what the folder has.
    ///
    /// # Errors
    /// When the database lacks it, or when the folder or the database cannot be read.
    pub(super) async fn state_in(&self, trees: &Trees) -> Result<Option<LogState>> {
        // Before the database, so that whatever another replica writes in between is in the database by then.
        let head = self.head()?;
        let state = trees.store.log_state().await?;
        if let Some(state) = &state {
            trees.fit(state)?;
        }
        if let (Some(path), Some((log, head, now))) = (&self.path, head)
            && state.as_ref().map(|state| &state.checkpoint) != Some(&head.checkpoint)
        {
            expect(trees, state.as_ref(), path, log, &now).await?;
        }
        Ok(state)
    }

    /// Writes what the folder lacks of the log, and returns once it is on the disk. A file that was cut or altered is healed from the
    /// database.
    ///
    /// # Errors
    /// When it cannot be written, or the database cannot be read.
    pub(super) async fn keep(&self, trees: &Trees, state: &LogState) -> Result<()> {
        let Some(path) = self.path.clone().filter(|_| !self.has(state)) else {
            return Ok(());
        };
        let alone = Arc::clone(&self.writing).lock_owned().await;
        if self.has(state) {
            return Ok(());
        }
        let locked = self.lock().await?;
        // Another replica that writes into the same folder may be ahead of `state`.
        let state = trees.store.log_state().await?;
        let state = state.ok_or(BoardLogError::NotBegun)?;
        let tree = trees.tree(state.number, state.size).await?;
        let below = path.join(state.number.to_string());
        let file = below.join("entries");
        let written = *self.written.lock();
        let written = written.filter(|it| it.log == state.number);
        let sound = {
            let file = file.clone();
            blocking(&path, move || sound_part(&file, written, &tree)).await?
        };
        let more = entries_from(&trees.store, &state, sound.size).await?;
        let head = Head {
            checkpoint: state.checkpoint.clone(),
            key: state.verifier_key.clone(),
            rotations: trees.store.log_rotations(state.number, state.size).await?,
        };
        let earlier = ended_heads(&trees.store).await?;
        let (folder, written) = (path.clone(), Arc::clone(&self.written));
        blocking(&path, move || {
            for (number, head) in earlier {
                if !has_head(&folder, number, &head) {
                    put_head(&folder, number, &head)?;
                }
            }
            fs::create_dir_all(&below)?;
            let length = append(&file, &sound, &more)?;
            put_head(&folder, state.number, &head)?;
            let (log, size) = (state.number, state.size);
            *written.lock() = Some(Written { log, size, length });
            // Held until here, also when the reader who waits for it has gone.
            drop((alone, locked));
            Ok(())
        })
        .await
    }

    /// Whether this process has written that much.
    fn has(&self, state: &LogState) -> bool {
        let written = self.written.lock();
        written.is_some_and(|it| (it.log, it.size) >= (state.number, state.size))
    }

    /// Locks out other processes that write into the folder, until the file is dropped.
    pub(super) async fn lock(&self) -> Result<Option<File>> {
        let Some(path) = self.path.clone() else {
            return Ok(None);
        };
        let lock = {
            let path = path.clone();
            move || {
                fs::create_dir_all(&path)?;
                let file = OpenOptions::new()
                    .write(true)
                    .create(true)
                    .truncate(false)
                    .open(path.join("lock"))?;
                file.lock()?;
                Ok(file)
            }
        };
        blocking(&path, lock).await.map(Some)
    }
}

const HEAD: &str = "head.json";

/// Does this with files of the folder, on a thread that may wait for a disk.
pub(super) async fn blocking<T: Send + 'static>(
    folder: &Path,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T> {
    let done = spawn_blocking(work).await;
    let done = done.map_err(|_| BoardLogError::Broken)?;
    done.map_err(|source| BoardLogError::Unwritable {
        folder: folder.to_owned(),
        source,
    })
}

/// Writes the newest checkpoint of a log to the folder, unless it is there.
fn put_head(folder: &Path, log: i64, head: &Head) -> io::Result<()> {
    let below = folder.join(log.to_string());
    fs::create_dir_all(&below)?;
    let (file, text) = (below.join(HEAD), serde_json::to_string_pretty(head)? + "\n");
    if !fs::read_to_string(&file).is_ok_and(|written| written == text) {
        whole_file::put(&file, &text)?;
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Whether the folder has this checkpoint of a log, or a later one.
fn has_head(folder: &Path, log: i64, head: &Head) -> bool {
    let size = |head: &Head| check::unsigned(&head.checkpoint).map_or(0, |now| now.size);
    let there = fs::read(folder.join(log.to_string()).join(HEAD));
    let there: Option<Head> = there.ok().and_then(|it| serde_json::from_slice(&it).ok());
    there.is_some_and(|there| size(&there) >= size(head))
}

/// The last checkpoints of earlier logs: another replica may have begun the next one.
async fn ended_heads(store: &Store) -> Result<Vec<(i64, Head)>> {
    let mut ended = Vec::new();
    for end in store.ended_logs().await? {
        let head = Head {
            checkpoint: end.checkpoint,
            key: end.verifier_key,
            rotations: store.log_rotations(end.number, i64::MAX).await?,
        };
        ended.push((end.number, head));
    }
    Ok(ended)
}

/// The logs in this folder, oldest first, with their checkpoints, whose signatures nobody has checked.
pub(super) fn heads(folder: &Path) -> Result<Vec<(i64, Head, Checkpoint)>> {
    let unreadable = |why: &dyn std::fmt::Display| BoardLogError::Unreadable {
        folder: folder.to_owned(),
        why: why.to_string(),
    };
    let files = match fs::read_dir(folder) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(&error)),
    };
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let logs = names.filter_map(|name| name.parse::<i64>().ok());
    // A crash may have left a log without its first checkpoint.
    let logs = logs.filter(|log| folder.join(log.to_string()).join(HEAD).exists());
    let mut logs: Vec<i64> = logs.collect();
    logs.sort_unstable();
    let heads = logs.into_iter().map(|log| {
        let text = fs::read_to_string(folder.join(log.to_string()).join(HEAD));
        let text = text.map_err(|error| unreadable(&error))?;
        let head: Head = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        let now = check::unsigned(&head.checkpoint).map_err(|error| unreadable(&error))?;
        Ok((log, head, now))
    });
    heads.collect()
}

/// The complete lines of a file of entries.
pub(super) fn lines_of(folder: &Path, log: i64) -> io::Result<Vec<String>> {
    let text = fs::read_to_string(folder.join(log.to_string()).join("entries"))?;
    let lines = text.split_inclusive('\n');
    let lines = lines.filter_map(|line| line.strip_suffix('\n'));
    Ok(lines.map(str::to_owned).collect())
}

/// Refuses a database without the entries of this checkpoint.
async fn expect(
    trees: &Trees,
    state: Option<&LogState>,
    folder: &Path,
    log: i64,
    issued: &Checkpoint,
) -> Result<()> {
    let behind = |found: String| BoardLogError::Behind {
        folder: folder.to_owned(),
        found,
        issued: format!("{} entries of {}", issued.size, issued.origin),
    };
    let Some(state) = state else {
        return Err(behind("has not been begun".to_owned()));
    };
    // A log that a new one has replaced, maybe on another host.
    if log < state.number {
        return Ok(());
    }
    let there = format!("has {} entries of {}", state.size, state.origin);
    if issued.origin != state.origin || issued.size > to_u64(state.size)? {
        return Err(behind(there));
    }
    let tree = trees.tree(state.number, state.size).await?;
    match tree.root_at(issued.size) == Some(issued.root) {
        true => Ok(()),
        false => Err(behind(format!("{there} that say something else"))),
    }
}

/// How much of a file has the entries of this tree: all that this process has written, or what can be read again. A file with any other
/// entry is written again.
fn sound_part(file: &Path, written: Option<Written>, tree: &Tree) -> io::Result<Sound> {
    let nothing = Sound { size: 0, length: 0 };
    let text = match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(nothing),
        Err(error) => return Err(error),
        Ok(file) if written.is_some_and(|it| it.length == file.len()) => {
            let Written { size, length, .. } = written.expect("just compared");
            return Ok(Sound { size, length });
        }
        Ok(_) => fs::read(file)?,
    };
    let (mut read, mut length) = (Tree::default(), 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let Some(entry) = line
            .strip_suffix(b"\n")
            .filter(|_| read.leaves() < tree.leaves())
        else {
            break;
        };
        read.push(leaf(entry));
        length += line.len() as u64;
    }
    let size = i64::try_from(read.leaves()).unwrap_or_default();
    match read.leaves() == 0 || tree.root_at(read.leaves()) == Some(read.root()) {
        true => Ok(Sound { size, length }),
        false => Ok(nothing),
    }
}

/// The entries from `first` on, a line each.
async fn entries_from(store: &Store, state: &LogState, mut first: i64) -> Result<String> {
    let mut text = String::new();
    while first < state.size {
        let count = PORTION.min(state.size - first);
        let entries = store.log_entries(state.number, first, count).await?;
        if entries.is_empty() {
            return Err(BoardLogError::Broken);
        }
        first += i64::try_from(entries.len()).unwrap_or(PORTION);
        for entry in entries {
            text += &entry;
            text.push('\n');
        }
    }
    Ok(text)
}

/// Writes these lines after the sound part of a file, and returns its length.
fn append(file: &Path, sound: &Sound, lines: &str) -> io::Result<u64> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(file)?;
    if file.metadata()?.len() != sound.length {
        file.set_len(sound.length)?;
    }
    file.seek(SeekFrom::Start(sound.length))?;
    file.write_all(lines.as_bytes())?;
    file.sync_all()?;
    Ok(sound.length + lines.len() as u64)
}

//! Writes to the log: entries, their leaves in tiles, and the checkpoint, all within one transaction.

use super::error::{HistoryError, Result};
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
use board_log::tree::{self, Hash, Leaves, TileId, Tiles};
use store::Store;
use store::history::{LogState, LogTx, StoredTile};

/// The name of the log's key in the database.
pub(super) const PURPOSE: &str = "log";

/// Adds an entry and updates `state`.
pub(super) async fn add_entry(log: &mut LogTx, state: &mut LogState, entry: &Entry) -> Result<()> {
    let text = entry.text();
    // A bundle of entries has two bytes for the length (C2SP tlog-tiles).
    u16::try_from(text.len()).map_err(|_| HistoryError::Broken)?;
    let number = to_u64(state.size)?;
    let before = tree::tiles_of(&[Leaves::up_to(number)]);
    let mut tiles = parse_tiles(log.tiles(state.number, before).await?)?;
    let changed = tiles.append(number, tree::leaf(text.as_bytes()));
    let changed = changed.ok_or(HistoryError::Broken)?;
    let changed = changed.into_iter().map(|id| (id, tiles.tile(id)));
    log.put_tiles(state.number, changed.collect()).await?;
    log.put_entry(state.number, state.size, &text).await?;
    let root = tiles.hash(Leaves::up_to(number + 1));
    let root = root.ok_or(HistoryError::Broken)?;
    state.size += 1;
    state.root = hex::encode(root);
    Ok(())
}

/// Adds an entry, and signs the checkpoint with the log's key.
pub(super) async fn add_signed_entry(
    log: &mut LogTx,
    state: &mut LogState,
    entry: &Entry,
) -> Result<()> {
    add_entry(log, state, entry).await?;
    let key = signer(log, &state.origin).await?;
    sign(state, &[&key])
}

/// The key that signs for a log.
pub(super) async fn signer(log: &mut LogTx, origin: &str) -> Result<Signer> {
    let material = log.key(PURPOSE).await?.ok_or(HistoryError::Key)?;
    Signer::read(origin, &material).ok_or(HistoryError::Key)
}

/// Signs the checkpoint of `state` with all of these keys. The last one is the current key.
pub(super) fn sign(state: &mut LogState, signers: &[&Signer]) -> Result<()> {
    let checkpoint = checkpoint(state)?;
    state.checkpoint = note::sign(&checkpoint.to_string(), signers);
    let newest = signers.last().ok_or(HistoryError::Key)?;
    state.verifier_key = newest.public().to_string();
    Ok(())
}

pub(super) fn checkpoint(state: &LogState) -> Result<Checkpoint> {
    let mut root: Hash = [0; 32];
    hex::decode_to_slice(&state.root, &mut root).map_err(|_| HistoryError::Broken)?;
    Ok(Checkpoint {
        origin: state.origin.clone(),
        size: to_u64(state.size)?,
        root,
    })
}

/// The tiles of a log that have these nodes.
pub(super) async fn load_tiles(store: &Store, log: i64, nodes: &[Leaves]) -> Result<Tiles> {
    parse_tiles(store.log_tiles(log, tree::tiles_of(nodes)).await?)
}

fn parse_tiles(stored: Vec<StoredTile>) -> Result<Tiles> {
    let mut tiles = Tiles::default();
    for tile in stored {
        let bytes = hex::decode(&tile.hashes).map_err(|_| HistoryError::Broken)?;
        let (hashes, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(HistoryError::Broken);
        }
        let id = TileId {
            level: u32::try_from(tile.level).map_err(|_| HistoryError::Broken)?,
            index: to_u64(tile.tile)?,
        };
        tiles.add(id, hashes.to_vec());
    }
    Ok(tiles)
}

/// A count from the database.
pub(super) fn to_u64(count: i64) -> Result<u64> {
    u64::try_from(count).map_err(|_| HistoryError::Broken)
}

pub(super) fn to_i64(count: u64) -> Result<i64> {
    i64::try_from(count).map_err(|_| HistoryError::Broken)
}

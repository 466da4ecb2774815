//! Checks the tiles of hashes, from which browsers learn whether a log has only grown (C2SP tlog-tiles).

use futures_util::{StreamExt, TryStreamExt, stream};
use tlog_tiles::Tile;

use super::error::LogError;
use super::reader::Log;
use crate::site::AT_ONCE;
use board_log::check::CheckError;
use board_log::tree::{HEIGHT, Tree, WIDTH, leaf, tile_path};

/// The tiles of a log of this size.
fn tiles(size: u64) -> impl Iterator<Item = Tile> {
    let levels = (0_u8..).map(move |level| (level, size >> (HEIGHT * level)));
    let levels = levels.take_while(|(_, hashes)| *hashes > 0);
    levels.flat_map(|(level, hashes)| {
        (0..hashes.div_ceil(WIDTH)).map(move |index| {
            let width = (hashes - index * WIDTH).min(WIDTH);
            // Of at most 256.
            let width = u32::try_from(width).unwrap_or_default();
            Tile::new(HEIGHT, level, index, width, false)
        })
    })
}

impl Log<'_> {
    /// Checks that the tiles have the hashes of these entries.
    pub(super) async fn check_tiles(&self, entries: &[String]) -> Result<(), LogError> {
        let mut tree = Tree::default();
        tree.extend(entries.iter().map(|entry| leaf(entry.as_bytes())));
        let tree = &tree;
        stream::iter(tiles(tree.leaves()))
            .map(async |tile| {
                let path = tile_path(&tile);
                let expected = tile.read_data(tree).map_err(|_| CheckError::Missing)?;
                match self.bytes(&path).await? == expected {
                    true => Ok(()),
                    false => Err(LogError::Tile(path)),
                }
            })
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_its_tiles() {
        // C2SP tlog-tiles, "Partial Tiles": a tree of 70,000.
        let all: Vec<String> = tiles(70_000).map(|tile| tile.path()).collect();
        assert_eq!(all.len(), 274 + 2 + 1);
        for path in [
            "8/0/000",
            "8/0/273.p/112",
            "8/1/000",
            "8/1/001.p/17",
            "8/2/000.p/1",
        ] {
            assert!(all.contains(&format!("tile/{path}")), "{path}");
        }
        assert_eq!(tiles(0).count(), 0);
    }
}

//! The Merkle trees of the log (RFC 6962, section 2.1), whose tiles `tlog_tiles` reads. Pure.

use tlog_tiles::{
    Error, HashReader, Tile, prove_record, prove_tree, record_hash, stored_hashes_for_record_hash,
    tree_hash,
};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// How many hashes a full tile has.
pub const WIDTH: u64 = 256;

/// The levels of a tree that a tile covers: 2 to the power of this is [`WIDTH`].
pub const HEIGHT: u8 = 8;

/// The path of a tile of this height below the log's own (C2SP tlog-tiles).
pub fn tile_path(tile: &Tile) -> String {
    // Go's checksum database has the height in the path, and another word for entries.
    let path = tile.path().replacen("tile/8/", "tile/", 1);
    path.replacen("tile/data", "tile/entries", 1)
}

/// The maximum number of leaves: no arithmetic overflows below it.
pub const MAX_LEAVES: u64 = 1 << 48;

/// The hash of a leaf with these data.
pub fn leaf(data: &[u8]) -> Hash {
    record_hash(data).0
}

/// A tree that grows, with the hash of each of its complete subtrees. So the roots and proofs of all smaller trees follow from it, too.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    leaves: u64,
    /// As `tlog_tiles` numbers them.
    hashes: Vec<tlog_tiles::Hash>,
}

impl HashReader for Tree {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, Error> {
        let hashes = indexes.iter().map(|index| {
            let hash = self.hashes.get(usize::try_from(*index).ok()?);
            hash.copied()
        });
        let hashes: Option<_> = hashes.collect();
        hashes.ok_or(Error::IndexesNotInTree)
    }
}

impl Tree {
    pub fn push(&mut self, leaf: Hash) {
        let leaf = tlog_tiles::Hash(leaf);
        let added = stored_hashes_for_record_hash(self.leaves, leaf, self);
        self.hashes
            .extend(added.expect("it has all hashes of smaller trees"));
        self.leaves += 1;
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    pub fn root(&self) -> Hash {
        self.root_at(self.leaves).expect("it has its own hashes")
    }

    /// The root over the first leaves. `None` when there are fewer.
    pub fn root_at(&self, leaves: u64) -> Option<Hash> {
        Some(tree_hash(leaves, self).ok()?.0)
    }

    /// Proves that a leaf is in the tree of the first `leaves` (RFC 6962, section 2.1.1). `None` when it is not.
    pub fn inclusion(&self, index: u64, leaves: u64) -> Option<Vec<Hash>> {
        let proof = prove_record(leaves, index, self).ok()?;
        Some(proof.into_iter().map(|hash| hash.0).collect())
    }

    /// Proves that the tree of the first `before` leaves is the beginning of that of the first `leaves` (RFC 6962, section 2.1.2). `None`
    /// when it is not.
    pub fn consistency(&self, before: u64, leaves: u64) -> Option<Vec<Hash>> {
        let proof = prove_tree(leaves, before, self).ok()?;
        Some(proof.into_iter().map(|hash| hash.0).collect())
    }
}

impl Extend<Hash> for Tree {
    fn extend<I: IntoIterator<Item = Hash>>(&mut self, leaves: I) {
        leaves.into_iter().for_each(|leaf| self.push(leaf));
    }
}

#[cfg(test)]
mod tests {
    use ct_merkle::mem_backed_tree::MemoryBackedTree;
    use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
    use sha2::{Digest, Sha256};
    use tlog_tiles::Tile;

    use super::*;

    /// Appends leaves both to our tree and to the tree of another crate.
    fn grown(leaves: u64) -> (Tree, MemoryBackedTree<Sha256, Vec<u8>>) {
        let (mut ours, mut theirs) = (Tree::default(), MemoryBackedTree::new());
        for index in 0..leaves {
            let data = index.to_be_bytes().to_vec();
            ours.push(leaf(&data));
            theirs.push(data);
        }
        (ours, theirs)
    }

    #[test]
    fn roots_and_proofs_are_those_of_another_crate() {
        let (ours, _) = grown(66_000);
        assert_eq!(ours.root_at(0), Some(Sha256::digest([]).into()));
        for leaves in [1, 2, 3, 255, 256, 257, 511, 700, 65_536, 65_537, 66_000] {
            let theirs = grown(leaves).1.root();
            assert_eq!(ours.root_at(leaves), Some((*theirs.as_bytes()).into()));
            for index in [0, 1, leaves / 2, leaves - 1].map(|it| it.min(leaves - 1)) {
                let path = ours.inclusion(index, leaves).unwrap().concat();
                let proof = InclusionProof::try_from_bytes(path).unwrap();
                let data = index.to_be_bytes().to_vec();
                theirs.verify_inclusion(&data, index, &proof).unwrap();
            }
            for before in [1, leaves / 3, leaves / 2, leaves - 1, leaves] {
                let Some(path) = ours.consistency(before, leaves) else {
                    assert_eq!(before, 0);
                    continue;
                };
                let proof = ConsistencyProof::try_from_bytes(path.concat()).unwrap();
                let old = ours.root_at(before).unwrap();
                let old = RootHash::<Sha256>::new(old.into(), before);
                theirs.verify_consistency(&old, &proof).unwrap();
            }
        }
    }

    #[test]
    fn what_is_not_there_has_no_hash() {
        let (tree, _) = grown(300);
        assert_eq!(tree.root_at(301), None);
        assert_eq!(tree.inclusion(300, 300), None);
        assert_eq!(tree.inclusion(0, 301), None);
        assert_eq!(tree.consistency(1, 301), None);
        for (level, index, width) in [(0, 1, 45), (0, 2, 1), (1, 0, 2)] {
            let tile = Tile::new(8, level, index, width, false);
            assert!(tile.read_data(&tree).is_err(), "{tile:?}");
        }
    }

    #[test]
    fn tiles_have_the_hashes_of_their_level() {
        let (tree, _) = grown(70_000);
        let tile = |level, index, width| {
            let tile = Tile::new(8, level, index, width, false);
            tile.read_data(&tree).unwrap()
        };
        let leaves = |from: u64, to: u64| {
            let leaves = (from..to).map(|index| leaf(&index.to_be_bytes()));
            leaves.collect::<Vec<_>>().concat()
        };
        assert_eq!(tile(0, 0, 256), leaves(0, 256));
        assert_eq!(tile(0, 273, 112), leaves(69_888, 70_000));
        assert_eq!(tile(1, 0, 1), tree.root_at(256).unwrap());
        assert_eq!(tile(2, 0, 1), tree.root_at(65_536).unwrap());
    }
}

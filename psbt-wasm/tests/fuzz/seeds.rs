//! The seed files, which `examples/fixtures` and the tests of signed messages make.

use std::path::{Path, PathBuf};

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    files("seeds")
}

pub(crate) fn message_seeds() -> Vec<Vec<u8>> {
    files("seeds-messages")
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    // The tests of the crate and the targets in its folder `fuzz` are packages of their own.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = [package.join("fuzz").join(folder), package.join(folder)];
    let directory = places.iter().find(|place| place.is_dir());
    let entries = directory.expect("the folder of seeds").read_dir();
    let mut paths: Vec<PathBuf> = entries
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    assert!(paths.len() > 10, "the seeds are there");
    let read = |path: &PathBuf| std::fs::read(path).expect("readable");
    paths.iter().map(read).collect()
}

//! Embeds the built web app and notices new migrations.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
    // Without a built web app the server still compiles, for those who work on it alone; it then
    // serves a page that says what to do.
    println!("cargo::rerun-if-changed=../web/dist");
    let built = Path::new("../web/dist/index.html").exists();
    let folder = if built { "../web/dist" } else { "no-web" };
    memory_serve::load_directory(folder);
    // The page itself, whose head and first rows the server writes.
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-env=INDEX_HTML={manifest}/{folder}/index.html");
}

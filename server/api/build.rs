//! Embeds the built web app.

use std::fs;
use std::path::Path;

fn main() {
    // Without a built web app the server still compiles, for work on the server only; it then
    // serves a page that says what to do.
    println!("cargo::rerun-if-changed=../../web/dist");
    let built = Path::new("../../web/dist/index.html").exists();
    let folder = if built { "../../web/dist" } else { "no-web" };
    embed(folder);
    // The page itself, whose head and first rows the server writes.
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-env=INDEX_HTML={manifest}/{folder}/index.html");
    // The documents without the app, of which it writes the heads; a web app that was built before there were any has none.
    for name in ["verify", "prove"] {
        let built = Path::new(folder).join(format!("{name}.html")).exists();
        let folder = if built { folder } else { "no-web" };
        let variable = name.to_uppercase();
        println!("cargo::rustc-env={variable}_HTML={manifest}/{folder}/{name}.html");
    }
}

/// Writes down what `http/pages/files.rs` sends: each file of the folder, compressed where that makes it smaller.
fn embed(folder: &str) {
    let written = std::env::var_os("OUT_DIR").expect("cargo runs this, and says where to write");
    let written = Path::new(&written);
    let folder = Path::new(folder)
        .canonicalize()
        .expect("a folder that was found");
    let files =
        memory_serve::assets_to_code(&folder.to_string_lossy(), &folder, written, true, |_| {});
    // Where they were is read by nobody, and would make the program another one in another folder.
    let files = files.replace(&format!("path: r\"{}", folder.display()), "path: r\"");
    fs::write(written.join("files.rs"), files).expect("cargo gives a folder to write to");
}

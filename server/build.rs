//! Embeds the built web app and notices new migrations.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
    // Without a built web app the server still compiles, for those who work on it alone; it then
    // serves a page that says what to do.
    println!("cargo::rerun-if-changed=../web/dist");
    let built = Path::new("../web/dist/index.html").exists();
    memory_serve::load_directory(if built { "../web/dist" } else { "no-web" });
}

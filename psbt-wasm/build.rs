//! Tells the linker of a WebAssembly module which function of libsecp256k1 to replace (see
//! `src/wasm/no_signing_table.rs`), and how much of the memory is for the stack. Writes the word list of BIP-0039.

use std::path::Path;

fn main() {
    write_words();
    println!("cargo:rerun-if-changed=build.rs");
    // One of the modules of the npm package; `xtask` sets it.
    println!("cargo:rustc-check-cfg=cfg(psbt_wasm_package)");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        // Nothing here recurses; the default is 1 MB, which every reader of a small file would pay for.
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=131072");
        // Only where libsecp256k1 is in the module at all.
        if std::env::var_os("CARGO_FEATURE_TOOLS").is_some() {
            println!(
                "cargo:rustc-link-arg-cdylib=--wrap=rustsecp256k1_v0_10_0_context_preallocated_create"
            );
        }
    }
}

/// For `src/recognize.rs`.
fn write_words() {
    let words = bip39::Language::English.word_list().join(" ");
    let directory = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&directory).join("words.txt"), words).expect("writable");
}

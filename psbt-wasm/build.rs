//! Tells the linker which function of libsecp256k1 to replace; see `src/wasm/no_signing_table.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!(
            "cargo:rustc-link-arg-cdylib=--wrap=rustsecp256k1_v0_10_0_context_preallocated_create"
        );
    }
}

//! Tells the linker of the WebAssembly module which function of libsecp256k1 to replace (see
//! `src/wasm/no_signing_table.rs`), and how much of the memory is for the stack; and the compiler, by two names, what is
//! built.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(in_package)");
    println!("cargo:rustc-check-cfg=cfg(without_std)");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        // Nothing here recurses; the default is 1 MB, which every reader of a small file would pay for.
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=131072");
        let [bitcoin, signatures, report] = ["BITCOIN", "SIGNATURES", "REPORT"]
            .map(|name| std::env::var_os(format!("CARGO_FEATURE_{name}")).is_some());
        // Only where libsecp256k1 is in the module at all.
        if bitcoin || signatures {
            println!(
                "cargo:rustc-link-arg-cdylib=--wrap=rustsecp256k1_v0_10_0_context_preallocated_create"
            );
        }
        // One of the two modules of the npm package, for which `xtask` chooses the features.
        if !bitcoin && signatures != report {
            println!("cargo:rustc-cfg=in_package");
        }
        // The one that loads first.
        if !bitcoin && !signatures && report {
            println!("cargo:rustc-cfg=without_std");
        }
    }
}

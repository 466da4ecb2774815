//! `cargo xtask package [--no-opt]` builds `psbt-wasm/pkg`, the npm package. `cargo xtask repository URL` prepares a release.
//!
//! Needs the target wasm32-unknown-unknown and clang, which compiles libsecp256k1. The steps of wasm-pack, with
//! wasm-bindgen as a library: nothing to install or download, and its version is the one in Cargo.lock.

mod package;
mod repository;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask package [--no-opt]
       cargo xtask repository URL

  package      builds psbt-wasm/pkg, the npm package
  --no-opt     without wasm-opt: quicker to build, slower to run
  repository   writes the address of the source into the manifests of the crate and the package";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["package"] => package::run(package::Optimize::Yes),
        ["package", "--no-opt"] => package::run(package::Optimize::No),
        ["repository", url] => repository::run(url),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

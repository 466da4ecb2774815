//! Compile, bind, optimise, assemble.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::workspace::{Workspace, cargo};

/// What wasm-bindgen calls the module, and the file names derived from it.
const MODULE: &str = "psbt_wasm";
const WASM: &str = "psbt_wasm_bg.wasm";

/// Files of `psbt-wasm/js` that are part of the package as they are.
const ENTRIES: [&str; 7] = [
    "index.d.ts",
    "index.js",
    "web.d.ts",
    "web.js",
    "node.js",
    "loaded.js",
    "guard.js",
];

/// Files of `psbt-wasm` that are part of the package as they are.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Stands in `js/package.json` for the version.
const VERSION: &str = "taken from Cargo.toml";

/// Whether wasm-opt runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Optimise {
    /// When it is there.
    Yes,
    /// In no case.
    No,
}

/// Builds `psbt-wasm/pkg`.
pub(crate) fn run(optimise: Optimise) -> Result<()> {
    let workspace = Workspace::read()?;
    compile(&workspace)?;
    let staging = workspace.target.join("psbt-wasm-pkg");
    reset(&staging)?;
    bind(&workspace, &staging)?;
    if optimise == Optimise::Yes {
        self::optimise(&workspace, &staging.join(WASM))?;
    }
    assemble(&workspace, &staging)?;

    let package = workspace.crate_dir().join("pkg");
    reset(&package)?;
    copy_all(&staging, &package)?;
    let size = fs::metadata(package.join(WASM))?.len();
    println!("{} ({WASM}: {} kB)", package.display(), size / 1000);
    Ok(())
}

fn compile(workspace: &Workspace) -> Result<()> {
    let status = cargo()
        .current_dir(&workspace.root)
        .args(["build", "--quiet", "--package=psbt-wasm", "--lib"])
        .args(["--profile=wasm", "--target=wasm32-unknown-unknown"])
        .arg(format!(
            "--config=target.wasm32-unknown-unknown.rustflags={}",
            remapped(workspace)?
        ))
        .status()?;
    if !status.success() {
        bail!(
            "the module does not compile. It needs `rustup target add wasm32-unknown-unknown`, and clang \
             (psbt-wasm/README.md, \"Building\")"
        );
    }
    Ok(())
}

/// Compiler flags, as TOML, that keep the paths of this machine out of the module's panic messages.
fn remapped(workspace: &Workspace) -> Result<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=", workspace.root.display())];
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    if let Some(sources) = home
        .map(|home| home.join("registry/src"))
        .filter(|path| path.exists())
    {
        for registry in fs::read_dir(sources)? {
            flags.push(format!(
                "--remap-path-prefix={}=",
                registry?.path().display()
            ));
        }
    }
    Ok(serde_json::to_string(&flags)?)
}

/// Runs wasm-bindgen for bundlers and for the web; both use the very same module.
fn bind(workspace: &Workspace, staging: &Path) -> Result<()> {
    let module = workspace
        .target
        .join("wasm32-unknown-unknown/wasm")
        .join(MODULE);
    let web = workspace.target.join("psbt-wasm-web");
    reset(&web)?;
    bindgen(&module).bundler(true)?.generate(staging)?;
    // With a function that starts a new instance, for the case that the module traps.
    bindgen(&module)
        .web(true)?
        .reset_state_function(true)
        .generate(&web)?;
    ensure!(
        fs::read(staging.join(WASM))? == fs::read(web.join(WASM))?,
        "wasm-bindgen made different modules for the two targets"
    );
    fs::copy(
        web.join(MODULE).with_extension("js"),
        staging.join("psbt_wasm_web.js"),
    )?;
    Ok(())
}

fn bindgen(module: &Path) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module.with_extension("wasm"))
        .typescript(false);
    bindgen
}

fn optimise(workspace: &Workspace, module: &Path) -> Result<()> {
    let local = workspace.crate_dir().join("node_modules/.bin/wasm-opt");
    let program = if local.exists() {
        local
    } else {
        "wasm-opt".into()
    };
    match Command::new(&program)
        .arg("-O3")
        .arg(module)
        .arg("-o")
        .arg(module)
        .status()
    {
        Ok(status) => ensure!(status.success(), "wasm-opt failed"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!(
                "no wasm-opt, so the module is not optimised: `npm ci` in psbt-wasm brings it"
            );
        }
        Err(error) => return Err(error).context(program.display().to_string()),
    }
    Ok(())
}

fn assemble(workspace: &Workspace, staging: &Path) -> Result<()> {
    let source = workspace.crate_dir();
    for name in ENTRIES {
        fs::copy(source.join("js").join(name), staging.join(name)).context(name)?;
    }
    for name in DOCUMENTS {
        fs::copy(source.join(name), staging.join(name)).context(name)?;
    }
    // As text, because the order of the conditions in `exports` has a meaning.
    let manifest = fs::read_to_string(source.join("js/package.json"))?;
    ensure!(
        manifest.contains(VERSION),
        "js/package.json lacks \"{VERSION}\""
    );
    fs::write(
        staging.join("package.json"),
        manifest.replace(VERSION, &workspace.version),
    )?;
    Ok(())
}

fn reset(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    Ok(fs::create_dir_all(directory)?)
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

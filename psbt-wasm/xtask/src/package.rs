//! Compile, bind, optimize, assemble.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use wasm_bindgen_cli_support::Bindgen;

use crate::workspace::{Workspace, cargo};

/// One of the package's modules.
struct Module {
    /// wasm-bindgen derives the file names from it.
    name: &'static str,
    /// The crate, and what cargo calls the module.
    package: &'static str,
    compiled: &'static str,
    /// The features that the crate is built with.
    features: &'static str,
    /// What cargo's profile `wasm` is changed by.
    profile: &'static [&'static str],
}

/// The reader loads at once and is small for that reason; the tools load when one of them is first needed, and the checks of a board's log
/// when there is something of it to check.
const MODULES: [Module; 3] = [
    Module {
        name: "psbt_wasm",
        package: "psbt-wasm",
        compiled: "psbt_wasm.wasm",
        features: "exports",
        // Engines compile what runs often a second time, with all their art, and that takes longer than reading a first file: the smaller
        // the functions, the less. Warm it costs a fifth.
        profile: &["opt-level='s'"],
    },
    Module {
        name: "psbt_wasm_tools",
        package: "psbt-wasm",
        compiled: "psbt_wasm.wasm",
        features: "exports,tools",
        // With 'z' they are 1 kB smaller (Brotli), and check keys on the curve at half the speed. With 3 for libsecp256k1 they are 5 kB
        // larger, and check signatures 2 to 4 % faster.
        profile: &["opt-level='s'"],
    },
    Module {
        name: "psbt_wasm_log",
        package: "board-log",
        compiled: "board_log.wasm",
        features: "exports",
        // It checks a few signatures and hashes a few kilobytes.
        profile: &["opt-level='z'"],
    },
];

impl Module {
    fn wasm(&self) -> String {
        format!("{}_bg.wasm", self.name)
    }
}

/// Files of `psbt-wasm` that are part of the package as they are.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "THIRD-PARTY-LICENSES.txt",
];

/// Stands in `js/package.json` for the version.
const VERSION: &str = "taken from Cargo.toml";

/// Whether wasm-opt runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Optimize {
    /// When it is there.
    Yes,
    /// In no case.
    No,
}

/// Builds `psbt-wasm/pkg`.
pub(crate) fn run(optimize: Optimize) -> Result<()> {
    let workspace = Workspace::read()?;
    let staging = workspace.target.join("psbt-wasm-pkg");
    reset(&staging)?;
    for module in &MODULES {
        compile(&workspace, module)?;
        bind(&workspace, module, &staging)?;
        if optimize == Optimize::Yes {
            self::optimize(&workspace, &staging.join(module.wasm()))?;
        }
    }
    assemble(&workspace, &staging)?;

    let package = workspace.crate_dir().join("pkg");
    reset(&package)?;
    copy_all(&staging, &package)?;
    println!("{}", package.display());
    for module in &MODULES {
        let size = fs::metadata(package.join(module.wasm()))?.len();
        println!("  {}: {} kB", module.wasm(), size / 1000);
    }
    Ok(())
}

/// In the crate's folder, whose `.cargo/config.toml` has the flags for libsecp256k1.
fn compile(workspace: &Workspace, module: &Module) -> Result<()> {
    let status = cargo()
        .current_dir(workspace.crate_dir())
        .args(["rustc", "--quiet", "--package", module.package, "--lib"])
        // Without the library for Rust beside it, for which cargo would leave the optimization at link time (and with it all
        // that panics would say) undone.
        .arg("--crate-type=cdylib")
        .args(["--profile=wasm", "--target=wasm32-unknown-unknown"])
        .args(["--features", module.features])
        .args(
            module
                .profile
                .iter()
                .map(|change| format!("--config=profile.wasm.{change}")),
        )
        .arg(format!(
            "--config=target.wasm32-unknown-unknown.rustflags={}",
            flags(workspace)?
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

/// What LLVM writes out less often, 16 % of the first module for 3 % of its speed: loops (the default is 300), comparisons of
/// a few dozen bytes, and functions where they are called (see [`flags`]; marked ones, by default up to 325: this takes 2 % for
/// a few percent of the speed on files of many inputs, and with 100 keys on the curve are checked at half the speed).
const LLVM: [&str; 4] = [
    "-unroll-threshold=60",
    "-unroll-allow-partial=0",
    "-max-loads-per-memcmp=2",
    "-inlinehint-threshold=130",
];

/// Compiler flags, as TOML: they say that this is one of the package's modules, make it smaller, and keep the paths of this
/// machine out of its panic messages.
fn flags(workspace: &Workspace) -> Result<String> {
    let mut flags = vec![
        "--cfg=psbt_wasm_package".into(),
        // The rounds of SHA-256 as a loop, not one after the other.
        r#"--cfg=sha2_backend_soft="compact""#.into(),
        format!("--remap-path-prefix={}=", workspace.root.display()),
    ];
    // The default is 225; what is hot is marked `#[inline]`, for which LLVM has another limit.
    flags.push("-Cllvm-args=-inline-threshold=50".into());
    flags.extend(LLVM.iter().map(|flag| format!("-Cllvm-args={flag}")));
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

/// Runs wasm-bindgen, for two kinds of glue around one module. That of its target `web` finds the module by its address,
/// which browsers, bundlers and Node understand, and can start a new instance when one has trapped. That of its target
/// `bundler` is what the module itself imports where a tool makes an ES module of it.
fn bind(workspace: &Workspace, module: &Module, staging: &Path) -> Result<()> {
    let compiled = workspace
        .target
        .join("wasm32-unknown-unknown/wasm")
        .join(module.compiled);
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .out_name(module.name)
        .typescript(false);

    let imported = workspace.target.join("psbt-wasm-bundler");
    reset(&imported)?;
    bindgen.bundler(true)?.generate(&imported)?;
    bindgen
        .bundler(false)?
        .web(true)?
        .omit_default_module_path(false)
        .reset_state_function(true)
        .generate(staging)?;
    ensure!(
        fs::read(imported.join(module.wasm()))? == fs::read(staging.join(module.wasm()))?,
        "wasm-bindgen makes another module for bundlers"
    );
    let glue = format!("{}_bg.js", module.name);
    fs::copy(imported.join(&glue), staging.join(glue))?;
    let glue = staging.join(format!("{}.js", module.name));
    let trimmed = without_warnings(fs::read_to_string(&glue)?)?;
    Ok(fs::write(glue, trimmed)?)
}

/// Glue that pages download without what it says to callers who pass a module otherwise than in an object: the package's own files
/// are its only callers.
fn without_warnings(mut glue: String) -> Result<String> {
    for (name, function) in [
        ("module", "`initSync()`"),
        ("module_or_path", "the initialization function"),
    ] {
        let asked = format!(
            "        if (Object.getPrototypeOf({name}) === Object.prototype) {{
            ({{{name}}} = {name})
        }} else {{
            console.warn('using deprecated parameters for {function}; pass a single object instead')
        }}
"
        );
        ensure!(glue.contains(&asked), "wasm-bindgen reads {name} otherwise");
        glue = glue.replace(&asked, &format!("        ({{{name}}} = {name});\n"));
    }
    let (before, rest) = glue.split_once("console.warn(\"").context("no warning")?;
    let (_, after) = rest
        .split_once("\\n\", e);")
        .context("no end of the warning")?;
    let advice = "Serve .wasm files as application/wasm: they load faster.";
    Ok(format!("{before}console.warn('{advice}', e);{after}"))
}

fn optimize(workspace: &Workspace, module: &Path) -> Result<()> {
    let local = workspace.crate_dir().join("node_modules/.bin/wasm-opt");
    let program = if local.exists() {
        local
    } else {
        "wasm-opt".into()
    };
    match Command::new(&program)
        // Functions with one caller stay what they are, and the locals that are used most have the lowest numbers, which
        // compresses a little better. The lowest kilobyte is the end of the stack, so that no pointer is that small and sums
        // of pointers and constants can be parts of the instructions that load.
        .args(["-O3", "--converge", "--reorder-locals"])
        .args(["--one-caller-inline-max-function-size", "0"])
        .arg("--low-memory-unused")
        // Sections that only the earlier tools needed.
        .args(["--strip-producers", "--strip-target-features"])
        .arg(module)
        .arg("-o")
        .arg(module)
        .status()
    {
        Ok(status) => ensure!(status.success(), "wasm-opt failed"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!(
                "no wasm-opt, so the module is not optimized: `npm ci` in psbt-wasm brings it"
            );
        }
        Err(error) => return Err(error).context(program.display().to_string()),
    }
    Ok(())
}

fn assemble(workspace: &Workspace, staging: &Path) -> Result<()> {
    let source = workspace.crate_dir();
    copy_all(&source.join("js"), staging)?;
    let report = staging.join("report.js");
    let inlined = with_numbers(&fs::read_to_string(&report)?);
    fs::write(report, inlined)?;
    for name in DOCUMENTS {
        fs::copy(source.join(name), staging.join(name)).context(name)?;
    }
    for module in &MODULES {
        let base64 = STANDARD.encode(fs::read(staging.join(module.wasm()))?);
        let script = format!("export default '{base64}';\n");
        fs::write(
            staging.join(format!("{}_bg.inline.js", module.name)),
            script,
        )?;
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
    for_node(workspace, staging)
}

/// Puts what Node loads into few files, and makes CommonJS of the same.
fn for_node(workspace: &Workspace, staging: &Path) -> Result<()> {
    let script = workspace.crate_dir().join("xtask/node.mjs");
    let status = Command::new("node").arg(script).arg(staging).status()?;
    ensure!(
        status.success(),
        "the files for Node cannot be made: `npm ci` in psbt-wasm brings what makes them"
    );
    Ok(())
}

/// A script whose constants that are numbers stand where they are used: bundlers leave them as variables, which are longer to download
/// and slower to read.
fn with_numbers(script: &str) -> String {
    let constant = |line: &str| {
        let (name, number) = line.strip_prefix("const ")?.split_once(" = ")?;
        let number: u32 = number.strip_suffix(';')?.parse().ok()?;
        Some((name.to_owned(), number))
    };
    let lines = script.lines();
    let (constants, kept): (Vec<_>, Vec<_>) = lines.partition(|line| constant(line).is_some());
    let words = kept.join("\n") + "\n";
    let constants: HashMap<_, _> = constants.into_iter().filter_map(constant).collect();
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut inlined = String::new();
    for word in words.split_inclusive(|character| !is_part(character)) {
        let name = word.trim_end_matches(|character| !is_part(character));
        match constants.get(name) {
            Some(number) => inlined += &format!("{number}{}", &word[name.len()..]),
            None => inlined += word,
        }
    }
    inlined
}

/// Makes an empty directory of it. The directory itself stays: it may be a mount, or what a program watches.
fn reset(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)?;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            fs::remove_dir_all(path)?;
        } else {
            fs::remove_file(path)?;
        }
    }
    Ok(())
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

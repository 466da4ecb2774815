//! Where things are.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// What cargo says about this workspace.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    /// The crate's version, which is the package's.
    pub(crate) version: String,
}

impl Workspace {
    pub(crate) fn read() -> Result<Self> {
        let output = cargo()
            .args(["metadata", "--no-deps", "--format-version=1"])
            .output()?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let packages = metadata["packages"]
            .as_array()
            .context("cargo metadata: no packages")?;
        let krate = packages
            .iter()
            .find(|package| package["name"] == "psbt-wasm");
        Ok(Self {
            root: text(&metadata["workspace_root"])?.into(),
            target: text(&metadata["target_directory"])?.into(),
            version: text(&krate.context("no crate psbt-wasm here")?["version"])?.into(),
        })
    }

    pub(crate) fn crate_dir(&self) -> PathBuf {
        self.root.join("psbt-wasm")
    }
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn text(value: &Value) -> Result<&str> {
    value.as_str().context("cargo metadata: a text is missing")
}

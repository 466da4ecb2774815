//! Processes that end with the tests, even after a crash.

use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::support::prelude::*;

/// The program runs under a shell that waits for the end of its standard input. That is a pipe from the
/// test process, which the system closes however that process ends, so nothing outlives its tests:
/// neither a panic nor an interrupt skips it, and values in statics need no destructor.
const SHELL: &str = r#"
trap '' INT HUP TERM
folder=$1; shift
exec 3<&0
"$@" </dev/null >"$folder/output" 2>&1 &
program=$!
{ cat <&3 >/dev/null; kill -9 "$program" 2>/dev/null; } >/dev/null 2>&1 &
wait "$program"
while read -r _ <&3; do :; done
rm -rf "$folder"
"#;

/// A running program.
pub(crate) struct ChildProcess(Child);

/// A new folder for a program, which is removed with it.
pub(crate) fn folder(prefix: &str) -> PathBuf {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir();
    folder.unwrap().keep()
}

/// The command that will run `program`; arguments and environment are still to be added. Its
/// output goes to the file `output` in `folder`, which is removed after its end.
pub(crate) fn command(folder: &Path, program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", SHELL, "sh"]).arg(folder).arg(program);
    command
}

impl ChildProcess {
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
        Self(command.stderr(Stdio::null()).spawn().expect("sh is there"))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ended: io::Result<_> = self.0.wait();
    }
}

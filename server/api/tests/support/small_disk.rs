//! A PostgreSQL whose data are on a small disk.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::node::free_port;

pub(crate) struct SmallPostgres {
    postgres: Child,
    _folder: TempDir,
    pub(crate) url: String,
    filler: String,
}

impl Drop for SmallPostgres {
    fn drop(&mut self) {
        let _ = self.postgres.kill();
        let _ = self.postgres.wait();
    }
}

impl SmallPostgres {
    /// `None` where this user may not mount.
    pub(crate) fn start() -> Option<Self> {
        let programs = fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
        let bin = programs.map(|it| it.path().join("bin")).max()?;
        let mut may = Command::new("unshare");
        let may = may.args("--mount mount -t tmpfs none /mnt".split(' '));
        if !may.status().is_ok_and(|it| it.success()) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let (at, bin, port) = (folder.path().display(), bin.display(), free_port());
        // Its write-ahead log is elsewhere, or PostgreSQL would stop.
        let script = format!(
            "mkdir {at}/data {at}/wal && chmod 755 {at} && mount -t tmpfs -o size=80m none {at}/data && chown postgres {at}/data {at}/wal && cd / &&
             exec setpriv --reuid=postgres --regid=postgres --init-groups sh -c '
               {bin}/initdb --pgdata={at}/data/cluster --waldir={at}/wal/log --auth=trust --username=postgres --no-sync >/dev/null &&
               exec {bin}/postgres -D {at}/data/cluster -c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off'"
        );
        let mut command = Command::new("unshare");
        let command = command.args(["--mount", "--kill-child", "--fork", "sh", "-c", &script]);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let postgres = command.process_group(0).spawn().unwrap();
        Some(Self {
            filler: format!("{at}/data/filler"),
            url: format!("postgres://postgres@127.0.0.1:{port}/postgres"),
            postgres,
            _folder: folder,
        })
    }

    /// A file on the small disk, as its processes see it.
    pub(crate) fn filler(&self) -> String {
        let id = self.postgres.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        let child = children.unwrap();
        format!("/proc/{}/root{}", child.trim(), self.filler)
    }
}

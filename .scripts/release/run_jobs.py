"""run_jobs.py WORKFLOW FOLDER: runs the jobs of a workflow on this machine, as far as they are scripts.

Jobs run one after the other, each in a clone of this repository, after those that they need; of a matrix only the entry of this machine's
architecture. Actions for artifacts copy folders. Programs that upload (docker, gh, npx, `cargo publish`) are replaced: they note what they
were asked, and copy the files that they were given, below FOLDER. The workflow itself is otherwise taken as it is.
"""

import glob
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
# In place of those that upload: the arguments are noted, and files among them copied.
STAND_IN = """#!/usr/bin/env bash
set -euo pipefail
name=$(basename "$0")
if [ "$name" = cargo ] && [ "${1:-}" != publish ]; then exec "$REAL_CARGO" "$@"; fi
echo "$name $*" >>"$UPLOADS/asked.txt"
mkdir -p "$UPLOADS/$name"
for argument in "$@"; do
  if [ -f "$argument" ]; then cp "$argument" "$UPLOADS/$name/"; fi
done
while [ $# -gt 0 ]; do
  if [ "$1" = --metadata-file ]; then
    # The image itself is not built here: its digest is that of what would be in it.
    digest=$(cd "${@: -1}" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d ' ' -f 1)
    printf '{"containerimage.digest": "sha256:%s"}\\n' "$digest" >"$2"
  fi
  shift
done
"""


class Jobs:
    def __init__(self, workflow: str, folder: str, tag: str, secrets: dict[str, str]):
        self.workflow = yaml.safe_load(pathlib.Path(workflow).read_text())
        self.folder = pathlib.Path(folder).resolve()
        self.artifacts = self.folder / "artifacts"
        self.uploads = self.folder / "uploads"
        self.programs = self.folder / "stand-ins"
        for part in (self.artifacts, self.uploads, self.programs):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
        for name in ("docker", "gh", "npx", "cargo"):
            (self.programs / name).write_text(STAND_IN)
            (self.programs / name).chmod(0o755)
        self.outputs: dict[str, dict[str, str]] = {}
        self.known = {
            "github.ref_name": tag,
            "github.repository": "owner/name",
            "github.actor": "owner",
            "github.token": "token",
            **{f"secrets.{name}": value for name, value in secrets.items()},
        }

    def run(self) -> None:
        left = dict(self.workflow["jobs"])
        while left:
            name = next(it for it in left if all(need not in left for need in needs(left[it])))
            self.job(name, left.pop(name))

    def job(self, name: str, job: dict) -> None:
        print(f"\nJob {name}", flush=True)
        workspace = self.folder / "workspace"
        entries = job.get("strategy", {}).get("matrix", {}).get("include", [{}])
        for entry in entries:
            if entry.get("arch", ARCH) != ARCH:
                print(f"  not run: {entry['arch']} needs a machine of its own", flush=True)
                continue
            known = {
                **self.known,
                "github.workspace": str(workspace),
                **{f"matrix.{key}": value for key, value in entry.items()},
            }
            for need in needs(job):
                known.update({f"needs.{need}.outputs.{key}": value for key, value in self.outputs[need].items()})
            for step in job["steps"]:
                self.step(step, known, workspace)
            outputs = job.get("outputs", {})
            self.outputs[name] = {key: expand(value, known) for key, value in outputs.items()}
        self.outputs.setdefault(name, {})

    def step(self, step: dict, known: dict, workspace: pathlib.Path) -> None:
        if "uses" in step:
            action = step["uses"].split("@")[0]
            given = {key: expand(str(value), known) for key, value in step.get("with", {}).items()}
            print(f"  {action}", flush=True)
            self.action(action, given, known, workspace)
            if step.get("id") == "crates-io":
                known["steps.crates-io.outputs.token"] = "token"
            return
        print(f"  {step['run']}", flush=True)
        output = self.folder / "output"
        output.write_text("")
        environment = {
            **os.environ,
            **{key: expand(str(value), known) for key, value in {**self.workflow.get("env", {}), **step.get("env", {})}.items()},
            "CI": "true",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_REPOSITORY": known["github.repository"],
            "UPLOADS": str(self.uploads),
            "REAL_CARGO": shutil.which("cargo"),
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            # Git's settings of this user stay what they are.
            "HOME": str(self.folder / "home"),
            "CARGO_HOME": os.environ.get("CARGO_HOME", f"{os.environ['HOME']}/.cargo"),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", f"{os.environ['HOME']}/.rustup"),
        }
        (self.folder / "home").mkdir(exist_ok=True)
        subprocess.run(["bash", "-e", "-o", "pipefail", "-c", expand(step["run"], known)], cwd=workspace, env=environment, check=True)
        for line in output.read_text().splitlines():
            key, value = line.split("=", 1)
            known[f"steps.{step['id']}.outputs.{key}"] = value

    def action(self, action: str, given: dict, known: dict, workspace: pathlib.Path) -> None:
        if action == "actions/checkout":
            checkout(workspace)
        elif action == "actions/upload-artifact":
            target = self.artifacts / given["name"]
            for path in found(workspace, given["path"]):
                if path.is_dir():
                    shutil.copytree(path, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
                else:
                    target.mkdir(exist_ok=True)
                    shutil.copy2(path, target)
        elif action == "actions/download-artifact":
            for artifact in self.artifacts.glob(given.get("pattern", "*")):
                shutil.copytree(artifact, workspace / given["path"], dirs_exist_ok=True)
        else:
            with (self.uploads / "asked.txt").open("a") as asked:
                asked.write(f"{action} {given}\n")
            if "subject-checksums" in given:
                found(workspace, given["subject-checksums"])


def checkout(workspace: pathlib.Path) -> None:
    """A clone of what is checked out here. What git ignores stays, as long as the folder does: it is what was built before."""
    commit = git(ROOT, "rev-parse", "HEAD")
    if not workspace.exists():
        git(ROOT, "clone", "--quiet", "--no-checkout", str(ROOT), str(workspace))
    git(workspace, "fetch", "--quiet", str(ROOT), commit)
    git(workspace, "checkout", "--quiet", "--force", "--detach", commit)
    shutil.rmtree(workspace / "release", ignore_errors=True)


def git(folder: pathlib.Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def needs(job: dict) -> list[str]:
    needed = job.get("needs", [])
    return [needed] if isinstance(needed, str) else needed


def expand(text: str, known: dict) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: known[match[1]], text)


def found(workspace: pathlib.Path, pattern: str) -> list[pathlib.Path]:
    paths = glob.glob(str(workspace / pattern))
    assert paths, f"{pattern}: no such file"
    return [pathlib.Path(path) for path in paths]


if __name__ == "__main__":
    workflow, folder, tag = sys.argv[1:]
    names = ("RELEASE_SIGNING_KEY",)
    Jobs(workflow, folder, tag, {name: os.environ.get(name, "") for name in names}).run()

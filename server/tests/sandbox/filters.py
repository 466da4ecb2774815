"""Writes the seccomp filters that systemd would install for a unit, as BPF programs, into files in a folder.

    filters.py UNIT FOLDER

FOLDER/calls.bpf is for SystemCallFilter= with SystemCallErrorNumber=; FOLDER/restrictions.bpf for MemoryDenyWriteExecute=,
RestrictAddressFamilies= and RestrictNamespaces=. Needs libseccomp's Python module and systemd-analyze.
"""

import errno
import os
import socket
import subprocess
import sys

import seccomp
from seccomp import ALLOW, EQ, ERRNO, GT, KILL_PROCESS, MASKED_EQ, Arg, SyscallFilter

PROT_WRITE, PROT_EXEC, SHM_EXEC = 2, 4, 0o100000
# CLONE_NEWTIME cannot be asked of clone.
NAMESPACES = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]
# Linux has fewer families than this.
FAMILIES = range(64)


def settings(unit):
    """Every setting of the unit, with its values in their order."""
    found = {}
    with open(unit) as lines:
        for line in lines:
            name, is_setting, value = line.strip().partition("=")
            if is_setting and not name.startswith("#"):
                found.setdefault(name, []).append(value)
    return found


def calls(name):
    """The system calls that a name in a unit stands for."""
    if not name.startswith("@"):
        return {name}
    command = ["systemd-analyze", "--no-pager", "syscall-filter", name]
    group = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    members = [line.strip() for line in group.splitlines()[1:]]
    members = [member for member in members if member and not member.startswith("#")]
    return set().union(*(calls(member) for member in members))


def number(call):
    """Its number on this machine, or none."""
    try:
        found = seccomp.resolve_syscall(seccomp.Arch(), call)
    except ValueError:
        return None
    return found if found >= 0 else None


def system_calls(unit):
    """An allow-list, as systemd.exec(5) has it: what systemd does not know is not implemented, what is left out is refused."""
    allowed = calls("@default")
    lines = unit["SystemCallFilter"]
    assert not lines[0].startswith("~"), "the first SystemCallFilter= is not an allow-list"
    for line in lines:
        names = set().union(*(calls(name) for name in line.lstrip("~").split()))
        allowed = allowed - names if line.startswith("~") else allowed | names
    error = unit.get("SystemCallErrorNumber", [""])[-1]
    refusal = ERRNO(getattr(errno, error)) if error else KILL_PROCESS
    filter = SyscallFilter(ERRNO(errno.ENOSYS))
    for call in sorted(calls("@known") | allowed):
        if number(call) is not None:
            filter.add_rule(ALLOW if call in allowed else refusal, call)
    return filter


def restrictions(unit):
    """What is refused because of its arguments, with the errors that systemd answers."""
    def is_on(name):
        return unit.get(name, ["no"])[-1] == "yes"

    filter = SyscallFilter(ALLOW)
    if is_on("MemoryDenyWriteExecute"):
        both = PROT_WRITE | PROT_EXEC
        refused = [("mmap", 2, both), ("mprotect", 2, PROT_EXEC), ("pkey_mprotect", 2, PROT_EXEC), ("shmat", 2, SHM_EXEC)]
        for call, at, bits in refused:
            filter.add_rule(ERRNO(errno.EPERM), call, Arg(at, MASKED_EQ, bits, bits))
    if is_on("RestrictNamespaces"):
        filter.add_rule(ERRNO(errno.ENOSYS), "clone3")
        filter.add_rule(ERRNO(errno.EPERM), "setns")
        for namespace in NAMESPACES:
            for call in ["clone", "unshare"]:
                filter.add_rule(ERRNO(errno.EPERM), call, Arg(0, MASKED_EQ, namespace, namespace))
    names = unit.get("RestrictAddressFamilies", [""])[-1].split()
    families = {int(getattr(socket, name)) for name in names}
    if families:
        for family in FAMILIES:
            if family not in families:
                filter.add_rule(ERRNO(errno.EAFNOSUPPORT), "socket", Arg(0, EQ, family))
        filter.add_rule(ERRNO(errno.EAFNOSUPPORT), "socket", Arg(0, GT, FAMILIES[-1]))
    return filter


def main(unit, folder):
    unit = settings(unit)
    for name, filter in [("calls", system_calls(unit)), ("restrictions", restrictions(unit))]:
        with open(os.path.join(folder, name + ".bpf"), "wb") as file:
            filter.export_bpf(file)


main(*sys.argv[1:])

// A project that depends on the package: installs the tarball that npm would publish, without a network.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// npm as a program of its own: the settings of the npm that runs the tests are not those of a user.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
export const npm = (cwd, ...parameters) => execFileSync('npm', parameters, { cwd, env, encoding: 'utf8' });

let tarball = null;

/** Packs the built package once. Returns the path of the tarball and the names of the files in it. */
export function packed() {
  if (!tarball) {
    const directory = temporary();
    const [{ filename, files }] = JSON.parse(npm(here('../pkg'), 'pack', '--json', '--pack-destination', directory));
    tarball = { path: join(directory, filename), files: files.map(({ path }) => path) };
  }
  return tarball;
}

/** A copy of one of the folders beside this file, with the package installed. */
export function consumer(name) {
  const directory = temporary();
  cpSync(here(name), directory, { recursive: true });
  npm(directory, 'install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', packed().path);
  return directory;
}

/** A directory that is removed when the process ends. */
export function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'psbt-wasm-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

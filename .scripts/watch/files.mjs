import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 400;

/**
 * Files at or below `paths` that are made, saved or removed from now on: a list as soon as there are some, until the signal. What happens while
 * a list is dealt with is in the next one. Looks instead of listening, because editors save in ways that listeners lose, and a few
 * hundred files are looked at in some milliseconds.
 */
export async function watch(paths, signal, pause = PAUSE_MS) {
  return changes(await snapshot(paths), paths, signal, pause);
}

async function* changes(before, paths, signal, pause) {
  while (!signal.aborted) {
    await sleep(pause, null, { signal }).catch(() => {});
    const after = await snapshot(paths);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
    before = after;
    if (changed.length > 0) yield changed;
  }
}

/** Each file with what changes when it is saved. */
async function snapshot(paths) {
  const files = new Map();
  const visit = async (path) => {
    const found = await stat(path).catch(() => null); // removed meanwhile
    if (found?.isDirectory()) {
      const names = await readdir(path).catch(() => []);
      await Promise.all(names.map((name) => visit(join(path, name))));
    } else if (found) {
      files.set(path, `${found.mtimeMs} ${found.size}`);
    }
  };
  await Promise.all(paths.map(visit));
  return files;
}

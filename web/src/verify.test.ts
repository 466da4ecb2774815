import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = import.meta.dirname;
const ENDINGS = ['', '.ts', '.tsx'];
const IMPORT = /(?:from|import) '([^']+)'|import\('([^']+)'\)|new URL\('([^']+)'/g;

/** All that a file imports, files of ours and packages, down to the last. */
function importsOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  if (!/\.tsx?$/.test(path)) return found;
  const text = readFileSync(path, 'utf8').replaceAll(/^import type .*$/gm, '');
  for (const [, ...names] of text.matchAll(IMPORT)) {
    const name = names.find((one) => one !== undefined) ?? '';
    const ours = ENDINGS.map((ending) => join(dirname(path), name + ending)).find((file) => /\.\w+$/.test(file) && existsSync(file));
    if (name.startsWith('.') && ours) importsOf(ours, found);
    else found.add(name);
  }
  return found;
}

/** Modules that know of a session, or serve it. */
const OF_A_SESSION = /auth-js|features\/session|api\/client|api\/queries|api\/mutations|lib\/kept-file|features\/(?!verify|prove|upload)/;

test.each([
  ['checks proofs', 'verify'],
  ['makes proofs for one reader', 'prove'],
])('no code of a session is in the document that %s', (_, name) => {
  const all = [...importsOf(join(SOURCE, `${name}.tsx`))].map((path) => relative(SOURCE, path));
  expect(all).toContain(`features/${name}/${name}-page.tsx`);
  expect(all).toContain('psbt/worker.ts');
  expect(all.filter((path) => OF_A_SESSION.test(path))).toEqual([]);
  const app = [...importsOf(join(SOURCE, 'main.tsx'))];
  expect(app.some((path) => path.includes('features/session')), 'the app has it').toBe(true);
});

test('the script before its first paint reads the theme and nothing else', () => {
  const script = readFileSync(join(SOURCE, '../public/verify.js'), 'utf8');
  expect(script.match(/localStorage\.\w+\([^)]*\)/g)).toEqual(["localStorage.getItem('theme')"]);
  for (const name of ['verify', 'prove']) expect(readFileSync(join(SOURCE, `../${name}.html`), 'utf8')).not.toContain('early.js');
});

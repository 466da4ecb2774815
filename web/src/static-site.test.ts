import { build, type Rolldown } from 'vite';
import { beforeAll, expect, test } from 'vitest';

let output: Rolldown.RolldownOutput['output'];

beforeAll(async () => {
  const root = new URL('..', import.meta.url).pathname;
  const built = await build({ root, configFile: 'vite.static.config.ts', mode: 'static', logLevel: 'error', build: { write: false } });
  if (!('output' in built)) throw new Error('not one build');
  ({ output } = built);
}, 60_000);

const pages = () => output.filter((file) => file.type === 'asset').filter(({ fileName }) => fileName.endsWith('.html'));

test('each page is a folder, so that any server of files has it', () => {
  expect(pages().map(({ fileName }) => fileName).toSorted()).toEqual(['index.html', 'prove/ask/index.html', 'prove/index.html', 'verify/index.html']);
});

test('pages load their own files alone, below any path, with a policy of their own', () => {
  for (const { fileName, source } of pages()) {
    const html = String(source);
    const loaded = [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(loaded.length).toBeGreaterThan(4);
    const root = '../'.repeat(fileName.split('/').length - 1) || './';
    for (const path of loaded) expect(path.startsWith(root) && !path.slice(root.length).startsWith('.'), `${fileName}: ${path}`).toBe(true);
    expect(html).toContain(`data-root="${root}"`);
    expect(html).toContain("connect-src 'self' https: http://localhost:* http://127.0.0.1:*;");
  }
});

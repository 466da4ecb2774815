import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import config from '../../vite.config';

type Output = Rolldown.RolldownOutput['output'];
let output: Output;

/** The worker as the app's build makes it. */
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: config.worker?.plugins?.() ?? [],
    build: {
      ...config.build,
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL('worker.ts', import.meta.url)) },
    },
  });
  if (!('output' in built)) throw new Error('not one build');
  ({ output } = built);
});

const chunks = () => output.filter((file) => file.type === 'chunk');

test('all modules are loaded by vite-plugin-wasm, as they are imported', () => {
  const modules = chunks().flatMap(({ moduleIds }) => moduleIds);
  expect(modules.filter((id) => id.endsWith('.wasm')).map((id) => id.split('/').at(-1))).toEqual(
    expect.arrayContaining(['psbt_wasm_bg.wasm', 'psbt_wasm_tools_bg.wasm', 'psbt_wasm_log_bg.wasm']),
  );
  expect(modules).toContain('/__vite-plugin-wasm-helper');
  // Otherwise Vite's own loader would handle these files.
  expect(modules.filter((id) => id.includes('vite/wasm-helper'))).toEqual([]);
});

test('each is a file beside the scripts, compiled while it arrives', () => {
  const files = output.map(({ fileName }) => fileName).filter((name) => name.endsWith('.wasm'));
  expect(files).toHaveLength(3);
  const code = chunks().map((chunk) => chunk.code).join('\n');
  expect(code).toContain('instantiateStreaming');
  expect(code).not.toContain('base64,AGFzb'); // the first bytes of every module (WebAssembly core, section 5.5.16)
});

test('the others are not among what the first needs', () => {
  const first = chunks().find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/psbt_wasm_bg.wasm')));
  expect(first?.moduleIds.some((id) => /(?:tools|log)_bg/.test(id))).toBe(false);
});

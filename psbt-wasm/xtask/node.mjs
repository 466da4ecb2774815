// `node node.mjs FOLDER`: puts what Node loads into few files, because each takes it a millisecond, and makes CommonJS of the same for
// tools that take no ES modules, like Jest.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const folder = resolve(process.argv[2]);
const input = { node: join(folder, 'node.js'), 'node-sync': join(folder, 'node-sync.js') };
const bundle = await rolldown({ input, platform: 'node' });
const outputs = await Promise.all([
  bundle.generate({ format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' }),
  bundle.generate({ format: 'cjs', exports: 'named', entryFileNames: '[name].cjs', chunkFileNames: 'shared-[name].cjs' }),
]);
const types = ['api.d.ts', 'index.d.ts'].map((name) => readFileSync(join(folder, name), 'utf8'));
writeFileSync(join(folder, 'index.d.cts'), types.join('\n').replace(/^export \* from .*\n/m, ''));
for (const { output } of outputs) {
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code);
}

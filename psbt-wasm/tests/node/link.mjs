// Lets the tests import the built package by its name: node_modules/psbt-wasm → pkg.

import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

if (!existsSync(path('pkg/package.json'))) {
  console.error('psbt-wasm/pkg is not built yet: cargo xtask package');
  process.exit(1);
}
mkdirSync(path('node_modules'), { recursive: true });
rmSync(path('node_modules/psbt-wasm'), { force: true, recursive: true });
symlinkSync(path('pkg'), path('node_modules/psbt-wasm'), 'junction');

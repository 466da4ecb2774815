// The part that runs in Node; started by run.mjs. Prints its results as JSON.

import { readFile } from 'node:fs/promises';
import { measure } from './lib/measure.js';

const fetchFile = async (name) =>
  new Uint8Array(await readFile(new URL(`fixtures/${name}.psbt`, import.meta.url)));

const results = await measure(fetchFile, { rounds: Number(process.argv[2]), log: console.error });
console.log(JSON.stringify(results));

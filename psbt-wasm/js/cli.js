#!/usr/bin/env node
// `npx psbt-wasm COMMAND …`: each command is a file of its own.

import { readFileSync } from 'node:fs';

const COMMANDS = {
  inspect: () => import('./cli-inspect.js'),
  verify: () => import('./cli-verify.js'),
  vectors: () => import('./cli-vectors.js'),
};

const USAGE = `usage: psbt-wasm inspect FILE   every field of a PSBT or transaction, and what is wrong with it
       psbt-wasm verify FILE    whether a published proof of reserves is right
       psbt-wasm vectors        cases of BIP-322 for wallets and devices, and whether their answers are right

psbt-wasm COMMAND --help says more, psbt-wasm --version says which version this is.`;

const VERSION = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version;

const [name, ...others] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : null;
if (command && others.includes('--version')) {
  console.log(VERSION);
} else if (command) {
  await command();
} else if (name === '--help' || name === '-h') {
  console.log(USAGE);
} else if (name === '--version') {
  console.log(VERSION);
} else {
  if (name !== undefined) console.error(`psbt-wasm: there is no ${name.startsWith('-') ? 'option' : 'command'} ${JSON.stringify(name)}\n`);
  console.error(USAGE);
  process.exitCode = 2;
}

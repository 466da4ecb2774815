#!/usr/bin/env node
// `npx psbt-wasm COMMAND …`: each command is a file of its own.

const COMMANDS = {
  inspect: () => import('./cli-inspect.js'),
  verify: () => import('./cli-verify.js'),
};

const USAGE = `usage: psbt-wasm inspect FILE   every field of a PSBT or transaction, and what is wrong with it
       psbt-wasm verify FILE    whether a published proof of reserves is right

psbt-wasm COMMAND --help says more.`;

const [name] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : null;
if (command) {
  await command();
} else if (name === '--help' || name === '-h') {
  console.log(USAGE);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}

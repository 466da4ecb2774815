// `npx psbt-wasm inspect FILE [--json]`: every field of a file, and what is wrong with it.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PsbtError, inspect, recognize } from './node.js';

const USAGE = `usage: psbt-wasm inspect FILE [--json] [--network NETWORK]

  inspect    lists every field of a PSBT or transaction, and what is wrong with it; - reads standard input
  --json     prints one JSON object
  --network  whose addresses to show: mainnet (default), testnet3, testnet4, signet or regtest

Ends with 0 if nothing is wrong with the file, 1 if something is, and 2 if the command is wrong.`;

/** Wrong use, not a wrong file. */
class UsageError extends Error {}

function parsed() {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean' }, network: { type: 'string', default: 'mainnet' } };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
}

async function main() {
  const { values, positionals } = parsed();
  if (values.help) return console.log(USAGE);
  const [command, file, ...others] = positionals;
  if (command !== 'inspect' || !file || others.length > 0) throw new UsageError('name one file: psbt-wasm inspect FILE');
  const bytes = content(file);
  let found;
  try {
    found = await inspect(bytes, { network: values.network });
  } catch (error) {
    if (!(error instanceof PsbtError)) throw error;
    if (['unknown-network', 'invalid-option'].includes(error.code)) throw new UsageError(error.message, { cause: error });
    const recognized = await recognize(bytes);
    const { code, map, index, field, message } = error;
    console.log(values.json ? JSON.stringify({ error: { code, map, index, field, message }, recognized }) : (recognized?.message ?? message));
    process.exitCode = 1;
    return;
  }
  console.log(values.json ? JSON.stringify(found) : written(found));
  if (found.problems.length > 0) process.exitCode = 1;
}

function content(file) {
  try {
    return new Uint8Array(readFileSync(file === '-' ? 0 : file));
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error.message}`, { cause: error });
  }
}

/** For people. Control characters of the file could steer their terminal. */
function written({ format, version, encoding, fields, truncated, problems }) {
  const lines = [`${format}${version === null ? '' : `, version ${version}`}, ${encoding}`];
  let last = null;
  for (const { map, index, name, decoded, key, value, valueBytes } of fields) {
    const place = index === null ? map : `${map} ${index}`;
    if (place !== last) lines.push('', place);
    last = place;
    const said = Object.entries(decoded).map(([name, text]) => `${name}=${text}`);
    const raw = said.length > 0 ? said : [`key=${key}`, `value=${value}`, `bytes=${valueBytes}`];
    lines.push(`  ${name}  ${raw.join('  ')}`);
  }
  if (truncated) lines.push('', `Only the first ${fields.length} fields are shown.`);
  lines.push('', problems.length > 0 ? 'problems' : 'no problems', ...problems.map(({ message }) => `  ${message}`));
  return lines.join('\n').replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '\ufffd'));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof UsageError ? `psbt-wasm: ${error.message}\n\n${USAGE}` : error);
  process.exitCode = 2;
}

// The same file gets the same answer from the crate and from its WebAssembly module: published vectors, the fixtures, and
// thousands of damaged files.
//
//   DIFFERENTIAL_FILES   how many damaged files (default 5000)
//   PSBT_VECTORS_DIR     a folder with core/rpc_psbt.json

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkSignatures, combine, makeProof, PsbtError, readPsbt, stripPsbt } from 'psbt-wasm/sync';
import { damaged, generator } from './damage.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const BATCH = 250;

let program;

before(() => {
  // As the tests in Rust are built: at the workspace's root, where the other crates' features count too. Cargo keeps one build of this crate; after
  // one with other features it would compile all crates again that use it.
  const build = ['build', '--quiet', '--profile', 'test', '--example', 'native'];
  const messages = execFileSync('cargo', [...build, '--message-format=json'], {
    cwd: path('../../..'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const line of messages.trim().split('\n')) {
    const { executable, target } = JSON.parse(line);
    if (executable && target.name === 'native') program = executable;
  }
});

test('published vectors are the same to the crate and its module', async (context) => {
  const directory = process.env.PSBT_VECTORS_DIR;
  if (!directory) return context.skip('PSBT_VECTORS_DIR is not set');
  const vectors = JSON.parse(readFileSync(`${directory}/core/rpc_psbt.json`, 'utf8'));
  const texts = [...vectors.valid, ...vectors.invalid, ...vectors.invalid_with_msg.map(([text]) => text)];
  assert.ok(texts.length > 50);
  await compare(texts.map((text) => new TextEncoder().encode(text)));
});

test('seeds and fixtures are the same to both', async () => {
  const files = [...filesOf('../../fuzz/seeds'), ...filesOf('fixtures')];
  assert.ok(files.length > 20);
  await compare(files);
});

// The larger ones take their time in a program that is not optimized.
test('the smaller files of the benchmark, where they have been made, are the same to both', async (context) => {
  if (!existsSync(path('../../bench/fixtures'))) return context.skip('npm run bench makes them');
  const files = filesOf('../../bench/fixtures').filter((file) => file.length < 150_000);
  assert.ok(files.length > 5);
  await compare(files);
});

test('damaged files are the same to both', async () => {
  const seeds = filesOf('../../fuzz/seeds');
  const random = generator(1);
  const count = Number(process.env.DIFFERENTIAL_FILES ?? 5_000);
  let read = 0;
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done);
    read += await compare(Array.from({ length: size }, () => damaged(seeds, random)));
  }
  // With more damage, only refusals would be compared.
  assert.ok(read > count / 20, `${read} of ${count} were read`);
});

/** Compares every answer; returns how many files could be read. */
async function compare(files) {
  const frames = files.flatMap((file) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(file.length);
    return [length, file];
  });
  const { status, stdout, stderr } = spawnSync(program, {
    input: Buffer.concat(frames),
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, files.length);
  let read = 0;
  for (const [index, file] of files.entries()) {
    const expected = JSON.parse(lines[index]);
    const found = {
      form: await answer(() => plain(readPsbt(file, 'mainnet'))),
      stripped: await answer(() => Buffer.from(stripPsbt(file)).toString('hex')),
      checked: await answer(() => checkSignatures(file)),
      transaction: await answer(async () => written(await makeProof(file, { statement: 'A line', form: 'transaction' }))),
      about: await answer(async () => written(await makeProof(file, { statement: 'A line', form: 'message' }))),
      combined: await answer(async () => written(await combine([file, file]))),
    };
    assert.deepEqual(found, expected, `file ${index}: ${Buffer.from(file).toString('base64').slice(0, 10_000)}`);
    if (found.form.format) read += 1;
  }
  return read;
}

async function answer(run) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PsbtError)) throw error;
    return { code: error.code, message: error.message, map: error.map, index: error.index, field: error.field };
  }
}

/** A file that was made, with what is said of it. */
function written(made) {
  return plain({ ...made, psbt: Buffer.from(made.psbt).toString('hex') });
}

/** A report with numbers for bigints, as JSON has them. */
function plain(report) {
  const text = JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  return JSON.parse(text);
}

function filesOf(directory) {
  const names = readdirSync(path(directory)).sort();
  return names.map((name) => new Uint8Array(readFileSync(path(`${directory}/${name}`))));
}

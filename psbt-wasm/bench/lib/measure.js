// Runs in Node and in the browser. Every result is compared with that of the others before anything is timed.

import { CHECKERS, FILES, READERS, SIGNED_FILES } from './all.js';

/** Engines compile what runs often once more, and better; before that a small file takes ten times as long, or twice. */
const WARM_MS = 100;
/** A sample repeats what it times for at least this long. */
const SAMPLE_MS = 20;
/** What takes longer than this varies little, and is timed in fewer rounds. */
const SLOW_MS = 400;
const SLOW_ROUNDS = 2;

/**
 * Times every reader with every file, and every checker with every signed file.
 *
 * @param fetchFile from a name to bytes
 * @returns `{reading: {file: {reader: milliseconds}}, checking: …}`; null where a reader does not read the file
 */
export async function measure(fetchFile, { rounds, log }) {
  const readers = await loaded(READERS);
  const checkers = await loaded(CHECKERS);
  const results = { about: {}, reading: {}, checking: {} };
  for (const { about } of [...readers, ...checkers]) results.about[about.name] = about;
  for (const file of FILES) {
    log(`reading ${file}`);
    const bytes = await fetchFile(file);
    const able = await agreeing(readers, bytes, file, shown);
    results.reading[file] = await times(readers, able, bytes, rounds);
  }
  for (const file of SIGNED_FILES) {
    log(`checking ${file}`);
    const bytes = await fetchFile(file);
    const able = await agreeing(checkers, bytes, file, (valid) => valid);
    results.checking[file] = await times(checkers, able, bytes, rounds);
    if (able.some(({ result }) => !result.every(Boolean))) throw new Error(`${file}: not all inputs are valid`);
  }
  return results;
}

async function loaded(modules) {
  const all = [];
  for (const module of modules) {
    const { about, load } = await module();
    try {
      all.push({ about, run: await load() });
    } catch (error) {
      throw new Error(`${about.name} does not load: ${error.message}`, { cause: error });
    }
  }
  return all;
}

/** The subjects that can read the file; all of them must find the same. */
async function agreeing(subjects, bytes, file, view) {
  const able = [];
  for (const { about, run } of subjects) {
    let result;
    const start = performance.now();
    try {
      result = await run(bytes);
    } catch (error) {
      if (about.ours || (about.version2 ?? !file.endsWith('-v2'))) {
        throw new Error(`${about.name} does not read ${file}: ${error.message}`, { cause: error });
      }
      continue;
    }
    const once = performance.now() - start;
    able.push({ about, run, once, result: view(result) });
  }
  const [first, ...others] = able;
  for (const other of others) {
    const difference = different(first.result, other.result, '');
    if (difference) throw new Error(`${file}: ${first.about.name} and ${other.about.name} differ in ${difference}`);
  }
  return able;
}

/** What the page shows of a report: the fields that every reader has. */
function shown(report) {
  const coin = ({ valueSats, scriptPubKey, address }) => ({ valueSats, scriptPubKey, address });
  return {
    inputs: report.inputs.map((input) => ({ txid: input.txid, vout: input.vout, ...coin(input) })),
    outputs: report.outputs.map(coin),
    totalInputSats: report.totalInputSats,
    totalOutputSats: report.totalOutputSats,
  };
}

/** The path of the first field that differs. */
function different(left, right, path) {
  if (left === right) return null;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) {
    return `${path}: ${left} and ${right}`;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = different(left[key], right[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

/** The shortest time of each subject, in rounds that take turns. */
async function times(all, able, bytes, rounds) {
  const best = Object.fromEntries(all.map(({ about }) => [about.name, null]));
  const repeats = new Map();
  for (const { about, run, once } of able) {
    repeats.set(about.name, Math.max(1, Math.ceil(SAMPLE_MS / (await warm(run, bytes, once)))));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { about, run } of able) {
      if (round >= SLOW_ROUNDS && best[about.name] > SLOW_MS) continue;
      const time = await sample(run, bytes, repeats.get(about.name));
      best[about.name] = Math.min(best[about.name] ?? Infinity, time);
    }
  }
  return best;
}

/** Runs for a while; how long the last run took. */
async function warm(run, bytes, once) {
  let quick = once;
  for (const start = performance.now(); performance.now() - start < WARM_MS && once < SLOW_MS; ) {
    quick = await sample(run, bytes, Math.ceil(1 / Math.min(1, Math.max(quick, 0.001))));
  }
  return quick;
}

async function sample(run, bytes, repeats) {
  const start = performance.now();
  for (let count = 0; count < repeats; count += 1) {
    const result = run(bytes);
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / repeats;
}

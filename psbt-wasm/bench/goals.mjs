// What the package sets out to reach, each as a ratio to what the same run measured.

import { LIMITS } from './sizes.mjs';

const OURS = 'psbt-wasm';

/** Every goal: `[what, wanted, reached, whether]`. */
export function goals({ sizes, browser, first, memory, start, inputSizes, bounds }) {
  const rows = [];
  const atLeast = (what, unit, wanted, reached) =>
    rows.push([what, `at least ${wanted}${unit}`, `${reached.toPrecision(3)}${unit}`, reached >= wanted]);
  const atMost = (what, unit, wanted, reached) =>
    rows.push([what, `at most ${wanted}${unit}`, `${reached.toPrecision(3)}${unit}`, reached <= wanted]);

  atMost('download before the first file, Brotli', ' kB', LIMITS.reader / 1000, sizes[OURS].brotli / 1000);
  atMost('download of all, Brotli', ' kB', LIMITS.all / 1000, sizes['psbt-wasm, all of it'].brotli / 1000);

  for (const [file, wanted] of [
    ['1-input', 3],
    ['1000-inputs', 20],
    ['10000-inputs', 12],
  ]) {
    const times = Object.entries(first[file]).filter(([name]) => name !== OURS);
    const quickest = Math.min(...times.map(([, { call }]) => call));
    atLeast(`first call in a fresh process, ${file}, to the best other`, ' times', wanted, quickest / first[file][OURS].call);
  }
  atMost('first call in a fresh process, 10000-inputs', ' ms', 35, first['10000-inputs'][OURS].call);
  for (const file of ['1-input', '100-inputs', '1000-inputs', '10000-inputs']) {
    atLeast(`reading ${file} when warm, to the best other`, ' times', 30, ratio(browser, file, OURS));
  }
  for (const file of ['10000-bare', '1000-x-1kB']) {
    atLeast(`reading ${file}, to the best other`, ' times', 15, ratio(browser, file, OURS));
  }

  const large = '100-x-100kB';
  const speed = inputSizes[large] / 1e6 / (browser.reading[large][OURS] / 1000);
  atLeast(`reading ${large}`, ' MB/s', 500, speed);
  const checks = (about) => about.checksTxid;
  atLeast(`reading ${large}, to the best that checks no txid`, ' times', 1.5, ratio(browser, large, OURS, (about) => !checks(about)));
  atLeast(`reading ${large}, to the best that checks txids`, ' times', 10, ratio(browser, large, OURS, checks));

  const visits = Object.entries(browser.cold['1-input']).filter(([name]) => name !== OURS);
  atMost('first visit, to the quickest other', ' times', 1, browser.cold['1-input'][OURS].visit / Math.min(...visits.map(([, { visit }]) => visit)));
  atMost('compile and instantiate', ' ms', 8, start);

  const signed = '1000-p2wpkh-signed';
  const { checking } = browser;
  atLeast(`checking ${signed}`, ' signatures/s', 9_000, 1_000 / (checking[signed][OURS] / 1000));
  for (const [name, wanted] of [
    ['bitcoinjs-lib and tiny-secp256k1', 2.5],
    ['bitcoinjs-lib and @noble/curves', 15],
  ]) {
    atLeast(`checking ${signed}, to ${name}`, ' times', wanted, checking[signed][name] / checking[signed][OURS]);
  }

  for (const [file, wanted] of [
    [large, 1.2],
    ['10000-inputs', 5],
  ]) {
    const { wasm, input } = memory[file][OURS];
    atMost(`WebAssembly memory for ${file}, to the file`, ' times', wanted, wasm / input);
  }
  atMost(`the longest call for a file of 32 MiB (${bounds.call})`, ' s', 5, bounds.ms / 1000);
  atMost('memory for a file of 32 MiB, the file included', ' MB', 600, bounds.bytes / 1e6);
  return rows;
}

/** How many times as long as ours the quickest other takes. */
export function ratio({ about, reading }, file, ours, wanted = () => true) {
  const times = Object.entries(reading[file])
    .filter(([name, ms]) => ms !== null && !about[name].ours && wanted(about[name]))
    .map(([, ms]) => ms);
  return Math.min(...times) / reading[file][ours];
}

// What the package sets out to reach, each as a ratio to what the same run measured.

import { LIMITS } from './sizes.mjs';

const OURS = 'psbt-wasm';
const TINY = 'bitcoinjs-lib and tiny-secp256k1';
const BDK = '@metamask/bitcoindevkit (BDK)';

/** Every goal: `[what, wanted, reached, whether]`. */
export function goals({ sizes, browser, node, first, memory, start, bounds }) {
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

  const large = '100-x-100kB';
  atLeast(`reading ${large}, to BDK`, ' times', 10, browser.reading[large][BDK] / browser.reading[large][OURS]);
  atLeast(`reading ${large}, to the best that checks no txid`, ' times', 1.5, ratio(browser, large, OURS, ({ checksTxid }) => !checksTxid));
  atMost('compile and instantiate', ' ms', 8, start);

  for (const [file, wanted] of [
    ['1000-p2wpkh-signed', 13],
    ['1000-p2tr-signed', 20],
    ['200-p2wsh-multisig-signed', 4],
    ['100-p2pkh-signed', 6],
  ]) {
    const times = node.checking[file];
    atLeast(`checking ${file}, to tiny-secp256k1`, ' times', wanted, times[TINY] / times[OURS]);
  }

  atMost('memory of the process after 10000-inputs', ' MB', 70, memory['10000-inputs'][OURS].peak / 1e6);
  atMost(`the longest call for a file of 32 MiB (${bounds.call})`, ' s', 5, bounds.ms / 1000);
  atMost('memory for a file of 32 MiB, the file included', ' MB', 600, bounds.bytes / 1e6);
  return rows;
}

/** How many times as long as ours the quickest other takes, of those that are wanted. */
export function ratio({ about, reading }, file, ours, wanted = () => true) {
  const times = Object.entries(reading[file])
    .filter(([name, ms]) => ms !== null && !about[name].ours && wanted(about[name]))
    .map(([, ms]) => ms);
  return Math.min(...times) / reading[file][ours];
}

// The JavaScript half of src/wasm/tools/date.rs.

import { invalidOption, requireOptions } from './psbt.js';

/** Where there is no height. */
const NONE = -1;
/** Where the height is not known. */
const UNKNOWN = -2;

const isCount = (number) => Number.isSafeInteger(number) && number >= 0 && number <= 0xffff_ffff;

/** Numbers of 8 bytes each, little endian. */
function encode(numbers) {
  const bytes = new Uint8Array(8 * numbers.length);
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, at) => view.setBigInt64(8 * at, BigInt(number), true));
  return bytes;
}

/** Encodes an instant, the newest height and blocks. */
export function encodeSearch(time, tip, blocks) {
  if (!Number.isSafeInteger(time)) throw invalidOption('time must be a whole number of seconds.');
  if (!isCount(tip)) throw invalidOption('tip must be a height.');
  return encode([time, tip, ...blocks.flatMap(({ height, time, medianTime }) => [height, time, medianTime])]);
}

/** What a source gave for a block that was asked for, checked by its form. */
export function blocksOf(given, height) {
  const isBlock = (block) =>
    isCount(block?.height) && typeof block.hash === 'string' && [block.time, block.medianTime].every(Number.isSafeInteger);
  const blocks = Array.isArray(given) ? given : [];
  if (!blocks.every(isBlock) || !blocks.some((block) => block.height === height)) {
    throw invalidOption(`ask must give a list of blocks with the one at height ${height} in it.`);
  }
  return blocks;
}

/** Encodes what `judgeDate` gets. */
export function encodeHistories(given) {
  requireOptions(given, ['bounds', 'signedAfter', 'tip', 'coins']);
  const { bounds, signedAfter, tip, coins } = given;
  if (!isCount(tip) || !(signedAfter === null || isCount(signedAfter))) throw invalidOption('tip and signedAfter must be heights.');
  const numbers = [bounds.lower?.height ?? NONE, bounds.upper?.height ?? NONE, bounds.settled ? 1 : 0, signedAfter ?? NONE, tip];
  for (const { valueSats, funded, spent } of coins) {
    const isHeight = (height) => height === null || isCount(height);
    if (!isHeight(funded) || !(spent === 'unknown' || isHeight(spent))) throw invalidOption('funded and spent must be heights.');
    numbers.push(valueSats, funded ?? NONE, spent === 'unknown' ? UNKNOWN : (spent ?? NONE));
  }
  return encode(numbers);
}

export const toVerdict = ({ stoodSats, sinceSats, ...verdict }) => ({ ...verdict, stoodSats: BigInt(stoodSats), sinceSats: BigInt(sinceSats) });

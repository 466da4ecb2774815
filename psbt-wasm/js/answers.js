// The JavaScript half of src/wasm/answer.rs. A module's function returns nothing: while it runs it gives its answer,
// and `take` is called afterwards.

import { PsbtError } from './psbt.js';
import { toReport } from './report.js';

// What follows is made from src/wasm/kind.rs, by `UPDATE_FIXTURES=1 cargo test -p psbt-wasm kind`.
// <layout>
export const REFUSAL = 0;
export const REPORT = 1;
export const FILE = 2;
export const TEXT = 3;
export const MADE = 4;
// </layout>

const ABSENT = 0xffff_ffff;

/** What is done with each kind. Each gets a view into the module's memory, so it copies what it keeps. */
const KINDS = {
  [REFUSAL]: refused,
  [REPORT]: toReport,
  [FILE]: (file) => file.slice(),
  [TEXT]: (json) => JSON.parse(text(json)),
};

/** Adds what is done with the answers of a kind that only a module has that is loaded later. */
export function understand(kind, answer) {
  KINDS[kind] = answer;
}

let answered = null;

export function give(kind, bytes) {
  answered = KINDS[kind](bytes);
}

/** The answer, thrown if it is an error. */
export function take() {
  const answer = answered;
  answered = null;
  if (answer instanceof PsbtError) throw answer;
  return answer;
}

function refused(bytes) {
  const input = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const [code, message] = text(bytes.subarray(4)).split('\n');
  return new PsbtError(code, message, input === ABSENT ? null : input);
}

function text(ascii) {
  return new TextDecoder().decode(ascii);
}

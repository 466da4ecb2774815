// The JavaScript half of src/wasm/package/answer.rs. A module's function returns nothing: while it runs it gives its answer,
// and `take` is called afterwards.

import { PsbtError } from './psbt.js';
import { toReport } from './report.js';

const ABSENT = 0xffff_ffff;

/** What is done with each kind, in the order of src/wasm/package/answer.rs. Each gets a view into the module's memory, so it copies what it keeps. */
const KINDS = [refused, toReport, (bytes) => bytes.slice()];

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
  const [code, message] = new TextDecoder().decode(bytes.subarray(4)).split('\n');
  return new PsbtError(code, message, input === ABSENT ? null : input);
}

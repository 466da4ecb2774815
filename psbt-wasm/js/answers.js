// The JavaScript half of src/wasm/package/answer.rs. A module's function returns nothing: while it runs it gives its answer,
// and `take` is called afterwards.

import { PsbtError } from './psbt.js';
import { toReport } from './report.js';

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
  const [code, map, index, field, message] = new TextDecoder().decode(bytes).split('\n');
  return new PsbtError(code, message, { map: map || null, index: index ? Number(index) : null, field: field || null });
}

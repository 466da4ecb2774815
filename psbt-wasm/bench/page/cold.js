// A visitor's first file: from the start of the navigation to the first result.

import { READERS } from '../lib/all.js';

const parameters = new URLSearchParams(location.search);
const [{ load }, response] = await Promise.all([
  READERS[Number(parameters.get('reader'))](),
  fetch('/fixtures/1-input.psbt'),
]);
const [read, bytes] = await Promise.all([load(), response.arrayBuffer()]);
const { inputs } = read(new Uint8Array(bytes));
window.cold = { ms: performance.now(), inputs: inputs.length };

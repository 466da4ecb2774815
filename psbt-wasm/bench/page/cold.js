// A visitor's first file: from the start of the navigation to the last address, and the call alone.

import { READERS } from '../lib/all.js';
import { looked } from '../lib/looked.js';

const parameters = new URLSearchParams(location.search);
const [{ load }, response] = await Promise.all([
  READERS[Number(parameters.get('reader'))](),
  fetch(`/fixtures/${parameters.get('file')}.psbt`),
]);
const [read, bytes] = await Promise.all([load(), response.arrayBuffer()]);
const start = performance.now();
looked(read(new Uint8Array(bytes)));
const end = performance.now();
window.cold = { visit: end, call: end - start };

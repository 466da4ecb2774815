// The part that runs in the browser; browser.mjs calls it.

import { measure } from '../lib/measure.js';

const fetchFile = async (name) => new Uint8Array(await (await fetch(`/fixtures/${name}.psbt`)).arrayBuffer());

window.run = (rounds) => measure(fetchFile, { rounds, log: console.log });

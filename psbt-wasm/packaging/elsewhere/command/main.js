import { readFileSync } from 'node:fs';
import { answers } from './answers.js';

console.log(await answers(new Uint8Array(readFileSync('wallet.psbt'))));

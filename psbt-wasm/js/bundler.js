// For bundlers that make ES modules of WebAssembly, as vite-plugin-wasm does.

import { held } from './psbt.js';

export { PsbtError } from './psbt.js';

let reader = null;

export async function init() {
  reader ??= (await import('./bundler-reader.js')).functions;
}

export async function loadTools() {
  await import('./bundler-tools.js');
}

export async function loadLog() {
  await import('./bundler-log.js');
}

function loadedReader() {
  if (!reader) throw new Error('psbt-wasm is not loaded yet: await init() first.');
  return reader;
}

export const readPsbt = (file, network) => loadedReader().readPsbt(file, network);
export const stripPsbt = (file) => loadedReader().stripPsbt(file);

const later = (name) => async (...given) => {
  const parameters = given.map(held);
  return (await import('./bundler-tools.js')).functions[name](...parameters);
};

export const checkProof = later('checkProof');
export const checkSignatures = later('checkSignatures');
export const combine = later('combine');
export const convert = later('convert');
export const derivations = later('derivations');
export const extract = later('extract');
export const findDate = later('findDate');
export const inspect = later('inspect');
export const joinProofs = later('joinProofs');
export const judgeDate = later('judgeDate');
export const makeProof = later('makeProof');
export const normalizeWords = later('normalizeWords');
export const readInstant = later('readInstant');
export const readProof = later('readProof');
export const readerProof = later('readerProof');
export const readerStatement = later('readerStatement');
export const recognize = later('recognize');
export const verifyMessage = later('verifyMessage');

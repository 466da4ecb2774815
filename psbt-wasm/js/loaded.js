// What the entries share that load the modules by their addresses. They differ in how they find them.

import load, { __wbg_reset_state as recover, initSync, readPsbt as read, stripPsbt as strip } from './psbt_wasm.js';
import { readerOf } from './reader.js';

export { PsbtError } from './psbt.js';

const reader = readerOf(read, strip, recover);

let loaded = false;

export async function init(source) {
  await load({ module_or_path: source });
  loaded = true;
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
  loaded = true;
}

function loadedReader() {
  if (!loaded) throw new Error('psbt-wasm is not loaded yet: await init() first.');
  return reader;
}

export function readPsbt(bytes, network, options) {
  return loadedReader().readPsbt(bytes, network, options);
}

export function stripPsbt(bytes) {
  return loadedReader().stripPsbt(bytes);
}

let readTools = null;

/** From now on this reads the second module when it comes from nowhere else. */
export function readBy(read) {
  readTools = read;
}

let loading = null;

/** The second module, once it is asked for; a failure to load it is forgotten, so that it can be tried again. */
export function loadTools(source) {
  loading ??= open(source).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function open(source) {
  const { init, initFromBytes, tools } = await import('./loaded-tools.js');
  if (readTools && !source) initFromBytes(await readTools());
  else await init(await source);
  return tools;
}

export async function checkSignatures(bytes, options) {
  return (await loadTools()).checkSignatures(bytes, options);
}

export async function checkProof(proof, origin, options) {
  return (await loadTools()).checkProof(proof, origin, options);
}

export async function inspect(bytes, network) {
  return (await loadTools()).inspect(bytes, network);
}

export async function recognize(given) {
  return (await loadTools()).recognize(given);
}

export async function makeProof(bytes, options) {
  return (await loadTools()).makeProof(bytes, options);
}

export async function combine(files) {
  return (await loadTools()).combine(files);
}

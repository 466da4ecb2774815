// The instances of both modules, for every entry that loads them by their addresses. Entries differ in how they find the modules.

import load, { __wbg_reset_state as recover, initSync, readPsbt as read, stripPsbt as strip } from './psbt_wasm.js';
import { createReader } from './reader.js';

const reader = createReader(read, strip, recover);

let isLoaded = false;

export async function init(source) {
  await load({ module_or_path: source });
  isLoaded = true;
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
  isLoaded = true;
}

function loadedReader() {
  if (!isLoaded) throw new Error('psbt-wasm is not loaded yet: await init() first.');
  return reader;
}

export const readPsbt = (bytes, network, options) => loadedReader().readPsbt(bytes, network, options);
export const stripPsbt = (bytes) => loadedReader().stripPsbt(bytes);

let readTools = null;

/** Sets where the second module comes from, unless `loadTools` names another source. */
export function readBy(read) {
  readTools = read;
}

let loading = null;

/** Loads the second module when it is first needed. A failure is forgotten, so that the next call tries again. */
export function loadTools(source) {
  loading ??= open(source).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function open(source) {
  const { init, initFromBytes, toolsWith } = await import('./loaded-tools.js');
  if (readTools && !source) initFromBytes(await readTools());
  else await init(await source);
  return toolsWith(readPsbt);
}

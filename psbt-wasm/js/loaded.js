// What the entries share that load the modules by their addresses. They differ in how they find them.

import load, { __wbg_reset_state as recover, initSync, readPsbt as read, stripPsbt as strip } from './psbt_wasm.js';
import { guard } from './guard.js';
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

export function readPsbt(bytes, network, options) {
  requireLoaded();
  return reader.readPsbt(bytes, network, options);
}

export function stripPsbt(bytes) {
  requireLoaded();
  return reader.stripPsbt(bytes);
}

/** The second module, once it is asked for; a failure to load it is forgotten, so that it can be tried again. */
let signatures = null;

export function loadSignatures(source, bytesOf) {
  signatures ??= openSignatures(source, bytesOf).catch((error) => {
    signatures = null;
    throw error;
  });
  return signatures;
}

async function openSignatures(source, bytesOf) {
  const module = await import('./signatures.js');
  if (bytesOf) module.initFromBytes(await bytesOf());
  else await module.init(await source);
  return module;
}

export async function checkSignatures(bytes, bytesOf) {
  const { check, recover } = await loadSignatures(undefined, bytesOf);
  return guard(bytes, () => check(bytes), recover);
}

function requireLoaded() {
  if (!loaded) throw new Error('psbt-wasm is not loaded yet: await init() first.');
}

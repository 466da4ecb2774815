// What the entries share that load the modules by their addresses. They differ in how they find them.

import load, { __wbg_reset_state as recover, initSync, readPsbt as read, writePsbt as write } from './psbt_wasm.js';
import { readerOf } from './reader.js';

export { PsbtError } from './psbt.js';

const reader = readerOf(read, write, recover);

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

function plainPsbt(bytes) {
  requireLoaded();
  return reader.plainPsbt(bytes);
}

let readers = null;

/** From now on these read the further modules that come from nowhere else. */
export function readBy(functions) {
  readers = functions;
}

/** A further module, once it is asked for; a failure to load it is forgotten, so that it can be tried again. */
function later(name, imported) {
  let loading = null;
  return (source) => {
    loading ??= open(name, imported, source).catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function open(name, imported, source) {
  const module = await imported();
  if (readers && !source) module.initFromBytes(await readers[name]());
  else await module.init(await source);
  return module;
}

export const loadSignatures = later('signatures', () => import('./signatures.js'));

export const loadMaker = later('make', () => import('./make.js'));

export async function checkSignatures(bytes, options) {
  const checker = await loadSignatures();
  return checker.checkSignatures(bytes, options);
}

export async function checkProof(proof, origin, options) {
  const checker = await loadSignatures();
  return checker.checkProof(proof, origin, options);
}

export async function makeProof(bytes, options) {
  const maker = await loadMaker();
  return maker.makeProof(plainPsbt, bytes, options);
}

export async function combine(files) {
  const maker = await loadMaker();
  return maker.combine(plainPsbt, files);
}

function requireLoaded() {
  if (!loaded) throw new Error('psbt-wasm is not loaded yet: await init() first.');
}

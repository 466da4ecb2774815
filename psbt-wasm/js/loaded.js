// What the entries share that load the modules by their addresses. They differ in how they find them.

import load, { __wbg_reset_state as recover, initSync, readPsbt as read, writePsbt as write } from './psbt_wasm.js';
import { guard } from './guard.js';
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

/** A further module, once it is asked for; a failure to load it is forgotten, so that it can be tried again. */
function later(imported) {
  let loading = null;
  return (source, bytesOf) => {
    loading ??= open(imported, source, bytesOf).catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function open(imported, source, bytesOf) {
  const module = await imported();
  if (bytesOf) module.initFromBytes(await bytesOf());
  else await module.init(await source);
  return module;
}

export const loadSignatures = later(() => import('./signatures.js'));

export const loadMaker = later(() => import('./make.js'));

export async function checkSignatures(bytes, bytesOf) {
  const { check, recover } = await loadSignatures(undefined, bytesOf);
  return guard(bytes, () => check(bytes), recover);
}

export async function makeProof(bytes, options, bytesOf) {
  const maker = await loadMaker(undefined, bytesOf);
  return maker.makeProof(plainPsbt, bytes, options);
}

export async function combine(files, bytesOf) {
  const maker = await loadMaker(undefined, bytesOf);
  return maker.combine(plainPsbt, files);
}

function requireLoaded() {
  if (!loaded) throw new Error('psbt-wasm is not loaded yet: await init() first.');
}

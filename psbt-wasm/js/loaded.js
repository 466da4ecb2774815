// What the entries share. They differ in how they find the modules.

import load, {
  __wbg_reset_state as recover,
  initSync,
  readPsbt as read,
  stripPsbt as strip,
} from './psbt_wasm.js';
import { take } from './answers.js';
import { guard } from './guard.js';
import { PsbtError } from './psbt.js';
import { warningsOf } from './warnings.js';

export { PsbtError };

/** The module knows them by their places. */
const NETWORKS = ['mainnet', 'testnet', 'signet', 'regtest'];

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
  const report = guard(bytes, () => {
    const place = NETWORKS.indexOf(network);
    if (place < 0) throw new PsbtError('unknown-network', 'The network is not known.');
    read(bytes, place, options?.keys === 'curve');
    return take();
  }, recover);
  report.warnings = warningsOf(report, network);
  return report;
}

export function stripPsbt(bytes) {
  requireLoaded();
  return guard(bytes, () => {
    strip(bytes);
    return take();
  }, recover);
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

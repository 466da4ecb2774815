// What node.js and web.js share: they load the module themselves, so they can also replace a broken instance.

import load, {
  __wbg_reset_state as recover,
  initSync,
  PsbtError,
  readPsbt as read,
  stripPsbt as strip,
} from './psbt_wasm_web.js';
import { guard } from './guard.js';

export { PsbtError };

let loaded = false;

export async function init(module) {
  await load({ module_or_path: module });
  loaded = true;
}

export function initFromBytes(bytes) {
  initSync({ module: bytes });
  loaded = true;
}

export function readPsbt(bytes, network) {
  requireLoaded();
  return guard(bytes, () => read(bytes, network), PsbtError, recover);
}

export function stripPsbt(bytes) {
  requireLoaded();
  return guard(bytes, () => strip(bytes), PsbtError, recover);
}

function requireLoaded() {
  if (!loaded) throw new Error('psbt-wasm is not loaded yet: await init() first.');
}

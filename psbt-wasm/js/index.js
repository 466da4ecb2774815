// For bundlers, which instantiate the module themselves when it is imported.

import { PsbtError, readPsbt as read, stripPsbt as strip } from './psbt_wasm.js';
import { guard } from './guard.js';

export { PsbtError };

export function readPsbt(bytes, network) {
  return guard(bytes, () => read(bytes, network), PsbtError);
}

export function stripPsbt(bytes) {
  return guard(bytes, () => strip(bytes), PsbtError);
}

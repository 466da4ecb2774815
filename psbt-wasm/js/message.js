// The JavaScript half of src/wasm/tools/signed_message.rs.

import { frame } from './frames.js';
import { bytesOf } from './psbt.js';

/** An address, a message and a signature. A message that is a string is its UTF-8 bytes. */
export function encodeMessage(address, message, signature) {
  if (typeof address !== 'string' || typeof signature !== 'string') {
    throw new TypeError('The address and the signature must be strings.');
  }
  return frame([address, message, signature].map(bytesOf));
}

// The JavaScript half of src/wasm/signed_message.rs.

import { framed } from './made.js';

/** An address, a message and a signature, each after its length. A message that is a string is its UTF-8 bytes. */
export function framesOf(address, message, signature) {
  if (typeof address !== 'string' || typeof signature !== 'string') {
    throw new TypeError('The address and the signature must be strings.');
  }
  const encoder = new TextEncoder();
  const bytes = typeof message === 'string' ? encoder.encode(message) : message;
  return framed([encoder.encode(address), bytes, encoder.encode(signature)]);
}

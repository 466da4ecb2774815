import { MAX_FILE_BYTES, PsbtError } from './psbt.js';

/**
 * Runs a function of a module. Whatever it throws that is not a PsbtError is a defect of the module, a trap
 * for instance, which can leave an instance in any state: `recover` replaces it.
 */
export function guard(bytes, run, recover) {
  // By name where instanceof fails: bytes may come from another realm (an iframe, a test environment).
  if (!(bytes instanceof Uint8Array) && Object.prototype.toString.call(bytes) !== '[object Uint8Array]') {
    throw new TypeError('The bytes of a file must be a Uint8Array.');
  }
  try {
    // Before the bytes are copied, because a module's memory never shrinks again.
    if (bytes.length > MAX_FILE_BYTES) {
      throw new PsbtError('file-too-large', 'The file is too large: at most 32 MiB can be read.');
    }
    return run();
  } catch (error) {
    if (error instanceof PsbtError) throw error;
    recover();
    throw new PsbtError('internal', 'The file could not be read because of an internal error.', null, {
      cause: error,
    });
  }
}

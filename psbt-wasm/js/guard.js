import { MAX_FILE_BYTES, PsbtError, requireBytes } from './psbt.js';

/**
 * Runs a function of a module. Whatever it throws that is not a PsbtError is a defect of the module, a trap
 * for instance, which can leave an instance in any state: `recover` replaces it.
 */
export function guard(bytes, run, recover) {
  requireBytes(bytes);
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

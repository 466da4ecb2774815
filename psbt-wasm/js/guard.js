import { PsbtError, bytesOf, requireSize } from './psbt.js';

/**
 * Runs a function of a module with the bytes of a file. Whatever it throws that is not a PsbtError is a defect of the module, a trap
 * for instance, which can leave an instance in any state: `recover` replaces it.
 */
export function guard(file, run, recover) {
  const bytes = bytesOf(file);
  try {
    requireSize(bytes);
    return run(bytes);
  } catch (error) {
    if (error instanceof PsbtError) throw error;
    recover();
    throw new PsbtError('internal', 'The file could not be read because of an internal error.', null, { cause: error });
  }
}

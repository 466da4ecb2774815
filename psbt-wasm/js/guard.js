/**
 * Runs a function of the module. Whatever it throws that is not a PsbtError is a defect of the module, a trap
 * for instance, which can leave an instance in any state: `recover` replaces it where that is possible.
 */
export function guard(bytes, run, PsbtError, recover) {
  // By name, not instanceof: bytes may come from another realm (an iframe, a test environment).
  if (Object.prototype.toString.call(bytes) !== '[object Uint8Array]') {
    throw new TypeError('The bytes of a file must be a Uint8Array.');
  }
  try {
    return run();
  } catch (error) {
    if (error instanceof PsbtError) throw error;
    recover?.();
    throw new PsbtError('internal', 'The file could not be read because of an internal error.', null, {
      cause: error,
    });
  }
}

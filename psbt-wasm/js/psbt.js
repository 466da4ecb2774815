// What all files share. Types and documentation: index.d.ts.

export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** By name where instanceof fails: bytes may come from another realm (an iframe, a test environment). */
export function requireBytes(bytes) {
  if (!(bytes instanceof Uint8Array) && Object.prototype.toString.call(bytes) !== '[object Uint8Array]') {
    throw new TypeError('The bytes of a file must be a Uint8Array.');
  }
}

/** Text as its bytes. */
export function bytesOf(given) {
  return typeof given === 'string' ? new TextEncoder().encode(given) : given;
}

export class PsbtError extends Error {
  constructor(code, message, input, options) {
    super(message, options);
    this.name = 'PsbtError';
    this.code = code;
    this.input = input ?? null;
  }
}

/** Refuses options that a function does not have: most are misspelled. */
export function requireOptions(options, names) {
  const other = Object.keys(options ?? {}).find((name) => !names.includes(name));
  if (other !== undefined) throw new PsbtError('invalid-option', `There is no option ${other}: use ${names.join(', ')}.`);
}

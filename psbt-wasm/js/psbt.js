// What all files share. Types and documentation: index.d.ts.

export const MAX_FILE_BYTES = 32 * 1024 * 1024;

const tooLarge = () => new PsbtError('file-too-large', 'The file is too large: at most 32 MiB can be read.');

/** Refuses what is longer than a file may be, before it is encoded or copied: a module's memory never shrinks again. */
export function requireSize({ length }) {
  if (length > MAX_FILE_BYTES) throw tooLarge();
}

/** By name where instanceof fails: values may come from another realm (an iframe, a test environment). */
const isA = (type, value) => value instanceof globalThis[type] || Object.prototype.toString.call(value) === `[object ${type}]`;

/** The bytes of a file: its content as it is, or as a string. */
export function bytesOf(given) {
  if (typeof given === 'string') {
    requireSize(given);
    return new TextEncoder().encode(given);
  }
  if (isA('Uint8Array', given)) return given;
  if (isA('ArrayBuffer', given)) return new Uint8Array(given);
  throw new TypeError('A file must be a string, a Uint8Array or an ArrayBuffer.');
}

/**
 * A parameter of a function that waits. Files are copied, because their owner may change them or hand them over meanwhile; so are those of
 * a list.
 */
export function held(given) {
  if (isA('Uint8Array', given) || isA('ArrayBuffer', given)) {
    const bytes = bytesOf(given);
    requireSize(bytes);
    return new Uint8Array(bytes);
  }
  return typeof given === 'object' && given?.[Symbol.iterator] ? Array.from(given, held) : given;
}

export const isHex = (text) => typeof text === 'string' && /^([0-9a-f]{2})*$/i.test(text);

export function bytesOfHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

export class PsbtError extends Error {
  constructor(code, message, place, options) {
    super(message, options);
    this.name = 'PsbtError';
    this.code = code;
    this.map = place?.map ?? null;
    this.index = place?.index ?? null;
    this.field = place?.field ?? null;
  }
}

/** Where something is, of what a module built by wasm-pack says. */
export const placeOf = (map, index, field) => ({ map, index, field });

export const invalidOption = (message) => new PsbtError('invalid-option', message);

/** Refuses options that a function does not have: most are misspelled. */
export function requireOptions(options, names) {
  const other = Object.keys(options ?? {}).find((name) => !names.includes(name));
  if (other !== undefined) throw invalidOption(`There is no option ${other}: use ${names.join(', ')}.`);
}

import { readFileSync } from 'node:fs';

/** The text of a file that the Rust tests build (tests/behavior/node_fixtures.rs). */
export function fixture(name) {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8').trim();
}

/** Text as the bytes of a file. */
export function bytesOf(text) {
  return new TextEncoder().encode(text);
}

/** base64 text, decoded. */
export function binary(base64) {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** The memory of the newest instance of each module. */
export const memories = { reader: null, tools: null };

const { Instance } = WebAssembly;
WebAssembly.Instance = function watched(module, imports) {
  const instance = new Instance(module, imports);
  memories['checkSignatures' in instance.exports ? 'tools' : 'reader'] = instance.exports.memory;
  return instance;
};
WebAssembly.Instance.prototype = Instance.prototype;

/** Leaves a module nothing to allocate from but what it has already. */
export function exhaust(memory) {
  for (let pages = 0x8000; pages >= 1; pages /= 2) {
    try {
      memory.grow(pages);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

/** A file for which that is not enough. */
export const LARGE = new Uint8Array(30 * 1024 * 1024);

/** What a function throws. */
export function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

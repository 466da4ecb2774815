// What a page downloads for each reader: built by Vite, compressed with Brotli at its best.

import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

/** The most that a page downloads of ours, in bytes: before the first file, all of it, and the module with the checks of a log alone. */
export const LIMITS = { reader: 32_500, all: 222_000, log: 43_500 };

/** The functions that each package is built with. */
const ENTRIES = {
  'psbt-wasm': "export { init, readPsbt, stripPsbt, PsbtError } from 'psbt-wasm';",
  'psbt-wasm, all of it': "export * from 'psbt-wasm';",
  '@scure/btc-signer': "export { Address, OutScript, Transaction } from '@scure/btc-signer';",
  'bitcoinjs-lib': "export { address, Psbt } from 'bitcoinjs-lib';",
  'bitcoinjs-lib and tiny-secp256k1':
    "export { address, Psbt } from 'bitcoinjs-lib'; export * from 'tiny-secp256k1';",
  'bitcoinjs-lib and @noble/curves':
    "export { address, Psbt } from 'bitcoinjs-lib'; export { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';",
  bip174: "export { Psbt } from 'bip174';",
  '@metamask/bitcoindevkit (BDK)': "export { Address, Psbt, ScriptBuf } from '@metamask/bitcoindevkit';",
  '@bitgo/wasm-utxo': "export { address, Psbt } from '@bitgo/wasm-utxo';",
};

/** Bytes by package: raw, with gzip, with Brotli. Of some packages only, if they are named. */
export async function sizes(names = Object.keys(ENTRIES)) {
  const found = {};
  for (const name of names) {
    const source = ENTRIES[name];
    const files = await built(source);
    found[name] = { raw: 0, gzip: 0, brotli: 0 };
    for (const { content } of files) {
      found[name].raw += content.length;
      found[name].gzip += gzipSync(content, { level: 9 }).length;
      found[name].brotli += withBrotli(content);
    }
  }
  return found;
}

/** How many bytes are sent for this content. */
export function withBrotli(content) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotliCompressSync(content, { params }).length;
}

async function built(source) {
  const entry = fileURLToPath(new URL('entry.js', import.meta.url));
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'esnext',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  });
  const scripts = output.map(({ code }) => code ?? '').join('\n');
  // Vite also writes what only code refers to that it has dropped; no page downloads that.
  const needed = output.filter(({ fileName, code }) => code !== undefined || scripts.includes(fileName.split('/').at(-1)));
  return needed.map(({ fileName, code, source: asset }) => ({ fileName, content: Buffer.from(code ?? asset) }));
}

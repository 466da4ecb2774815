// The functions of the package, for every entry that loads the modules by their addresses.

import { loadTools } from './loaded.js';

export { PsbtError } from './psbt.js';
export { readPsbt, stripPsbt } from './loaded.js';

/** A function of the second module, which loads when one of them is first called. */
const later = (name) => async (...parameters) => (await loadTools())[name](...parameters);

export const checkProof = /* @__PURE__ */ later('checkProof');
export const checkSignatures = /* @__PURE__ */ later('checkSignatures');
export const combine = /* @__PURE__ */ later('combine');
export const convert = /* @__PURE__ */ later('convert');
export const extract = /* @__PURE__ */ later('extract');
export const inspect = /* @__PURE__ */ later('inspect');
export const makeProof = /* @__PURE__ */ later('makeProof');
export const normalizeWords = /* @__PURE__ */ later('normalizeWords');
export const readProof = /* @__PURE__ */ later('readProof');
export const readerProof = /* @__PURE__ */ later('readerProof');
export const readerStatement = /* @__PURE__ */ later('readerStatement');
export const recognize = /* @__PURE__ */ later('recognize');
export const verifyMessage = /* @__PURE__ */ later('verifyMessage');

// The functions of the package, for every entry that loads the modules by their addresses.

import { log, reader, tools } from './modules.js';
import { held } from './psbt.js';

export { PsbtError } from './psbt.js';

export async function init(module) {
  await reader.load(module);
}

export async function loadTools(module) {
  await tools.load(module);
}

export async function loadLog(module) {
  await log.load(module);
}

export const readPsbt = (file, network) => reader.get().readPsbt(file, network);
export const stripPsbt = (file) => reader.get().stripPsbt(file);

const later = (name) => async (...given) => {
  const parameters = given.map(held);
  return (await tools.load())[name](...parameters);
};

export const checkProof = /* @__PURE__ */ later('checkProof');
export const checkSignatures = /* @__PURE__ */ later('checkSignatures');
export const combine = /* @__PURE__ */ later('combine');
export const convert = /* @__PURE__ */ later('convert');
export const derivations = /* @__PURE__ */ later('derivations');
export const extract = /* @__PURE__ */ later('extract');
export const findDate = /* @__PURE__ */ later('findDate');
export const inspect = /* @__PURE__ */ later('inspect');
export const joinProofs = /* @__PURE__ */ later('joinProofs');
export const judgeDate = /* @__PURE__ */ later('judgeDate');
export const makeProof = /* @__PURE__ */ later('makeProof');
export const normalizeWords = /* @__PURE__ */ later('normalizeWords');
export const readInstant = /* @__PURE__ */ later('readInstant');
export const readProof = /* @__PURE__ */ later('readProof');
export const readerProof = /* @__PURE__ */ later('readerProof');
export const readerStatement = /* @__PURE__ */ later('readerStatement');
export const recognize = /* @__PURE__ */ later('recognize');
export const verifyMessage = /* @__PURE__ */ later('verifyMessage');

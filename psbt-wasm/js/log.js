// The functions of the third module, however its instance was made: the checks of a board's log (server/board-log/src/wasm.rs).

import { PsbtError } from './psbt.js';

const NAMES = [
  'readCheckpoint',
  'readUnsigned',
  'checkCheckpoint',
  'followKeys',
  'tilesOfGrowth',
  'checkGrowth',
  'countCosignatures',
  'checkpointOfReceipt',
  'checkReceipt',
  'reasonOfLog',
  'checkNote',
];

/** `module` has the functions of the module. `recover` is called when an instance has trapped. */
export function createLog(module, recover) {
  const guarded = (check) => (...given) => {
    try {
      return check(...given);
    } catch (error) {
      // What is wrong with the log, by the code of the rule.
      if (typeof error === 'string') throw new PsbtError(error, `A check of the board's log failed: ${error}.`);
      recover();
      throw error;
    }
  };
  return Object.fromEntries(NAMES.map((name) => [name, guarded(module[name])]));
}

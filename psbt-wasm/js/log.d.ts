/**
 * The checks of a board's log, for the board's own pages: not a part of the package's interface. Lists are JSON as `JSON.stringify` writes
 * it; keys are `[{"key":KEY,"until":SIZE}]`, where a key that has not been replaced has `null`. What is wrong is thrown as a PsbtError, whose
 * code names the rule.
 */
export declare const functions: {
  /** The origin of a log and its size, in a line each. No signature is checked. */
  readCheckpoint(note: string): string;
  /** The same of a text that has lost its signatures. */
  readUnsigned(text: string): string;
  /** The same, once one of the keys has signed it. */
  checkCheckpoint(note: string, keys: string): string;
  /** The keys that follow from these by a list of notes. */
  followKeys(keys: string, rotations: string): string;
  /** The paths of the tiles that `checkGrowth` needs, in a line each. */
  tilesOfGrowth(seen: string, now: string): string;
  /** Checks that a log has only grown, by the bytes of those tiles one after the other. */
  checkGrowth(seen: string, now: string, tiles: Uint8Array): void;
  /** How many of these witnesses, a list of verifier keys, have cosigned a checkpoint. */
  countCosignatures(checkpoint: string, witnesses: string): number;
  /** The checkpoint in a receipt. Nothing is checked but the form. */
  checkpointOfReceipt(receipt: string): string;
  /** The origin of the log, the entry and the row of a right receipt, in a line each. */
  checkReceipt(receipt: string, keys: string): string;
  /** The operator's reason in the first entry of a log, empty without one; nothing when it is no such entry. */
  reasonOfLog(entry: string): string | undefined;
};

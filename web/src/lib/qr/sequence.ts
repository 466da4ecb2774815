/** What every form of animated QR codes shares: codes are read one by one, in any order, until the file is whole. */
import { UserFacingError } from '../errors';

/** How far the reading is. */
export interface Progress {
  read: number;
  of: number;
}

/** A sequence of codes as it is read. */
export interface Reader {
  /** Takes the text of a code; one that was read before changes nothing. A code that does not fit is refused. */
  receive: (text: string) => Progress;
  /** The file, once it is whole. */
  finish: () => Promise<ScannedFile>;
}

export interface ScannedFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** The ending that tells what it is: a completed transaction is none that a PSBT reader expects. */
  ending: 'psbt' | 'txn';
}

/** The frames of a sequence to show: frame `n` for any n from 0 on. After `count` frames everything was shown once. */
export interface Frames {
  count: number;
  frame: (n: number) => string;
}

/** No file of people is larger; what a code says of its size is believed up to here. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** A code, or a sequence of them, that cannot be read, in the words for the person. */
export class CodeError extends UserFacingError {
  constructor(
    message: string,
    /** Whether the codes read so far are still good: only this one was refused. */
    readonly passing: boolean,
  ) {
    super(message);
  }
}

export const damagedCode = () => new CodeError('A damaged code was skipped. Hold the camera steady until it comes again.', true);
export const otherSequence = () =>
  new CodeError('A code of another file was skipped. Show only one file, or start over.', true);
export const damagedSequence = () =>
  new CodeError('The codes don’t fit together. Show the file again on the device, and start over.', false);
export const foreignCode = () =>
  new CodeError('This code contains no PSBT and no transaction. On the device, show the signed file as BBQr or UR codes.', true);

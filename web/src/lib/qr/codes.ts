/** Animated QR codes of a file: shown in the form that a device reads, and read in any form. */
import { psbtIn } from '../psbt-text';
import { BbqrReader, bbqrFrames, isBbqr } from './bbqr';
import { CodeError, foreignCode, otherSequence, type Frames, type Progress, type Reader, type ScannedFile } from './sequence';
import { isUr, UrReader, urFrames } from './ur';

export type { Frames, Progress, ScannedFile } from './sequence';
export { CodeError } from './sequence';

export type CodeForm = 'bbqr' | 'ur';

export function framesOf(psbt: Uint8Array, form: CodeForm): Frames {
  return form === 'bbqr' ? bbqrFrames(psbt) : urFrames(psbt);
}

const PSBT_TEXT = /^(cHNidP8|70736274ff)/i;

/** One code that holds a whole PSBT as text. */
class TextReader implements Reader {
  private text = '';

  receive(text: string): Progress {
    this.text = text;
    return { read: 1, of: 1 };
  }

  async finish(): Promise<ScannedFile> {
    return { bytes: new TextEncoder().encode(this.text), ending: 'psbt' };
  }
}

function readerOf(text: string): Reader {
  if (isBbqr(text)) return new BbqrReader();
  if (isUr(text)) return new UrReader();
  if (PSBT_TEXT.test(psbtIn(text))) return new TextReader();
  throw foreignCode();
}

/** Reads codes in any form; the first decides which. */
export class CodeReader implements Reader {
  private reader: Reader | null = null;

  receive(text: string): Progress {
    const reader = readerOf(text);
    // A code that is refused decides nothing.
    const chosen = this.reader ?? reader;
    if (chosen.constructor !== reader.constructor) throw otherSequence();
    const progress = chosen.receive(text);
    this.reader = chosen;
    return progress;
  }

  async finish(): Promise<ScannedFile> {
    if (!this.reader) throw new CodeError('No code read yet.', true);
    return this.reader.finish();
  }
}

/** What a proof for one reader is made of. It is kept in this browser until the proof is done, because signing may take days. */
import { readHeader } from '../../lib/block-header';
import { fromHex, toHex } from '../../lib/bytes';
import { chainFor } from '../../lib/chains';
import { storedJson } from '../../lib/storage';
import type { ReaderRequest } from '../../psbt';
import type { DatingBlock } from './block';

export interface Asked {
  /** The reader's request and the holder's name, both in their normal form. */
  words: string;
  name: string;
  /** 16 random bytes as hexadecimal text. */
  nonce: string;
  block: DatingBlock;
  /** The line to sign. */
  statement: string;
}

export const newNonce = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** As the package takes it. */
export function requestOf({ words, name, nonce, block }: Omit<Asked, 'statement'>): ReaderRequest {
  const [bytes, header] = [nonce, block.header].map((hex) => fromHex(hex) ?? new Uint8Array());
  return { words, name, nonce: bytes ?? new Uint8Array(), header: header ?? new Uint8Array(), height: block.height, network: block.network };
}

/** What was begun in this browser; null when nothing was, or what is kept cannot be used. */
export const keptAsked = storedJson('localStorage', 'proof-for-reader', (stored) => {
  const asked = stored as Asked | null;
  return asked && isWhole(asked) ? asked : null;
});

function isWhole({ words, name, nonce, statement, block }: Asked): boolean {
  const texts = [words, name, statement].every((text) => typeof text === 'string' && text !== '');
  return texts && fromHex(nonce)?.length === 16 && readHeader(block.header) !== null && Number.isSafeInteger(block.height) && chainFor(block) !== null;
}

/** A name for files, of the words as the statement has them. */
export function stemOf(statement: string): string {
  const [, label = '', letters = ''] = /^Proof of Reserves for:([a-z0-9-]*)~([a-z2-7]+) /.exec(statement) ?? [];
  return label || letters || 'reader';
}

export const STEPS = ['Reader', 'Coins', 'Sign', 'Report'] as const;

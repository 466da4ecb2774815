import { useEffect, useState } from 'react';
import { jsonFrom, SourceError } from '../../api/elsewhere';
import { checkPublishedProof, isStop, type CheckedProof } from '../../psbt';
import { chainFor, proofIn, type PublishedProof } from './proof';
import { sentenceOf } from './sentence';

/** What there is to check: a proof of this board by its id, or a file that somebody brought. */
export type Given = { id: string } | { file: File };

export type Loaded =
  | { at: 'loading' }
  | { at: 'failed'; message: string; missing: boolean }
  /** Without `checked` where it contradicts itself. */
  | { at: 'read'; proof: PublishedProof; checked: CheckedProof | null };

/** Reads a proof, and checks all of it that needs no chain. */
export function useProof(given: Given | null, origin: string): Loaded {
  const [loaded, setLoaded] = useState<{ given: Given; as: Loaded } | null>(null);
  useEffect(() => {
    if (!given) return undefined;
    const stop = new AbortController();
    load(given, origin, stop.signal)
      .catch((error: unknown): Loaded => ({ at: 'failed', message: messageOf(error), missing: error instanceof SourceError && error.trouble === 'not-found' }))
      .then((as) => {
        if (!stop.signal.aborted) setLoaded({ given, as });
      }, () => {});
    return () => stop.abort();
  }, [given, origin]);
  return loaded && loaded.given === given ? loaded.as : { at: 'loading' };
}

async function load(given: Given, origin: string, signal: AbortSignal): Promise<Loaded> {
  const value = 'id' in given ? await jsonFrom(`/api/functions/v1/proofs/${encodeURIComponent(given.id)}`, signal) : await jsonIn(given.file);
  const proof = proofIn(value);
  const chain = proof && chainFor(proof);
  if (!proof || !chain || ('id' in given && proof.id !== given.id)) {
    throw new SourceError('unreadable', 'file' in given ? 'This file is no published proof of reserves.' : 'The board gave an answer that is not the proof that was asked for.');
  }
  try {
    return { at: 'read', proof, checked: await checkPublishedProof(proof, origin, chain.network) };
  } catch (error) {
    if (isStop(error) || !isRefusal(error)) throw error;
    return { at: 'read', proof, checked: null };
  }
}

/** Whether it was the proof that could not be checked, and not the check that failed. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error ? Reflect.get(error, 'code') : null;
  return typeof code === 'string' && !['internal', 'unexpected', 'reader-unavailable'].includes(code);
}

const MOST_BYTES = 32 * 1024 * 1024;

async function jsonIn(file: File): Promise<unknown> {
  if (file.size > MOST_BYTES) throw new SourceError('unreadable', 'This file is too large to be a published proof.');
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new SourceError('unreadable', 'This file is no published proof of reserves: it is not JSON.');
  }
}

function messageOf(error: unknown): string {
  if (error instanceof SourceError && error.trouble === 'not-found') return 'There is no such proof on this board. It may have been withdrawn, or its time may be over.';
  return sentenceOf(error, 'Something went wrong while it was checked. Please reload the page, or try another browser.');
}

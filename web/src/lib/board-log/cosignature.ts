/** Cosignatures of witnesses below a checkpoint (C2SP tlog-cosignature): each says that at a time the witness knew no other history of this log. */
import { COSIGNATURE, isSigned, LogError, readKey, readNote, type VerifierKey } from './note';

/** How many of these witnesses have cosigned a checkpoint, by their verifier keys. One witness counts once, under whatever names. */
export async function countCosignatures(checkpoint: string, witnesses: string[]): Promise<number> {
  const counted = new Set<string>();
  for (const text of witnesses) {
    const key = await witnessKey(text);
    if (key && (await hasCosigned(checkpoint, key))) counted.add(key.key.join());
  }
  return counted.size;
}

/** Null for a kind of key that this page cannot check. */
async function witnessKey(text: string): Promise<VerifierKey | null> {
  try {
    return await readKey(text, COSIGNATURE);
  } catch (error) {
    if (error instanceof LogError) return null;
    throw error;
  }
}

async function hasCosigned(checkpoint: string, key: VerifierKey): Promise<boolean> {
  const { text, signatures } = readNote(checkpoint);
  for (const { name, id, signature } of signatures) {
    if (name !== key.name || id !== key.id || signature.length !== 72) continue;
    const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
    if (time === 0n || time >= 1n << 63n) continue;
    if (await isSigned(`cosignature/v1\ntime ${time}\n${text}`, key, signature.slice(8))) return true;
  }
  return false;
}

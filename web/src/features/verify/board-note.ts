/** The board's word on a published proof: a note signed with the key of its log (server/board-log/src/proof_note.rs). */
import { jsonFrom, textFrom } from '../../api/elsewhere';
import { isOrigin, logAddress } from '../../lib/board-log/address';
import { followKeys, trustedKeys, type Trusted } from '../../lib/board-log/checkpoints';
import { LogError, readKey, readNote, reads, verifiedText } from '../../lib/board-log/note';
import { member } from '../../lib/member';
import type { ProofCheck } from '../../psbt';
import type { Evidence } from './proof';

const FORMAT = 'proof-of-reserves/proof-note/1';

/** `valid` names the person as the board does; `false` is a note that does not match; `none` is no note, or one with an unknown key. */
export type BoardNote = { is: 'valid'; name: string } | { is: 'false' } | { is: 'none' };

/** What the note in a file is worth, by the keys of the board's log that this browser knows or `also` has. */
export async function checkNote(file: unknown, { statement }: Evidence, check: Pick<ProofCheck, 'block'>, also: Trusted[] = []): Promise<BoardNote> {
  const note = member(file, 'note');
  if (typeof note !== 'string') return { is: 'none' };
  const { origin, text: line, provider, subject, account_id: account } = statement;
  const keys = await Promise.all([...trustedKeys(location.host), ...also].map(({ key }) => readKey(key)));
  const own = keys.filter(({ name }) => isOfBoard(name, origin));
  try {
    const [format, json = '', ...end] = (await verifiedText(note, own)).split('\n');
    const said: unknown = JSON.parse(json);
    if (format !== FORMAT || end.join('\n') !== '') return { is: 'false' };
    const name = member(said, 'name');
    const block = check.block && { height: check.block.height, hash: check.block.hash };
    const expected = JSON.stringify({ origin, line, provider, subject, account, name, block });
    return typeof name === 'string' && json === expected ? { is: 'valid', name } : { is: 'false' };
  } catch (error) {
    if (error instanceof LogError && error.code === 'stranger' && reads(() => readNote(note))) return { is: 'none' };
    if (error instanceof LogError || error instanceof SyntaxError) return { is: 'false' };
    throw error;
  }
}

/** A key signs for the board that it is named after. */
function isOfBoard(name: string, origin: string): boolean {
  const { host } = new URL(origin);
  return isOrigin(name, host, logAddress({ log: name.slice(name.indexOf('/')) }));
}

/** The keys of the log of the board that serves this page, as it serves them now; none when it does not answer. */
export async function keysOfBoard(signal: AbortSignal): Promise<Trusted[]> {
  try {
    const address = logAddress(await jsonFrom('/api/functions/v1/app-config', signal));
    const key = { key: (await textFrom(`${address}/key`, signal)).trim(), until: Number.POSITIVE_INFINITY };
    const rotations: unknown = await jsonFrom(`${address}/rotations`, signal);
    const notes = Array.isArray(rotations) ? rotations.filter((note) => typeof note === 'string') : [];
    return await followKeys([key], notes);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Receipts: "at block N this board showed this row" (C2SP tlog-proof). Checked offline, with keys that the reader has. */
import { fromHex } from '../bytes';
import { HOLDER_TIERS, tierBounds } from '../holder-tier';
import { amountWords } from '../shown';
import { verifiedCheckpoint, type Trusted } from './checkpoints';
import { exactBase64, LogError, readNote } from './note';
import { isIncluded, leafHash } from './tree';

const HEADER = 'c2sp.org/tlog-proof@v1';

/** The longest receipt that is read. */
const MAX_LENGTH = 64 * 1024;

/** What a receipt says. Nothing of it is true before it has been checked. */
export interface Receipt {
  /** The log that it names. */
  origin: string;
  entry: string;
  row: string;
  rowIndex: number;
  rowPath: Uint8Array[];
  index: number;
  path: Uint8Array[];
  checkpoint: string;
}

/** What a receipt has shown. */
export interface ShownRow {
  origin: string;
  height: number;
  block: string;
  at: string;
  /** The row as it was shown. */
  row: { id: string; provider: string; username: string; named: boolean; holdings_sats: number | null; shown_as: 'range' | 'exact' };
}

/** The holdings of a row as the board showed them, in BTC; null when it had none. */
export function holdingsOf({ holdings_sats: sats, shown_as }: ShownRow['row']): string | null {
  return sats === null ? null : `${amountWords({ bitcoin_holdings: sats / 100_000_000, shown_as })} BTC`;
}

const noReceipt = () => new LogError('malformed', 'This is not a receipt of a board.');

const isText = (value: unknown): value is string => typeof value === 'string';

/** An object with exactly these members, spelled as a board spells it: what a reader does not know could change what a row means. */
function object(text: string, members: string): Record<string, unknown> {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // The error below says so.
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).join(' ') !== members || JSON.stringify(value) !== text) throw noReceipt();
  return { ...value };
}

function hash(bytes: Uint8Array | null): Uint8Array {
  if (bytes?.length !== 32) throw noReceipt();
  return bytes;
}

const hashOfBase64 = (text: string) => hash(exactBase64(text));

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw noReceipt();
  return value;
}

/** Whether a file looks like one. */
export const isReceipt = (text: string) => text.startsWith(`${HEADER}\n`);

/** Reads a receipt; throws when it has another form. */
export function readReceipt(text: string): Receipt {
  const gap = text.indexOf('\n\n');
  if (text.length > MAX_LENGTH || gap < 0) throw noReceipt();
  const checkpoint = text.slice(gap + 2);
  const [header, extraLine = '', indexLine = '', ...path] = text.slice(0, gap).split('\n');
  const index = /^index (0|[1-9]\d*)$/.exec(indexLine)?.[1];
  if (header !== HEADER || !extraLine.startsWith('extra ') || index === undefined) throw noReceipt();
  const extra = object(new TextDecoder().decode(exactBase64(extraLine.slice('extra '.length))), 'entry row index path');
  const { entry, row, index: rowIndex, path: rowPath } = extra;
  if (!isText(entry) || !isText(row) || !Array.isArray(rowPath) || !rowPath.every(isText)) throw noReceipt();
  return {
    origin: readNote(checkpoint).text.split('\n')[0] ?? '',
    entry,
    row,
    rowIndex: count(rowIndex),
    rowPath: rowPath.map(hashOfBase64),
    index: count(Number(index)),
    path: path.map(hashOfBase64),
    checkpoint,
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/**
 * Checks all of it: the row is in the entry, the entry in the log, and one of these keys has signed that. The keys are the reader's own
 * (`trustedKeys`, or what was typed in); what a receipt says of keys is worth nothing.
 */
export async function checkReceipt(receipt: Receipt, keys: Trusted[]): Promise<ShownRow> {
  const checkpoint = await verifiedCheckpoint(receipt.checkpoint, keys);
  const inLog = await leafHash(utf8(receipt.entry));
  if (!(await isIncluded(inLog, receipt.index, receipt.path, checkpoint.size, checkpoint.root))) {
    throw new LogError('not-included', 'Its entry is not in the log of its checkpoint.');
  }
  const { kind, height, block, time: at, rows, root } = object(receipt.entry, 'kind height block time rows root');
  if (kind !== 'board' || !isText(block) || !isText(at)) throw noReceipt();
  const inRows = await leafHash(utf8(receipt.row));
  if (!(await isIncluded(inRows, receipt.rowIndex, receipt.rowPath, count(rows), hash(isText(root) ? fromHex(root) : null)))) {
    throw new LogError('not-included', 'Its row is not in its entry.');
  }
  const row = object(receipt.row, 'id provider name named shown_as sats tier published_sats last_verified salt');
  const { id, provider, name: username, named, shown_as: shown } = row;
  if (!isText(id) || !isText(provider) || !isText(username)) throw noReceipt();
  return { origin: checkpoint.origin, height: count(height), block, at, row: { id, provider, username, named: named !== false, holdings_sats: satsOf(row), shown_as: shown === 'range' ? 'range' : 'exact' } };
}

/** The total in sats; of a range where its tier begins, the lowest with the least that can be proven. */
function satsOf({ sats, tier }: Record<string, unknown>): number | null {
  if (tier === null || tier === undefined) return sats === null || sats === undefined ? null : count(sats);
  const known = HOLDER_TIERS.find((name) => name === tier);
  if (!known) throw noReceipt();
  return Math.max(1, Math.round(tierBounds(known).from * 100_000_000));
}

/** Receipts: "at block N this board showed this row" (C2SP tlog-proof). Checked offline, with keys that the reader has. */
import { HOLDER_TIERS, tierBounds } from '../holder-tier';
import { amountWords } from '../shown';
import { keysAsJson, type Trusted } from './checkpoints';
import { checked } from './checks';

const HEADER = 'c2sp.org/tlog-proof@v1';

/** What a receipt has shown. */
export interface ShownRow {
  origin: string;
  height: number;
  block: string;
  at: string;
  /** The row as it was shown. */
  row: { id: string; provider: string; username: string; named: boolean; holdings_sats: number | null; shown_as: 'range' | 'exact' };
}

/** The entry of a right receipt. */
interface Entry {
  height: number;
  block: string;
  time: string;
}

/** The row of a right receipt, as the log has it. */
interface Row {
  id: string;
  provider: string;
  name: string;
  named: boolean;
  shown_as: 'range' | 'exact';
  sats: number | null;
  tier: string | null;
}

/** The holdings of a row as the board showed them, in BTC; null when it had none. */
export function holdingsOf({ holdings_sats: sats, shown_as }: ShownRow['row']): string | null {
  return sats === null ? null : `${amountWords({ bitcoin_holdings: sats / 100_000_000, shown_as })} BTC`;
}

/** Whether a file looks like one. */
export const isReceipt = (text: string) => text.startsWith(`${HEADER}\n`);

/** The checkpoint in a receipt, of which nothing has been checked. */
export const checkpointOf = async (receipt: string): Promise<string> => checked((log) => log.checkpointOfReceipt(receipt));

/**
 * Checks all of it: the row is in the entry, the entry in the log, and one of these keys has signed that. The keys are the reader's own
 * (`trustedKeys`, or what was typed in); what a receipt says of keys is worth nothing.
 */
export async function checkReceipt(receipt: string, keys: Trusted[]): Promise<ShownRow> {
  const [origin = '', ...json] = (await checked((log) => log.checkReceipt(receipt, keysAsJson(keys)))).split('\n');
  const [entry, row] = json.map((text): unknown => JSON.parse(text)) as [Entry, Row];
  const { id, provider, name: username, named, shown_as } = row;
  return { origin, height: entry.height, block: entry.block, at: entry.time, row: { id, provider, username, named, holdings_sats: satsOf(row), shown_as } };
}

/** The total in sats; of a range where its tier begins, the lowest with the least that can be proven. */
function satsOf({ sats, tier }: Row): number | null {
  const known = HOLDER_TIERS.find((name) => name === tier);
  return known ? Math.max(1, Math.round(tierBounds(known).from * 100_000_000)) : sats;
}

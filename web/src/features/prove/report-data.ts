/** The texts of the report. */
import { testCoinsNote } from '../../lib/chains';
import { formatCount, formatDate, formatDateTime, formatSats, formatUsd, plural } from '../../lib/format';
import { OLD_AFTER_BLOCKS } from '../verify/judge-reader';
import { theirs, told, type Told } from '../verify/told';
import type { CoinCheck } from '../verify/use-coins';
import type { Asked } from './asked';

export const WARNING = 'This paper proves nothing: open the file at a checker you chose yourself.';

/** How long the blocks take after which a proof is old: two difficulty periods. */
export const OLD_AFTER_SECONDS = 28 * 24 * 60 * 60;

/** This many coins are listed, to stay within three pages. The file has all. */
export const LISTED = 40;

export interface ReportCoin {
  address: string | null;
  txid: string;
  vout: number;
  sats: bigint;
}

export interface Price {
  usd: number;
  source: string;
  at: Date;
}

export interface ReportGiven {
  asked: Asked;
  coins: ReportCoin[];
  /** The newest check; null when nobody asked. */
  check: CoinCheck | null;
  price: Price | null;
  file: { name: string; bytes: number; sha256: string };
  prepared: Date;
}

const utc = (date: Date) => `${formatDateTime(date, 'UTC')} UTC`;
const day = (seconds: number) => formatDate(new Date(seconds * 1000), 'UTC');

/** The report as texts. */
export function reportOf({ asked, coins, check, price, file, prepared }: ReportGiven) {
  const total = coins.reduce((sum, { sats }) => sum + sats, 0n);
  const listed = coins.toSorted((a, b) => Number(b.sats - a.sats)).slice(0, LISTED);
  return {
    prepared: day(prepared.getTime() / 1000),
    words: asked.words,
    name: told`says they are “${theirs(asked.name)}”`,
    total: `${formatSats(total)} BTC`,
    testCoins: testCoinsNote(asked.block.network),
    coins: `${plural(coins.length, 'coin')}, all signed for`,
    state: stateOf(check),
    dollars: price && `${formatUsd(Number(total) / 1e8 * price.usd)} at ${formatUsd(price.usd)} per BTC`,
    priceSource: price && `${price.source}, ${utc(price.at)}`,
    rows: listed,
    more: coins.length > listed.length ? `And ${plural(coins.length - listed.length, 'smaller coin')}. The file lists all ${formatCount(coins.length)}.` : null,
    signed: signedOf(asked, check),
    checked: check ? `${utc(check.at)}, at block ${formatCount(check.height)}, by ${check.host}` : 'Not checked: no block explorer was asked. The total is what the file states.',
    line: asked.statement,
    file: `${file.name}, ${(file.bytes / 1000).toFixed(1)} kB`,
    fileName: file.name,
    sha256: file.sha256,
  };
}

function stateOf(check: CoinCheck | null): string {
  if (!check) return 'stated, not checked with the chain';
  const { unspent, of, height, host } = check;
  return `${unspent === of ? '' : `${formatCount(unspent)} of ${formatCount(of)} `}unspent at block ${formatCount(height)}, says ${host}`;
}

/** When it was signed. A block that nobody has seen in the chain dates nothing. */
function signedOf({ block }: Asked, check: CoinCheck | null): Told {
  if (block.height === 0) return told`Not dated.`;
  if (check && !check.dated) return told`Not dated: ${check.host} does not have the block that the line names.`;
  const old = `Old after block ${formatCount(block.height + OLD_AFTER_BLOCKS)}, about ${day(block.time + OLD_AFTER_SECONDS)}.`;
  const unchecked = block.source === null && !check ? ' The block was pasted and not checked.' : '';
  return told`after block ${formatCount(block.height)} (${day(block.time)}).${unchecked} ${old}`;
}

/** What no proof shows; a paragraph of every report. */
export const LIMITS =
  'That nobody else has these keys, that there are no debts, or that the coins will be there tomorrow. The same coins may be shown to others. You learn these addresses and can watch them; so can the explorer that is asked.';

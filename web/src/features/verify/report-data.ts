/** The texts of the report: the same for a holder who sends files and for a reader who has checked them. */
import { testCoinsNote } from '../../lib/chains';
import { formatCount, formatDate, formatSats, formatUsd, plural } from '../../lib/format';
import { utcTime } from '../../lib/instant';
import type { BlockTimes, SpendingConditions } from '../../psbt';
import { AT_DATE, blockText, countsAtDate, dateText, signedAtDate } from './at-date';
import { conditionText, signedKeys } from './conditions';
import type { AtDate, StepState } from './judge';
import { OLD_AFTER_BLOCKS } from './judge-reader';
import { theirs, told, type Told } from './told';
import type { CoinCheck } from './use-coins';

export const WARNING = 'This paper proves nothing: open the file at a checker you chose yourself.';

/** How long the blocks take after which a proof is old: two difficulty periods. */
export const OLD_AFTER_SECONDS = 28 * 24 * 60 * 60;

/** This many coins are listed. The files have all. */
export const LISTED = 100;

export interface ReportCoin {
  address: string | null;
  txid: string;
  vout: number;
  sats: bigint;
  conditions: SpendingConditions | null;
}

export interface ReportFile {
  name: string;
  bytes: number;
  sha256: string;
  /** How the holder calls themselves. */
  holder: string;
  line: string;
  /** The block to which the line commits; `isDated`: whether the source has it, null when nobody asked. */
  block: { height: number; time: number; isDated: boolean | null };
  coins: ReportCoin[];
  /** Whether the holder pasted the block, so that nobody has seen it in the chain. */
  pasted?: boolean;
  /** What stood at the date; null without one. */
  at: AtDate | null;
  state: StepState;
}

export interface Price {
  usd: number;
  source: string;
  at: Date;
}

export interface ReportGiven {
  by: 'holder' | 'reader';
  request: string;
  /** Whether the reader's own words were compared with those in the files. */
  compared: boolean;
  network: string;
  files: ReportFile[];
  /** The result of the check, as the page shows it. */
  result: Told;
  state: StepState;
  /** The amount over all; null where there is none. */
  total: bigint | null;
  /** The amount of each name; empty where there is none. */
  sums: { name: string; coins: number; sats: bigint }[];
  /** The newest check; null when nobody asked. */
  check: CoinCheck | null;
  price: Price | null;
  prepared: Date;
}

const utc = (date: Date) => utcTime(Math.floor(date.getTime() / 1000));
const day = (seconds: number) => formatDate(new Date(seconds * 1000), 'UTC');

/** The report as texts. */
export function reportOf(given: ReportGiven) {
  const { by, request, compared, network, files, result, state, total, sums, check, price, prepared } = given;
  const coins = files.flatMap((file, of) => file.coins.map((coin, at) => ({ ...coin, file: of, word: wordFor(file.at, at) })));
  const listed = coins.toSorted((a, b) => a.file - b.file || Number(b.sats - a.sats)).slice(0, LISTED);
  const [date = null] = files.map(({ at }) => at);
  return {
    made: by === 'holder' ? 'by the holder' : 'by the reader, from the holder’s files,',
    prepared: utc(prepared),
    request,
    asked: by === 'holder' || !compared ? 'Did you give the holder exactly this request? If not, this proof is not for you.' : 'The same as the request you gave.',
    names: [...new Set(files.map(({ holder }) => holder))].map((name) => told`says they are “${theirs(name)}”`),
    result,
    label: state === 'right' ? 'At least' : 'Stated',
    total: total === null ? null : `${formatSats(total)} BTC`,
    sums: sums.length > 1 ? sums.map(({ name, coins: count, sats }) => told`“${theirs(name)}”: at least ${formatSats(sats)} BTC in ${plural(count, 'coin')}`) : [],
    testCoins: testCoinsNote(network),
    coins: `${plural(coins.length, 'coin')}${files.every((file) => file.state !== 'false') ? ', all signed for' : ''}`,
    state: date && check ? `at ${dateText(date)}` : stateOf(check),
    dollars: price && total !== null && `${formatUsd(Number(total) / 1e8 * price.usd)} at ${formatUsd(price.usd)} per BTC`,
    priceSource: price && `${price.source}, ${utc(price.at)}`,
    rows: listed.map(({ conditions, word, ...coin }) => ({ ...coin, word, conditions: conditionText(conditions) })),
    more: coins.length > listed.length ? `And ${plural(coins.length - listed.length, 'other coin')}. The ${files.length === 1 ? 'file lists' : 'files list'} all ${formatCount(coins.length)}.` : null,
    date: date && datePart(date, files),
    checked: check ? `${utc(check.at)}, at block ${formatCount(check.height)}, by ${check.host}` : 'Not checked: no block explorer was asked. The total is what the file states.',
    existence: existenceOf(check, date),
    files: files.map((file) => ({
      name: file.name,
      size: `${file.name}, ${(file.bytes / 1000).toFixed(1)} kB`,
      holder: told`says they are “${theirs(file.holder)}”`,
      signed: signedOf(file, check),
      keys: signedKeys(file.coins.map(({ conditions }) => conditions)),
      line: file.line,
      sha256: file.sha256,
    })),
    command: commandOf('npx psbt-wasm verify', given, date, '--esplora URL'),
    ownNode: commandOf('reserves-audit proof', given, date, '--chain bitcoind:URL'),
  };
}

/** What is known of one coin at the date. */
const wordFor = (at: AtDate | null, coin: number) => AT_DATE[at?.verdict.coins[coin] ?? 'unknown'].word;

function stateOf(check: CoinCheck | null): string {
  if (!check) return 'stated, not checked with the chain';
  const { unspent, of, height, host } = check;
  return `${unspent === of ? '' : `${formatCount(unspent)} of ${formatCount(of)} `}unspent at block ${formatCount(height)}, says ${host}`;
}

function existenceOf(check: CoinCheck | null, date: AtDate | null): string {
  if (!check) return 'Not shown yet: no block explorer was asked.';
  if (!date) return `The coins are in the chain: ${stateOf(check)}.`;
  const { lower, upper } = date.bounds;
  if (!lower || !upper) return 'Not shown: the chain began later.';
  return `The coins of the sum were in the chain at the date: received in blocks up to ${formatCount(lower.height)}, and spent in no block up to ${formatCount(upper.height)}.`;
}

/** The blocks of the date, and what the sum leaves out. */
function datePart(date: AtDate, files: ReportFile[]) {
  const { lower, upper } = date.bounds;
  const all = files.flatMap(({ at }) => at?.verdict.coins ?? []);
  const since = files.reduce((sum, { at }) => sum + (at?.verdict.sinceSats ?? 0n), 0n);
  const left = countsAtDate(all).filter(([kind]) => kind !== 'stood');
  return {
    text: dateText(date),
    lower: blockPart(lower),
    upper: blockPart(upper),
    since: since > 0n ? `${formatSats(since)} BTC stood and were spent since; the signature may be later. Not in the sum.` : null,
    left: left.length > 0 ? left.map(([kind, count]) => `${plural(count, 'coin')}: ${AT_DATE[kind].word.toLowerCase()}`).join('. ') : null,
  };
}

const blockPart = (block: BlockTimes | null) => block && { text: blockText(block), hash: block.hash };

/** When it was signed. A block that nobody has seen in the chain dates nothing. */
function signedOf({ block, at, pasted }: ReportFile, check: CoinCheck | null): Told {
  if (block.height === 0) return told`Not dated.`;
  if (check && block.isDated === false) return told`Not dated: ${check.host} does not have the block that the line names.`;
  if (at && check) return signedAtDate(at, `block ${formatCount(block.height)} (${day(block.time)})`, check.host).found;
  const old = `Old after block ${formatCount(block.height + OLD_AFTER_BLOCKS)}, about ${day(block.time + OLD_AFTER_SECONDS)}.`;
  const unchecked = pasted && !check ? ' The block was pasted and not checked.' : '';
  return told`after block ${formatCount(block.height)} (${day(block.time)}).${unchecked} ${old}`;
}

/** A command that checks the same again. The reader names the source. */
function commandOf(program: string, { files, request }: ReportGiven, date: AtDate | null, source: string): string {
  const at = date ? ` --at ${date.text}` : '';
  return `${program} ${files.map(({ name }) => quoted(name)).join(' ')} --request ${quoted(request)}${at} ${source}`;
}

/** A word of a shell command. */
const quoted = (text: string) => (/^[\w.,/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** What no proof shows; a paragraph of every report. */
export const LIMITS =
  'Completeness: the holder may have other coins. Debts: the coins may be borrowed or pledged. Sole control: others may have these keys. Signatures are by keys, not by people or devices. The same coins may be shown to others. You learn these addresses and can watch them; so can the explorer that is asked.';

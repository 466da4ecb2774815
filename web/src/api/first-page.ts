import type { BoardEntry } from './board-entry';
import { member } from './client';
import type { AppConfig, BoardSummary } from './types';

/** What the server has written into the page: the first rows of the whole leaderboard, and what stands around them. */
export interface FirstPage {
  rows: BoardEntry[];
  summary: BoardSummary;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  /** Whether that price is made up. */
  stand_in: boolean;
  /** The day in UTC, counted from the first of 1970. */
  today: number;
  year: number;
}

/** What the server has written into a page of prose. */
export interface ProseData extends Pick<AppConfig, 'network' | 'legal'> {
  year: number;
}

let page: FirstPage | null | undefined;
let prose: ProseData | null | undefined;

/** The data of the page that the server has sent; null when it is none with rows. */
export function firstPage(): FirstPage | null {
  if (page === undefined) page = read('first-page', isFirstPage);
  return page;
}

/** The data of the page of prose that the server has sent; null when it is none. */
export function proseData(): ProseData | null {
  if (prose === undefined) prose = read('prose', isProse);
  return prose;
}

/** Says what the page holds, for whoever draws one outside of a browser. */
export function setFirstPage(drawn: FirstPage | null, drawnProse: ProseData | null = null): void {
  page = drawn;
  prose = drawnProse;
}

function read<Data>(id: string, isData: (data: unknown) => data is Data): Data | null {
  const text = globalThis.document?.getElementById(id)?.textContent;
  if (!text) return null;
  const data: unknown = JSON.parse(text);
  return isData(data) ? data : null;
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);

const ENTRY: Record<keyof BoardEntry, (value: unknown) => boolean> = {
  id: isText,
  username: isText,
  avatar_url: orNull(isText),
  verified: (value) => typeof value === 'boolean',
  bitcoin_holdings: orNull(isNumber),
  shown_as: isText,
  rank: orNull(isNumber),
  last_verified: orNull(isText),
  provider: isText,
  named: (value) => typeof value === 'boolean',
  published_sats: orNull(isNumber),
};

function isFirstPage(data: unknown): data is FirstPage {
  const rows = member(data, 'rows');
  const summary = member(data, 'summary');
  return (
    Array.isArray(rows) &&
    rows.every((row) => Object.entries(ENTRY).every(([name, is]) => is(member(row, name)))) &&
    ['people', 'holders', 'bitcoin'].every((name) => isNumber(member(summary, name))) &&
    Array.isArray(member(summary, 'tiers')) &&
    orNull(isNumber)(member(data, 'price')) &&
    isNumber(member(data, 'today')) &&
    isNumber(member(data, 'year'))
  );
}

const LEGAL = ['company', 'postal_address', 'country', 'privacy_email', 'contact_email', 'updated'];

function isProse(data: unknown): data is ProseData {
  const legal = member(data, 'legal');
  return isNumber(member(data, 'year')) && isText(member(data, 'network')) && LEGAL.every((name) => isText(member(legal, name)));
}

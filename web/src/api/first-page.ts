import type { BoardEntry } from './board';
import { member } from './client';

/** What the server has written into the page: the first rows of the whole leaderboard, and what stands around them. */
export interface FirstPage {
  rows: BoardEntry[];
  /** How many rows there are in all. */
  total: number;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  year: number;
}

let page: FirstPage | null | undefined;

/** The data of the page that the server has sent; null when it is none with rows. */
export function firstPage(): FirstPage | null {
  if (page === undefined) page = read(globalThis.document?.getElementById('first-page')?.textContent);
  return page;
}

/** Says what the page holds, for whoever draws one outside of a browser. */
export function setFirstPage(drawn: FirstPage | null): void {
  page = drawn;
}

function read(text: string | null | undefined): FirstPage | null {
  if (!text) return null;
  const data: unknown = JSON.parse(text);
  return isFirstPage(data) ? data : null;
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
  rank: orNull(isNumber),
  provider: isText,
};

function isFirstPage(data: unknown): data is FirstPage {
  const rows = member(data, 'rows');
  return (
    Array.isArray(rows) &&
    rows.every((row) => Object.entries(ENTRY).every(([name, is]) => is(member(row, name)))) &&
    isNumber(member(data, 'total')) &&
    orNull(isNumber)(member(data, 'price')) &&
    isNumber(member(data, 'year'))
  );
}

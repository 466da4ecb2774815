import type { BoardEntry } from './board-entry';
import type { AppConfig, BoardSummary } from './types';

/** What the server has put into the leaderboard: the first rows and the summary as the API answers them. */
export interface FirstPage {
  /** The number of the board's newest change in it. */
  number: number;
  rows: BoardEntry[];
  summary: BoardSummary;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  /** Whether that price is made up. */
  stand_in: boolean;
}

/** The data of the page that the server has sent; undefined when it came without rows. */
export const firstPage = once<FirstPage>('first-page');

/** The settings of a page of prose; undefined on other pages. */
export const siteOfPage = once<Pick<AppConfig, 'network' | 'legal'>>('site');

/** Reads a JSON block of the page, which the server has written with the types of its API. */
function once<Data>(id: string): () => Data | undefined {
  let data: Data | undefined;
  return () => {
    const text = data ? null : globalThis.document?.getElementById(id)?.textContent;
    if (text) data = JSON.parse(text) as Data;
    return data;
  };
}

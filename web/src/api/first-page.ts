import type { BoardEntry } from './board-entry';
import type { AppConfig, BoardSummary } from './types';

/** The JSON block of the leaderboard page: the first rows and the summary, as the API returns them. */
export interface FirstPage {
  /** Its board number. */
  number: number;
  rows: BoardEntry[];
  summary: BoardSummary;
  /** Dollars per BTC; null while unknown. */
  price: number | null;
  /** Whether the price is a stand-in. */
  stand_in: boolean;
}

/** The page's block; undefined on other pages. */
export const firstPage = once<FirstPage>('first-page');

/** The settings of a page of prose; undefined on other pages. */
export const siteOfPage = once<Pick<AppConfig, 'legal'>>('site');

/** Reads a JSON block of the page once. */
function once<Data>(id: string): () => Data | undefined {
  let data: Data | undefined;
  return () => {
    const text = data ? null : globalThis.document?.getElementById(id)?.textContent;
    if (text) data = JSON.parse(text) as Data;
    return data;
  };
}

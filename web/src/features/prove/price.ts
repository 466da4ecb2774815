import { jsonFrom, SourceError } from '../../api/elsewhere';
import type { Price } from './report-data';

/** A public source that lets any page read its price. */
export const PRICE_SOURCE = 'https://mempool.space/api/v1/prices';

/** The price of one bitcoin in dollars, as the source says it. */
export async function newestPrice(signal?: AbortSignal): Promise<Price> {
  const answer = await jsonFrom(PRICE_SOURCE, signal);
  const { USD: usd, time } = (answer ?? {}) as { USD?: unknown; time?: unknown };
  const source = new URL(PRICE_SOURCE).host;
  if (typeof usd !== 'number' || !(usd > 0) || typeof time !== 'number') throw new SourceError('unreadable', `${source} sent no valid price.`);
  return { usd, source, at: new Date(time * 1000) };
}

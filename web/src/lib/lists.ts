/** The words for `{name}` in texts, from the lists that the server has too. */
import { PROOF_DAYS } from './expiry';
import { HOLDER_TIERS } from './holder-tier';

export const WORDS: Record<string, string> = {
  proof_days: String(PROOF_DAYS),
  smallest_tier: HOLDER_TIERS[0] ?? '',
  largest_tier: HOLDER_TIERS.at(-1) ?? '',
};

/** A text with its words filled in; what is not known is `…`. */
export const filled = (text: string, values: Record<string, string> = WORDS) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '…');

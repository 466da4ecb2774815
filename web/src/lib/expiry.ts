import PROOF_DAYS from '../../../server/board-log/lists/proof-days.json';

/** Days for which a proof counts. */
export { PROOF_DAYS };

const DAY_MS = 86_400_000;

/** Red at 5 days or fewer, yellow at 15 or fewer, otherwise green. */
export type ExpiryTone = 'danger' | 'warning' | 'positive';

export interface Expiry {
  text: string;
  tone: ExpiryTone;
  expired: boolean;
}

/** The moment a proof made at `iso` ends. */
export function expiryOf(iso: string): Date {
  return new Date(new Date(iso).getTime() + PROOF_DAYS * DAY_MS);
}

/** Time left until a proof ends: 'Expires in {n}d' or 'Expired {n}d ago'. */
export function describeExpiry(end: Date, now: Date): Expiry {
  const left = end.getTime() - now.getTime();
  if (left <= 0) {
    return { text: `Expired ${Math.floor(-left / DAY_MS)}d ago`, tone: 'danger', expired: true };
  }
  const days = Math.ceil(left / DAY_MS);
  const tone = days <= 5 ? 'danger' : days <= 15 ? 'warning' : 'positive';
  return { text: `Expires in ${days}d`, tone, expired: false };
}

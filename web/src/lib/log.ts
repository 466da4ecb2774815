/** Errors and warnings for the server's log sink: rate-limited, without repeats, nothing private. */

export interface LogEntry {
  level: 'error' | 'warn';
  message: string;
  context?: string;
}

const MAX_PER_MINUTE = 10;
const MAX_LENGTH = 500;

/** Wraps a sender so that it sends at most ten different entries a minute; screen-shader's errors are dropped. */
export function createReporter(send: (entry: LogEntry) => void, now: () => number = Date.now) {
  let windowStart = -Infinity;
  let seen = new Set<string>();
  return (entry: LogEntry, source = '') => {
    if (`${source} ${entry.message}`.includes('screen-shader')) return;
    if (now() - windowStart >= 60_000) {
      windowStart = now();
      seen = new Set();
    }
    const message = redact(entry.message).slice(0, MAX_LENGTH);
    if (seen.has(message) || seen.size >= MAX_PER_MINUTE) return;
    seen.add(message);
    send({ ...entry, message });
  };
}

/** Patterns of possibly private text, with their replacements. */
const PRIVATE: [RegExp, string][] = [
  // The query and fragment of an address: searches, codes, tokens.
  [/([a-z][a-z\d+.-]*:\/\/[^\s?#'")]*|\/[^\s?#'")]*)[?#][^\s'")]*/gi, '$1'],
  // A file name may name its owner; in quotation marks it may have spaces.
  [/(["'`])[^"'`]*\.(?:psbt|txn)\1/gi, '[file]'],
  [/[^\s/\\'"`()]+\.(?:psbt|txn)\b/gi, '[file]'],
  [/[^\s@<>'"]+@[^\s@<>'"]+\.[^\s@<>'"]+/g, '[email]'],
  // Long runs of letters and digits may be txids, addresses, keys or tokens.
  [/[A-Za-z0-9+/_-]{24,}={0,2}/g, '[redacted]'],
];

/** A message without possibly private text, which never leaves the browser in a log. */
export function redact(message: string): string {
  return PRIVATE.reduce((text, [pattern, mark]) => text.replace(pattern, mark), message);
}

import { useEffect, useState } from 'react';
import { jsonFrom, SourceError } from '../../api/elsewhere';
import { formatDate, formatSats } from '../../lib/format';
import { displayName } from '../../lib/names';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { sentenceOf } from './sentence';

interface Row {
  id: string;
  username: string;
  provider: string;
  named: boolean;
  amount_sats: number;
  published_at: string;
}

/** The published proofs of one person, by page. */
export function PublishedList({ profile }: { profile: string }) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  /** From where on to ask; another object asks again. */
  const [from, setFrom] = useState({ after: '' });

  useEffect(() => {
    const stop = new AbortController();
    const after = from.after && `&after=${encodeURIComponent(from.after)}`;
    jsonFrom(`/api/functions/v1/proofs?limit=100&profile_id=${encodeURIComponent(profile)}${after}`, stop.signal)
      .then((value) => {
        const found = pageIn(value);
        setRows((before) => [...(before ?? []), ...found.proofs]);
        setNext(found.next);
        setFailure(null);
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFailure(sentenceOf(error, 'The list could not be loaded. Please try again.'));
      });
    return () => stop.abort();
  }, [profile, from]);

  return (
    <Card title={rows?.[0] ? <Title name={displayName(rows[0])} /> : 'Published proofs'}>
      {rows === null && !failure && <p role="status">Loading...</p>}
      {rows?.length === 0 && <p>This person has published no proof, or has withdrawn all. What the board shows of them, only the board has checked.</p>}
      {rows && rows.length > 0 && (
        <ol className="divide-y divide-line">
          {rows.map(({ id, amount_sats: sats, published_at: at }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-3 text-sm">
              <a href={`/verify/${id}`} className="num font-semibold text-accent-ink underline underline-offset-3">
                {formatSats(sats)} BTC
              </a>
              <span className="text-muted">
                published <time dateTime={at}>{formatDate(at)}</time>
              </span>
            </li>
          ))}
        </ol>
      )}
      {failure && (
        <Notice tone="danger" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      {(failure || (rows && next)) && (
        <Button look="secondary" className="mt-3" onClick={() => setFrom(failure ? { ...from } : { after: next ?? '' })}>
          {failure ? 'Try Again' : 'Show more'}
        </Button>
      )}
    </Card>
  );
}

function Title({ name }: { name: string }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      Published proofs of <bdi>{name}</bdi>
    </span>
  );
}

function isRow(value: unknown): value is Row {
  const { id, username, provider, named, amount_sats: sats, published_at: at } = (value ?? {}) as Record<string, unknown>;
  const isPerson = typeof username === 'string' && typeof provider === 'string' && typeof named === 'boolean';
  return typeof id === 'string' && isPerson && Number.isSafeInteger(sats) && !Number.isNaN(Date.parse(String(at)));
}

function pageIn(value: unknown): { proofs: Row[]; next: string | null } {
  const { proofs, next } = (value ?? {}) as { proofs?: Row[]; next?: string | null };
  if (!Array.isArray(proofs) || !proofs.every(isRow)) throw new SourceError('unreadable', 'The board’s response is not a list of proofs.');
  return { proofs, next: next ?? null };
}

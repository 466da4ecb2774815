import { useInfiniteQuery } from '@tanstack/react-query';
import { jsonFrom, SourceError } from '../../api/elsewhere';
import { formatDate, formatSats } from '../../lib/format';
import { displayName } from '../../lib/names';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Failure } from '../../ui/failure';
import { DocumentLink } from '../../ui/text-link';
import { isId } from './proof';

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
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['published', profile],
    queryFn: ({ pageParam, signal }) => fetchPage(profile, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const rows = data?.pages.flatMap(({ proofs }) => proofs) ?? [];
  return (
    <Card title={rows[0] ? <Title name={displayName(rows[0])} /> : 'Published proofs'}>
      {isPending && <p role="status">Loading...</p>}
      {data && rows.length === 0 && <p>This person has no published proofs, so only the board has checked what it shows.</p>}
      {rows.length > 0 && (
        <ol className="divide-y divide-line">
          {rows.map(({ id, amount_sats: sats, published_at: at }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-3 text-sm first:pt-0 last:pb-0">
              <DocumentLink to={`/verify/${id}`}>{`${formatSats(sats)} BTC`}</DocumentLink>
              <span className="text-muted">
                published <time dateTime={at}>{formatDate(at)}</time>
              </span>
            </li>
          ))}
        </ol>
      )}
      <Failure error={error} fallback="The list could not be loaded. Please try again." />
      {(hasNextPage || (error && isId(profile))) && (
        <Button look="secondary" className="mt-3" onClick={() => void fetchNextPage()}>
          {error ? 'Try Again' : 'Show more'}
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

async function fetchPage(profile: string, after: string, signal: AbortSignal): Promise<{ proofs: Row[]; next: string | null }> {
  if (!isId(profile)) throw new SourceError('not-found', 'This is not a link to a person’s proofs. Ask the holder for a new link.');
  const from = after && `&after=${encodeURIComponent(after)}`;
  const value = await jsonFrom(`/api/functions/v1/proofs?limit=100&profile_id=${encodeURIComponent(profile)}${from}`, signal);
  const { proofs, next } = (value ?? {}) as { proofs?: Row[]; next?: string | null };
  if (!Array.isArray(proofs) || !proofs.every(isRow)) throw new SourceError('unreadable', 'The board’s response is not a list of proofs.');
  return { proofs, next: next ?? null };
}

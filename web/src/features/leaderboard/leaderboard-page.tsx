import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/client';
import { useLiveProfiles } from '../../api/live';
import { bitcoinPriceQuery, boardQuery, userCountQuery } from '../../api/queries';
import { formatCount, formatUsd } from '../../lib/format';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { useSession } from '../session/context';
import { BoardTable } from './board-table';
import { BoardEmpty, BoardError, BoardLoading } from './states';
import { Toolbar } from './toolbar';
import { useBoardSearch } from './use-board-search';

/** The public leaderboard: searched and paged by the server, refetched on every change. */
export default function LeaderboardPage() {
  const { currentUser } = useSession();
  const search = useBoardSearch();
  const filtered = search.q !== '' || search.verified;
  const board = useInfiniteQuery(boardQuery({ search: search.q, verifiedOnly: search.verified }));
  const everybody = useQuery({ ...userCountQuery(), enabled: filtered });
  const price = useQuery(bitcoinPriceQuery()).data ?? null;
  useLiveProfiles();

  const entries = board.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = filtered ? everybody.data : board.data?.pages[0]?.total;

  return (
    <Page
      title="Bitcoin Leaderboard"
      intro="Holders ranked by what they can prove: every amount here is backed by signatures over unspent coins."
      aside={price !== null && <Price usd={price} />}
    >
      <Toolbar
        typed={search.typed}
        onType={search.type}
        verifiedOnly={search.verified}
        onVerifiedOnly={search.setVerified}
      />
      <div className="overflow-hidden rounded-card border border-line bg-surface shadow-card" aria-busy={board.isFetching}>
        {board.isPending ? (
          <BoardLoading />
        ) : !board.data ? (
          <BoardError message={messageOf(board.error, 'Failed to fetch users')} onRetry={() => void board.refetch()} />
        ) : entries.length === 0 ? (
          <BoardEmpty />
        ) : (
          <BoardTable
            entries={entries}
            price={price}
            currentUserId={currentUser?.id ?? null}
            target={search.u}
            stale={board.isPlaceholderData}
          />
        )}
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <p role="status" className="num text-sm text-muted">
          {board.data && total !== undefined && (
            <>
              Showing {formatCount(entries.length)} of {formatCount(total)} users
            </>
          )}
        </p>
        {board.hasNextPage && (
          <Button look="secondary" disabled={board.isFetchingNextPage} onClick={() => void board.fetchNextPage()}>
            {board.isFetchingNextPage ? 'Loading more...' : 'Load more'}
          </Button>
        )}
      </div>
    </Page>
  );
}

/** Only where it cannot push the list down when it arrives. */
function Price({ usd }: { usd: number }) {
  return (
    <dl className="num hidden rounded-xl border border-line bg-surface px-4 py-2 text-sm shadow-card sm:block">
      <dt className="text-xs font-medium text-muted">Bitcoin price</dt>
      <dd className="text-base font-semibold">{formatUsd(usd)}</dd>
    </dl>
  );
}

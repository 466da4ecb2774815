import { useRef, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { boardPlaceQuery, boardQuery, userCountQuery } from '../../api/board';
import { messageOf } from '../../api/client';
import { useLiveProfiles } from '../../api/live';
import { bitcoinPriceQuery, PROFILES_KEY } from '../../api/queries';
import { formatUsd } from '../../lib/format';
import { Page } from '../../ui/page';
import { OneOf, useWords } from '../../ui/places';
import { useSession } from '../session/context';
import { BoardTable } from './board-table';
import { LetterKeys, useLetterKeys } from './letter-keys';
import { BoardEmpty, BoardError, BoardLoading, PlaceNote, Shown } from './states';
import { Toolbar } from './toolbar';
import { useBoardSearch } from './use-board-search';

/** The public leaderboard: searched and paged by the server, refetched on every change. */
export default function LeaderboardPage() {
  const { currentUser } = useSession();
  const box = useRef<HTMLInputElement>(null);
  const search = useBoardSearch(box);
  const filtered = search.q !== '' || search.verified;
  const board = useQuery(boardQuery({ search: search.q, verifiedOnly: search.verified }));
  const everybody = useQuery({ ...userCountQuery(), enabled: filtered });
  const place = useQuery({ ...boardPlaceQuery(search.u), enabled: search.u !== '' });
  const price = useQuery(bitcoinPriceQuery()).data ?? null;
  const [letters, setLetters] = useLetterKeys();
  useLiveProfiles();

  // The page shows several answers, and another may be about to fail as the list just did: all begin again.
  const client = useQueryClient();
  const retry = async () => {
    await client.cancelQueries({ queryKey: PROFILES_KEY });
    await client.refetchQueries({ queryKey: PROFILES_KEY, type: 'active' });
  };
  const shown = board.data;
  const found = place.data ?? null;
  return (
    <Page
      title="Bitcoin Leaderboard"
      intro="Holders ranked by what they can prove: every amount here is backed by signatures over unspent coins."
      aside={
        <OneOf name="price" among={['known', 'unknown']} is={price === null ? 'unknown' : 'known'}>
          {(known) => known === 'known' && <Price usd={price} />}
        </OneOf>
      }
    >
      <Toolbar
        box={box}
        typed={search.typed}
        onType={search.type}
        verifiedOnly={search.verified}
        onVerifiedOnly={search.setVerified}
      />
      <Frame busy={board.isFetching}>
        {board.isPending ? (
          <BoardLoading />
        ) : !shown ? (
          <BoardError message={messageOf(board.error, 'Failed to fetch users')} onRetry={() => void retry()} />
        ) : (
          <OneOf name="board" among={['filled', 'empty']} is={shown.total === 0 ? 'empty' : 'filled'}>
            {(state) =>
              state === 'empty' ? (
                <BoardEmpty filtered={filtered} />
              ) : (
                <BoardTable
                  // Another search or filter is another list: it begins at its top.
                  key={JSON.stringify(shown.filter)}
                  filter={shown.filter}
                  total={shown.total}
                  price={price}
                  currentUserId={currentUser?.id ?? null}
                  place={filtered && found ? { ...found, index: null } : found}
                  stale={board.isPlaceholderData}
                  letters={letters}
                  onSearch={() => box.current?.focus()}
                />
              )
            }
          </OneOf>
        )}
      </Frame>
      <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-muted">
        <Shown shown={shown?.total} total={filtered ? everybody.data : shown?.total} />
        {search.u !== '' && <PlaceNote name={search.u} place={place.data} />}
        <LetterKeys on={letters} onChange={setLetters} />
      </div>
    </Page>
  );
}

/** Of one height whatever it holds, so that nothing on the page moves when the rows arrive. */
function Frame({ busy, children }: { busy: boolean; children: ReactNode }) {
  return (
    <div
      aria-busy={busy}
      className="h-[max(26rem,calc(100dvh-24rem))] overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      {children}
    </div>
  );
}

/** Only where it cannot push the list down when it arrives. */
function Price({ usd }: { usd: number | null }) {
  const { dollars } = useWords(() => ({ dollars: formatUsd(usd ?? 0) }));
  return (
    <dl className="num hidden rounded-xl border border-line bg-surface px-4 py-2 text-sm shadow-card sm:block">
      <dt className="text-xs font-medium text-muted">Bitcoin price</dt>
      <dd className="text-base font-semibold">{dollars}</dd>
    </dl>
  );
}

import { useDeferredValue, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { boardPlaceQuery, boardQuery, boardSummaryQuery, EVERYBODY, isEverybody, ownPlaceQuery, publishedProofQuery, type BoardEntry } from '../../api/board';
import { messageOf } from '../../lib/errors';
import { useLiveProfiles } from '../../api/live';
import { appConfigQuery, bitcoinPriceQuery, PROFILES_KEY } from '../../api/queries';
import { cx } from '../../lib/cx';
import { unknownAddress } from '../../lib/unknown-address';
import { ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { useSession } from '../session/context';
import { BoardFoot, useLetterKeys } from './board-foot';
import { BoardHead, Checked } from './board-head';
import { BoardTable } from './board-table';
import { thisDay } from './row-words';
import { BoardEmpty, BoardError, BoardLoading } from './states';
import { Toolbar } from './toolbar';
import { useBoardSearch } from './use-board-search';
import { later } from '../../ui/later';

/** For visitors. */
const PersonDialog = later(() => import('./person-dialog'));
/** Development only. */
const SampleData = later(() => import('./sample-data'));
/** For shared links. */
const PlaceNote = later(() => import('./place-note'));

/** The public leaderboard: searched and paged by the server, refetched on every change. */
export default function LeaderboardPage() {
  const { currentUser, isAuthenticated, isLoading } = useSession();
  const [opened, setOpened] = useState<BoardEntry | null>(null);
  const [unknown] = useState(unknownAddress);
  const box = useRef<HTMLInputElement>(null);
  const search = useBoardSearch(box);
  const filter = { search: search.q, verifiedOnly: search.verified, tier: search.tier };
  const board = useQuery(boardQuery(filter));
  // A press is answered before the rows of another filter are made.
  const shown = useDeferredValue(board.data);
  const filtered = !isEverybody(shown?.filter ?? filter);
  const summary = useQuery(boardSummaryQuery());
  // The charts show the whole board, whatever the filter.
  const first = useQuery({ ...boardQuery(EVERYBODY), enabled: isEverybody(filter) });
  const place = useQuery({ ...boardPlaceQuery(search.u), enabled: search.u !== '' });
  const own = useQuery({ ...ownPlaceQuery(currentUser?.id ?? ''), enabled: currentUser !== null });
  const price = useQuery(bitcoinPriceQuery()).data ?? null;
  const today = thisDay();
  const [letters, setLetters] = useLetterKeys();
  const live = useLiveProfiles();

  // Several requests may have failed together.
  const client = useQueryClient();
  const retry = async () => {
    await client.cancelQueries({ queryKey: PROFILES_KEY });
    await client.refetchQueries({ queryKey: PROFILES_KEY, type: 'active' });
  };
  // Those who never verified come last, and are folded into a button (decisions, D18).
  const [unfolded, setUnfolded] = useState(false);
  const ranked = summary.data?.holders ?? shown?.total ?? 0;
  const rows = shown ? (filtered || unfolded ? shown.total : Math.min(shown.total, ranked)) : 0;
  const development = useQuery(appConfigQuery()).data?.development ?? false;
  const found = place.data ?? null;
  const example = first.data?.rows.find(({ published_sats: sats }) => sats);
  const proof = useQuery({ ...publishedProofQuery(example?.id ?? ''), enabled: example !== undefined }).data ?? null;
  const failing = board.isError || summary.isError;
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-2.5 pb-8 sm:px-6">
      {unknown !== null && (
        <Notice tone="warning" role="alert" className="mb-2">
          <p>
            There’s no page at <span className="font-mono">{unknown}</span>. Here is the leaderboard.
          </p>
        </Notice>
      )}
      <BoardHead summary={summary.data} tier={search.tier} onTier={search.setTier}>
        <SeeProof id={proof} expected={example !== undefined} />
      </BoardHead>
      <div className="mt-2 mb-1 lg:mb-2">
        <Toolbar box={box} search={search}>
          <div className="flex min-w-0 flex-wrap items-center gap-x-4 leading-4 max-lg:order-last max-lg:basis-full lg:flex-1 lg:pl-2">
            <Checked summary={summary.data} fetchedAt={summary.dataUpdatedAt} trouble={failing ? 'api' : live ? null : 'stream'} />
            {development && <SampleData />}
          </div>
          {/* An empty board has it below. */}
          {(shown?.total !== 0 || filtered) && (
            <ButtonLink to="/upload" className="h-11" label="Verify your bitcoin">
              <span>
                Verify<span className="max-sm:hidden"> your bitcoin</span>
              </span>
            </ButtonLink>
          )}
        </Toolbar>
      </div>
      {/* The foot stays below the window, so that no search result moves it. */}
      <div aria-busy={board.isFetching} className={cx('-mx-4 sm:mx-0', filtered && 'min-h-svh')}>
        {!shown && board.isError ? (
          <BoardError message={messageOf(board.error, 'Failed to fetch users')} onRetry={() => void retry()} />
        ) : !shown ? (
          <BoardLoading />
        ) : shown.total === 0 || rows === 0 ? (
            <BoardEmpty
              filtered={filtered}
              onClear={() => {
                search.clear();
                box.current?.focus();
              }}
            />
          ) : (
            <BoardTable
              // Another search or filter is another list: it begins at its top.
              key={JSON.stringify(shown.filter)}
              filter={shown.filter}
              total={rows}
              price={price?.usd ?? null}
              today={today}
              currentUserId={currentUser?.id ?? null}
              own={filtered ? null : (own.data ?? null)}
              place={filtered && found ? { ...found, index: null } : found}
              stale={board.isPlaceholderData || shown !== board.data}
              onOpen={isAuthenticated || isLoading ? undefined : setOpened}
              letters={letters}
              onSearch={() => box.current?.focus()}
              note={
                search.u !== '' &&
                place.data !== undefined && (
                  <PlaceNote name={search.u} place={place.data} />
                )
              }
            />
        )}
      </div>
      {opened && <PersonDialog entry={opened} onClose={() => setOpened(null)} />}
      {/* The skeleton may be higher than the rows. */}
      {(shown || board.isError) && (
        <BoardFoot
          shown={shown && rows}
          total={filtered ? summary.data?.people : shown?.total}
          folded={shown ? shown.total - rows : 0}
          onUnfold={() => setUnfolded(true)}
          letters={letters}
          onLetters={setLetters}
        />
      )}
    </div>
  );
}

/** The way to a published proof, another document. It has its place before its address is known, so that nothing moves. */
function SeeProof({ id, expected }: { id: string | null; expected: boolean }) {
  if (!expected) return null;
  return (
    <a href={id === null ? undefined : `/verify/${id}`} className={cx('font-medium whitespace-nowrap text-accent-ink underline underline-offset-3', id === null && 'invisible')}>
      See a proof
    </a>
  );
}

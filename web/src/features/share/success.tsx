import { useEffect, useRef, useState } from 'react';
import { Check, Plus } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { boardSummaryQuery } from '../../api/board';
import { profileQuery } from '../../api/queries';
import type { BoardSummary, Tier } from '../../api/types';
import { PROOF_DAYS } from '../../lib/expiry';
import { formatBtc, formatCount, plural } from '../../lib/format';
import { topPercent } from '../../lib/shown';
import { Button, buttonClass } from '../../ui/button';
import { ReceiptButton } from '../board-log/receipt-button';
import { CardPicture } from './card-picture';
import { HEADINGS, type JustProven, tierNote } from './just-proven';
import { Neighbors } from './neighbors';
import { PublishCard } from './publish-card';
import { ShareButton } from './share-button';

interface SuccessProps {
  proven: JustProven;
  tier: Tier | null;
  userId: string;
  profileStale?: boolean;
  /** The reader is about to be led to the profile. */
  leaving?: boolean;
  /** Only where the profile is another page. */
  onStay?: () => void;
  /** The next of several files. */
  more?: { text: string; onPress: () => void } | null;
}

/** Whether the next block is still to come. Without the time of a block (in development) there is none to wait for. */
function useNextBlock(block: BoardSummary['block']): boolean {
  const [first, setFirst] = useState<number | null>(null);
  if (first === null && block) setFirst(block.height);
  return block !== null && block.since !== null && block.height === (first ?? block.height);
}

/** A proof that counts: the rank first, then what to do with it. */
export function Success({ proven, tier, userId, profileStale, leaving, onStay, more }: SuccessProps) {
  const { answer, coins } = proven;
  const profile = useQuery(profileQuery(userId)).data ?? null;
  const summary = useQuery(boardSummaryQuery()).data;
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    top.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  const waits = useNextBlock(summary?.block ?? null) && answer.status !== 'already-verified';
  const rank = profile?.verified ? profile.rank : null;
  const percent = rank !== null && summary ? topPercent(rank, summary.holders) : null;
  return (
    <div className="enter grid gap-6 pt-4 lg:grid-cols-[minmax(0,1fr)_31.5rem] lg:gap-x-16 lg:pt-8">
      <div className="space-y-6 max-sm:text-center">
        <section role="status">
          <h2 ref={top} tabIndex={-1} className="flex items-center gap-2 text-base font-semibold text-positive max-sm:justify-center">
            <Check className="size-5" aria-hidden="true" />
            {HEADINGS[answer.status]}
          </h2>
          <p className="sr-only">PSBT successfully verified!</p>
          <p className="num mt-2 min-h-[1.1em] text-5xl leading-tight font-extrabold tracking-tight sm:text-6xl">
            {rank === null ? 'You count' : <>You’re <span className="text-accent-large">#{formatCount(rank)}</span></>}
          </p>
          {summary && (
            <p className="num text-xl font-medium text-muted">
              of {plural(summary.holders, 'holder')}
              {percent !== null && ` · top ${percent}%`}
            </p>
          )}
          <p className="num mt-3 text-base text-muted">
            <strong className="font-semibold text-ink">{formatBtc(answer.amount)} BTC</strong> in {plural(coins, 'coin')}
          </p>
          {answer.total !== answer.amount && <p className="num text-sm text-muted">Your verified total is now {formatBtc(answer.total)} BTC.</p>}
          {answer.status === 'reverified' && <p className="text-sm text-muted">These coins counted already. Your total stays the same, and the {PROOF_DAYS} days begin again.</p>}
          {answer.message && answer.status !== 'success' && <p className="text-sm text-muted">{answer.message}</p>}
          <p className="mt-2 text-[0.8125rem] text-muted">{tierNote(answer.status, tier)}</p>
          {profileStale && <p className="mt-1 text-sm font-medium text-warning">Failed to update profile. Please try again.</p>}
        </section>
        <section aria-label="What to do now" className="flex flex-wrap gap-2 max-sm:justify-center">
          {more ? (
            <Button size="field" onClick={more.onPress}>
              {more.text}
            </Button>
          ) : (
            profile && <ShareButton person={profile} className={buttonClass('primary', 'field')} />
          )}
          <ReceiptButton waits={waits} />
          {!more && (
            // Another address, or nothing would change on the upload page itself.
            <a href="/upload" className={buttonClass('secondary', 'field')}>
              <Plus className="size-4" aria-hidden="true" />
              Verify more coins
            </a>
          )}
          {waits && <p className="basis-full text-[0.8125rem] text-muted">Receipt: in the log after the next block.</p>}
        </section>
        <div className="text-left">
          <PublishCard proven={proven} userId={userId} ranged={profile?.shown_as === 'range'} />
        </div>
      </div>
      <div className="min-w-0 space-y-6">
        {profile && rank !== null && <CardPicture person={profile} />}
        <Neighbors userId={userId} />
      </div>
      <p className="text-center text-[0.8125rem] text-muted lg:col-span-2">
        {leaving ? (
          <>
            Your profile opens in a moment.{' '}
            <button type="button" className="rounded font-medium text-accent-ink underline underline-offset-3" onClick={onStay}>
              Stay here
            </button>
          </>
        ) : onStay && (
          <Link href={`/profile/${userId}`} className="font-medium text-accent-ink underline underline-offset-3">
            View your profile
          </Link>
        )}
      </p>
    </div>
  );
}

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Check, Plus } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { boardSummaryQuery } from '../../api/board';
import { profileQuery } from '../../api/queries';
import type { BoardSummary, ProofAccepted, Tier } from '../../api/types';
import { formatBtc, formatCount, plural } from '../../lib/format';
import { topPercent } from '../../lib/shown';
import { Button, buttonClass } from '../../ui/button';
import { ReceiptButton } from '../board-log/receipt-button';
import { HEADINGS, tierNote } from './just-proven';
import { ShareButton } from './share-button';
import { ShareCard } from './share-card';

interface SuccessProps {
  answer: ProofAccepted;
  /** How many coins the proof has. */
  coins: number;
  tier: Tier | null;
  userId: string;
  profileStale?: boolean;
  /** The reader is about to be led to the profile. */
  leaving?: boolean;
  /** Only where the profile is another page. */
  onStay?: () => void;
  /** The next of several files. */
  more?: { text: string; onPress: () => void } | null;
  children?: ReactNode;
}

/** Whether the next block is still to come. Without the time of a block (in development) there is none to wait for. */
function useNextBlock(block: BoardSummary['block']): boolean {
  const [first, setFirst] = useState<number | null>(null);
  if (first === null && block) setFirst(block.height);
  return block !== null && block.since !== null && block.height === (first ?? block.height);
}

/** A proof that counts: the rank first, then what to do with it. */
export function Success({ answer, coins, tier, userId, profileStale, leaving, onStay, more, children }: SuccessProps) {
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
    <div className="enter grid gap-6 pt-2 lg:grid-cols-[minmax(0,1fr)_31.5rem] lg:grid-rows-[auto_1fr] lg:gap-x-16 lg:pt-8">
      <section role="status" className="max-sm:text-center">
        <p className="inline-flex items-center gap-2 rounded-full bg-positive-soft px-3.5 py-1 text-sm font-semibold text-positive">
          <Check className="size-4" aria-hidden="true" />
          PSBT successfully verified!
        </p>
        <h2 ref={top} tabIndex={-1} className="mt-3 text-sm font-medium text-muted">
          {HEADINGS[answer.status]}
        </h2>
        <p className="num min-h-[1.1em] text-5xl leading-tight font-extrabold tracking-tight sm:text-6xl">
          {rank === null ? 'You count' : <>You’re <span className="text-accent-large">#{formatCount(rank)}</span></>}
        </p>
        {summary && <p className="num text-2xl font-semibold text-muted">of {plural(summary.holders, 'holder')}</p>}
        <p className="num mt-3 text-base text-muted">
          <strong className="font-semibold text-ink">{formatBtc(answer.amount)} BTC</strong> in {plural(coins, 'coin')}
          {percent !== null && (
            <>
              {' '}
              · <strong className="font-semibold text-ink">top {percent}%</strong>
            </>
          )}
        </p>
        {answer.total !== answer.amount && <p className="num text-sm text-muted">Your verified total is now {formatBtc(answer.total)} BTC.</p>}
        {answer.status === 'reverified' && <p className="text-sm text-muted">These coins counted already. Your total stays the same, and the 90 days begin again.</p>}
        {answer.message && answer.status !== 'success' && <p className="text-sm text-muted">{answer.message}</p>}
        <p className="mt-2 text-[0.8125rem] text-muted">{tierNote(answer.status, tier)}</p>
        {profileStale && <p className="mt-1 text-sm font-medium text-warning">Failed to update profile. Please try again.</p>}
      </section>
      {profile && (
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <ShareCard profile={profile} holders={summary?.holders ?? null} block={summary?.block?.height ?? null} />
        </div>
      )}
      <section aria-label="What to do now" className="max-sm:text-center lg:col-start-1">
        <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
          {more ? (
            <Button size="field" className="max-sm:col-span-2" onClick={more.onPress}>
              {more.text}
            </Button>
          ) : (
            profile && <ShareButton person={profile} className={buttonClass('primary', 'field', 'max-sm:col-span-2')} />
          )}
          <ReceiptButton waits={waits} />
          {!more && (
            // Another address, or nothing would change on the upload page itself.
            <a href="/upload" aria-label="Prove more coins" className={buttonClass('secondary', 'field')}>
              <Plus className="size-4" aria-hidden="true" />
              <span>
                Prove more<span className="max-sm:hidden"> coins</span>
              </span>
            </a>
          )}
        </div>
        {waits && <p className="mt-2 text-[0.8125rem] text-muted">Receipt: in the log after the next block.</p>}
      </section>
      {children}
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

import { useEffect, useRef } from 'react';
import { FileCheck2, X } from 'lucide-react';
import { Link } from 'wouter';
import type { BoardEntry } from '../../api/board';
import type { BoardSummary } from '../../api/types';
import { formatDate, formatSats } from '../../lib/format';
import { displayName, xPage } from '../../lib/names';
import { Button, buttonClass } from '../../ui/button';
import { ShareButton } from '../share/share-button';
import { ShareCard } from '../share/share-card';

interface PersonDialogProps {
  entry: BoardEntry;
  summary: BoardSummary | undefined;
  onClose: () => void;
}

/** What is public of somebody, for visitors: no sign-in is needed to look. */
export default function PersonDialog({ entry, summary, onClose }: PersonDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const name = displayName(entry);
  const page = xPage(entry);
  return (
    <dialog
      ref={dialog}
      aria-label={name}
      onClose={onClose}
      className="enter m-auto max-h-[calc(100dvh-2rem)] w-[min(30rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-line bg-surface p-4 text-ink shadow-card backdrop:bg-[rgb(0_0_0/0.55)] sm:p-5"
    >
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 className="min-w-0 truncate text-lg font-semibold">
          <bdi>{name}</bdi>
        </h2>
        <Button look="ghost" size="icon" className="-my-2 -mr-2" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X className="size-5" aria-hidden="true" />
        </Button>
      </div>
      <ShareCard profile={entry} holders={summary?.holders ?? null} block={summary?.block?.height ?? null} />
      <p className="mt-3 text-sm text-muted">{entry.verified && entry.last_verified ? `Verified ${formatDate(entry.last_verified)}.` : entry.verified ? 'Verified.' : 'Unverified: nothing is proven at present.'}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {entry.published_sats ? (
          <a href={`/verify?profile=${entry.id}`} className={buttonClass()}>
            <FileCheck2 className="size-4" aria-hidden="true" />
            Check {formatSats(entry.published_sats)} BTC
          </a>
        ) : null}
        <ShareButton person={entry} />
        {page && (
          <a href={page} target="_blank" rel="noopener noreferrer" className={buttonClass('secondary')}>
            On X
          </a>
        )}
        <Link href={`/profile/${entry.id}`} className={buttonClass('ghost')}>
          Sign in for the profile
        </Link>
      </div>
    </dialog>
  );
}

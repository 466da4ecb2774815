import { FileCheck2 } from 'lucide-react';
import type { BoardEntry } from '../../api/board';
import { formatDate, formatSats } from '../../lib/format';
import { displayName, handlePage } from '../../lib/names';
import { buttonClass } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextLink } from '../../ui/text-link';
import { ShareButton } from '../share/share-button';
import { CardPicture } from '../share/card-picture';

/** What is public about a holder, for visitors: looking needs no sign-in. */
export default function PersonDialog({ entry, onClose }: { entry: BoardEntry; onClose: () => void }) {
  const page = handlePage(entry);
  return (
    <Dialog title={<bdi>{displayName(entry)}</bdi>} onClose={onClose}>
      <div className="mt-3">
        <CardPicture person={entry} />
      </div>
      <p className="mt-3 text-sm text-muted">{verifiedSentence(entry)}</p>
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
      </div>
      <p className="mt-4 text-sm">
        <TextLink to={`/profile/${entry.id}`}>Sign in for the profile</TextLink>
      </p>
    </Dialog>
  );
}

function verifiedSentence({ verified, last_verified: last, published_sats: published }: BoardEntry): string {
  if (!verified) return 'Unverified: no proof is active.';
  const checked = last ? `Verified ${formatDate(last)}.` : 'Verified.';
  return published ? checked : `${checked} No proof is published, so only we have checked the coins.`;
}

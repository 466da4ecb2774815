import type { BoardEntry, BoardPlace } from '../../api/board';
import { formatCount, formatSats } from '../../lib/format';
import { displayName } from '../../lib/names';
import { buttonClass } from '../../ui/button';
import { DocumentLink } from '../../ui/text-link';
import { ShareButton } from '../share/share-button';

/** The holder of a shared link, at the foot of the window; `place` is null when nobody has the name. */
export default function PlaceNote({ name, place }: { name: string; place: BoardPlace | null }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 border-t border-line bg-surface px-4 text-sm font-medium shadow-card lg:px-5">
      <div className="flex min-w-0 flex-wrap gap-x-2 py-2 [overflow-wrap:anywhere]">
        <p role="status">{placeSentence(name, place)}</p>
        {place && <Published entry={place.entry} />}
      </div>
      {place && <ShareButton person={place.entry} className={buttonClass('ghost', 'small')} />}
    </div>
  );
}

/** The published part of the amount, with a link to the page that checks it. */
function Published({ entry }: { entry: BoardEntry }) {
  const { id, bitcoin_holdings: btc, published_sats: sats, shown_as: shown } = entry;
  if (!sats) return null;
  // The total behind a range is unknown.
  const whole = shown !== 'range' && btc !== null && Math.round(btc * 1e8) === sats;
  return (
    <DocumentLink to={`/verify?profile=${id}`}>{whole ? 'Anyone can check all of this.' : `Anyone can check ${formatSats(sats)} BTC of this.`}</DocumentLink>
  );
}

function placeSentence(name: string, place: BoardPlace | null): string {
  if (!place) return `There’s no "${name}" on the leaderboard.`;
  const who = displayName(place.entry);
  return place.entry.rank === null ? `${who} has no verified holdings.` : `${who} has rank #${formatCount(place.entry.rank)}.`;
}

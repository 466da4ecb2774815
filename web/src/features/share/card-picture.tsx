import { useQuery } from '@tanstack/react-query';
import { boardSummaryQuery } from '../../api/board';
import { displayName } from '../../lib/names';
import { spokenAmount } from '../../lib/shown';
import { cardAddress, type Shared } from './share-links';

/** The picture that links show, as the server draws it from the public row. */
export function CardPicture({ person }: { person: Shared }) {
  const summary = useQuery(boardSummaryQuery()).data;
  const { rank, bitcoin_holdings: btc, shown_as: shownAs } = person;
  // Another address, so that a change of the row is seen: the page keeps pictures as long as it is open.
  const version = new URLSearchParams({ v: [rank, btc, shownAs, summary?.holders, summary?.block?.height].join('-') });
  const text = `${displayName(person)}: ${rank === null ? 'no rank' : `rank #${rank}`}, ${spokenAmount(person)}`;
  return <img src={`${cardAddress(person)}?${version}`} alt={text} width={1200} height={630} className="h-auto w-full max-w-[36rem] rounded-card border border-line bg-[#0b0d12] shadow-card" />;
}

import type { Profile } from '../../api/types';
import { formatCount } from '../../lib/format';
import { holderTier, tierBounds } from '../../lib/holder-tier';
import { displayName, initial } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { shownBtc, spokenAmount, topPercent } from '../../lib/shown';
import { Avatar } from '../../ui/avatar';
import { BitcoinLogo } from '../../ui/logo';

/** What the card shows of someone. */
export type ShareProfile = Pick<Profile, 'id' | 'username' | 'provider' | 'named' | 'avatar_url' | 'rank' | 'bitcoin_holdings' | 'shown_as'>;

/** What others are shown of someone: dark on every page, because it is a picture of the board. */
export function ShareCard({ profile, holders, block }: { profile: ShareProfile; holders: number | null; block: number | null }) {
  const { id, username, rank } = profile;
  const tier = holderTier(shownBtc(profile));
  const { from, below } = tierBounds(tier);
  const percent = rank !== null && holders !== null ? topPercent(rank, holders) : null;
  return (
    <section
      aria-label="Share card"
      className="h-fit min-w-0 rounded-card border border-[#262c38] bg-[radial-gradient(24rem_16rem_at_100%_0,#3a2508,transparent),linear-gradient(#11141b,#171b24)] p-5 text-[#f2f4f8] shadow-[0_24px_48px_-24px_rgb(0_0_0/0.6)] sm:p-7"
    >
      <div className="flex items-center justify-between gap-3 text-[0.8125rem]">
        <span className="flex items-center gap-2 font-semibold whitespace-nowrap">
          <BitcoinLogo className="size-5.5" />
          Proof of Reserves
        </span>
        <span className="min-w-0 truncate text-[#a4acbb]">{window.location.host}</span>
      </div>
      <div className="mt-3 flex items-center gap-3">
        <Avatar picture={ownPicture(profile.avatar_url)} initial={initial(username)} seed={id} size="card" />
        <div className="min-w-0">
          <p className="truncate text-lg font-semibold">
            <bdi>{displayName(profile)}</bdi>
          </p>
          <p className="text-[0.8125rem] text-[#a4acbb]">
            {tier} · {from > 0 ? `${from}+` : `under ${below}`} BTC
          </p>
        </div>
      </div>
      <div className="num mt-2 flex flex-wrap items-end justify-between gap-x-4">
        <p className="text-[min(2.5rem,11vw)] leading-tight font-extrabold text-[#f7931a] sm:text-[3.25rem]">
          {rank === null ? 'No rank' : `#${formatCount(rank)}`}
          {rank !== null && holders !== null && <span className="ml-1.5 inline-block text-base font-medium text-[#a4acbb]">of {formatCount(holders)}</span>}
        </p>
        <p className="pb-1.5 text-right text-xl font-bold">
          {spokenAmount(profile)}
          {percent !== null && <span className="block text-[0.8125rem] font-medium text-[#54d6a0]">Top {percent}% of holders</span>}
        </p>
      </div>
      <p className="num mt-3 border-t border-[#333a46] pt-3 text-xs text-[#a4acbb]">{block === null ? '' : `Checked to block ${formatCount(block)} · `}No coins moved</p>
    </section>
  );
}

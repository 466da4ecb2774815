import { useState } from 'react';
import type { Profile } from '../../api/types';
import { PROOF_DAYS } from '../../lib/expiry';
import { TextLink } from '../../ui/text-link';
import { ReceiptButton } from '../board-log/receipt-button';
import { ShownChoice } from '../shown/shown-choice';
import { More } from '../../ui/more';
import { AccountActions } from './delete-account';

/** What an owner decides, each folded: what others see, the plan, the receipt, the account. */
export function AccountCard({ profile, onLeaving }: { profile: Profile; onLeaving: (leaving: boolean) => void }) {
  const [open, setOpen] = useState(false);
  const premium = profile.tier === 'premium';
  return (
    <section aria-label="Your account" className="divide-y divide-line rounded-card border border-line bg-surface px-5 shadow-card">
      <More title="Others see" aside={profile.shown_as === 'range' ? 'a range' : 'exact total'}>
        <ShownChoice userId={profile.id} />
      </More>
      <More title="Plan" aside={premium ? 'Premium' : 'Basic'}>
        <p>
          {premium ? 'Re-verified every day.' : `A proof lasts ${PROOF_DAYS} days.`} <TextLink to="/choose-plan">Plans</TextLink>
        </p>
      </More>
      {profile.rank !== null && (
        <More title="Receipt" aside="of your rank">
          <p>A signed receipt of your rank. Anyone can check it, even offline.</p>
          <ReceiptButton />
        </More>
      )}
      {/* It stays open while the account is deleted: its message is in it. */}
      <More title="Account" aside="data, deletion" open={open} onToggle={setOpen}>
        <AccountActions onLeaving={onLeaving} />
      </More>
    </section>
  );
}

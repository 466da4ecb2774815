import { Check } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { messageOf } from '../../api/client';
import { chooseFreeTier } from '../../api/mutations';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { useSession } from '../session/context';
import { wantedPath } from '../session/wanted';
import { PLANS, type Plan } from './plans';

/** Free updates the profile's tier and leads to the start page; Premium is coming soon. */
export default function ChoosePlanPage() {
  const { currentUser, setTier } = useSession();
  const [, navigate] = useLocation();
  const choice = useMutation({
    mutationFn: async () => {
      if (!currentUser) throw new Error('You must be logged in to select a plan.');
      // Choosing what one already has changes nothing.
      if (currentUser.tier === null) await chooseFreeTier(currentUser.id);
    },
    onSuccess: () => {
      if (currentUser?.tier === null) setTier('free');
      navigate(wantedPath() ?? '/');
    },
  });
  return (
    <Page title="Choose Your Plan" width="medium" centred intro="Start free. You can change at any time.">
      {choice.isError && (
        <Notice tone="danger" role="alert" className="mb-6">
          <p>{messageOf(choice.error, 'An error occurred.')}</p>
        </Notice>
      )}
      <div className="grid gap-6 sm:grid-cols-2">
        {PLANS.map((plan) => (
          <PlanCard key={plan.tier} plan={plan} busy={choice.isPending} onChoose={() => choice.mutate()} />
        ))}
      </div>
    </Page>
  );
}

function PlanCard({ plan, busy, onChoose }: { plan: Plan; busy: boolean; onChoose: () => void }) {
  return (
    <section className="flex flex-col rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
      <h2 className="text-lg font-semibold">{plan.name}</h2>
      <p className="mt-2 text-4xl font-bold">
        {plan.price}
        {plan.per && <span className="text-base font-medium text-muted">{plan.per}</span>}
      </p>
      <p className="mt-2 text-sm text-muted">{plan.summary}</p>
      <ul className="mt-6 mb-8 space-y-3 text-sm">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-center gap-2.5">
            <Check className="size-4 shrink-0 text-accent-ink" aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      <Button
        className="mt-auto w-full"
        look={plan.available ? 'primary' : 'secondary'}
        disabled={!plan.available || busy}
        onClick={onChoose}
      >
        {plan.button}
      </Button>
    </section>
  );
}

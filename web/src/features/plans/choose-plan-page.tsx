import { Check } from 'lucide-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/client';
import { messageOf, UserFacingError } from '../../lib/errors';
import { filled } from '../../lib/lists';
import { changeProfile, startCheckout } from '../../api/mutations';
import { appConfigQuery } from '../../api/queries';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { useSession } from '../session/context';
import type { CurrentUser } from '../session/current-user';
import { wantedPath } from '../session/wanted';
import plans from './plans.json';

type Plan = (typeof plans)[number];

/** Free updates the profile's tier and continues to the wanted page; Premium leads to the payment provider, if it is sold. */
export default function ChoosePlanPage() {
  const { currentUser, setTier } = useSession();
  const [, navigate] = useLocation();
  const config = useQuery(appConfigQuery());
  const choice = useMutation({
    mutationFn: async (plan: Plan): Promise<string | null> => {
      if (!currentUser) throw new UserFacingError('You must be logged in to select a plan.');
      if (plan.tier === 'premium') return startCheckout(currentUser.id, currentUser.email);
      await chooseFree(currentUser);
      return null;
    },
    onSuccess: (paymentPage) => {
      if (paymentPage !== null) return location.assign(paymentPage);
      if (currentUser?.tier === null) setTier('free');
      return navigate(wantedPath() ?? '/');
    },
  });
  const isPremium = currentUser?.tier === 'premium';
  const buttonOf = ({ tier, button }: Plan): string | null => {
    if (tier === 'free') return isPremium ? null : button;
    if (isPremium) return null;
    return config.data?.premium ? button : COMING_SOON;
  };
  const intro = isPremium ? 'You’re on Premium. Manage billing at Stripe.' : 'Start free. You can change at any time.';
  return (
    <Page title="Choose Your Plan" width="medium" centred intro={intro}>
      {choice.isError && (
        <Notice tone="danger" role="alert" className="mb-6">
          <p>{messageOf(choice.error, choice.variables.tier === 'premium' ? 'Stripe session error' : 'An error occurred.')}</p>
          {choice.variables.tier === 'premium' && <p>Nothing was charged. Try again later, or continue with Basic.</p>}
        </Notice>
      )}
      <div className="grid gap-6 sm:grid-cols-2">
        {plans.map((plan) => (
          <PlanCard
            key={plan.tier}
            plan={plan}
            button={buttonOf(plan)}
            // After success the browser is on its way to the payment provider.
            busy={choice.isPending || choice.isSuccess}
            onChoose={() => choice.mutate(plan)}
          />
        ))}
      </div>
    </Page>
  );
}

/** The button of a plan that is not sold. */
const COMING_SOON = 'Coming Soon';

async function chooseFree(user: CurrentUser): Promise<void> {
  // Already chosen.
  if (user.tier !== null) return;
  try {
    await changeProfile(user.id, { tier: 'free' });
  } catch (error) {
    throw error instanceof ApiError && error.status === 401 ? new UserFacingError('You must be logged in to select a plan.') : error;
  }
}

interface PlanCardProps {
  plan: Plan;
  /** Null where there is nothing to choose. */
  button: string | null;
  busy: boolean;
  onChoose: () => void;
}

function PlanCard({ plan, button, busy, onChoose }: PlanCardProps) {
  return (
    <section className="flex flex-col rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
      <h2 className="text-lg font-semibold">{plan.name}</h2>
      <p className="mt-2 text-4xl font-bold">
        {plan.price}
        {plan.per && <span className="text-base font-medium text-muted">{plan.per}</span>}
      </p>
      <p className="mt-2 text-sm text-muted">{filled(plan.summary)}</p>
      <ul className="mt-6 mb-8 space-y-3 text-sm">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-center gap-2.5">
            <Check className="size-4 shrink-0 text-accent-ink" aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {button !== null && (
        <Button
          className="mt-auto w-full"
          look={plan.tier === 'free' ? 'primary' : 'secondary'}
          disabled={button === COMING_SOON || busy}
          onClick={onChoose}
        >
          {button}
        </Button>
      )}
    </section>
  );
}

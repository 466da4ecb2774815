import type { Tier } from '../../api/types';

export interface Plan {
  tier: Tier;
  name: string;
  price: string;
  per?: string;
  summary: string;
  features: string[];
  button: string;
}

export const PLANS: Plan[] = [
  {
    tier: 'free',
    name: 'Basic',
    price: 'Free',
    summary: 'A proof lasts 90 days; then you sign and upload a new one.',
    features: ['Auto-verification', 'Leaderboard access', 'Basic profile'],
    button: 'Continue with Basic',
  },
  {
    tier: 'premium',
    name: 'Premium',
    price: '$5',
    per: '/mo',
    summary: 'Your proof renews itself every day while the coins stay.',
    features: ['Exclusive features', 'Advanced tools', 'More coming soon'],
    button: 'Get Premium',
  },
];

import { expect, test } from 'vitest';
import { navigationFor } from './navigation';

const labels = (state: Parameters<typeof navigationFor>[0]) => navigationFor(state).links.map(({ label }) => label);
const OUT = { isAuthenticated: false, isLoading: false, tier: null };
const IN = { isAuthenticated: true, isLoading: false, tier: 'free' } as const;

test('Verify is for signed-in people, Login for the others', () => {
  expect(labels(OUT)).toEqual(['How It Works', 'Check']);
  expect(navigationFor(OUT)).toMatchObject({ upgrade: false, login: true });
  expect(labels(IN)).toEqual(['How It Works', 'Check', 'Verify']);
  expect(navigationFor(IN).login).toBe(false);
});

test('Upgrade is for the free tier, once loading has finished', () => {
  expect(navigationFor(IN).upgrade).toBe(true);
  expect(navigationFor({ ...IN, tier: null }).upgrade).toBe(true);
  expect(navigationFor({ ...IN, tier: 'premium' }).upgrade).toBe(false);
  expect(navigationFor({ ...IN, isLoading: true }).upgrade).toBe(false);
  // Where payment is off there is nothing to upgrade to (decisions, D18).
  expect(navigationFor(IN, false).upgrade).toBe(false);
});

test('nobody is offered to log in while the session is looked up', () => {
  expect(navigationFor({ ...OUT, isLoading: true }).login).toBe(false);
});

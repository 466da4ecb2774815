import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Profile } from '../../api/types';
import { stubNetwork } from '../../testing/network';
import { profile } from '../../testing/profiles';
import { open } from '../../testing/render';
import { USER } from '../../testing/session';
import { ShownChoice } from './shown-choice';

/** A server that remembers what is chosen, or refuses it. */
function serve(begin: Partial<Profile>, refusal?: string) {
  const found = profile({ bitcoin_holdings: 2.5, ...begin });
  return stubNetwork(({ method, body }) => {
    if (method === 'GET') return { body: found };
    if (refusal) return { status: 409, body: { message: refusal, code: 'proofs-published' } };
    Object.assign(found, body);
    return { status: 204 };
  });
}

const show = () => open(<ShownChoice userId={USER.id} />);
const exact = () => screen.findByRole('radio', { name: /^The exact total/ });
const range = () => screen.findByRole('radio', { name: /^Only a range/ });
const patches = (calls: ReturnType<typeof serve>) => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

test('each choice says what others see then, and what it costs', async () => {
  serve({});
  show();
  expect(await exact()).toBeChecked();
  expect(await exact()).toHaveAccessibleName('The exact total 2.50000000 BTC');
  expect(await range()).toHaveAccessibleName('Only a range at least 1 BTC');
  expect(await range()).toHaveAccessibleDescription(/share one rank.*can’t be published/);
  expect(await exact()).toHaveAccessibleDescription(/coins on the chain/);
  expect(screen.getByText(/^Changes apply at once/)).toHaveTextContent('(log, published proofs, copies) stays public');
});

test('a range is chosen at once', async () => {
  const calls = serve({});
  show();
  await userEvent.click(await range());
  await waitFor(async () => expect(await range()).toBeChecked());
  expect(patches(calls)).toEqual([{ shown_as: 'range' }]);
  expect(calls.find(({ method }) => method === 'PATCH')?.url.searchParams.get('id')).toBe(`eq.${profile().id}`);
});

test('a choice stands from the press on, before it is stored', async () => {
  const calls = serve({});
  show();
  const chosen = await range();
  fireEvent.click(chosen);
  expect(chosen).toBeChecked();
  await waitFor(() => expect(patches(calls)).toEqual([{ shown_as: 'range' }]));
});

test('the exact total is shown after a question alone, where there is one', async () => {
  const calls = serve({ shown_as: 'range' });
  show();
  await userEvent.click(await exact());
  const question = within(await screen.findByRole('alertdialog'));
  expect(screen.getByRole('alertdialog')).toHaveTextContent('Everyone will see 2.50000000 BTC.');
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
  expect(await range()).toBeChecked();
  expect(patches(calls)).toEqual([]);
  await userEvent.click(await exact());
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Show it' }));
  await waitFor(async () => expect(await exact()).toBeChecked());
  expect(patches(calls)).toEqual([{ shown_as: 'exact' }]);
});

test('before anything is proven there is nothing to ask about', async () => {
  const calls = serve({ shown_as: 'range', verified: false, bitcoin_holdings: null });
  show();
  expect(await range()).toHaveAccessibleName('Only a range such as at least 1 BTC');
  await userEvent.click(await exact());
  await waitFor(() => expect(patches(calls)).toEqual([{ shown_as: 'exact' }]));
});

test('who has published proofs chooses between them and a range', async () => {
  const found = profile({ published_sats: 250_000_000 });
  const calls = stubNetwork(({ method, url, body }) => {
    if (url.pathname.endsWith('/proofs')) return { body: { proofs: [{ id: 'one' }, { id: 'two' }], next: null } };
    if (method === 'GET') return { body: found };
    Object.assign(found, body);
    return { status: 204 };
  });
  show();
  await userEvent.click(await range());
  const question = await screen.findByRole('alertdialog');
  expect(question).toHaveTextContent('Unpublish your proofs?');
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  await userEvent.click(await range());
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Unpublish and show a range' }));
  await waitFor(async () => expect(await range()).toBeChecked());
  const changes = calls.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url.pathname}`);
  expect(changes).toEqual([
    'DELETE /api/functions/v1/proofs/one',
    'DELETE /api/functions/v1/proofs/two',
    'PATCH /api/rest/v1/profiles',
  ]);
});

test('a refusal is said, and nothing is chosen', async () => {
  serve({}, 'Withdraw the proofs that you have published first.');
  show();
  await userEvent.click(await range());
  expect(await screen.findByRole('alert')).toHaveTextContent('Withdraw the proofs that you have published first.');
  expect(await exact()).toBeChecked();
});

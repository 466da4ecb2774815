import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { provenOf } from '../../testing/profiles';
import { open } from '../../testing/render';
import { expectProof, type JustProven, keepProven, useJustProven } from './just-proven';
import { dropProven } from './drop-proven';
import { PublishCard } from './publish-card';

function Card({ ranged }: { ranged: boolean }) {
  const proven = useJustProven('me');
  return proven && <PublishCard proven={proven} userId="me" ranged={ranged} />;
}

function show(changes: Partial<JustProven> = {}, ranged = false) {
  const { queries } = open(<Card ranged={ranged} />);
  expectProof(queries, 'me');
  keepProven(queries, 'me', { ...provenOf(), ...changes });
  return queries;
}

test('publishing is offered beside its price, and sends the same stripped file', async () => {
  const calls = stubNetwork(() => ({ body: { ...provenOf().answer, status: 'already-verified', published: true } }));
  show();
  expect(await screen.findByText(/your name is tied to them, and to where they came from and go/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByRole('link', { name: 'Anyone can check it' })).toHaveAttribute('href', `/verify/${provenOf().answer.proof_id}`);
  expect(calls[0]?.body).toEqual({ ...provenOf().sent, publish: true });
});

test('a refusal is said, and the file stays for another try', async () => {
  stubNetwork(() => ({ status: 503, body: { status: 'error', message: 'A chain source is away.' } }));
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Publish' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('A chain source is away.');
  expect(screen.getByRole('button', { name: 'Publish' })).toBeEnabled();
});

test.each([
  [{ bound: false }, false, /Only a proof with your statement can be published/],
  [{}, true, /You show only a range of your total/],
])('with %j and a range: %s it cannot be published', async (changes, ranged, why) => {
  show(changes, ranged);
  expect(await screen.findByRole('button', { name: 'Publish' })).toBeDisabled();
  expect(screen.getByText(why)).toBeInTheDocument();
});

test('a session that ends takes the file with it, also while the answer is on its way', () => {
  const queries = show();
  dropProven(queries);
  keepProven(queries, 'me', provenOf());
  expect(JSON.stringify(queries.getQueryCache().getAll().map(({ state }) => state.data))).not.toContain('cHNidP8=');
});

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Profile, Proof } from '../../api/types';
import { stubNetwork, type Call } from '../../testing/network';
import { profile, provenOf } from '../../testing/profiles';
import { open } from '../../testing/render';
import { signedIn, USER } from '../../testing/session';
import { expectProof, keepProven } from '../share/just-proven';
import { STORAGE_KEY } from '../session/auth-client';
import ProfilePage from './profile-page';

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

const proof = (changes: Partial<Proof> = {}): Proof => ({
  id: crypto.randomUUID(),
  user_id: USER.id,
  file_name: 'savings.psbt',
  bitcoin_amount: 1.5,
  status: 'verified',
  verified: true,
  created_at: '2026-10-01T12:00:00Z',
  expires_at: '2026-12-30T12:00:00Z',
  ended_at: null,
  active: true,
  binding: 'transaction',
  ended_reason: null,
  taken_over_sats: null,
  spent_sats: null,
  mock: false,
  published: false,
  ...changes,
});

const POINTS = [
  { at: '2026-10-01T12:00:00Z', sats: 150_000_000 },
  { at: '2026-10-03T12:00:00Z', sats: 180_000_000 },
  { at: '2026-10-05T12:00:00Z', sats: 200_000_000 },
];

/** A server with this profile, these proofs and this rank. */
function serve(found: Profile | null, proofs: Proof[] = [], rank: number | null = 4, other: (call: Call) => object = () => ({})) {
  return stubNetwork((call) => {
    if (call.url.pathname.endsWith('/profiles')) return found ? { body: found } : { status: 406, body: { message: 'No row.' } };
    if (call.url.pathname.endsWith('/psbts') && call.method === 'GET') return { body: proofs };
    if (call.url.pathname.includes('/getUserRank/')) return { body: { rank } };
    if (call.url.pathname.endsWith('/holdings-history')) return { body: { points: POINTS } };
    if (call.url.pathname.endsWith('/bitcoin-price')) return { body: { bitcoin: { usd: 100_000 } } };
    if (call.url.pathname.endsWith('/app-config')) return { body: { network: 'regtest', development: true } };
    return other(call);
  });
}

class NoStream {
  addEventListener() {}
  close() {}
}
beforeEach(() => void vi.stubGlobal('EventSource', NoStream));
afterEach(() => void vi.useRealTimers());

const own = signedIn('free');
const show = (session = own, id = USER.id) => open(<ProfilePage id={id} />, { path: `/profile/${id}`, session });

test('a holder has a header, badges and boxes', async () => {
  serve(profile({ last_verified: ago(10), bitcoin_holdings: 1.5 }), [], 7);
  show();
  expect(screen.getByRole('status')).toHaveTextContent('Loading profile...');
  expect(await screen.findByRole('heading', { level: 1, name: '@satoshi' })).toBeInTheDocument();
  expect(screen.getByText('User Profile')).toBeInTheDocument();
  expect(screen.getByText('S', { selector: '[aria-hidden]' })).toBeInTheDocument(); // the initial
  // The rank function's answer replaces the rank of the row.
  expect(await screen.findByText('#7')).toHaveProperty('parentElement.textContent', 'Rank #7');
  expect(screen.getByText('Verified')).toBeInTheDocument();
  expect(screen.getByText('Fish')).toBeInTheDocument();
  const box = screen.getByRole('region', { name: 'Bitcoin Holdings' });
  expect(box).toHaveTextContent('Total Verified1.50000000 BTC');
  expect(within(box).getByText('Last Verified').nextElementSibling).toHaveTextContent(/^[A-Z][a-z]{2} \d/);
});

test('of a range its owner sees everything, and others the tier alone', async () => {
  serve(profile({ bitcoin_holdings: 2.5, shown_as: 'range' }));
  show();
  const box = await screen.findByRole('region', { name: 'Bitcoin Holdings' });
  expect(box).toHaveTextContent('Total Verified2.50000000 BTC');
  expect(box).toHaveTextContent('Others see at least 1 BTC, and no date.');
  expect(await screen.findByRole('radio', { name: /^Only a range/ })).toBeChecked();
});

test('the range of another holder says at least, and no date', async () => {
  serve(profile({ id: 'other', bitcoin_holdings: 1, shown_as: 'range', last_verified: null }));
  show(own, 'other');
  const box = await screen.findByRole('region', { name: 'Bitcoin Holdings' });
  expect(box).toHaveTextContent('Total Verifiedat least 1 BTC');
  expect(box).toHaveTextContent('Last VerifiedNot shown');
  expect(screen.queryByText(/^Expire/)).toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
});

test.each([
  [{ published_sats: 150_000_000 }, 'Check it yourself', 'Anyone can check 1.50000000 BTC of this, without trusting us.'],
  [{}, 'No published proof', '@satoshi has published no proof. We checked the signatures and the coins.'],
  [{ verified: false, bitcoin_holdings: 0, rank: null, last_verified: ago(97) }, 'Nothing to check', '@satoshi has no active proof.'],
])('what others can check of a holder: %j', async (changes, title, sentence) => {
  serve(profile({ id: 'other', ...changes }));
  show(own, 'other');
  const box = (await screen.findByRole('heading', { name: title })).closest('section')!;
  expect(box).toHaveTextContent(sentence);
  expect(within(box).queryByRole('link', { name: 'Check the proof' }) !== null).toBe('published_sats' in changes);
});

test('a user without proofs has N/A and Never', async () => {
  serve(profile({ verified: false, bitcoin_holdings: null, last_verified: null, rank: null }), [], null);
  show();
  expect(await screen.findByText('Rank N/A')).toBeInTheDocument();
  expect(screen.getByText('Never')).toBeInTheDocument();
  expect(screen.getByText('Plankton')).toBeInTheDocument();
  expect(screen.queryByText('Verified')).toBeNull();
  expect(screen.queryByText(/^Expire/)).toBeNull();
  expect(await screen.findByText('No verification history yet')).toBeInTheDocument();
  expect(screen.getByText('Upload a PSBT file to verify your Bitcoin holdings')).toBeInTheDocument();
});

test.each([
  [10, 'Expires in 80d', 'text-positive'],
  [75, 'Expires in 15d', 'text-warning'],
  [85, 'Expires in 5d', 'text-danger'],
  [93, 'Expired 3d ago', 'text-danger'],
])('verified %i days ago: %s, %s', async (days, text, tone) => {
  serve(profile({ last_verified: ago(days) }));
  show();
  const badge = await screen.findByText(text);
  expect(badge).toHaveClass(tone);
});

test('the timeline has number, file name, badges, chip, amount and dates', async () => {
  serve(profile({ last_auto_reverify: '2026-11-20T04:05:00Z' }), [
    proof({ status: 'partial-reverify', bitcoin_amount: 0.5 }),
    proof({ status: 'reverified', bitcoin_amount: 2 }),
    proof({ active: false, file_name: 'old.psbt', ended_at: '2026-10-20T12:00:00Z', ended_reason: 'spent', binding: 'unbound' }),
  ]);
  show();
  const headings = await screen.findAllByRole('heading', { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual(['Proof #3', 'Proof #2', 'Proof #1']);
  const [first, second, third] = headings.map((heading) => heading.closest('li')!);
  expect(first).toHaveTextContent('Partial Re-verify');
  expect(first).toHaveTextContent('Amount 0.50000000 BTC');
  expect(first).toHaveTextContent('Verified Oct 1, 2026');
  expect(first).toHaveTextContent('Expires Dec 30, 2026');
  expect(second).toHaveTextContent(/Active.*Re-verified/);
  // A spent proof does not show the day on which it would have expired.
  expect(third).toHaveTextContent(/Spent.*Unbound.*Initial Verification/);
  expect(third).toHaveTextContent('Ended Oct 20, 2026');
  expect(third).not.toHaveTextContent('Expire');
  expect(first).not.toHaveTextContent('Unbound');
  expect(third).toHaveTextContent('These coins have been spent.');
  expect(within(third!).getByRole('button', { name: 'File: old.psbt' })).toBeInTheDocument();
  expect(screen.getByText(/Last auto re-verify:/)).toHaveTextContent('Nov 20, 2026');
  expect(screen.getByRole('link', { name: 'Upload New PSBT' })).toHaveAttribute('href', '/upload');
});

test('the owner sees what ends next, the plan, and how it came to be', async () => {
  serve(profile({ tier: 'free', bitcoin_holdings: 2 }), [proof({ expires_at: ago(-80) }), proof({ expires_at: ago(-12) })]);
  show();
  await screen.findByRole('heading', { name: 'Holdings Over Time' });
  await waitFor(() => expect(screen.getByText('2.00000000 BTC', { selector: 'dd' })).toHaveAttribute('title', '$200,000'));
  expect(screen.getByText('Plan').closest('summary')).toHaveTextContent('Basic');
  expect(screen.getByRole('img', { name: /^From Oct 1, 2026 until today: at most 2.00000000 BTC, now 2.00000000 BTC\.$/ })).toBeInTheDocument();
  expect(await screen.findAllByText('Expires in 12d')).toHaveLength(1);
});

test('without a proof there is nothing to share and no receipt', async () => {
  serve(profile({ verified: false, bitcoin_holdings: null, last_verified: null, rank: null }), [], null);
  show();
  expect(await screen.findByText('Rank N/A')).toBeInTheDocument();
  for (const name of ['Share rank on X', 'Save picture', 'Copy link', 'Receipt']) expect(screen.queryByText(name), name).toBeNull();
});

test('a stranger sees neither history nor controls, and asks for no proofs', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const calls = serve(profile({ id, username: 'hal' }), [proof()]);
  show(own, id);
  expect(await screen.findByRole('heading', { level: 1, name: '@hal' })).toBeInTheDocument();
  for (const hidden of ['Verification History', 'Upload New PSBT', 'Delete Account', 'Clear Mock Data', 'Holdings Over Time', 'Plan', 'Receipt']) {
    expect(screen.queryByText(hidden), hidden).toBeNull();
  }
  expect(calls.some(({ url }) => url.pathname.endsWith('/psbts') || url.pathname.endsWith('/holdings-history'))).toBe(false);
});

test('the mock proof hides from the list and brings its tool', async () => {
  serve(profile(), [proof({ file_name: 'wallet_verification.psbt', bitcoin_amount: 1.25 })]);
  show();
  expect(await screen.findByRole('button', { name: 'Clear Mock Data' })).toBeInTheDocument();
  expect(screen.getByText('No verification history yet')).toBeInTheDocument();
});

test('a profile that is not there leads to sign-in', async () => {
  serve(null);
  show();
  expect(await screen.findByRole('heading', { name: 'Profile Not Found' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('User profile not found');
  expect(screen.getByText("The user profile you're looking for doesn't exist or you need to log in.")).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
});

test.each([
  [2, true, undefined],
  [1, false, '/'],
])('a failure says what failed, and leads back, or to the start from a tab with %i page', async (length, goesBack, path) => {
  stubNetwork(() => ({ status: 500, body: { message: 'Disk full' } }));
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  vi.spyOn(history, 'length', 'get').mockReturnValue(length);
  const screenOf = show();
  expect(await screen.findByRole('heading', { name: 'Error Loading Profile' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('Failed to fetch user profile: Disk full');
  await userEvent.click(screen.getByRole('button', { name: 'Go Back' }));
  expect(back.mock.calls.length > 0).toBe(goesBack);
  if (path) expect(screenOf.path()).toBe(path);
});

test('a failure without a sentence has one', async () => {
  stubNetwork(() => ({ status: 502 }));
  show();
  expect(await screen.findByText('An unknown error occurred')).toBeInTheDocument();
});

test('proofs that cannot be loaded are named where they would be', async () => {
  stubNetwork(({ url }) =>
    url.pathname.endsWith('/psbts') ? { status: 500, body: { message: 'Disk full' } } : { body: profile() },
  );
  show();
  expect(await screen.findByText('Failed to fetch PSBTs: Disk full')).toBeInTheDocument();
});

async function askToDelete() {
  await userEvent.click(await screen.findByText('Account'));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Account' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('Are you sure you want to delete your account? This action cannot be undone.');
  return within(dialog).getByRole('button', { name: 'Delete Account' });
}

test('the owner downloads everything that is on record', async () => {
  const saved: File[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: File) => (saved.push(file), 'blob:copy'), revokeObjectURL: () => {} }));
  serve(profile(), [], 4, ({ url }) => (url.pathname.endsWith('/export-account') ? { body: { account: { id: USER.id } } } : {}));
  show();
  await userEvent.click(await screen.findByText('Account'));
  await userEvent.click(await screen.findByRole('button', { name: 'Download My Data' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toBe('proof-of-reserves.json');
  expect(JSON.parse(await saved[0]!.text())).toEqual({ account: { id: USER.id } });
});

test('a copy that does not come is said', async () => {
  serve(profile(), [], 4, () => ({ status: 429, body: { message: 'Too many requests. Wait 60 seconds and try again.' } }));
  show();
  await userEvent.click(await screen.findByText('Account'));
  await userEvent.click(await screen.findByRole('button', { name: 'Download My Data' }));
  expect(await screen.findByText('Too many requests. Wait 60 seconds and try again.')).toBeInTheDocument();
});

test('deleting: a question, then the words, then away after two seconds', async () => {
  const logout = vi.fn<() => Promise<boolean>>(async () => true);
  const calls = serve(profile(), []);
  const { path, unmount, queries } = show({ ...own, logout });
  expectProof(queries, USER.id);
  keepProven(queries, USER.id, provenOf());
  const memory = () => JSON.stringify(queries.getQueryCache().getAll().map(({ state }) => state.data));
  expect(memory()).toContain('cHNidP8=');
  const confirm = await askToDelete();
  expect(calls.some(({ url }) => url.pathname.endsWith('/delete-account'))).toBe(false);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  confirm.click();
  expect(await screen.findByText('Your account has been deleted. Redirecting...')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Account Deleted!' })).toBeDisabled();
  expect(memory()).not.toContain('cHNidP8=');
  expect(logout).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  await waitFor(() => expect(path()).toBe('/'));
  expect(logout).not.toHaveBeenCalled();
  // Unmounts the page, as the app does when the user leaves it.
  unmount();
  expect(logout).toHaveBeenCalledOnce();
});

test('who leaves the page before the two seconds are over is signed out as well', async () => {
  const logout = vi.fn<() => Promise<boolean>>(async () => true);
  serve(profile(), []);
  const { unmount } = show({ ...own, logout });
  (await askToDelete()).click();
  await screen.findByText('Your account has been deleted. Redirecting...');
  expect(logout).not.toHaveBeenCalled();
  unmount();
  expect(logout).toHaveBeenCalledOnce();
});

test('a reload or a closed tab before the two seconds are over leaves no session, and before the account is deleted it does', async () => {
  localStorage.setItem(STORAGE_KEY, 'a session');
  serve(profile(), []);
  show(own);
  const confirm = await askToDelete();
  window.dispatchEvent(new Event('pagehide'));
  expect(localStorage.getItem(STORAGE_KEY)).toBe('a session');
  confirm.click();
  await screen.findByText('Your account has been deleted. Redirecting...');
  window.dispatchEvent(new Event('pagehide'));
  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
});

test.each([
  [{ status: 500, body: { error: 'Stripe is away.' } }, 'Stripe is away.'],
  [{ status: 500 }, 'Failed to delete account.'],
  [{ status: 401, body: { message: 'This endpoint requires a valid Bearer token' } }, 'You must be signed in to manage your subscription.'],
])('deleting fails with %j', async (answer, shown) => {
  serve(profile(), [], 4, () => answer);
  show();
  (await askToDelete()).click();
  expect(await screen.findByText(shown)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Delete Account' })).toBeEnabled();
});

test('a proof that is not published can be, with the same file', async () => {
  serve(profile(), [proof(), proof({ binding: 'unbound' }), proof({ active: false })]);
  show();
  const links = await screen.findAllByRole('link', { name: 'Publish' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/upload?publish']);
});

test('a published proof leads to its page, and is unpublished after a second word', async () => {
  let published = true;
  const one = proof({ id: 'one' });
  const calls = stubNetwork((call) => {
    if (call.method === 'DELETE') {
      published = false;
      return { status: 204 };
    }
    if (call.url.pathname.endsWith('/profiles')) return { body: profile() };
    if (call.url.pathname.endsWith('/psbts')) return { body: [{ ...one, published }] };
    return { body: call.url.pathname.endsWith('/app-config') ? { network: 'regtest', development: false } : { rank: 4 } };
  });
  show();
  expect(await screen.findByRole('link', { name: 'Published · Check' })).toHaveAttribute('href', '/verify/one');
  await userEvent.click(screen.getByRole('button', { name: 'Unpublish' }));
  expect(screen.getByText(/Copies others made stay/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Unpublish it' }));
  expect(await screen.findByRole('link', { name: 'Publish' })).toBeInTheDocument();
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ url }) => url.pathname)).toEqual(['/api/functions/v1/proofs/one']);
});

test('the success card opens once more here, with Publish; afterwards the entry of the proof has it', async () => {
  vi.stubGlobal('scrollTo', () => {});
  const { proof_id: id } = provenOf().answer;
  serve(profile(), [proof({ id })]);
  const { queries } = open(<Later />, { path: `/profile/${USER.id}`, session: own });
  expectProof(queries, USER.id);
  keepProven(queries, USER.id, provenOf());
  await userEvent.click(screen.getByRole('button', { name: 'to the profile' }));
  expect(await screen.findByText('Verification Successful!')).toBeInTheDocument();
  expect(screen.getAllByRole('button', { name: 'Publish' })).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'to the profile' }));
  await userEvent.click(screen.getByRole('button', { name: 'to the profile' }));
  expect(await screen.findByRole('button', { name: 'Publish' })).toBeInTheDocument();
  expect(screen.queryByText('Verification Successful!')).toBeNull();
});

function Later() {
  const [there, setThere] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setThere(!there)}>
        to the profile
      </button>
      {there && <ProfilePage id={USER.id} />}
    </>
  );
}

import { member } from '../lib/member';
import { api, ApiError, dataOf, done, has } from './client';
import type { AccountRecord, DevelopmentFile, ProofAnswer, ProofSubmission, ShownAs } from './types';

/** The mock file of development mode. */
export const MOCK_FILE = 'wallet_verification.psbt';

/** Chooses the free plan, or what others see of the user's total. Premium follows the payment provider. */
export async function changeProfile(userId: string, body: { tier: 'free' } | { shown_as: ShownAs }): Promise<void> {
  await done(api.PATCH('/api/rest/v1/profiles', { params: { query: { id: `eq.${userId}` } }, body }));
}

/** Begins the purchase of the premium plan; the answer is the payment provider's page. */
export async function startCheckout(userId: string, email: string | null): Promise<string> {
  return (await dataOf(api.POST('/api/functions/v1/create-stripe-session', { body: { user_id: userId, email } }), has({ url: 'string' }))).url;
}

/** Unpublishes all proofs of a user. */
export async function unpublishProofs(userId: string): Promise<void> {
  const query = { profile_id: userId, limit: 1000 };
  const { proofs } = await dataOf(api.GET('/api/functions/v1/proofs', { params: { query }, cache: 'no-store' }), has({ proofs: 'object' }));
  for (const { id } of proofs) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: each changes the same row
    await unpublishProof(id);
  }
}

const ACCEPTED = has({ message: 'string', amount: 'number', amount_sats: 'number', total: 'number', total_sats: 'number', proof_id: 'string', published: 'boolean' });
const isAcceptedBody = (body: unknown) => ACCEPTED(body) && ['success', 'reverified', 'already-verified'].includes(String(member(body, 'status')));
const UNAUTHORIZED = 401;

/** Sends a proof. A refusal is returned; only a missing response is thrown. */
export async function submitProof(submission: ProofSubmission, signal?: AbortSignal): Promise<ProofAnswer> {
  try {
    return await dataOf(api.POST('/api/functions/v1/submit-proof', { body: submission, ...(signal ? { signal } : {}) }), isAcceptedBody);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    // A proxy may have refused it, in another form.
    const [status, input] = ['status', 'input'].map((name) => member(error.body, name));
    return {
      status: status === 'conflict' ? 'conflict' : 'error',
      message: error.status === UNAUTHORIZED ? 'You must be logged in to verify a PSBT.' : error.message,
      code: error.code,
      ...(error.status >= 500 ? { again: true } : {}),
      ...(typeof input === 'number' ? { input } : {}),
    };
  }
}

/** Unpublishes a proof. It still counts. */
export async function unpublishProof(id: string): Promise<void> {
  await done(api.DELETE('/api/functions/v1/proofs/{id}', { params: { path: { id } } }));
}

/** Everything stored about the signed-in user. */
export async function exportAccount(): Promise<AccountRecord> {
  return dataOf(api.GET('/api/functions/v1/export-account', { cache: 'no-store' }), has({ account: 'object' }));
}

/** Deletes the signed-in user's account. */
export async function deleteAccount(): Promise<void> {
  await done(api.POST('/api/functions/v1/delete-account'));
}

/** Development only: signs a file over the sample coins with their keys. */
export async function signInDevelopment(psbtBase64: string): Promise<DevelopmentFile> {
  return dataOf(api.POST('/api/functions/v1/development-sign', { body: { psbt_base64: psbtBase64 } }), has({ psbt_base64: 'string' }));
}

/** Development only: removes the mock proof; the server resets the profile with it. */
export async function clearMockProofs(userId: string): Promise<void> {
  const query = { user_id: `eq.${userId}`, file_name: `eq.${MOCK_FILE}` };
  await done(api.DELETE('/api/rest/v1/psbts', { params: { query } }));
}

/** Development only: removes the sample holders. */
export async function removeSampleHolders(): Promise<void> {
  await done(api.DELETE('/api/functions/v1/sample-holders'));
}

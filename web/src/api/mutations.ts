import { api, ApiError, dataOf, done, member } from './client';
import type { AccountRecord, DevelopmentFile, Profile, ProofAnswer, ProofSubmission } from './types';

/** The mock file of development mode. */
export const MOCK_FILE = 'wallet_verification.psbt';

/** Creates or updates one's own profile. Verification and holdings are the server's alone. */
export async function upsertProfile(profile: Pick<Profile, 'id' | 'username' | 'avatar_url'>): Promise<void> {
  await done(
    api.POST('/api/rest/v1/profiles', {
      params: { query: { on_conflict: 'id' } },
      headers: { Prefer: 'resolution=merge-duplicates' },
      body: { ...profile, updated_at: new Date().toISOString() },
    }),
  );
}

/** Chooses the free plan. Premium follows the payment provider. */
export async function chooseFreeTier(userId: string): Promise<void> {
  const query = { id: `eq.${userId}` };
  await done(api.PATCH('/api/rest/v1/profiles', { params: { query }, body: { tier: 'free' } }));
}

/** Sends a proof. A refusal is an answer like any other; only a missing answer is thrown. */
export async function submitProof(submission: ProofSubmission, signal?: AbortSignal): Promise<ProofAnswer> {
  try {
    return await dataOf(api.POST('/api/functions/v1/submit-proof', { body: submission, ...(signal ? { signal } : {}) }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    // Whatever stands between may have refused it as well, in another shape.
    const [status, message, input] = ['status', 'message', 'input'].map((name) => member(error.body, name));
    return {
      status: status === 'conflict' ? 'conflict' : 'error',
      message: typeof message === 'string' ? message : '',
      code: error.code,
      ...(typeof input === 'number' ? { input } : {}),
    };
  }
}

/** Everything that is on record about the signed-in user. */
export async function exportAccount(): Promise<AccountRecord> {
  return dataOf(api.GET('/api/functions/v1/export-account', { cache: 'no-store' }));
}

/** Deletes the signed-in user's account. */
export async function deleteAccount(): Promise<void> {
  await done(api.POST('/api/functions/v1/delete-account'));
}

/** Development only: a file over the coins of one's samples, signed with their keys. */
export async function signInDevelopment(psbtBase64: string): Promise<DevelopmentFile> {
  return dataOf(api.POST('/api/functions/v1/development-sign', { body: { psbt_base64: psbtBase64 } }));
}

/** Development only: removes the mock proof; the server resets the profile with it. */
export async function clearMockProofs(userId: string): Promise<void> {
  const query = { user_id: `eq.${userId}`, file_name: `eq.${MOCK_FILE}` };
  await done(api.DELETE('/api/rest/v1/psbts', { params: { query } }));
}

import { ApiError, request } from './client';
import type { ProofAccepted, ProofAnswer, ProofRefused, ProofSubmission, Profile } from './types';

/** The mock file of development mode. */
export const MOCK_FILE = 'wallet_verification.psbt';

/** Creates or updates one's own profile. Verification and holdings are the server's alone. */
export async function upsertProfile(profile: Pick<Profile, 'id' | 'username' | 'avatar_url'>): Promise<void> {
  await request('/rest/v1/profiles', {
    method: 'POST',
    query: { on_conflict: 'id' },
    headers: { Prefer: 'resolution=merge-duplicates' },
    body: { ...profile, updated_at: new Date().toISOString() },
  });
}

/** Chooses the free plan. Premium follows the payment provider. */
export async function chooseFreeTier(userId: string): Promise<void> {
  await request('/rest/v1/profiles', { method: 'PATCH', query: { id: `eq.${userId}` }, body: { tier: 'free' } });
}

/** Sends a proof. A refusal is an answer like any other; only a missing answer is thrown. */
export async function submitProof(submission: ProofSubmission): Promise<ProofAnswer> {
  try {
    const path = '/functions/v1/submit-proof';
    return (await request<ProofAccepted>(path, { method: 'POST', body: submission })).data;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    const refused = error.body as Partial<ProofRefused> | null;
    return {
      status: refused?.status === 'conflict' ? 'conflict' : 'error',
      message: refused?.message ?? '',
      code: error.code,
      ...(typeof refused?.input === 'number' ? { input: refused.input } : {}),
    };
  }
}

/** Deletes the signed-in user's account. */
export async function deleteAccount(): Promise<void> {
  await request('/functions/v1/delete-account', { method: 'POST', body: {} });
}

/** Development only: removes the mock proof; the server resets the profile with it. */
export async function clearMockProofs(userId: string): Promise<void> {
  await request('/rest/v1/psbts', {
    method: 'DELETE',
    query: { user_id: `eq.${userId}`, file_name: `eq.${MOCK_FILE}` },
  });
}

/** An error whose message is written for the user. Messages of libraries and browsers are never shown. */
export class UserFacingError extends Error {
  override readonly name: string = 'UserFacingError';
}

/** The user-facing message of a thrown value, or the fallback. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof UserFacingError && error.message !== '' ? error.message : fallback;
}

/** A name and the provider it comes from. */
interface Named {
  username: string;
  provider: string;
}

/** A person's shown name: only X names get the @; others say where the name comes from. */
export function displayName({ username, provider }: Named): string {
  return provider === 'twitter' ? `@${username}` : `${provider}:${username}`;
}

/** The name in addresses, as the server reads it: an X name bare, others with where they come from. */
export function sharedName({ username, provider }: Named): string {
  return provider === 'twitter' ? username : `${provider}:${username}`;
}

/** The person's X page, or null when the name is not an X name. */
export function xPage({ username, provider }: Named): string | null {
  return provider === 'twitter' ? `https://x.com/${encodeURIComponent(username)}` : null;
}

/** Characters of the longest name that stays in one piece; a longer one breaks anywhere rather than push the layout. */
const LONG_NAME = 15;

export function isLongName(username: string): boolean {
  return username.length > LONG_NAME;
}

/** The letter that stands in for a missing picture. */
export function initial(username: string): string {
  return (/\P{White_Space}/u.exec(username)?.[0] ?? '?').toUpperCase();
}

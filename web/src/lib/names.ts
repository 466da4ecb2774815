/** A name and the provider it comes from. */
interface Named {
  username: string;
  provider: string;
  /** Whether the provider sent it. A made-up name may belong to another user there. */
  named: boolean;
}

/** The shown name: `@` for X, a prefix for other providers, none for a made-up name. */
export function displayName({ username, provider, named }: Named): string {
  if (!named) return username;
  return provider === 'twitter' ? `@${username}` : `${provider}:${username}`;
}

/** The name in addresses, as the server reads it: an X name bare, others with their provider. */
export function sharedName({ username, provider }: Omit<Named, 'named'>): string {
  return provider === 'twitter' ? username : `${provider}:${username}`;
}

/** The page on X; null when the name is not an X name. */
export function xPage({ username, provider, named }: Named): string | null {
  return named && provider === 'twitter' ? `https://x.com/${encodeURIComponent(username)}` : null;
}

/** Longer names break anywhere, to keep the layout. */
const LONG_NAME = 15;

export function isLongName(username: string): boolean {
  return username.length > LONG_NAME;
}

/** The letter that replaces a missing picture. */
export function initial(username: string): string {
  return (/\P{White_Space}/u.exec(username)?.[0] ?? '?').toUpperCase();
}

const FROM = /^(twitter|google|github|mock):(.*)$/s;

/** The name and provider of a search: `@whale` searches X names, `github:octo` names of that provider, other texts all names. */
export function searched(text: string): { name: string; provider: string | null } {
  const [, provider, rest] = FROM.exec(text) ?? [];
  if (provider !== undefined) return { name: rest ?? '', provider };
  return text.startsWith('@') ? { name: text.slice(1), provider: 'twitter' } : { name: text, provider: null };
}

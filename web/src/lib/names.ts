/** A name and the provider it comes from. */
interface Named {
  username: string;
  provider: string;
  /** Whether the provider told it. A name that stands in for that one is nobody's there, or somebody else's. */
  named: boolean;
}

/** A person's shown name: only X names get the @; others say where the name comes from; what is no name there stands bare. */
export function displayName({ username, provider, named }: Named): string {
  if (!named) return username;
  return provider === 'twitter' ? `@${username}` : `${provider}:${username}`;
}

/** The name in addresses, as the server reads it: an X name bare, others with where they come from. */
export function sharedName({ username, provider }: Omit<Named, 'named'>): string {
  return provider === 'twitter' ? username : `${provider}:${username}`;
}

/** The person's X page, or null when the name is not an X name. */
export function xPage({ username, provider, named }: Named): string | null {
  return named && provider === 'twitter' ? `https://x.com/${encodeURIComponent(username)}` : null;
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

const FROM = /^(twitter|google|github|mock):(.*)$/s;

/** What a search asks for: `@whale` is part of a name from X, `github:octo` of one from there, anything else of any name. */
export function searched(text: string): { name: string; provider: string | null } {
  const [, provider, rest] = FROM.exec(text) ?? [];
  if (provider !== undefined) return { name: rest ?? '', provider };
  return text.startsWith('@') ? { name: text.slice(1), provider: 'twitter' } : { name: text, provider: null };
}

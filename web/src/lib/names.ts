import PROVIDERS from '../../../server/board-log/lists/providers.json';

/** A name and the provider it comes from. */
interface Named {
  username: string;
  provider: string;
  /** Whether the provider sent it. A made-up name may belong to another user there. */
  named: boolean;
}

const wordsOf = (provider: string) => PROVIDERS.find(({ name }) => name === provider);

/** What stands before a handle, which is bare in addresses. */
const HANDLE = '@';

/** The provider whose names are handles. */
export const HANDLES = PROVIDERS.find(({ shown }) => shown === HANDLE)?.name ?? '';

/** The provider of development mode. */
export const MOCK = PROVIDERS.find(({ development }) => development)?.name ?? '';

/** Its name on screens. One that this page does not know has its name in requests. */
export const providerTitle = (provider: string) => wordsOf(provider)?.title ?? provider;

const prefixOf = (provider: string) => wordsOf(provider)?.shown ?? `${provider}:`;

/** The shown name: `@` before handles, another prefix for each other provider, none for a made-up name. */
export function displayName({ username, provider, named }: Named): string {
  return named ? prefixOf(provider) + username : username;
}

/** The name in addresses, as the server reads it: a handle bare, others with their provider. */
export function sharedName({ username, provider }: Omit<Named, 'named'>): string {
  return provider === HANDLES ? username : prefixOf(provider) + username;
}

/** What statements have before a name; null where the provider's names are not signed. */
export function signedPrefix(provider: string): string | null {
  const words = wordsOf(provider);
  return words ? words.signed : `${provider}:`;
}

/** The page of a handle; null for other names. */
export function handlePage({ username, provider, named }: Named): string | null {
  const page = named ? wordsOf(provider)?.page : null;
  return page ? page + encodeURIComponent(username) : null;
}

/** The provider's page for a permanent id; null when the provider has none. */
export function personPage({ provider, subject }: { provider: string; subject: string }): string | null {
  const page = /^\d+$/.test(subject) ? wordsOf(provider)?.person : null;
  return page ? page + subject : null;
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

/** The name and provider of a search: `@whale` searches handles, `provider:octo` names of that provider, other texts all names. */
export function searched(text: string): { name: string; provider: string | null } {
  const [before = '', ...rest] = text.split(':');
  if (rest.length > 0 && wordsOf(before)) return { name: rest.join(':'), provider: before };
  return text.startsWith(HANDLE) ? { name: text.slice(HANDLE.length), provider: HANDLES } : { name: text, provider: null };
}

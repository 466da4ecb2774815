// What a program, a page and a browser do around the client library. The library itself is the published one.
import { AuthClient } from '@supabase/auth-js';

export const ORIGIN = process.env.SITE_ORIGIN;
const URL_OF_AUTH = `${ORIGIN}/api/auth/v1`;
const STORAGE_KEY = 'session';

/** A place to keep the session in, like localStorage: several clients on it are several tabs. */
export class Storage extends Map {
  getItem(key) {
    return this.get(key) ?? null;
  }
  setItem(key, value) {
    this.set(key, value);
  }
  removeItem(key) {
    this.delete(key);
  }
  /** The session as the library stores it. */
  get session() {
    return JSON.parse(this.get(STORAGE_KEY) ?? 'null');
  }
  /** Makes the access token look as if it ended in `seconds`. */
  expireIn(seconds) {
    const expires_at = Math.round(Date.now() / 1000) + seconds;
    this.set(STORAGE_KEY, JSON.stringify({ ...this.session, expires_at, expires_in: seconds }));
  }
}

/** Counts requests by their path, and sends them as a program does: without cookies, without Origin. */
export function program() {
  const requests = [];
  const send = (url, options) => {
    requests.push(`${options.method} ${new URL(url).pathname.replace('/api/auth/v1', '')}`);
    return fetch(url, options);
  };
  return { requests, send };
}

function header(cookies) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return cookie ? { Cookie: cookie } : {};
}

function keep(cookies, answer) {
  for (const header of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(header);
    if (value === '' || /max-age=0/i.test(header)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** Sends requests as a page of our own origin does: with Origin, and with the cookies of the browser. */
export class Browser {
  cookies = new Map();
  elsewhere = new Map();
  requests = [];
  /** A cookie of ours. */
  cookie(name) {
    return this.cookies.get(name);
  }
  /** Opens an address of our site or of another one, as a followed link does. */
  async open(url) {
    const { origin } = new URL(url);
    if (!this.elsewhere.has(origin)) this.elsewhere.set(origin, new Map());
    const cookies = origin === ORIGIN ? this.cookies : this.elsewhere.get(origin);
    const answer = await fetch(url, { redirect: 'manual', headers: header(cookies) });
    keep(cookies, answer);
    return answer;
  }
  send = async (url, options) => {
    this.requests.push(`${options.method} ${new URL(url).pathname.replace('/api/auth/v1', '')}`);
    const answer = await fetch(url, {
      ...options,
      headers: { ...options.headers, Origin: ORIGIN, ...header(this.cookies) },
    });
    keep(this.cookies, answer);
    return answer;
  };
}

/** A client as the web app makes it. `storage` may be shared with other tabs. */
export function client(storage, send) {
  return new AuthClient({
    url: URL_OF_AUTH,
    flowType: 'pkce',
    storage,
    storageKey: STORAGE_KEY,
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: false,
    fetch: send,
  });
}

/** What a click on the button does, as far as the callback page: the code that it gets. */
export async function codeFromProvider(auth, provider = 'mock') {
  const { data, error } = await auth.signInWithOAuth({
    provider,
    options: { redirectTo: `${ORIGIN}/auth/callback`, skipBrowserRedirect: true },
  });
  if (error) throw error;
  const answer = await fetch(data.url, { redirect: 'manual' });
  return new URL(answer.headers.get('location')).searchParams;
}

/** Signs a new user in. */
export async function signIn(auth) {
  const parameters = await codeFromProvider(auth);
  const { data, error } = await auth.exchangeCodeForSession(parameters.get('code'));
  if (error) throw error;
  return data.session;
}

/** Sets the provider account of the browser's user, in the provider's format; null for a user who declines. */
export async function steer(provider, person) {
  const answer = await fetch(process.env.PROVIDERS_CONTROL, { method: 'POST', body: JSON.stringify({ provider, person }) });
  if (!answer.ok) throw new Error(await answer.text());
}

/** What a click on the button does: to the provider, through its pages, and back to the callback page with what it gets. */
export async function throughProvider(auth, browser, provider) {
  const page = `${ORIGIN}/auth/callback`;
  const { data, error } = await auth.signInWithOAuth({
    provider,
    options: { redirectTo: page, skipBrowserRedirect: true },
  });
  if (error) throw error;
  let url = data.url;
  for (let hops = 0; hops < 10; hops++) {
    if (url.startsWith(page)) return new URL(url).searchParams;
    const answer = await browser.open(url);
    url = new URL(answer.headers.get('location'), url).href;
  }
  throw new Error(`too many redirects, the last one to ${url}`);
}

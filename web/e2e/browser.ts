import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** The server under test. */
export const BASE_URL = (process.env.E2E_BASE_URL ?? 'http://127.0.0.1:8080').replace(/\/$/, '');
/** Where screenshots go; git-ignored. */
export const ARTIFACTS = join(import.meta.dirname, '..', 'artifacts');

export type Theme = 'light' | 'dark';
export const THEMES: Theme[] = ['light', 'dark'];
export const TABLET = 768;
export const WIDTHS = [390, TABLET, 1440];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser of CHROMIUM_PATH, else the first one on the PATH. */
function chromiumPath(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (!found) throw new Error('No Chromium found: install one, or set CHROMIUM_PATH.');
  return found;
}

export function browserOptions(more: string[] = []): { executablePath: string; args: string[] } {
  return { executablePath: chromiumPath(), args: [...FLAGS, ...more] };
}

/** A browser of its own in which only these fonts are installed. */
export async function launchWithFonts(families: string[]): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'proof-fonts-'));
  const file = join(folder, 'fonts.conf');
  const accepted = families.map((family) => `<pattern><patelt name="family"><string>${family}</string></patelt></pattern>`);
  await writeFile(
    file,
    // A glob would reject the files before their families are looked at.
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir><cachedir>${folder}</cachedir>` +
      `<selectfont><rejectfont><pattern><patelt name="scalable"><bool>true</bool></patelt></pattern></rejectfont><acceptfont>${accepted.join('')}</acceptfont></selectfont></fontconfig>`,
  );
  const { env } = process;
  const browser = await chromium.launch({ ...browserOptions(), env: { ...env, FONTCONFIG_FILE: file } });
  browser.on('disconnected', () => void rm(folder, { recursive: true, force: true }));
  return browser;
}

/** The browser that all journeys share (see one-browser.ts), where closing it closes the caller's contexts; else a new one. */
export async function launch(): Promise<Browser> {
  await mkdir(ARTIFACTS, { recursive: true });
  const shared = process.env.E2E_BROWSER;
  return shared ? chromium.connect(shared) : chromium.launch(browserOptions());
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Everything the page complained about: script errors, policy violations, requests to other hosts. */
  complaints: string[];
}

interface VisitorOptions {
  theme?: Theme;
  width?: number;
  /** Whether pages may run scripts; they may unless this says otherwise. */
  scripts?: boolean;
}

const windowOf = (width: number) => ({ width, height: width < 500 ? 844 : 900 });

/** Makes the window this wide. */
export const resize = (page: Page, width: number) => page.setViewportSize(windowOf(width));

/** A new person: a fresh context without any storage, watched for complaints. */
export async function newVisitor(browser: Browser, { theme = 'light', width = 1440, scripts = true }: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: BASE_URL,
    javaScriptEnabled: scripts,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    viewport: windowOf(width),
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    // A 4xx that a test provokes is logged by the browser itself as "Failed to load resource".
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== BASE_URL) complaints.push(`foreign host: ${request.url()}`);
  });
  return { context, page, complaints };
}

/** Timers of this many milliseconds never fire in this document, so that tests can see the page before they do. */
export async function waitsFor(page: Page, delay: number): Promise<void> {
  await page.evaluate((later) => {
    const begin = window.setTimeout.bind(window);
    Object.assign(window, { setTimeout: (work: TimerHandler, ms?: number, ...rest: unknown[]) => (ms === later ? 0 : begin(work, ms, ...rest)) });
  }, delay);
}

/** Signs in as a new mock user, who has no plan yet. */
export async function signInWithoutPlan(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Dev: Create Mock User & Login' }).click();
  await page.waitForURL('**/choose-plan');
}

/** Signs in as a new mock user and chooses the free plan, on the screens. */
export async function signInByHand(page: Page): Promise<void> {
  await signInWithoutPlan(page);
  await page.getByRole('button', { name: 'Continue with Basic' }).click();
  await page.waitForURL('**/leaderboard');
}

/** A document of the server without any script. */
const BLANK = '/healthz';

/**
 * The page of a new mock user with the free plan, for journeys that begin there. The session is made as the sign-in library makes it, and kept where it
 * keeps it. account.test.ts signs in on the screens.
 */
export async function signIn(page: Page): Promise<void> {
  const { request } = page;
  const verifier = randomBytes(32).toString('base64url');
  const params = { provider: 'mock', code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 's256' };
  const begun = await request.get(`${BASE_URL}/api/auth/v1/authorize`, { params, maxRedirects: 0 });
  const code = new URL(begun.headers()['location'] ?? '').searchParams.get('code');
  const data = { auth_code: code, code_verifier: verifier };
  const session = (await (await request.post(`${BASE_URL}/api/auth/v1/token?grant_type=pkce`, { data })).json()) as { access_token: string; user: { id: string } };
  const headers = { Authorization: `Bearer ${session.access_token}` };
  await request.patch(`${BASE_URL}/api/rest/v1/profiles?id=eq.${session.user.id}`, { headers, data: { tier: 'free' }, failOnStatusCode: true });
  if (!page.url().startsWith(BASE_URL)) await page.goto(`${BASE_URL}${BLANK}`);
  await page.evaluate((text) => localStorage.setItem('proof-session', text), JSON.stringify(session));
}

interface KeptSession {
  access_token: string;
  user: { id: string; user_metadata: { user_name: string } };
}

/** The session that this page's browser keeps. */
export const sessionOf = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('proof-session') ?? '{}') as KeptSession);

const authorized = async (page: Page) => ({ Authorization: `Bearer ${(await sessionOf(page)).access_token}` });

/** Asks the API with the session of this page. */
export async function askApi<T>(page: Page, path: string): Promise<T> {
  return (await (await page.request.get(BASE_URL + path, { headers: await authorized(page) })).json()) as T;
}

/** Sends a file as a program would, with the session of this page. */
export async function sendProof(page: Page, psbtBase64: string, publish = false, file_name = 'sent.psbt'): Promise<{ status: string; message: string }> {
  const data = { psbtBase64, utxos: [], file_name, publish };
  return (await (await page.request.post(`${BASE_URL}/api/functions/v1/submit-proof`, { headers: await authorized(page), data })).json()) as never;
}

/** Proves the coins of a sample with the session of this page, for journeys that begin with that. */
export async function sendSample(page: Page, title: string, publish = false): Promise<void> {
  const sample = (await samplesOf(page)).find((one) => one.title === title);
  const { status, message } = await sendProof(page, sample?.psbt_base64 ?? '', publish, sample?.file_name);
  if (status !== 'success') throw new Error(`${title}: ${message}`);
}

/** Makes holders until the board has three: only then it has its charts. */
export async function threeHolders(browser: Browser): Promise<void> {
  const { context, page } = await newVisitor(browser);
  const { holders } = (await (await page.request.get(`${BASE_URL}/api/functions/v1/board-summary`)).json()) as { holders: number };
  for (let count = holders; count < 3; count += 1) {
    await signIn(page);
    await sendSample(page, 'A signed self-transfer');
  }
  await context.close();
}

export interface Sample {
  id: string;
  file_name: string;
  title: string;
  psbt_base64: string;
}

export function samplesOf(page: Page): Promise<Sample[]> {
  return askApi<Sample[]>(page, '/api/functions/v1/development-samples');
}

import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
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

/** A new person: a fresh context without any storage, watched for complaints. */
export async function newVisitor(browser: Browser, { theme = 'light', width = 1440, scripts = true }: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: BASE_URL,
    javaScriptEnabled: scripts,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    viewport: { width, height: width < 500 ? 844 : 900 },
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

/** What this document puts off by so many milliseconds from now on waits for ever: one can look at what is on show until then. */
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

/** Signs in as a new mock user and chooses the free plan. */
export async function signIn(page: Page): Promise<void> {
  await signInWithoutPlan(page);
  await page.getByRole('button', { name: 'Continue with Basic' }).click();
  await page.waitForURL('**/leaderboard');
}

/** Asks the API with the session of this page. */
export async function askApi<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (url) => {
    const stored = JSON.parse(localStorage.getItem('proof-session') ?? '{}') as { access_token?: string };
    const response = await fetch(url, { headers: { Authorization: `Bearer ${stored.access_token}` } });
    return (await response.json()) as never;
  }, path);
}

/** Sends a file as a program would, with the session of this page. */
export async function sendProof(page: Page, psbtBase64: string, publish = false): Promise<{ status: string; message: string }> {
  return page.evaluate(async (body) => {
    const stored = JSON.parse(localStorage.getItem('proof-session') ?? '{}') as { access_token?: string };
    const response = await fetch('/api/functions/v1/submit-proof', {
      method: 'POST',
      headers: { Authorization: `Bearer ${stored.access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as never;
  }, { psbtBase64, utxos: [], file_name: 'sent.psbt', publish });
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

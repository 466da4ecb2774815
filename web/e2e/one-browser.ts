import { chromium } from 'playwright-core';
import { browserOptions } from './browser';

/** Starts the one browser that all files of journeys share, each with contexts of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer(browserOptions());
  process.env.E2E_BROWSER = server.wsEndpoint();
  return () => server.close();
}

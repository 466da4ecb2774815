import { defineConfig } from 'vitest/config';

/** This file compares two states of the board, so nothing else may change it meanwhile. */
const ALONE = 'e2e/first-page.test.ts';
/** This one begins with the sample holders of a new board: with a server of its own, and SAMPLES=on. */
const NEWCOMER = 'e2e/newcomer.test.ts';
const apart = process.env.SAMPLES === 'on' ? [ALONE] : [ALONE, NEWCOMER];

/**
 * Journeys in a real Chromium against a running server: `E2E_BASE_URL=http://127.0.0.1:8080 npm run e2e`. They mostly wait, so several
 * files run at once, each with accounts of its own.
 */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A slow machine loses an event of the browser once in a thousand journeys; what is wrong fails twice.
    retry: 1,
    // A busy machine is slower, with the same result.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: 'e2e/one-browser.ts',
    projects: [
      { extends: true, test: { name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'together', include: ['e2e/**/*.test.ts'], exclude: apart, maxWorkers: 3, sequence: { groupOrder: 1 } } },
    ],
  },
});

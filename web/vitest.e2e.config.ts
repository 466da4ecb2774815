import { defineConfig } from 'vitest/config';

/** This one compares two looks at the board: nothing else may change it. */
const ALONE = 'e2e/first-page.test.ts';

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
    // A loaded machine takes longer to get there; where it gets is the same.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: 'e2e/one-browser.ts',
    projects: [
      { extends: true, test: { name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'together', include: ['e2e/**/*.test.ts'], exclude: [ALONE], maxWorkers: 3, sequence: { groupOrder: 1 } } },
    ],
  },
});

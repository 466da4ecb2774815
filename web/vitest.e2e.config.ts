import { defineConfig } from 'vitest/config';

/** Journeys in a real Chromium against a running server: `E2E_BASE_URL=http://127.0.0.1:8080 npm run e2e`. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A loaded machine takes longer to get there; where it gets is the same.
    expect: { poll: { timeout: 10_000 } },
  },
});

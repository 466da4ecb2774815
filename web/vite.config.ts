import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import wasm from 'vite-plugin-wasm';
import { defineConfig } from 'vitest/config';
import { prose } from './build/prose.ts';
import { pagePreloads } from './build/page-preloads.ts';
import { documents } from './build/documents.ts';
import { markdown } from './build/markdown.ts';
import { thirdParty } from './build/third-party.ts';
import { unusedSignIn } from './build/unused-sign-in.ts';
import { walletNames } from './build/wallet-names.ts';

/** What the server answers and Vite does not know. `./start --watch` says where the server is. */
const origin = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080';
const proxy = Object.fromEntries(
  ['/api', '/badge/', '/card/', String.raw`^/embed(\?|$)`, '/log/', '/development/', '/healthz', '/readyz', '/robots.txt', '/sitemap.xml'].map((path) => [path, origin]),
);

/** What every document loads: one file compresses better than many small ones. */
const groups = [
  {
    name: 'base',
    test: /^\0|preload-helper|\/src\/styles\.css|\/board-log\/lists\/|\/node_modules\/(react|react-dom|scheduler|wouter|regexparam)\/|\/node_modules\/@tanstack\/(?!.*(?:nfinite|useMutation|mutationObserver|useQueries|queriesObserver))|\/lucide-react\/dist\/esm\/(?!icons\/(?!(?:x|chevron-down|chevron-right)\.))|\/src\/(ui\/(arrival|avatar|button|popup|later|logo|notice|page|spinner|use-erasable)|lib\/(bytes|cx|errors|format|holder-tier|listen|member|names|picture|secret|shown|shown-account|site|storage|theme|use-now)|shell\/(error-boundary|frame|navigation|theme-toggle))\./,
  },
  // What every page of the app loads, and the static pages of /verify and /prove do not.
  {
    name: 'app',
    includeDependenciesRecursively: false,
    test: /\/src\/(api\/(client|queries|first-page|select|own-profile)|features\/(session\/(auth-client|context|current-user|provider|guard|wanted)|share\/drop-proven|upload\/ask)|lib\/(unknown-address|chosen-file)|shell\/(header|layout|log-watch|report-errors)|routes|app)\./,
  },
  // A visitor of the board loads all of each. Only these files: what they need belongs to others as well.
  { name: 'log-alarm', includeDependenciesRecursively: false, test: /\/src\/(features\/board-log\/(log-alarm|watch)|api\/log)\./ },
  {
    name: 'leaderboard',
    includeDependenciesRecursively: false,
    test: /\/src\/(features\/leaderboard\/(board-|entry-row|histogram|leaderboard-page|row-words|states|toolbar|use-)|ui\/dropdown\.)|\/lucide-react\/dist\/esm\/icons\/(arrow-up-down|badge-check|file-check-corner|search|sliders-horizontal|trophy)\./,
  },
  { name: 'board', includeDependenciesRecursively: false, test: /\/src\/api\/(board|board-entry|live)\./ },
];

/** Tests in which another module takes the place of one of ours. Each needs modules of its own; the others share theirs, which takes a quarter of the time. */
const replacing = readdirSync(new URL('src', import.meta.url), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => file.endsWith('.test.tsx') && readFileSync(new URL(file, import.meta.url), 'utf8').includes('vi.mock('));

/** jsdom fetches no files: the module that checks a log is read from its own. */
const logModule = { alias: { 'psbt-wasm/bundler/log': fileURLToPath(new URL('src/testing/log-module.js', import.meta.url)) } };

export default defineConfig({
  plugins: [react(), tailwindcss(), wasm(), markdown(), prose(), pagePreloads(), documents(), unusedSignIn(), walletNames(), thirdParty()],
  // React has it itself.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  worker: { format: 'es', plugins: () => [wasm()] },
  // The package is a link to a folder beside this one.
  server: { proxy, fs: { allow: ['.', '../psbt-wasm/pkg', '../psbt-wasm/js', '../server/board-log/lists'] } },
  preview: { proxy },
  // Everything is a file of its own: `data:` addresses would need a wider content security policy.
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A script that imports another later need not list what its document has loaded already.
      resolveDependencies: (_file, needed, { hostType }) => (hostType === 'html' ? needed : needed.filter((file) => !/\/(base|rolldown-runtime)-/.test(file))),
    },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  test: {
    restoreMocks: true,
    testTimeout: 20_000,
    unstubGlobals: true,
    projects: [
      { extends: true, test: { name: 'logic', include: ['src/**/*.test.ts'], environment: 'node', isolate: false } },
      {
        extends: true,
        resolve: logModule,
        test: {
          name: 'components',
          include: ['src/**/*.test.tsx'],
          exclude: replacing,
          environment: 'jsdom',
          setupFiles: ['src/testing/setup.ts'],
          isolate: false,
        },
      },
      { extends: true, resolve: logModule, test: { name: 'replacing', include: replacing, environment: 'jsdom', setupFiles: ['src/testing/setup.ts'] } },
    ],
  },
});

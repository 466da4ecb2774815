import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import wasm from 'vite-plugin-wasm';
import { staticSite } from './build/static-site.ts';
import { thirdParty } from './build/third-party.ts';
import { walletNames } from './build/wallet-names.ts';
import app from './vite.config.ts';

/** The pages that check and make proofs, for any static host: `npm run build:verify`. They ask no board. */
export default defineConfig({
  base: './',
  plugins: [react(), tailwindcss(), wasm(), staticSite(), walletNames(), thirdParty()],
  worker: app.worker ?? {},
  build: { ...app.build, outDir: 'dist-verify', rolldownOptions: { input: { verify: 'verify.html', prove: 'prove.html' } } },
});

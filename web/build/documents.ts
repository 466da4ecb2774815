import type { Plugin } from 'vite';

/** The documents of the web app: the app itself, and the pages that check and make proofs, in which no code of the app's session runs. */
const DOCUMENTS = { index: 'index.html', verify: 'verify.html', prove: 'prove.html' };
const VERIFY = /^\/verify(?:\/[^/.]*)?\/?(?=\?|$)/;
const PROVE = /^\/prove(?:\/ask)?\/?(?=\?|$)/;

/** Builds all documents; while pages come from Vite, sends each where the server sends it. */
export function documents(): Plugin {
  return {
    name: 'documents',
    config: () => ({ build: { rolldownOptions: { input: DOCUMENTS } } }),
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        if (request.url) request.url = request.url.replace(VERIFY, '/verify.html').replace(PROVE, '/prove.html');
        next();
      });
    },
  };
}

import type { Plugin } from 'vite';

/** The documents: the app, and the pages that check and make proofs, which contain no session code. */
const DOCUMENTS = { index: 'index.html', verify: 'verify.html', prove: 'prove.html' };
const VERIFY = /^\/verify(?:\/[^/.]*)?\/?(?=\?|$)/;
const PROVE = /^\/prove(?:\/ask)?\/?(?=\?|$)/;

/** Builds all documents; the development server maps addresses as the real server does. */
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

import type { Plugin } from 'vite';

/** The documents: the app, and the pages that check and make proofs, which contain no session code. */
const DOCUMENTS = { index: 'index.html', verify: 'verify.html', prove: 'prove.html' };
const VERIFY = /^\/verify(?:\/[^/.]*)?\/?(?=\?|$)/;
/** The style sheet of /embed, which the server writes. Its name is fixed, the font's is not. */
const EMBED = { name: 'embed.css', file: 'src/embed.css' };
const PROVE = /^\/prove(?:\/ask)?\/?(?=\?|$)/;

/** Builds all documents; the development server maps addresses as the real server does. */
export function documents(): Plugin {
  return {
    name: 'documents',
    config: () => ({
      build: {
        rolldownOptions: {
          input: { ...DOCUMENTS, embed: EMBED.file },
          output: { assetFileNames: ({ names }) => (names.includes(EMBED.name) ? EMBED.name : 'assets/[name]-[hash][extname]') },
        },
      },
    }),
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        if (request.url) request.url = request.url.replace(VERIFY, '/verify.html').replace(PROVE, '/prove.html').replace(/^\/embed\.css/, `/${EMBED.file}`);
        next();
      });
    },
  };
}

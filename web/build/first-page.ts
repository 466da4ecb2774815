import { fileURLToPath } from 'node:url';
import { runnerImport, type Plugin } from 'vite';

const DRAWING = fileURLToPath(new URL('../src/first-page.tsx', import.meta.url));

/** Puts the leaderboard and the pages of prose into index.html as templates, which the server fills in. */
export function firstPage(): Plugin {
  return {
    name: 'first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        // The document that checks proofs has no such places.
        if (!html.includes('<!--board-->')) return html;
        const { module } = await runnerImport<typeof import('../src/first-page')>(DRAWING, { configFile: false });
        const prose = module.PROSE.map((address) => `<!--page ${address.slice(1)}-->${module.proseTemplate(address)}`);
        return html
          .replace('<!--board-->', (place) => place + module.firstPageTemplate())
          .replace('<!--prose-->', (place) => place + prose.join(''));
      },
    },
  };
}

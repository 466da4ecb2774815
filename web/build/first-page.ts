import { fileURLToPath } from 'node:url';
import { runnerImport, type Plugin } from 'vite';

const DRAWING = fileURLToPath(new URL('../src/first-page.tsx', import.meta.url));

/** Puts the leaderboard into index.html as a template, which the server fills in. */
export function firstPage(): Plugin {
  return {
    name: 'first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const { module } = await runnerImport<typeof import('../src/first-page')>(DRAWING, { configFile: false });
        return html.replace('<!--board-->', (place) => place + module.firstPageTemplate());
      },
    },
  };
}

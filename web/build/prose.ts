import { fileURLToPath } from 'node:url';
import { runnerImport, type Plugin } from 'vite';

const DRAWING = fileURLToPath(new URL('../src/prose.tsx', import.meta.url));
const PLACE = '<!--content-->';

/** Puts the pages of prose into index.html. The server sends each to its readers without scripts. */
export function prose(): Plugin {
  return {
    name: 'prose',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        // The document that checks proofs has no such place.
        if (!html.includes(PLACE)) return html;
        const { module } = await runnerImport<typeof import('../src/prose')>(DRAWING, { configFile: false });
        return html.replace(PLACE, (place) => place + module.drawProse());
      },
    },
  };
}

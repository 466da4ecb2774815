import { fileURLToPath } from 'node:url';
import { runnerImport, type Plugin } from 'vite';
import { markdown } from './markdown.ts';

const DRAWING = fileURLToPath(new URL('../src/prose.tsx', import.meta.url));
const PLACE = '<!--content-->';

/** Adds the prose pages to index.html. The server sends them to readers without scripts. */
export function prose(): Plugin {
  return {
    name: 'prose',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        // Only the app's document.
        if (!html.includes(PLACE)) return html;
        const { module } = await runnerImport<typeof import('../src/prose')>(DRAWING, { configFile: false, plugins: [markdown()] });
        return html.replace(PLACE, (place) => place + module.drawProse());
      },
    },
  };
}

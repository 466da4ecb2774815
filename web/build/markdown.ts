import { marked } from 'marked';
import type { Plugin } from 'vite';

/** Texts in Markdown as their tokens, which `src/ui/markdown.tsx` renders. */
export function markdown(): Plugin {
  return {
    name: 'markdown',
    transform: {
      filter: { id: /\.md$/ },
      handler: (text) => ({ code: `export default ${JSON.stringify(marked.lexer(text), (key, value: unknown) => (key === 'raw' ? undefined : value))};`, map: null }),
    },
  };
}

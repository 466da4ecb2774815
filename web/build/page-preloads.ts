import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Pages for signed-in users, which also need the sign-in library. */
const SIGNED_IN = new Set(['upload', 'profile', 'choose-plan']);
const SIGN_IN_LIBRARY = '/@supabase/auth-js/';
const PAGE = /-page\.tsx$/;

/**
 * Writes the preload links of each page into index.html, by the first part of its path. The server sends those of the requested page,
 * so that the browser need not run one script to discover the next.
 */
export function pagePreloads(): Plugin {
  return {
    name: 'page-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk: own }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entry = new Set(own ? filesOf(own, bundle) : []);
        const library = chunks.filter(({ facadeModuleId }) => facadeModuleId?.includes(SIGN_IN_LIBRARY));
        const pages = chunks.flatMap((chunk) => {
          if (!PAGE.test(chunk.facadeModuleId ?? '')) return [];
          const page = basename(chunk.facadeModuleId ?? '').replace(PAGE, '');
          const needed = [chunk, ...(SIGNED_IN.has(page) ? library : [])].flatMap((one) => filesOf(one, bundle));
          const links = [...new Set(needed)].filter((file) => !entry.has(file)).map(link);
          return `<!--page ${page}-->${links.join('')}`;
        });
        return html.replace('<!--pages-->', (place) => place + pages.toSorted().join(''));
      },
    },
  };
}

const link = (file: string) => `<link rel="modulepreload" crossorigin href="/${file}" />`;

/** A chunk's file, and all that it imports. */
function filesOf({ fileName, imports }: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const more = imports.map((file) => bundle[file]).filter((file) => file?.type === 'chunk');
  return [fileName, ...more.flatMap((chunk) => filesOf(chunk, bundle))];
}
